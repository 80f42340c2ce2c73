"""Write a trained policy as one ONNX file that plays without torch.

    python -m agents.export runs/first first.onnx

The file takes ``observation`` (n, width) uint8 and ``action_mask`` (n, actions) int8 and gives ``logits`` (n, actions)
float32, very low but finite where an action is illegal; n is free. The renaming of the suits is inside. Its metadata,
keys ``pedro.…`` with JSON values, say which game, layout and actions it is for and how it was trained.

Before the file gets its name it is compared with the network on ten thousand random legal states; where a logit differs
by more than 1e-5 or another action comes out, nothing is written.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.choice import count_legal, nth_legal
from agents.errors import AgentError
from agents.registry import AGENTS, is_named, split_spec
from pedro_env.actions import actions_of
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, fail, run
from pedro_env.engine import Batch
from pedro_env.files import check_writable, write_whole
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int8Array, UInt8Array

if TYPE_CHECKING:
    from agents.checkpoint import Policy
    from agents.network import PolicyValueNetwork

PROGRAM = "python -m agents.export"
NEEDS = ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime")
STATES = 10_000
"""States on which the file must agree with the network."""
TOLERANCE = 1e-5
"""The largest difference of a logit."""
BATCH_SIZES = (1, 2, 3, 17, 64, 1000, 4096)
"""Numbers of states at a time that the file is run with, over and over."""
OPSET = 18


class ParityError(RuntimeError):
    """The exported file does not agree with the network."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        _check_trained(options.policy)
        missing = [package for package in NEEDS if importlib.util.find_spec(package) is None]
        if missing:
            raise AgentError(f"the export needs {', '.join(missing)}: pip install -e '.[export]'")
        if options.out.suffix != ".onnx":
            raise AgentError(f"{options.out}: the name must end in .onnx, so that the file is known as an agent")
        check_writable(options.out)
        print(export_policy(options.policy, options.out))
    except (AgentError, OSError) as error:
        return fail(PROGRAM, str(error), USER_MISTAKE)
    except ParityError as error:
        return fail(PROGRAM, str(error), 1)
    except KeyboardInterrupt:
        return fail(PROGRAM, "interrupted; nothing is written", INTERRUPTED)
    return 0


def export_policy(source: Path, out: Path, states: int = STATES) -> str:
    """Export a run's last checkpoint, a checkpoint or its file of weights; returns a line on what was done.

    Raises ``AgentError`` where there is no such policy, ``ParityError`` where the file would not agree with it.
    """
    from agents.checkpoint import load_policy

    policy = load_policy(source)
    model = to_onnx(policy)
    difference, ties = check_parity(policy.network, policy.rules, model, states)
    write_whole(out, model)
    tied = f" ({ties} ties within {TOLERANCE:g} broken otherwise)" if ties else ""
    return (
        f"{out}: {len(model) / 1e6:.1f} MB, {policy.rules.variant}; the same actions as {policy.path} in {states:,} "
        f"random states{tied}, largest difference of a logit {difference:.1e}"
    )


def _check_trained(source: Path) -> None:
    """Raise ``AgentError`` where an agent is named that was not trained."""
    name, _ = split_spec(str(source))
    if source.exists() or not is_named(name):
        return
    why = "it sees all cards" if name in AGENTS and AGENTS[name].sees_everything else "it is no trained policy"
    raise AgentError(f"{name} is not exported: {why}; name a run's folder or a checkpoint")


def to_onnx(policy: Policy) -> bytes:
    """A policy as a sealed ONNX model."""
    import onnx

    from agents import onnx_policy

    identity = onnx_policy.Identity(
        variant=policy.identity.variant,
        options=policy.identity.options,
        rules_hash=policy.identity.rules_hash,
        layout_hash=policy.identity.layout_hash,
        actions=list(actions_of(policy.rules).names),
        training={key: value for key, value in policy.info.items() if key not in ("identity", "sha256")},
        part=policy.identity.part,
        rest=policy.identity.rest,
    )
    model = _graph(policy.network)
    _strip(model)
    model.producer_name = "pedro"
    entries = identity.metadata() | dict([onnx_policy.checksum_entry()])
    onnx.helper.set_model_props(model, entries)
    onnx.checker.check_model(model)
    return onnx_policy.seal(model.SerializeToString(deterministic=True))


def check_parity(network: PolicyValueNetwork, rules: Rules, model: bytes, states: int = STATES) -> tuple[float, int]:
    """Compare a model with its network on random legal states, in several batch sizes.

    Returns the largest difference of a logit, and in how many states the network has two actions within
    ``TOLERANCE`` of each other and the model takes the other one. Raises ``ParityError``.
    """
    import torch

    from agents import onnx_policy

    observation, mask = random_states(rules, states)
    with torch.inference_mode():
        chunks = zip(np.array_split(observation, 10), np.array_split(mask, 10), strict=True)
        wanted = np.concatenate([network(torch.from_numpy(o), torch.from_numpy(m)).numpy() for o, m in chunks])
    session = onnx_policy.open_session(model, Path("the exported model"))
    got = np.concatenate([onnx_policy.run(session, observation[s], mask[s]) for s in _slices(states)])
    difference = float(np.abs(got - wanted).max(initial=0))
    if not (got.shape == wanted.shape and np.isfinite(got).all() and difference <= TOLERANCE):
        raise ParityError(
            f"a logit differs by {difference:.1e} from the network's (at most {TOLERANCE:g}), so nothing is exported"
        )
    rows = np.arange(states)
    ours, its = wanted.argmax(axis=1), got.argmax(axis=1)
    if not mask[rows, its].all() or (wanted[rows, ours] - wanted[rows, its]).max(initial=0) > TOLERANCE:
        raise ParityError("another action than the network's comes out, so nothing is exported")
    return difference, int((ours != its).sum())


def random_states(rules: Rules, states: int, seed: int = 0) -> tuple[UInt8Array, BoolArray]:
    """Observations and masks of some decisions in deals of random actions, at random scores.

    Phases that are rarer come oftener than they do in deals: by the square root of their frequency.
    """
    tables = max(1, states // 16)  # a deal has more decisions than this
    rng = np.random.default_rng(seed)
    batch = Batch(rules, seed, np.arange(tables), validate=False)
    observations: list[UInt8Array] = []
    masks: list[BoolArray] = []
    phases: list[Int8Array] = []
    match = 0
    while sum(map(len, masks)) < 2 * states:
        over = np.flatnonzero(batch.over)
        if len(over) == tables or not observations:
            match += tables
            scores = rng.integers(-rules.target, rules.target, (tables, rules.sides))
            batch.restart(np.arange(tables), match + np.arange(tables), scores.astype(np.int16))
        rows = np.flatnonzero(~batch.over)
        words = batch.legal()[rows]
        observations.append(batch.observe(rows))
        masks.append(batch.mask(rows))
        phases.append(batch.phase[rows])
        counts = count_legal(words)
        batch.step(nth_legal(words, (rng.random(len(rows)) * counts).astype(np.int64)), rows)
    phase = np.concatenate(phases)
    weight = 1 / np.sqrt(np.bincount(phase))[phase]
    pick = rng.choice(len(phase), states, replace=False, p=weight / weight.sum())
    return np.concatenate(observations)[pick], np.concatenate(masks)[pick]


def _slices(states: int) -> list[slice]:
    slices: list[slice] = []
    start = 0
    while start < states:
        size = BATCH_SIZES[len(slices) % len(BATCH_SIZES)]
        slices.append(slice(start, min(start + size, states)))
        start += size
    return slices


def _graph(network: PolicyValueNetwork) -> Any:
    """The network's ``forward`` as an ONNX model with a free batch axis."""
    import torch

    from agents.onnx_policy import LOGITS, MASK, OBSERVATION

    layout = network.layout
    example = (
        torch.zeros(3, layout.width, dtype=torch.uint8),
        torch.ones(3, actions_of(layout.rules).n, dtype=torch.int8),
    )
    batch = torch.export.Dim("batch")
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)  # it warns of packages that are of no concern here
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecations between torch's own parts
            program = torch.onnx.export(
                network.eval(),
                example,
                dynamo=True,
                input_names=[OBSERVATION, MASK],
                output_names=[LOGITS],
                dynamic_shapes=({0: batch}, {0: batch}),
                opset_version=OPSET,
                verbose=False,
            )
    finally:
        logger.setLevel(level)
    assert program is not None
    return program.model_proto


def _strip(model: Any) -> None:
    """Take out what the exporter notes for its own debugging: paths of source files on this machine among it."""
    graph = model.graph
    del graph.value_info[:]
    for item in (model, graph, *graph.node, *graph.input, *graph.output, *graph.initializer, *model.functions):
        item.ClearField("doc_string")
        del item.metadata_props[:]


def _parser() -> Parser:
    parser = Parser(PROGRAM, __doc__)
    parser.add_argument("policy", type=Path, metavar="RUN_OR_CHECKPOINT", help="a run's folder: its last checkpoint")
    parser.add_argument("out", type=Path, metavar="OUT.onnx", help="the file to write; one that exists is replaced")
    return parser


if __name__ == "__main__":
    sys.exit(run(main))

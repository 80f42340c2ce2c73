"""Policies exported by ``python -m agents.export``: how the file is sealed, and the file as an agent.

The file is an ONNX model with metadata that says what it is for (``Identity``). One entry of the metadata is the
SHA-256 of all other bytes, so that a file that was cut off or altered is found out before anything reads it. (It finds
accidents: whoever forges a file can forge its checksum.)

This needs onnxruntime, and neither torch nor onnx. Loading runs no code from the file: a model is a graph of
onnxruntime's own operators, and it is given as bytes, so that it cannot refer to other files.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from agents.choice import decide, sample, softmax
from agents.deal_sets import tuned_on
from agents.errors import AgentError, play_it_with
from agents.parts import ALL, WithRest, rest_of
from pedro_env.actions import actions_of
from pedro_env.layout import layout_of
from pedro_env.rules import Rules, RulesError
from pedro_env.typing import FloatArray, IntArray
from pedro_env.variants import make_rules
from pedro_env.views import Views

FORMAT = 1
OBSERVATION, MASK, LOGITS = "observation", "action_mask", "logits"
PREFIX = "pedro."
"""Of the keys in the file's metadata."""
CHECKSUM = "sha256"

_DIGITS = 64
_SEAL = (PREFIX + CHECKSUM).encode() + bytes([0x12, _DIGITS])
"""As it stands in the file: the key, then the tag and length of the value that follows (a protobuf string)."""


@dataclass(frozen=True)
class Identity:
    """What an exported policy is for, as in its metadata; all but ``training`` must fit to play."""

    variant: str
    options: dict[str, Any]
    rules_hash: str
    layout_hash: str
    actions: list[str]
    training: dict[str, Any]
    format: int = FORMAT
    part: str = ALL
    """What it has learnt (``parts.py``)."""
    rest: str = ""
    """Where that is not all: the agent that takes the other decisions."""

    def metadata(self) -> dict[str, str]:
        """Key and value of each entry in the file; nothing of a rest where there is none."""
        values = {key: value for key, value in vars(self).items() if self.part != ALL or key not in ("part", "rest")}
        return {PREFIX + key: json.dumps(value) for key, value in values.items()}

    @classmethod
    def read(cls, metadata: dict[str, str]) -> Identity:
        """From a file's metadata. ``KeyError``, ``TypeError`` or ``ValueError`` where it is not all there."""
        found = {key.removeprefix(PREFIX): json.loads(metadata[key]) for key in metadata if key.startswith(PREFIX)}
        if found["format"] == FORMAT:
            return cls(**found)
        raise _OtherFormat(found["format"])


class _OtherFormat(ValueError):
    pass


class OnnxPolicy(WithRest):
    """An exported policy; the most probable action, or one drawn from the policy where not ``greedy``.

    Where it has learnt a part of the deal alone, the file names the agent that takes the other decisions; ``rest`` is
    another one. (The graph answers in all phases; in those it says nothing that was learnt.)

    Raises ``AgentError`` for a file that is missing, damaged, from elsewhere or made for another game.
    """

    def __init__(self, path: Path, rules: Rules, greedy: bool = True, rest: str | None = None) -> None:
        self.name = str(path)
        self.greedy = greedy
        self.session = open_session(unseal(path), path)
        self.identity = _identity(self.session, path)
        _check_fits(self.session, self.identity, rules, path)
        part, sets = self.identity.part, tuned_on(self.identity.training)
        super().__init__(part, rest_of(path, rules, part, self.identity.rest, rest), sets)

    def own_act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision, of those it has learnt."""
        return decide(views, self._choose)

    def own_probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` the policy, whether or not the agent is greedy."""
        return softmax(run(self.session, views.observation, views.mask))

    def _choose(self, views: Views) -> IntArray:
        logits = run(self.session, views.observation, views.mask)
        return logits.argmax(axis=1) if self.greedy else sample(logits, views.uniform())


def run(session: onnxruntime.InferenceSession, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """``(k, actions)`` float32 logits for ``(k, width)`` uint8 observations and ``(k, actions)`` bool or int8 masks."""
    inputs = {OBSERVATION: observation, MASK: mask.view(np.int8)}
    (logits,) = session.run([LOGITS], inputs)
    return np.asarray(logits)


def seal(model: bytes) -> bytes:
    """Put the checksum into a model whose metadata has ``checksum_entry``."""
    start = model.index(_SEAL) + len(_SEAL)
    digest = hashlib.sha256(model).hexdigest().encode()
    return model[:start] + digest + model[start + _DIGITS :]


def checksum_entry() -> tuple[str, str]:
    """Key and value of the entry that ``seal`` fills in."""
    return PREFIX + CHECKSUM, "0" * _DIGITS


def unseal(path: Path) -> bytes:
    """The bytes of a sealed model, once its checksum has been found to be right."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise AgentError(f"{path}: {error.strerror}") from None
    start = data.find(_SEAL) + len(_SEAL)
    digest = data[start : start + _DIGITS]
    if start < len(_SEAL) or len(digest) < _DIGITS:
        raise AgentError(f"{path}: not a policy exported by 'python -m agents.export', or cut off")
    if hashlib.sha256(data[:start] + b"0" * _DIGITS + data[start + _DIGITS :]).hexdigest().encode() != digest:
        raise AgentError(f"{path}: damaged or altered: its checksum is wrong; export the policy again")
    return data


def open_session(model: bytes, path: Path) -> onnxruntime.InferenceSession:
    """A session with one thread, on the CPU: the same bits on every run."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own kinds derive from Exception alone
        reason = str(error).splitlines()[0]
        raise AgentError(f"{path}: onnxruntime {onnxruntime.__version__} cannot load it: {reason}") from None


def identity_of(path: Path) -> Identity:
    """What a file says it is for. Raises ``AgentError`` for one that is missing, damaged or from elsewhere."""
    return _identity(open_session(unseal(path), path), path)


def _identity(session: onnxruntime.InferenceSession, path: Path) -> Identity:
    metadata = dict(session.get_modelmeta().custom_metadata_map)
    metadata.pop(PREFIX + CHECKSUM, None)
    try:
        return Identity.read(metadata)
    except _OtherFormat as error:
        raise AgentError(f"{path}: format {error} of exported policies; this version reads format {FORMAT}") from None
    except (KeyError, TypeError, ValueError):
        raise AgentError(f"{path}: its metadata does not say what it is for; export the policy again") from None


def _check_fits(session: onnxruntime.InferenceSession, identity: Identity, rules: Rules, path: Path) -> None:
    """Raise ``AgentError`` where the policy is for other rules or another layout, or is no such policy at all."""
    layout, actions = layout_of(rules), actions_of(rules)
    if identity.rules_hash != rules.hash():
        game = " ".join([identity.variant, *(f"{key}={value}" for key, value in identity.options.items())])
        message = f"{path}: made for {game!r}, not for this game {rules.variant!r}{_differences(identity, rules)}"
        raise AgentError(message + play_it_with(identity.variant, identity.options))
    if identity.layout_hash != layout.hash() or identity.actions != list(actions.names):
        raise AgentError(f"{path}: made for another layout of observations or actions; train and export it again")
    found = {i.name: (i.type, i.shape[1:]) for i in (*session.get_inputs(), *session.get_outputs())}
    wanted = {
        OBSERVATION: ("tensor(uint8)", [layout.width]),
        MASK: ("tensor(int8)", [actions.n]),
        LOGITS: ("tensor(float)", [actions.n]),
    }
    if found != wanted:
        raise AgentError(f"{path}: its inputs and outputs are not those of an exported policy; export it again")


def _differences(identity: Identity, rules: Rules) -> str:
    try:
        names = ", ".join(make_rules(identity.variant, identity.options).differences(rules))
    except (RulesError, TypeError):
        return ""
    return f" (different: {names})" if names else " (the rules have changed since)"

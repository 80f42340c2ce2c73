"""Decisions a second of every variant, as a ratio to ``pedro``'s in the same run.

    python -m benchmarks.variants
    python -m benchmarks.variants --repeats 9 --clock cpu

Random play in step (``benchmarks.engine``), in one process and one thread, with and without observations. The variants
are measured in turn, so that a busy machine troubles all alike; the ratio is what is to be read.
"""

from __future__ import annotations

from benchmarks.engine import COMPARED, RandomPlay
from benchmarks.timing import Rate, machine, rate_parser, rates, run
from pedro_env.variants import VARIANTS, make_rules


def main() -> None:
    """Measure and print."""
    arguments = rate_parser(__doc__)
    arguments.add_argument("--size", type=int, default=COMPARED, metavar="N", help=f"batch size ({COMPARED})")
    options = arguments.parse_args()
    names = list(dict.fromkeys(["pedro", *VARIANTS])) if options.variant == "pedro" else ["pedro", options.variant]
    found = {
        observed: rates(
            {name: RandomPlay(make_rules(name), options.size, observed=observed, in_step=True).steps for name in names},
            options,
        )
        for observed in (False, True)
    }

    print(machine())
    print(f"decisions a second ({options.clock} clock) in {options.size:,} games in step; ratio to pedro's")
    width = max(map(len, names))
    print(f"{'':{width}} {'':>13} ratio {'observed':>13} ratio")
    for name in names:
        cells = [_cell(found[observed][name], found[observed]["pedro"]) for observed in (False, True)]
        print(f"{name:{width}} {' '.join(cells)}")


def _cell(rate: Rate, pedro: Rate) -> str:
    return f"{rate.median:>13,.0f} {rate.median / pedro.median:>5.2f}"


if __name__ == "__main__":
    run(main)

"""Make a table of the papers of folders of `tune`: Markdown, LaTeX, SVG, JSON.

    python -m experiments rampion-table1 RUN... --output PATH
    python -m experiments relevant-set-table5 RUN... --ref REF... --output PATH

Unfinished runs are left out of most tables, and a line below the table says how far they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from experiments import expected_bleu, rampion, relevant_set, runs
from experiments.tables import Table, markdown, write

OfRuns = Callable[[Sequence[str], Sequence[str]], Table]


def of_rampion(make: Callable[[Sequence[rampion.Run]], Table]) -> OfRuns:
    """Make a table of folders by a function of the runs read from them."""
    return lambda folders, _: make([run for f in folders if (run := rampion.read(f))])


def alone(make: Callable[[Sequence[str]], Table]) -> OfRuns:
    """Make a table of folders by a function that takes no references."""
    return lambda folders, _: make(folders)


RELEVANT_TABLES = ("table5", "table6", "table7", "table8", "table9")
RELEVANT_FIGURES = ("figure2", "figure3", "figure4", "figure5", "figure6", "steps")
WHAT: dict[str, OfRuns] = {
    "rampion-table1": of_rampion(rampion.table1),
    "rampion-figure3": of_rampion(rampion.figure3),
    "rampion-table2": of_rampion(rampion.table2),
    **{f"relevant-set-{n}": partial(relevant_set.table, n) for n in RELEVANT_TABLES},
    **{f"relevant-set-{n}": alone(partial(relevant_set.figure, n)) for n in RELEVANT_FIGURES},
    "expected-bleu-table2": expected_bleu.table2,
    "expected-bleu-figure2": alone(expected_bleu.figure2),
}
IN_PART = ("rampion-table1", "rampion-figure3", "rampion-table2")
"""Tables with the finished replicates of unfinished runs."""

OF_FILES: dict[str, OfRuns] = {
    "rampion-losses": rampion.losses,
    "expected-bleu-efficiency": alone(expected_bleu.efficiency),
}


def main() -> None:
    """Read the runs, write the table."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("what", choices=[*WHAT, *OF_FILES])
    p.add_argument("runs", nargs="+", metavar="RUN")
    p.add_argument("--ref", action="append", default=[], help="references of the tests' outputs")
    p.add_argument("--made", default="", help="how it was made, for the JSON")
    p.add_argument("--output", required=True, metavar="PATH", help="without its ending")
    args = p.parse_args()
    made = {"command": args.made} if args.made else {}
    if args.what in OF_FILES:
        files = [path for path in args.runs if Path(path).exists()]
        # by two parts of the path, as runs are: TEST/LOSS.out of several tests would look alike
        missing = {"/".join(Path(p).parts[-2:]): "not made" for p in args.runs if p not in files}
        if not files:
            print(f"0 of {len(args.runs)} files")
            return
        table = OF_FILES[args.what](files, args.ref)
        table = replace(table, made=made, unfinished=missing, runs=len(args.runs))
    else:
        # the last iteration of an unfinished run is no result, and its test outputs may be missing
        done = [folder for folder in args.runs if runs.is_done(folder)]
        # of all runs: what the unfinished ones took has been spent, too
        made |= {"sentences": runs.sentences(args.runs), **runs.cost(args.runs)}
        table = replace(
            WHAT[args.what](args.runs if args.what in IN_PART else done, args.ref),
            made=made,
            unfinished=runs.unfinished(args.runs),
            runs=len(args.runs),
        )
    write(table, args.output)
    print("\n".join(markdown(table)))
    if table.unfinished:
        print(table.reach())


if __name__ == "__main__":
    main()

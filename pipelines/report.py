"""Write one HTML page about runs of `tune`, which needs no network and no script.

It has the verdict with interval and p, the table of all systems, learning curves, weights and what
each feature decides, sentences that moved most with hope and fear, n-grams won and lost, values by
length and by word frequency, time, and how all was made.  Each RUN is a folder of `tune`; details
are of the first one, against what its initial weights gave.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from campanula.pipelines.tasks import failures
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser
from campanula.stages.metrics.flags import add_metric_flag


def parser() -> Parser:
    """Return the parser of the flags."""
    p = Parser(
        prog="report",
        description=__doc__,
        epilog="example:\n  report run.mert run.rampion -o report.html",
    )
    p.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run")
    add_metric_flag(
        p,
        "repeat it for several; details are by the first (default: what the runs went by,"
        " bleu, chrf and ter)",
        several=True,
    )
    command.add_jobs_flag(p)
    p.add_argument("-o", "--output", metavar="PATH", help="output file (default: stdout)")
    return p


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    given = None if argv is None else list(argv)
    return failures.status_of(lambda: command.run(body, parser(), given))


def body(args: argparse.Namespace) -> None:
    """Read the runs, write the page."""
    from campanula.pipelines.reporting.page import write

    write(args.runs, args.output, args.metric, args.jobs)


if __name__ == "__main__":
    raise SystemExit(main())

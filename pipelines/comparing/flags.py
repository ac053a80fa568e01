"""Set runs side by side: their translations compared, with significance, and one picture.

Each RUN is a folder of `tune`; the first is the baseline.  Translations are NAME.out of the run, or
those of its replicates, which are one system (see `compare --help` for the table).  Metric and
references are those that the runs went by, as run.json says, of every data set that all runs have.
"""

from __future__ import annotations

import argparse
import os

from campanula.formats.files import Output
from campanula.pipelines import plot
from campanula.pipelines.comparing import picture, tables
from campanula.pipelines.comparing.compared_run import ComparedRun, names_of
from campanula.pipelines.comparing.tables import JSON, Terms
from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.comparing.significance import Sampling
from campanula.stages.comparing.table_formats import TABLE_FORMATS
from campanula.stages.metrics.flags import add_metric_flag
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric
from campanula.stages.metrics.table import metric_named

NAME = "compare"
EXAMPLE = "example:\n  tune compare run.mert run.pro --picture compared.svg"
PICTURES = ("svg", "png", "pdf")


def add_to(p: argparse.ArgumentParser) -> None:
    """Add the flags."""
    p.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run")
    p.add_argument(
        "--set", action="append", default=[], metavar="NAME", help="these data sets alone"
    )
    p.add_argument(
        "--ref",
        action="append",
        default=[],
        metavar="NAME=FILE,FILE,...",
        help="references of a data set, in the place of what run.json says",
    )
    several = "repeat it for several (default: what the runs went by)"
    add_metric_flag(p, several, several=True)
    p.add_argument("--lowercase", action="store_true", help="ignore case, with --metric")
    p.add_argument("--tokenize", metavar="NAME", help="one of sacrebleu's, with --metric")
    p.add_argument("--all-pairs", action="store_true", help="all runs against each other")
    p.add_argument("--picture", metavar="PATH", help="draw one: .svg, .png or .pdf")
    form = [*TABLE_FORMATS, JSON]
    p.add_argument("--format", choices=form, default=form[0], help="of the output (default: text)")
    positive = command.positive_int
    p.add_argument("--samples", type=positive, default=1000, help="bootstrap (default: 1000)")
    p.add_argument("--trials", type=positive, default=10000, help="randomisation (default: 10000)")
    p.add_argument("--seed", type=positive, default=12345, help="of both (default: 12345)")
    command.add_jobs_flag(p)
    p.add_argument("-o", "--output", metavar="PATH", help="output file (default: stdout)")
    p.add_argument("-q", "--quiet", action="store_true", help="no warning on stderr")


def compare(args: argparse.Namespace) -> None:
    """Read the runs, compare them, write table and picture."""
    _check(args)
    refs = dict(_references(word) for word in args.ref)
    named = zip(names_of(args.runs), args.runs, strict=True)
    runs = [ComparedRun.open(name, folder, not refs) for name, folder in named]
    sampling = Sampling(args.samples, args.trials, args.seed)
    terms = Terms([_metric(n, args) for n in args.metric], sampling, args.all_pairs, args.jobs)
    compared = [
        tables.compare_set(runs, name, refs.get(name), terms)
        for name in tables.common_sets(runs, args.set, refs)
    ]
    for one in compared:
        if one.unlike is not None:
            command.say(args, f"tune compare: warning: {one.name}: {one.unlike}")
    if args.picture is not None:
        picture.draw(args.picture, runs, compared)
        if len(tables.metrics_of(runs)) > 1:
            problem = "the runs went by several metrics: the picture has no curves"
            command.say(args, f"tune compare: warning: {problem}")
    with Output(args.output) as out:
        for line in tables.lines(compared, args.format, args.all_pairs):
            out.write_line(line)


def _check(args: argparse.Namespace) -> None:
    """Raise UsageError for flags that do not fit."""
    if not args.metric and (args.lowercase or args.tokenize):
        raise UsageError("--lowercase and --tokenize go with --metric")
    if args.picture is None:
        return
    command.outputs_apart(args.output, args.picture)
    if os.path.splitext(args.picture)[1].removeprefix(".") not in PICTURES:
        raise UsageError(f"--picture {args.picture}: expected a name that ends in .svg, .png, .pdf")
    if not plot.has_matplotlib():
        raise UsageError("--picture needs matplotlib (extra `plot`)")


def _references(word: str) -> tuple[str, list[str]]:
    name, _, rest = word.partition("=")
    files = rest.split(",")
    if not name or not all(files):
        raise UsageError(f"--ref {word}: expected NAME=FILE,FILE,...")
    return name, files


def _metric(name: str, args: argparse.Namespace) -> Metric:
    takes = metric_named(name).takes
    # one flag for several metrics: those that do not tokenize go without
    tokenize = args.tokenize if args.tokenize and TOKENIZE in takes else "none"
    return metric_named(name, lowercase=args.lowercase and LOWERCASE in takes, tokenize=tokenize)

"""The flags that choose a metric, its references and its sentence gain, and what they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace

from campanula.stages import command
from campanula.stages.command import non_negative_float
from campanula.stages.metrics.bleu import SMOOTHED
from campanula.stages.metrics.meteor_flags import add_meteor_flags, with_meteor_flags
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric
from campanula.stages.metrics.table import METRICS, metric_named, metrics_of_texts

GAINS = [
    name for row in METRICS if len(names := metric_named(row).gain_names) > 1 for name in names
]
"""The gains of metrics that have several."""


@dataclass(frozen=True, slots=True)
class MetricFlags:
    """A metric, and the files that it reads.

    column, field: file or text field with the numbers of a metric that compares no texts.
    """

    metric: Metric
    refs: tuple[str, ...] = ()
    column: str | None = None
    field: str | None = None


class MetricOfTexts(command.Choice):
    """Argument type: a metric that compares texts with references."""

    def __init__(self) -> None:
        super().__init__(METRICS, taken=metrics_of_texts)

    def __call__(self, name: str) -> str:
        """Return the name itself; raise ArgumentTypeError for one that is not such a metric's."""
        if not metric_named(super().__call__(name)).compares_texts:
            raise argparse.ArgumentTypeError(f"{name} compares no texts")
        return name


metric_of_texts = MetricOfTexts()
any_metric = command.Choice(METRICS)


def add_metric_flag(
    p: argparse._ActionsContainer,
    text: str = "metric (default: bleu)",
    flag: str = "--metric",
    *,
    metric: command.Choice = metric_of_texts,
    several: bool = False,
    default: str | None = None,
) -> None:
    """Add a flag that names a metric.

    text: its help.  metric: the metrics that it takes.  several: it may be repeated, and its value
    is the list of the names; otherwise the value is a name, or the default.
    """
    braces = command.braces(metric.names())
    if several:
        p.add_argument(flag, action="append", default=[], type=metric, metavar=braces, help=text)
    else:
        p.add_argument(flag, default=default, type=metric, metavar=braces, help=text)


def add_metric_flags(p: argparse.ArgumentParser) -> None:
    """Add --ref, --metric, and the flags of single metrics."""
    p.add_argument(
        "--ref",
        action="append",
        default=[],
        metavar="FILE",
        help="references, a line a sentence, a file or a folder of files; repeat it for several",
    )
    add_metric_flag(p, metric=any_metric, default="bleu")
    p.add_argument("--lowercase", action="store_true", help="ignore case")
    bleu = p.add_argument_group("bleu (and --tokenize for wer and meteor)")
    bleu.add_argument(
        "--gain",
        metavar=command.braces(GAINS),
        help="sentence gain; the last four are sacrebleu's smoothings (default: bleu+1)",
    )
    bleu.add_argument(
        "--smooth-value",
        type=non_negative_float,
        metavar="X",
        help="what floor and add-k put in (default: 0.1 and 1, as sacrebleu)",
    )
    bleu.add_argument(
        "--tokenize",
        default="none",
        metavar="NAME",
        help="one of sacrebleu's tokenizers (default: none: split at white space)",
    )
    add_meteor_flags(p.add_argument_group("meteor"))
    column = p.add_argument_group("gain-column")
    numbers = column.add_mutually_exclusive_group()
    numbers.add_argument("--column", metavar="FILE", help="numbers, a line a hypothesis")
    numbers.add_argument("--field", metavar="NAME", help="text field of the lists that has them")
    column.add_argument(
        "--gain-range",
        nargs=2,
        type=command.finite_float,
        metavar=("LOW", "HIGH"),
        help="what becomes gain 0 and gain 1; beyond is cut off (default: 0 1, beyond is an error)",
    )


def metric_flags(args: argparse.Namespace) -> MetricFlags:
    """Return the metric that the flags ask for; raises UsageError where they do not fit."""
    command.one_stdin(args.input, args.column, *args.ref)
    default = metric_named(args.metric)
    command.refuse_faults(_faults(args, default))
    settings = tuple(args.gain_range or ())
    if args.smooth_value is not None:
        settings = (args.smooth_value,)
    metric = replace(
        default,
        gain=args.gain or default.gain,
        gain_settings=settings,
        n_refs=len(args.ref),
        lowercase=args.lowercase,
        tokenize=args.tokenize,
    )
    metric = with_meteor_flags(metric, args)
    return MetricFlags(metric, tuple(args.ref), args.column, args.field)


def _faults(args: argparse.Namespace, metric: Metric) -> Iterator[str]:
    """Yield what is wrong with the flags, the worst first."""
    name = args.metric
    limits = args.gain_range
    numbers = args.column is not None or args.field is not None
    if metric.compares_texts:
        yield from _faults_of_texts(args, name, numbers)
    elif not numbers:
        yield f"--metric {name} needs --column FILE or --field NAME"
    elif args.ref:
        yield f"--metric {name} takes no --ref"
    if args.lowercase and LOWERCASE not in metric.takes:
        yield f"--metric {name} takes no --lowercase"
    if args.gain not in (None, *metric.gain_names):
        yield _wrong_gain(args.gain, name, metric)
    if args.smooth_value is not None and args.gain not in SMOOTHED:
        yield f"--smooth-value goes with --gain {' or '.join(SMOOTHED)}"
    if args.tokenize != "none" and TOKENIZE not in metric.takes:
        yield f"--tokenize is not for --metric {name}"
    # LOW may be above HIGH: so numbers become gains of which the low ones are good
    if limits and not 0.0 < abs(limits[1] - limits[0]) < float("inf"):
        yield "--gain-range: expected two finite numbers that differ"


def _faults_of_texts(args: argparse.Namespace, name: str, numbers: bool) -> Iterator[str]:
    if not args.ref:
        yield f"--metric {name} needs --ref FILE"
    others = " or ".join(row for row in METRICS if not metric_named(row).compares_texts)
    if numbers:
        yield f"--column and --field go with --metric {others}"
    if args.gain_range:
        yield f"--gain-range goes with --metric {others}"


def _wrong_gain(gain: str, name: str, metric: Metric) -> str:
    others = [row for row in METRICS if gain in metric_named(row).gain_names]
    if others:
        return f"--gain {gain} goes with --metric {' or '.join(others)}, not {name}"
    return f"--gain {gain}: expected one of {', '.join(metric.gain_names)}"

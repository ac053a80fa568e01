"""The flags that choose a metric, its references and its sentence gain, and what they ask for."""

from __future__ import annotations

import argparse

from campanula.stages.command import UsageError, non_negative_float, one_stdin
from campanula.stages.metrics.metric import BLEU_GAINS, METRICS, Metric


def add_metric_flags(p: argparse.ArgumentParser) -> None:
    """Flags --ref, --metric, and those of one metric or another."""
    p.add_argument(
        "--ref",
        action="append",
        default=[],
        metavar="FILE",
        help="references, a line a sentence; repeat it for several",
    )
    p.add_argument("--metric", choices=METRICS, default="bleu", help="metric (default: bleu)")
    p.add_argument("--lowercase", action="store_true", help="ignore case")
    bleu = p.add_argument_group("bleu (and --tokenize for wer)")
    bleu.add_argument(
        "--gain",
        choices=BLEU_GAINS,
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
    column = p.add_argument_group("gain-column")
    numbers = column.add_mutually_exclusive_group()
    numbers.add_argument("--column", metavar="FILE", help="numbers, a line a hypothesis")
    numbers.add_argument("--field", metavar="NAME", help="text field of the lists that has them")
    column.add_argument(
        "--gain-range",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="what becomes gain 0 and gain 1; beyond is cut off (default: 0 1, beyond is an error)",
    )


def metric_of(args: argparse.Namespace) -> Metric:
    """The metric that the flags ask for; raises UsageError where they do not fit."""
    _refuse_faults(args)
    kind, settings = METRICS[args.metric], args.gain_range
    if args.smooth_value is not None:
        settings = [args.smooth_value]
    gain = args.gain or kind.gains[0]
    if settings is not None:
        gain += f"[{','.join(map(str, settings))}]"
    return Metric(args.metric, gain, len(args.ref), args.lowercase, args.tokenize)


def _refuse_faults(args: argparse.Namespace) -> None:
    one_stdin(args.input, args.column, *args.ref)
    name, kind, limits = args.metric, METRICS[args.metric], args.gain_range
    column = name == "gain-column"
    numbers = args.column is not None or args.field is not None
    smoothed = args.gain in ("floor", "add-k")
    faults = [
        (not column and not args.ref, f"--metric {name} needs --ref FILE"),
        (column and not numbers, f"--metric {name} needs --column FILE or --field NAME"),
        (column and args.ref, f"--metric {name} takes no --ref"),
        (column and args.lowercase, f"--metric {name} takes no --lowercase"),
        (not column and numbers, "--column and --field go with --metric gain-column"),
        (not column and limits, "--gain-range goes with --metric gain-column"),
        (args.gain not in (None, *kind.gains), f"--gain goes with bleu, not --metric {name}"),
        (args.smooth_value is not None and not smoothed, "--smooth-value: --gain floor or add-k?"),
        (args.tokenize != "none" and not kind.tokenized, f"--tokenize is not for --metric {name}"),
        (
            limits and not _is_range(*limits),
            "--gain-range: expected two finite numbers that differ",
        ),
    ]
    for found, fault in faults:
        if found:
            raise UsageError(fault)


def _is_range(low: float, high: float) -> bool:
    return 0.0 < abs(high - low) < float("inf")

"""Flags that every tuning loop has; what is none of them is the decoder's and goes to `decode`."""

from __future__ import annotations

import argparse

from stages import command

DECODER_FLAGS = """\
decoder flags:
  every flag not named above goes to `decode` as it is: --phrase-table F --lm F, --model DIR,
  --reordering-table F, --distinct, --reordering, --distortion-limit, --beam (see decode --help)
"""


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the data, the folder, the metric, and the settings of the loop itself."""
    _add_data_flags(p.add_argument_group("data"))
    _add_loop_flags(p.add_argument_group("loop"))
    _add_metric_flags(p.add_argument_group("metric"))
    command.add_missing_flag(p)
    p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary on stderr")


def _add_data_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--source", required=True, metavar="FILE", help="sentences to tune on")
    group.add_argument(
        "--ref",
        action="append",
        required=True,
        metavar="FILE",
        help="their references, a line a sentence; repeat it for several",
    )
    group.add_argument("--weights", required=True, metavar="FILE", help="initial weights")
    group.add_argument(
        "--work-dir",
        required=True,
        metavar="DIR",
        help="gets weights, history.jsonl, curve.png (extra `plot`), and the cache",
    )
    group.add_argument(
        "--test",
        action="append",
        nargs="+",
        default=[],
        metavar=("NAME", "SOURCE REF"),
        help="a test set for the curve, with one or more references (repeatable)",
    )
    group.add_argument(
        "--test-at",
        choices=("each", "ends"),
        default="each",
        help="decode test sets at each iteration, or before and after tuning (default: each)",
    )


def _add_loop_flags(group: argparse._ArgumentGroup) -> None:
    count = command.positive_int
    group.add_argument("--iterations", type=count, default=20, metavar="T", help="(default: 20)")
    group.add_argument("-k", type=count, default=500, help="hypotheses a list (default: 500)")
    group.add_argument("--merge", action="store_true", help="tune on all lists so far, merged")
    group.add_argument("--jobs", type=count, default=1, metavar="N", help="threads (default: 1)")


def _add_metric_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--metric", choices=["bleu"], default="bleu", help="metric (default: bleu)")
    group.add_argument("--gain", metavar="NAME", help="sentence gain (see score-bleu --help)")
    group.add_argument("--tokenize", default="none", metavar="NAME", help="(default: none)")
    group.add_argument("--lowercase", action="store_true", help="ignore case")

"""Flags of every tuning loop; all others are the decoder's and are passed to `decode`."""

from __future__ import annotations

import argparse

from campanula.stages import command
from campanula.stages.engines.engine_flags import add_engine_flags
from campanula.stages.metrics.flags import add_metric_flag
from campanula.stages.metrics.meteor_flags import add_meteor_flags

DECODER_FLAGS = """\
decoder flags:
  every flag of `decode` that is not above goes to it as it is, such as --model DIR,
  --phrase-table F, --lm F, --class-lm F --classes MAP, --reordering-table F, --distinct,
  --reordering, --distortion-limit, --beam (see decode --help)
"""


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the data, the folder, the metric, the decoder, and the settings of the loop itself."""
    _add_data_flags(p.add_argument_group("data"))
    _add_loop_flags(p.add_argument_group("loop"))
    _add_stop_flags(p.add_argument_group("convergence (0: off)"))
    add_metric_flags(p.add_argument_group("metric"))
    _add_decoder_flags(p.add_argument_group("another decoder (see docs/pipelines.md)"))
    _add_scorer_flags(p.add_argument_group("another scorer (see docs/pipelines.md)"))
    add_luigi_flags(p.add_argument_group("Luigi"))
    add_engine_flags(p)
    command.add_missing_flag(p)
    p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary on stderr")


def _add_data_flags(group: argparse._ArgumentGroup) -> None:
    add_text_flags(group, "sentences to tune on")
    group.add_argument("--weights", metavar="FILE", help="initial weights (default: Moses's)")
    group.add_argument(
        "--initial",
        choices=("default", "random"),
        default="default",
        help="start there, or from a normal with half their magnitude as deviation (--seed)",
    )
    group.add_argument(
        "--test-at",
        choices=("each", "ends"),
        default="each",
        help="decode test sets at each iteration, or before and after tuning (default: each)",
    )


def add_text_flags(group: argparse._ArgumentGroup, dev: str) -> None:
    """Add dev, in words, test sets, and the folder of a run."""
    group.add_argument("--source", required=True, metavar="FILE", help=dev)
    group.add_argument(
        "--ref",
        action="append",
        required=True,
        metavar="FILE",
        help="their references, a line a sentence; repeat it for several",
    )
    group.add_argument(
        "--work-dir",
        required=True,
        metavar="DIR",
        help="gets weights, history.jsonl, curve.svg and .png (extra `plot`), and the cache",
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
        "--report",
        action="store_true",
        help="at the end write report.html there, a page about the run (see report --help)",
    )


def _add_loop_flags(group: argparse._ArgumentGroup) -> None:
    count = command.positive_int
    default = "(default: %(default)s)"
    group.add_argument(
        "--iterations", type=count, default=20, metavar="T", help=f"at most {default}"
    )
    group.add_argument("-k", type=count, default=500, help=f"hypotheses a list {default}")
    group.add_argument(
        "--merge",
        action=argparse.BooleanOptionalAction,
        default=False,
        help=f"tune on all lists so far, merged {default}",
    )
    add_run_flags(group, keep="last")
    group.add_argument(
        "--replicates",
        type=count,
        metavar="N",
        help="N runs with the seeds from --seed on; mean and deviation of each data set on stdout",
    )
    group.add_argument(
        "--trim",
        action="store_true",
        help="remove the lists of an iteration from the cache when the next one is done",
    )


def add_run_flags(group: argparse._ArgumentGroup, keep: str) -> None:
    """Add what every run has: which weights are kept, unless the user says, seed and threads."""
    default = "(default: %(default)s)"
    group.add_argument(
        "--keep",
        choices=("best", "last"),
        default=keep,
        help=f"the weights that are best on dev, or the last ones {default}",
    )
    group.add_argument(
        "--seed", type=command.non_negative_int, default=1, help=f"of all that is random {default}"
    )
    command.add_jobs_flag(group)


def _add_stop_flags(group: argparse._ArgumentGroup) -> None:
    whole = command.non_negative_int
    default = "(default: %(default)s)"
    group.add_argument(
        "--weights-tolerance",
        type=command.non_negative_float,
        default=0.0,
        metavar="X",
        help=f"stop when every weight changes by less {default}",
    )
    group.add_argument(
        "--new-hypotheses",
        type=whole,
        default=0,
        metavar="N",
        help=f"stop when merged lists grow by fewer {default}",
    )
    group.add_argument(
        "--patience",
        type=whole,
        default=0,
        metavar="N",
        help=f"stop after so many iterations without a gain on dev {default}",
    )


def add_metric_flags(group: argparse._ArgumentGroup) -> None:
    """Add the metric, and how it reads texts."""
    add_metric_flag(group)
    group.add_argument("--gain", metavar="NAME", help="sentence gain (see score-bleu --help)")
    group.add_argument("--smooth-value", metavar="X", help="of --gain floor and add-k")
    group.add_argument("--tokenize", default="none", metavar="NAME", help="(default: none)")
    group.add_argument("--lowercase", action="store_true", help="ignore case")
    add_meteor_flags(group)


def _add_decoder_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--decode-command",
        metavar="COMMAND",
        help="decode with this instead; {source}, {weights}, {nbest}, {k} stand for what they say",
    )
    group.add_argument(
        "--decode-format",
        default="auto",
        metavar="NAME",
        help="format of its list (see import-nbest --help; default: auto)",
    )
    group.add_argument(
        "--weights-format",
        default="plain",
        metavar="NAME",
        help="format of its weights (see export-weights --help; default: plain)",
    )
    group.add_argument(
        "--decode-timeout",
        type=command.non_negative_float,
        default=0.0,
        metavar="SECONDS",
        help="end it after that (default: 0, never)",
    )
    group.add_argument("--shell", action="store_true", help="give commands to /bin/sh")


def _add_scorer_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--score-command",
        metavar="COMMAND",
        help="price with this instead; {hypotheses}, {references}, {source}, {gains} are files",
    )
    group.add_argument(
        "--gain-range",
        nargs=2,
        type=command.finite_float,
        metavar=("LOW", "HIGH"),
        help="its numbers that become gain 0 and gain 1 (see score-bleu --help; default: 0 1)",
    )
    group.add_argument(
        "--score-timeout",
        type=command.non_negative_float,
        default=0.0,
        metavar="SECONDS",
        help="end it after that (default: 0, never)",
    )


def add_luigi_flags(group: argparse._ArgumentGroup) -> None:
    """Add tasks side by side, and the scheduler."""
    group.add_argument(
        "--workers",
        type=command.positive_int,
        default=1,
        metavar="N",
        help="tasks side by side, each in a process with --jobs threads (default: 1)",
    )
    group.add_argument(
        "--luigi-scheduler",
        metavar="URL",
        help="scheduler of Luigi's that shows the graph, such as http://127.0.0.1:8082",
    )

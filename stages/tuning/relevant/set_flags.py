"""Flags of training on relevant sets: the losses costmargin and relevant-perceptron."""

from __future__ import annotations

import argparse

from campanula.stages import command
from campanula.stages.tuning.relevant.orders import MEMORY
from campanula.stages.tuning.solvers.online import UPDATES


def add_set_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of relevant sets, in a group of their own."""
    group = p.add_argument_group("relevant sets (costmargin, relevant-perceptron)")
    group.add_argument(
        "--truth",
        metavar="FILE",
        help="scored lists of truths (oracle-search --n 5); without them the truth is the "
        "hypothesis of the highest gain",
    )
    group.add_argument(
        "--update",
        choices=UPDATES,
        help="of costmargin: T&Z's Table II, linear, by the best truth, or its Eq. 7, squared, by "
        f"all truths against what equals none (default: {UPDATES[0]})",
    )
    group.add_argument(
        "--printed-sign",
        action="store_const",
        const=True,
        help="Table II as it is printed: by the alternative that violates least",
    )
    group.add_argument(
        "--lambda",
        dest="lambda_",
        type=command.non_negative_float,
        metavar="X",
        help="L2, lambda |w|^2 beside the mean over the sentences (default: 0)",
    )
    group.add_argument(
        "--memory",
        type=command.byte_count,
        metavar="SIZE",
        help="bytes of packed sets held in memory, as 500M or 4G; sets that are larger go to a "
        "file, and the order is random in blocks of 4,096 sentences "
        f"(default: {MEMORY >> 30}G)",
    )
    group.add_argument(
        "--summary",
        metavar="FILE",
        help="write counts and the objective as JSON, too; of other losses the objective of every"
        " iteration",
    )

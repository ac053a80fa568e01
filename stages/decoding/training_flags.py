"""The flags of leave-one-out, and what they ask for."""

from __future__ import annotations

import argparse

from campanula.formats.files import refuse_piped
from campanula.formats.model.files import ModelFiles
from campanula.formats.text.numbers import float_or_nan
from campanula.stages.command import UsageError
from campanula.stages.decoding.leave_one_out import PENALTY, LeftOut
from campanula.stages.decoding.training_text import TrainingText


def add_training_flags(p: argparse.ArgumentParser) -> None:
    """Flags of leave-one-out decoding."""
    p.add_argument(
        "--leave-one-out",
        nargs=2,
        metavar=("TARGET", "ALIGNMENT"),
        help="the input is the source of the training text, TARGET its other side, ALIGNMENT its"
        " links: each sentence is decoded with its own counts taken from the phrase table's",
    )
    p.add_argument(
        "--singleton-penalty",
        type=probability,
        metavar="P",
        help="with --leave-one-out, both relative frequencies of a block that only the sentence"
        " itself yields (default: e^-20, less than any that a text leaves); with 0 there is no such"
        " block, and a word that is left without one is copied",
    )


def left_out_of_flags(args: argparse.Namespace, files: ModelFiles) -> LeftOut | None:
    """The counts that the flags leave out, None without them.

    Raises UsageError when the flags do not fit together, DataError when the files do not.
    """
    if args.leave_one_out is None:
        if args.singleton_penalty is not None:
            raise UsageError("--singleton-penalty belongs to --leave-one-out")
        return None
    penalty = PENALTY if args.singleton_penalty is None else args.singleton_penalty
    return LeftOut(_training_text(args), files.phrase_table, penalty)


def own_blocks_of_flags(args: argparse.Namespace, files: ModelFiles) -> LeftOut | None:
    """Counts that are left out, with the blocks that only the sentence yields; None without flag.

    Raises DataError when the files do not fit together.
    """
    if args.leave_one_out is None:
        return None
    refuse_piped(args.leave_one_out[0])  # a reference, too
    return LeftOut(_training_text(args), files.phrase_table, penalty=0.0)


def _training_text(args: argparse.Namespace) -> TrainingText:
    text = TrainingText(args.input, *args.leave_one_out)
    text.refuse_unequal()
    return text


def probability(text: str) -> float:
    """Argument type: a number from 0 to 1."""
    value = float_or_nan(text)
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a probability, 0 to 1, found {text}")
    return value

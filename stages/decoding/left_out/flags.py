"""The flags of leave-one-out, and the settings made of them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from campanula.formats.files import refuse_piped
from campanula.formats.model.files import ModelFiles
from campanula.formats.text.numbers import float_or_nan
from campanula.stages.command import UsageError
from campanula.stages.decoding.left_out.leave_one_out import (
    LANGUAGE_MODELS,
    LEXICAL,
    PARTS,
    PENALTY,
    PHRASES,
    REORDERING,
    LeftOut,
)
from campanula.stages.decoding.left_out.training_text import TrainingText

ALL = "all"
OF_THE_WHOLE = (LEXICAL, LANGUAGE_MODELS)
"""Parts for which the whole training text is counted."""
LEAVE_OUT = ("leave_out", "leave_out_text")


def add_training_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of leave-one-out decoding."""
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
    add_leave_out_flags(p)


def add_leave_out_flags(p: argparse._ActionsContainer) -> None:
    """Add the flags that choose what leave-one-out leaves out."""
    p.add_argument(
        "--leave-out",
        action="extend",
        type=part_names,
        metavar="PARTS",
        help="with --leave-one-out, what the sentence has no part in, with commas between,"
        f" repeatable: {PHRASES} (relative frequencies, always), {', '.join(PARTS)} (language"
        f" models, which estimate-lm made of TARGET); or {ALL} that the model has (default:"
        f" {PHRASES})",
    )
    p.add_argument(
        "--leave-out-text",
        nargs=3,
        metavar=("SOURCE", "TARGET", "ALIGNMENT"),
        help=f"with --leave-out {LEXICAL} or {LANGUAGE_MODELS}, the text that the phrase table was"
        " extracted from, and language models were estimated from (default: the input and the files"
        " of --leave-one-out)",
    )


def left_out_of_flags(args: argparse.Namespace, files: ModelFiles) -> LeftOut | None:
    """Return the counts to leave out; None without --leave-one-out.

    Raises UsageError for flags, DataError for files that do not fit together.
    """
    if args.leave_one_out is None:
        _refuse_without_text(args, "singleton_penalty", *LEAVE_OUT)
        return None
    penalty = PENALTY if args.singleton_penalty is None else args.singleton_penalty
    return _left_out(args, files, penalty)


def own_blocks_of_flags(args: argparse.Namespace, files: ModelFiles) -> LeftOut | None:
    """Return the counts to leave out for oracles: penalty 0, so a sentence's own blocks are unused.

    None without --leave-one-out.  Raises DataError for files that do not fit together.
    """
    if args.leave_one_out is None:
        _refuse_without_text(args, *LEAVE_OUT)
        return None
    refuse_piped(args.leave_one_out[0])  # it is read twice: as the target and as a reference
    return _left_out(args, files, penalty=0.0)


def whole_text_flags(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flags to add for a task that decodes one file of a text.

    The task must count the whole text, which its own flags no longer name; empty if nothing is to
    be counted.
    """
    if flags["leave_one_out"] is None or flags["leave_out_text"] or not flags["leave_out"]:
        return {}
    if not {*OF_THE_WHOLE, ALL} & {*flags["leave_out"]}:
        return {}
    return {"leave_out_text": [flags["input"], *flags["leave_one_out"]]}


def _refuse_without_text(args: argparse.Namespace, *names: str) -> None:
    for name in names:
        if getattr(args, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} belongs to --leave-one-out; give both")


def _left_out(args: argparse.Namespace, files: ModelFiles, penalty: float) -> LeftOut:
    chosen = _chosen(args.leave_out or [], files)
    return LeftOut(
        whole=_whole_text(args, chosen, files),
        text=_training_text(args),
        table=files.phrase_table,
        penalty=penalty,
        parts=chosen,
        cache=args.cache,
        reordering_tables=files.reordering_tables,
        lms=files.lms,
    )


def _whole_text(
    args: argparse.Namespace, chosen: Sequence[str], files: ModelFiles
) -> TrainingText | None:
    """Return the text that is counted before decoding; None if no part needs it."""
    counted = [name for name in OF_THE_WHOLE if name in chosen]
    if not counted:
        if args.leave_out_text is not None:
            needing = " or ".join(OF_THE_WHOLE)
            raise UsageError(f"--leave-out-text belongs to --leave-out {needing}; give both")
        return None
    paths = args.leave_out_text or [args.input, *args.leave_one_out]
    read = paths if LEXICAL in chosen else paths[1:2]  # language models need the target alone
    if "-" in read:
        problem = "counts the whole text before it decodes: expected files, found -"
        raise UsageError(f"--leave-out {counted[0]} {problem}")
    if LANGUAGE_MODELS in chosen:
        read = [*read, *(lm.path for lm in files.lms)]
    for path in read:
        refuse_piped(path)
    return TrainingText(*paths)


def _chosen(names: Sequence[str], files: ModelFiles) -> tuple[str, ...]:
    """Return the members of PARTS that the flag names, in their order; `all`: those of the model.

    Raises UsageError for a part that the model does not have.
    """
    lacking = {}
    if not files.reordering_tables:
        lacking[REORDERING] = "reordering table"
    if not files.lms:
        lacking[LANGUAGE_MODELS] = "language model"
    for name in names:
        if name in lacking:
            raise UsageError(f"--leave-out {name} needs a {lacking[name]}")
    return tuple(name for name in PARTS if name in names or (ALL in names and name not in lacking))


def _training_text(args: argparse.Namespace) -> TrainingText:
    text = TrainingText(args.input, *args.leave_one_out)
    text.refuse_unequal()
    return text


def probability(text: str) -> float:
    """Return a number from 0 to 1, for argparse; raises ArgumentTypeError for others."""
    value = float_or_nan(text)
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a probability, 0 to 1, found {text}")
    return value


def probability_text(text: str) -> str:
    """Return the text of a number from 0 to 1 unchanged, for argparse."""
    probability(text)
    return text


def part_names(text: str) -> list[str]:
    """Return names of parts to leave out, for argparse; raises ArgumentTypeError for others."""
    names = text.split(",")
    for name in names:
        if name not in (ALL, PHRASES, *PARTS):
            expected = f"{', '.join((PHRASES, *PARTS))} or {ALL}"
            raise argparse.ArgumentTypeError(f"expected {expected}, found {name!r}")
    return names

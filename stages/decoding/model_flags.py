"""The flags that name a translation model, and the model made of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from campanula.formats.feature_names.dense import NONE
from campanula.formats.model.files import (
    ORIENTATIONS,
    WORD,
    LanguageModelFile,
    ModelFiles,
    ReorderingTable,
)
from campanula.formats.model.folder import NamedModel, named_model
from campanula.stages.command import UsageError


def add_model_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the model, its files and its dense features."""
    model = p.add_argument_group("the model")
    model.add_argument(
        "--model",
        metavar="DIR",
        help="folder with model.json, which names the files and the features that are on"
        ' ({"phrase-table": F, "reordering-table": F or list, "lm": F or list,'
        ' "distortion-table": F, "features": [...]}), or moses.ini',
    )
    model.add_argument(
        "--moses-ini",
        metavar="FILE",
        help="Moses's configuration of a phrase-based model: files, features and their names;"
        " for decode, weights and settings of the search too, where no flag gives them",
    )
    model.add_argument("--phrase-table", metavar="FILE", help="Moses phrase table")
    model.add_argument(
        "--reordering-table",
        action="append",
        default=[],
        metavar="FILE[,TYPE]",
        help="Moses lexicalised reordering table, repeatable (LexicalReordering0, 1, ...), and what"
        f" its orientations are: {', '.join(ORIENTATIONS)} (default: {WORD}); without one there is"
        " no LexicalReordering0",
    )
    _add_language_model_flags(model)
    model.add_argument(
        "--distortion-table",
        metavar="FILE",
        help="table of estimate-distortion; without it OutboundDistortion0, InboundDistortion0 are"
        " off",
    )
    model.add_argument(
        "--dense-features",
        action="append",
        default=[],
        metavar="NAME[,NAME...]",
        help="dense features that are on, repeatable: names, labels such as TranslationModel0, the"
        " sets moses and tillmann-zhang, or none (default: those of model.json, else all that the"
        " files provide but LMFirst0 and LMRest0)",
    )
    model.add_argument(
        "--cache",
        metavar="DIR",
        help="folder of compiled models (default: campanula in the user's cache folder)",
    )


def _add_language_model_flags(model: argparse._ArgumentGroup) -> None:
    """Add the flags of language models, over words and over classes of words."""
    model.add_argument(
        "--lm",
        action="append",
        default=[],
        metavar="FILE",
        help="ARPA language model, repeatable: the first is LM0, the next LM1, ...",
    )
    model.add_argument(
        "--class-lm",
        action="append",
        default=[],
        metavar="FILE",
        help="ARPA language model over the classes of words, repeatable; numbered after those of"
        " --lm, or of --model and --moses-ini, beside which it may stand",
    )
    model.add_argument(
        "--classes",
        action="append",
        default=[],
        metavar="MAP",
        help="classes of the words, `word<TAB>class` a line as mkcls and estimate-classes write"
        " them: one MAP for each --class-lm, in their order; a word without class is <unk>",
    )


def model_inputs(args: argparse.Namespace) -> list[str | None]:
    """Return the files that the flags name; None for a flag not given.  One may be stdin."""
    return [
        args.moses_ini,
        args.phrase_table,
        *(ReorderingTable.named(text).path for text in args.reordering_table),
        args.distortion_table,
        *args.lm,
        *args.class_lm,
        *args.classes,
    ]


def model_files(args: argparse.Namespace) -> ModelFiles:
    """Return the model's files; raises UsageError for flags that do not fit together."""
    return given_model(args).files


def given_model(args: argparse.Namespace) -> NamedModel:
    """Return the model that the flags name: files, features, weights and settings of a moses.ini.

    Raises UsageError for flags that do not fit together.
    """
    tables = (args.phrase_table, *args.reordering_table, *args.lm)
    flags = {"--model": args.model, "--moses-ini": args.moses_ini}
    for flag, value in flags.items():
        others = [*tables, *(other for name, other in flags.items() if name != flag)]
        if value is not None and any(other is not None for other in others):
            raise UsageError(f"{flag} names the files; give it or the files, not both")
    files = None
    if args.phrase_table is not None:
        lms = tuple(LanguageModelFile(path) for path in args.lm)
        orders = tuple(map(ReorderingTable.named, args.reordering_table))
        files = ModelFiles(args.phrase_table, orders, lms)
    model = named_model(args.model, args.moses_ini, files)
    if model is None:
        raise UsageError("expected --model, --moses-ini or --phrase-table")
    files = model.files.with_language_models(class_models(args))
    if args.distortion_table is not None:
        if files.distortion_table is not None:
            raise UsageError("--distortion-table: the model has one; drop the flag")
        files = files.with_distortion_table(args.distortion_table)
    return replace(model, files=files)


def class_models(args: argparse.Namespace) -> tuple[LanguageModelFile, ...]:
    """Return the language models over classes; UsageError unless each has a file of classes."""
    models = args.class_lm
    classes = args.classes
    if len(models) != len(classes):
        counts = f"found {len(models)} and {len(classes)}"
        raise UsageError(f"expected as many --class-lm as --classes, {counts}")
    return tuple(LanguageModelFile(*pair) for pair in zip(models, classes, strict=True))


def dense_features_of_flags(flags: Iterable[str]) -> tuple[str, ...]:
    """Return the names, labels and sets of --dense-features; UsageError for `none` with others."""
    asked = tuple(name.strip() for flag in flags for name in flag.split(","))
    if NONE in asked and len(set(asked)) > 1:
        raise UsageError(f"--dense-features: expected {NONE} or others, found {','.join(asked)}")
    return asked

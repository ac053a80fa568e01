"""The flags that name a translation model, and what they ask for."""

from __future__ import annotations

import argparse

from formats.errors import DataError
from formats.model import Model, ModelFiles
from formats.model_folder import read_model_folder
from stages.command import UsageError


def add_model_flags(p: argparse.ArgumentParser) -> None:
    """Flags that say which model."""
    model = p.add_argument_group("the model")
    model.add_argument(
        "--model",
        metavar="DIR",
        help="folder with model.json, which names the files and the features that are on"
        ' ({"phrase-table": F, "reordering-table": F, "lm": F, "features": [...]}), or moses.ini',
    )
    model.add_argument("--phrase-table", metavar="FILE", help="Moses phrase table")
    model.add_argument(
        "--reordering-table",
        metavar="FILE",
        help="Moses lexicalised reordering table; without it LexicalReordering0 is off",
    )
    model.add_argument("--lm", metavar="FILE", help="ARPA language model; without it LM0 is off")
    model.add_argument(
        "--cache",
        metavar="DIR",
        help="folder of compiled models (default: campanula in the user's cache folder)",
    )


def model_files(args: argparse.Namespace) -> ModelFiles:
    """Files of the model that the flags name; raises UsageError when they do not fit together."""
    tables = (args.phrase_table, args.reordering_table, args.lm)
    if args.model is not None:
        if any(table is not None for table in tables):
            raise UsageError("--model names the files; give it or the files, not both")
        return read_model_folder(args.model)
    if args.phrase_table is None:
        raise UsageError("expected --model or --phrase-table")
    return ModelFiles(*tables)


def features_on(files: ModelFiles, model: Model) -> list[str]:
    """Names of the features that are on; raises DataError for one that the model has not."""
    names = model.feature_names()
    if files.features is None:
        return names
    for name in files.features:
        if name not in names:
            problem = f"expected one of {', '.join(names)}"
            raise DataError("model.json", f"feature {name!r}", problem)
    return [name for name in names if name in files.features]

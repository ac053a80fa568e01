"""The flags that turn sparse features on: templates, sets of them, and lists of single ones."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from campanula.formats.feature_names.lexical import read_feature_list
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.feature_names.template_sets import (
    TEMPLATE_SETS,
    templates_of,
)
from campanula.formats.files import display_name, read_lines
from campanula.stages.command import UsageError


def add_sparse_flag(p: argparse.ArgumentParser) -> None:
    """Add the flag of the sparse features' templates."""
    p.add_argument(
        "--features",
        action="append",
        default=[],
        metavar="TEMPLATE[,TEMPLATE...]",
        help=f"sparse features that are on, repeatable: {', '.join(TEMPLATES)}; or sets of them:"
        f" {', '.join(TEMPLATE_SETS)};"
        " a feature without a weight counts 0 (example: --features block,word-pair,orientation)",
    )


def add_list_flag(p: argparse.ArgumentParser) -> None:
    """Add the flag of lists of single features."""
    p.add_argument(
        "--feature-list",
        metavar="FILE",
        action="append",
        default=[],
        help="sparse features that are on, one a line, as extract-features writes them"
        " (repeatable); one without a weight counts 0",
    )


def read_lists(files: Iterable[str]) -> list[str]:
    """Return the names in all files, each once, in order; DataError names the file at fault."""
    lists = (read_feature_list(read_lines(path), display_name(path)) for path in files)
    return list(dict.fromkeys(name for names in lists for name in names))


def templates_of_flags(flags: Iterable[str]) -> tuple[str, ...]:
    """Return the templates that --features names, by themselves or in sets.

    Raises UsageError for a name that is neither a template nor a set.
    """
    templates: list[str] = []
    for name in (name.strip() for flag in flags for name in flag.split(",")):
        named = templates_of(name)
        if not named:
            choices = ", ".join([*TEMPLATES, *TEMPLATE_SETS])
            raise UsageError(f"--features: expected some of {choices}; found {name!r}")
        templates += named
    return tuple(templates)

"""The flags that turn sparse features on, and the weights split into sparse and other ones."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from campanula.formats.feature_names.lexical import read_feature_list
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.feature_names.template_sets import (
    TEMPLATE_SETS,
    split_features,
    templates_of,
)
from campanula.formats.files import display_name, read_lines
from campanula.formats.model.files import ModelFiles
from campanula.formats.weights import Weights
from campanula.stages.command import UsageError
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.options import SparseWeights


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


def with_templates_of(
    templates: tuple[str, ...], files: ModelFiles
) -> tuple[tuple[str, ...], ModelFiles]:
    """Return these templates and those that the model names, and its files without the latter."""
    if files.features is not None:
        own, dense = split_features(files.features)
        templates += own
        files = replace(files, features=dense)
    return tuple(name for name in TEMPLATES if name in templates), files


def mapped_weights(
    mapped: MappedWeights, dense: list[str], templates: tuple[str, ...], listed: tuple[str, ...]
) -> tuple[Weights, SparseWeights | None]:
    """Return the weights of a stream as `split_weights` returns those of a text.

    dense: the names of all features that are not sparse.
    """
    weights = mapped.named(dense)
    if not templates and not listed:
        return weights, None
    return weights, SparseWeights(templates, {}, weights.source, listed, mapped)


def split_weights(
    weights: Weights, templates: tuple[str, ...], listed: tuple[str, ...] = ()
) -> tuple[Weights, SparseWeights | None]:
    """Return the weights of other features, and of the templates' and listed ones (None: none)."""
    if not templates and not listed:
        return weights, None
    on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
    rest: dict[str, float] = {}
    sparse: dict[str, float] = {}
    single = set(listed)
    for name, value in weights.items():
        is_on = name in single or name.partition("_")[0] in on
        (sparse if is_on else rest)[name] = value
    return Weights(rest, weights.source), SparseWeights(templates, sparse, weights.source, listed)

"""The flags that turn sparse features on, and what the weights file says of them."""

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
from campanula.stages.decoding.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse_options import SparseWeights


def add_sparse_flag(p: argparse.ArgumentParser) -> None:
    """Flag of the sparse features."""
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
    """Flag of lists of lexical features."""
    p.add_argument(
        "--feature-list",
        metavar="FILE",
        action="append",
        default=[],
        help="sparse features that are on, one a line, as extract-features writes them"
        " (repeatable); one without a weight counts 0",
    )


def read_lists(files: Iterable[str]) -> list[str]:
    """Names in all lists, each once; raises DataError that names the file."""
    found = (read_feature_list(read_lines(path), display_name(path)) for path in files)
    return list(dict.fromkeys(name for part in found for name in part))


def templates_of_flags(flags: Iterable[str]) -> tuple[str, ...]:
    """Templates that --features names, by themselves or in sets.

    Raises UsageError for a name that there is not.
    """
    asked: list[str] = []
    for name in (name.strip() for flag in flags for name in flag.split(",")):
        found = templates_of(name)
        if not found:
            known = ", ".join([*TEMPLATES, *TEMPLATE_SETS])
            raise UsageError(f"--features: expected some of {known}; found {name!r}")
        asked += found
    return tuple(asked)


def with_templates_of(
    asked: tuple[str, ...], files: ModelFiles
) -> tuple[tuple[str, ...], ModelFiles]:
    """Templates that are asked for or that the model names, and its files without them."""
    if files.features is not None:
        templates, dense = split_features(files.features)
        asked += templates
        files = replace(files, features=dense)
    return tuple(name for name in TEMPLATES if name in asked), files


def mapped_weights(
    mapped: MappedWeights, dense: list[str], templates: tuple[str, ...], listed: tuple[str, ...]
) -> tuple[Weights, SparseWeights | None]:
    """Weights of a stream as `split_weights` gives those of a text; `dense` are all other names."""
    weights = mapped.named(dense)
    if not templates and not listed:
        return weights, None
    return weights, SparseWeights(templates, {}, weights.source, listed, mapped)


def split_weights(
    weights: Weights, templates: tuple[str, ...], listed: tuple[str, ...] = ()
) -> tuple[Weights, SparseWeights | None]:
    """Weights of other features, and those of the templates' and listed ones (None for neither)."""
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

"""The flag that turns sparse features on, and what the weights file says of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from formats.model import ModelFiles
from formats.sparse_names import TEMPLATES
from formats.weights import Weights
from stages.command import UsageError
from stages.decoding.sparse_options import SparseWeights


def add_sparse_flag(p: argparse.ArgumentParser) -> None:
    """Flag of the sparse features."""
    p.add_argument(
        "--features",
        action="append",
        default=[],
        metavar="TEMPLATE[,TEMPLATE...]",
        help=f"sparse features that are on, repeatable: {', '.join(TEMPLATES)};"
        " a feature without a weight counts 0 (example: --features block,word-pair,orientation)",
    )


def templates_on(flags: Iterable[str], files: ModelFiles) -> tuple[tuple[str, ...], ModelFiles]:
    """Templates that the flags or the model folder name, and the model's files without them.

    Raises UsageError for a flag's template that there is not.
    """
    asked = [name.strip() for flag in flags for name in flag.split(",")]
    for name in asked:
        if name not in TEMPLATES:
            raise UsageError(f"--features: expected some of {', '.join(TEMPLATES)}; found {name!r}")
    if files.features is not None:
        asked += [name for name in files.features if name in TEMPLATES]
        dense = tuple(name for name in files.features if name not in TEMPLATES)
        files = replace(files, features=dense)
    return tuple(name for name in TEMPLATES if name in asked), files


def split_weights(
    weights: Weights, templates: tuple[str, ...]
) -> tuple[Weights, SparseWeights | None]:
    """Weights of other features, and those of the templates' (None when no template is on)."""
    if not templates:
        return weights, None
    on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
    rest: dict[str, float] = {}
    sparse: dict[str, float] = {}
    for name, value in weights.items():
        (sparse if name.partition("_")[0] in on else rest)[name] = value
    return Weights(rest, weights.source), SparseWeights(templates, sparse, weights.source)

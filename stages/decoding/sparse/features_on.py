"""Which sparse features are on, and the weights of these apart from those of other features."""

from __future__ import annotations

from dataclasses import replace

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.feature_names.template_sets import split_features
from campanula.formats.model.files import ModelFiles
from campanula.formats.weights import Weights
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.options import SparseWeights


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

"""The table of features of hypotheses.

A feature of this package has a file and a row here.  A user's own (own.py) is added by
`FEATURES.add("my-feature", function)`, or found by its name among the entry points of the group
campanula.features.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campanula.formats.registry import Registry
from campanula.stages.hypothesis_features import column, field, length, lm, product, ratio, score
from campanula.stages.hypothesis_features.feature import Feature


class FeatureTable(Registry[Feature]):
    """Features by name; those that are added, or found as entry points, may be functions."""

    def __init__(self, ours: Mapping[str, Feature]) -> None:
        super().__init__("feature", "campanula.features", ours)

    def add(self, name: str, item: Any) -> None:
        """Add a function of texts (own.py), or a Feature."""
        super().add(name, _feature(name, item))

    def _of_entry_point(self, name: str) -> Feature:
        return _feature(name, super()._of_entry_point(name))


def _feature(name: str, item: Any) -> Feature:
    from campanula.stages.hypothesis_features.own import own_feature

    return item if isinstance(item, Feature) else own_feature(name, item)


FEATURES = FeatureTable(
    {
        "lm": lm.FEATURE,
        "column": column.FEATURE,
        "length": length.FEATURE,
        "score": score.FEATURE,
        "field": field.FEATURE,
        "ratio": ratio.FEATURE,
        "product": product.FEATURE,
    }
)

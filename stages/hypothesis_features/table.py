"""The table of features of hypotheses.

A feature of this package has a file and a row here.  A user's own (own.py) is added by
`FEATURES.add("my-feature", function)`, or found by its name among the entry points of the group
campanula.features.
"""

from __future__ import annotations

from typing import Any

from campanula.formats.registry import Registry
from campanula.stages.hypothesis_features import column, field, length, lm, product, ratio, score
from campanula.stages.hypothesis_features.feature import Feature


def _own_feature(name: str, item: Any) -> Feature:
    from campanula.stages.hypothesis_features.own import own_feature

    return item if isinstance(item, Feature) else own_feature(name, item)


FEATURES: Registry[Feature] = Registry(
    "feature",
    "campanula.features",
    {
        "lm": lm.FEATURE,
        "column": column.FEATURE,
        "length": length.FEATURE,
        "score": score.FEATURE,
        "field": field.FEATURE,
        "ratio": ratio.FEATURE,
        "product": product.FEATURE,
    },
    make=_own_feature,
)
"""The features by name; what is added, or an entry point, is a function of texts (own.py)."""

"""Sets of templates that go by a name.

set                      templates
tillmann-zhang-phrase    of blocks and neighbouring blocks (Tillmann and Zhang, section II)
tillmann-zhang-word      of words: pairs, jumps, m-grams of the target (section II)
tillmann-zhang           both
wuebker-a, -b, -c, -d    blocks, word pairs, triplets, blocks with their hierarchical orientations
                         (Wuebker et al. 2015, section 5.3)
"""

from __future__ import annotations

from collections.abc import Iterable

from campanula.formats.feature_names.dense import PRESETS
from campanula.formats.feature_names.sparse import TEMPLATES

PHRASE_BASED = ("block", "block-orientation", "target-phrases", "source-phrases", "phrase-length")
WORD_BASED = ("word-pair", "jump", "ngram", "boundary")
TEMPLATE_SETS: dict[str, tuple[str, ...]] = {
    "tillmann-zhang-phrase": PHRASE_BASED,
    "tillmann-zhang-word": WORD_BASED,
    "tillmann-zhang": PHRASE_BASED + WORD_BASED,
    "wuebker-a": ("block",),
    "wuebker-b": ("word-pair",),
    "wuebker-c": ("source-triplet", "target-triplet"),
    "wuebker-d": ("hierarchical-orientation",),
}


def templates_of(name: str) -> tuple[str, ...]:
    """The template, or the templates of the set, that goes by a name; none for any other name."""
    return (name,) if name in TEMPLATES else TEMPLATE_SETS.get(name, ())


def split_features(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Templates that a model's list of features names, and its other names: dense features.

    A name of a set of dense features is that set's, so `tillmann-zhang` names no templates there.
    """
    templates: tuple[str, ...] = ()
    dense: tuple[str, ...] = ()
    for name in names:
        found = () if name in PRESETS else templates_of(name)
        templates += found
        dense += () if found else (name,)
    return templates, dense

"""Named sets of templates.

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
    """Return the templates of a name: the template itself, or those of the set; else none."""
    return (name,) if name in TEMPLATES else TEMPLATE_SETS.get(name, ())


def split_features(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split a model's list of features into templates and names of dense features.

    A name that is also a set of dense features, such as `tillmann-zhang`, means that set here.
    """
    templates: tuple[str, ...] = ()
    dense: tuple[str, ...] = ()
    for name in names:
        named = () if name in PRESETS else templates_of(name)
        templates += named
        dense += () if named else (name,)
    return templates, dense

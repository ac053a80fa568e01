"""Hash tables of keys, and which words and phrases features begin with."""

from __future__ import annotations

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.decoding.sparse.feature_index import FeatureIndex, empty_table
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.kernels.sparse import tables
from campanula.stages.kernels.sparse import weights as kernels

EVERY = np.ones(len(PREFIXES), np.bool_)


def test_a_key_that_is_there_is_refused():
    keys, ids = empty_table(4)
    assert tables.insert(keys, ids, np.array([5, -1, 7]), 0) == -1
    assert tables.insert(keys, ids, np.array([9, 7, 11]), 3) == 1
    assert tables.ids_of(keys, ids, np.array([5, 7, 9, 11])).tolist() == [0, 2, 3, -1]


def test_a_larger_table_has_the_same():
    keys, ids = empty_table(11)
    tables.insert(keys, ids, np.arange(0, 110, 10), 0)
    larger = empty_table(100)
    tables.copy_table(keys, ids, *larger)
    assert tables.ids_of(*larger, np.arange(0, 120, 10)).tolist() == [*range(11), -1]


def asked(names, theta, open_kind=EVERY):
    """Units that features with a weight begin with, as (kind, words)."""
    index = FeatureIndex.of_names(names)
    flags = np.zeros(index.size[1] + 1, np.bool_)
    on = tables.survey(
        index.kind, index.unit, index.middle, np.array(theta, np.float64), open_kind, flags
    )
    marks = {word: parsed_names(*text_of([f"uni_{word}"])).mark[0, 0] for word in "abcd"}
    phrases = {word: kernels.marks_key(np.array([marks[word]]), 0, 1) for word in "abcd"}
    found = set()
    for kind, by_word in ((0, marks), (kernels.SOURCE_PHRASES, phrases)):
        for word, mark in by_word.items():
            key = tables.unit_keys(kind, np.array([mark]))
            if flags[tables.ids_of(index.unit_key, index.unit_number, key)[0]]:
                found.add((kind, word))
    return found, np.flatnonzero(on).tolist()


def test_only_features_with_a_weight_ask():
    names = ["bigram_a~b", "trigram_b~c~d", "sph_d~~a", "uni_d", "LM0", "slen_x", "trigram_a~b~c"]
    every = {(0, "a"), (0, "b"), (0, "c"), (kernels.SOURCE_PHRASES, "d")}
    kinds = [kernels.UNIGRAM, kernels.TEXT_BIGRAM, kernels.TEXT_TRIGRAM, kernels.SOURCE_PHRASES]
    assert asked(names, [1.0] * 7) == (every, kinds)
    assert asked(names, [0, 1.0, 0, 0, 1, 1, 0]) == ({(0, "b"), (0, "c")}, [kernels.TEXT_TRIGRAM])
    assert asked(names, [0, 0, 0, 0, 0, 0, 1]) == ({(0, "a"), (0, "b")}, [kernels.TEXT_TRIGRAM])
    assert asked(names, [1.0]) == ({(0, "a")}, [kernels.TEXT_BIGRAM])  # weights of a prefix
    shut = EVERY.copy()
    shut[kernels.TEXT_TRIGRAM] = False
    assert asked(names, [0, 1, 1, 0, 0, 0, 1], shut) == (
        {(kernels.SOURCE_PHRASES, "d")},
        [kernels.SOURCE_PHRASES],
    )

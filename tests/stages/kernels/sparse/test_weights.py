"""Keys of sparse features and the table of their weights."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.kernels.sparse import weights as kernels


def test_kinds_are_in_the_order_of_the_prefixes():
    kinds = [
        ("block", kernels.BLOCK),
        ("pair", kernels.PAIR),
        ("slen", kernels.SOURCE_LENGTH),
        ("tlen", kernels.TARGET_LENGTH),
        ("plen", kernels.PHRASE_LENGTH),
        ("uni", kernels.UNIGRAM),
        ("bi", kernels.BIGRAM),
        ("tri", kernels.TRIGRAM),
        ("stri", kernels.SOURCE_TRIPLET),
        ("ttri", kernels.TARGET_TRIPLET),
        ("bigram", kernels.TEXT_BIGRAM),
        ("trigram", kernels.TEXT_TRIGRAM),
        ("orient", kernels.ORIENTATION),
        ("back", kernels.BACKWARD),
        ("forw", kernels.FORWARD),
        ("jump", kernels.JUMP),
        ("tph", kernels.TARGET_PHRASES),
        ("sph", kernels.SOURCE_PHRASES),
        ("bound", kernels.BOUNDARY),
        ("trigger", kernels.TRIGGER),
    ]
    assert kinds == list(zip(PREFIXES, range(20), strict=True))


def test_every_key_finds_its_weight():
    rng = random.Random(3)
    key = np.array(sorted({rng.randrange(1 << 62) for _ in range(500)}), np.int64)
    value = np.array([rng.random() for _ in key])
    keys, values = kernels.table_of(key, value)
    assert [kernels.weight_of(keys, values, k) for k in key.tolist()] == value.tolist()
    assert kernels.weight_of(keys, values, 12345) == 0.0
    empty = kernels.table_of(np.zeros(0, np.int64), np.zeros(0))
    assert kernels.weight_of(*empty, 12345) == 0.0


def test_keys_tell_features_apart():
    def key(kind, *numbers):
        return kernels.numbers_key(kind, np.array(numbers, np.int64))

    numbers = [(), (0,), (1,), (0, 0), (0, -1, 0), (-1, 0, 0), (0, 0, -1), (0, 1), (1, 0)]
    found = {key(kind, *n) for kind in range(3) for n in numbers}
    assert len(found) == 27
    assert kernels.key_of(1, 5, -1, 7, -2) == key(1, 5, -1, 7)
    assert kernels.phrases_key(0, -2, 3, 4) != kernels.phrases_key(0, -2, 4, 3)
    word = np.array([4, 5, 6], np.int32)
    assert kernels.phrase_key(word, 0, 2) != kernels.phrase_key(word, 1, 3)
    assert kernels.phrase_key(word, 1, 1) == kernels.phrase_key(word, 3, 3)

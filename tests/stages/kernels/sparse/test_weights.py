"""Keys of sparse features and the table of their weights."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.decoding.sparse.feature_index import empty_table
from campanula.stages.kernels.sparse import tables
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
        ("hback", kernels.H_BACKWARD),
        ("hforw", kernels.H_FORWARD),
        ("fert", kernels.FERTILITY),
    ]
    assert kinds == list(zip(PREFIXES, range(23), strict=True))


def test_every_key_finds_its_weight():
    rng = random.Random(3)
    key = np.array(sorted({rng.randrange(1 << 62) for _ in range(500)}), np.int64)
    theta = np.array([rng.random() for _ in key])
    keys, ids = empty_table(500)
    assert tables.insert(keys, ids, key, 0) == -1
    assert [kernels.weight_of(keys, ids, theta, k) for k in key.tolist()] == theta.tolist()
    assert [kernels.id_of(keys, ids, k) for k in key.tolist()] == [*range(500)]
    assert kernels.weight_of(keys, ids, theta, 12345) == 0.0
    assert kernels.id_of(keys, ids, 12345) == -1
    assert kernels.weight_of(keys, ids, theta[:7], int(key[6])) == theta[6]
    assert kernels.weight_of(keys, ids, theta[:6], int(key[6])) == 0.0  # of a prefix
    assert kernels.weight_of(*empty_table(0), np.zeros(0), 12345) == 0.0


def mark(word):
    text = np.frombuffer(bytearray(word.encode()), np.uint8)
    return kernels.word_mark(text, 0, len(text), 0)


def test_keys_tell_features_apart():
    a, b, c = map(mark, "abc")
    phrases = [(), (a,), (b,), (a, a), (a, b), (b, a), (a, b, c), (b, c), (a, b, a, b)]
    keys = [kernels.marks_key(np.array(phrase, np.int64), 0, len(phrase)) for phrase in phrases]
    found = {kernels.phrases_key(kind, -2, x, y) for kind in range(3) for x in keys for y in keys}
    found |= {kernels.phrases_key(13, head, x, y) for head in range(3) for x in keys for y in keys}
    found |= {kernels.number_key(kind, number) for kind in (2, 3, 15) for number in range(-9, 9)}
    words = [a, b, c, -1]
    found |= {
        kernels.key_of(kind, x, y, z)
        for kind in (1, 9)
        for x in words[:3]
        for y in words[:3]
        for z in words
    }
    assert len(found) == 2 * 3 * 81 + 3 * 18 + 2 * 36
    word = np.array([4, 5, 6], np.int32)
    assert kernels.phrase_key(word, 0, 2) != kernels.phrase_key(word, 1, 3)
    assert kernels.phrase_key(word, 1, 1) == kernels.phrase_key(word, 3, 3)


def test_keys_of_phrases_are_those_of_their_words():
    marks = np.array([mark(word) for word in "abc"])
    number = np.array([2, 0, 1], np.int32)
    for begin, end in ((0, 0), (0, 2), (1, 3)):
        key = kernels.target_key(number, begin, end, marks)
        assert key == kernels.marks_key(marks[number], begin, end)


def test_like_words_do_not_make_like_features():
    """Sums of plain polynomials would be the same where two letters change by as much."""
    two = [kernels.key_of(6, mark(x + "a"), mark("b" + y), -1) for x in "xyz" for y in "xyz"]
    two += [kernels.key_of(6, mark(x + "b"), mark("a" + y), -1) for x in "xyz" for y in "xyz"]
    assert len(set(two)) == 18
    assert len({mark(word) for word in ("ab", "ba", "a", "", "aa", "\0", "\0\0")}) == 7
    assert mark("ab") < 1 << 62
    text = np.frombuffer(bytearray(b"ab"), np.uint8)
    assert kernels.word_mark(text, 0, 2, 1) != mark("ab")


def test_phrases_that_share_words_are_apart():
    a, b, c, d = map(mark, "abcd")

    def phrases(*two):
        keys = [kernels.marks_key(np.array(phrase), 0, len(phrase)) for phrase in two]
        return kernels.phrases_key(kernels.TARGET_PHRASES, -2, *keys)

    assert phrases([a, b], [c, d]) != phrases([a, c], [b, d])

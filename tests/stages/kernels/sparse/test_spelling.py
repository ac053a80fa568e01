"""Names that the kernel writes, against those of one feature at a time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import PREFIXES, sparse_name
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.sparse.name_parsing import grammar, parsed_names
from campanula.stages.decoding.sparse.spelled_features import (
    SpelledSteps,
    StepWords,
    spelling_of,
    steps_of,
)
from campanula.stages.kernels.graph.texts import Spelling
from campanula.stages.kernels.sparse import names as names_kernels
from campanula.stages.kernels.sparse.fired import fired_features

SOURCE = ["a", "b~", "c", "ü", "%|\u200b𝔘"]
TARGET = ["u", "v=", "\ufffd", "w\u00a0x", "日本"]
# two blocks of three words and two, "u v= u" and "w x, 日本"
INFO = np.array([[0, 3, 0, 0, 0, 0], [0, 2, 4, 0, 0, 0], [0, 0, 7, 0, 0, 0]], np.int32)
WORD = np.array([0, 1, 0, 0, 3, 4, 0, 0], np.int32)


def spelled(blocks, target=None):
    keys = np.arange(1, 6) * 12345
    words = StepWords(INFO, WORD, keys, keys * 7)
    steps = steps_of(np.array([0, len(blocks)]), tuple(np.array(blocks).T), words)
    target = spelling_of(Texts.of(TARGET)) if target is None else target
    return SpelledSteps(steps, spelling_of(Texts.of(SOURCE)), target)


def names(steps, row):
    text, pointer = steps.names(np.array(row, np.int32).reshape(-1, 5))
    return list(Texts(text.tobytes(), pointer))


def kind(prefix):
    return PREFIXES.index(prefix)


def test_every_kind_is_spelled():
    steps = spelled([(0, 0, 3), (1, 3, 5)])
    first, second = (("a", "b~", "c"), ("ü", "%|\u200b𝔘"))
    one, two = ("u", "v=", "u"), ("w\u00a0x", "日本")
    rows = {
        (kind("block"), 1, 0, 0, 0): sparse_name("block", "", second, two),
        (kind("pair"), 0, 1, 1, 0): sparse_name("pair", "", ("b~",), ("v=",)),
        (kind("slen"), 0, 3, 0, 0): sparse_name("slen", "3"),
        (kind("plen"), 1, 2, 0, 0): sparse_name("plen", "2", two),
        (kind("fert"), 0, 3, 0, 0): sparse_name("fert", "3", first),
        (kind("uni"), 0, 2, 0, 0): sparse_name("uni", "", ("\ufffd",)),
        (kind("trigram"), 1, 0, 3, 4): sparse_name("trigram", "", ("u", "w\u00a0x", "日本")),
        (kind("stri"), 1, 0, 1, 1): sparse_name("stri", "", second, ("v=",)),
        (kind("ttri"), 1, 1, 3, 4): sparse_name("ttri", "", second[1:], two),
        (kind("orient"), 0, 2, 0, 0): sparse_name("orient", "N"),
        (kind("back"), 1, 0, 0, 0): sparse_name("back", "R", second, two),
        (kind("forw"), 1, 1, 0, 0): sparse_name("forw", "L", first, one),
        (kind("jump"), 0, 0, 0, 0): sparse_name("jump", "0"),
        (kind("jump"), 0, 12, 0, 0): sparse_name("jump", "+12"),
        (kind("jump"), 0, -105, 0, 0): sparse_name("jump", "-105"),
        (kind("tph"), 1, 0, 0, 0): sparse_name("tph", "", one, two),
        (kind("sph"), 1, 0, 0, 0): sparse_name("sph", "", first, second),
        (kind("bound"), 1, 1, 3, 0): sparse_name("bound", "", ("v=",), ("w\u00a0x",)),
    }
    assert names(steps, [*rows]) == [*rows.values()]
    assert names(steps, []) == []


def test_an_empty_phrase_is_nothing():
    steps = spelled([(2, 0, 1), (1, 1, 2)])
    rows = [(kind("tph"), 1, 0, 0, 0), (kind("plen"), 0, 1, 0, 0), (kind("block"), 0, 0, 0, 0)]
    assert names(steps, rows) == ["tph_~~w%C2%A0x~日本", "plen_1_", "block_a~~"]


def test_words_past_the_vocabulary_have_their_own_text():
    known, extra = spelling_of(Texts.of(TARGET[:3])), spelling_of(Texts.of(TARGET[3:]))
    target = Spelling(known.blob, known.start, extra.blob, extra.start)
    row = [(kind("block"), 0, 0, 0, 0)]
    blocks = [(1, 0, 1)]
    assert names(spelled(blocks, target), row) == names(spelled(blocks), row)


@pytest.mark.parametrize("seed", range(3))
def test_names_have_the_keys_that_fired(seed):
    """What is spelled is parsed to the same kind, and the same key where the words' marks agree."""
    rng = random.Random(seed)
    steps = spelled([(rng.randrange(3), 0, 2), (rng.randrange(3), 3, 5), (rng.randrange(3), 2, 3)])
    from campanula.stages.kernels.sparse.blocks import word_marks

    source, target = (word_marks(s.blob, s.start, 0) for s in (steps.source, steps.target))
    steps = steps._replace(steps=steps.steps._replace(source=source, mark=target))
    key, row = fired_features(steps.steps, np.ones(len(PREFIXES), np.bool_), False)
    parsed = parsed_names(*steps.names(row))
    assert parsed.kind.tolist() == row[:, 0].tolist()
    assert parsed.key.tolist() == key.tolist()


def test_characters_are_asked_for():
    grammar().plain[0x65E5] = names_kernels.UNKNOWN
    assert names(spelled([(1, 0, 1)]), [(kind("uni"), 0, 4, 0, 0)]) == ["uni_日本"]
    assert grammar().plain[0x65E5] == names_kernels.PLAIN

"""Words, parts of words and characters of texts, against Python's str and sacrebleu's chrF."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from campanula.formats.records.texts import Texts
from campanula.stages.kernels.metrics import tokens

SPACES = [chr(c) for c in range(sys.maxunicode + 1) if chr(c).isspace()]
WORDS = ["a", "b", "ab", "é", "\u4e2d", "\u4e2d\u6587", "\U0001f600", "\u200b", "\xa1", "\0"]
MARKS = [".", "...", "(", ")", "¿", "a.b", "-"]
TEXT = st.lists(st.sampled_from(WORDS + MARKS + [" "] * 8 + SPACES), max_size=24).map("".join)


def number(hyps: list[str], refs: list[str], unit: int) -> tuple[list[list[int]], list[list[int]]]:
    """Ids of each hypothesis and of each reference."""
    h, r = Texts.of(hyps), Texts.of(refs)
    hyp_blob, ref_blob = np.frombuffer(h.blob, np.uint8), np.frombuffer(r.blob, np.uint8)
    hyp, hyp_end, ref, ref_end, n_types = tokens.number(
        hyp_blob, h.pointer, ref_blob, r.pointer, unit
    )
    assert sorted(set(ref.tolist())) == list(range(n_types))
    return (
        [hyp[hyp_end[j] : hyp_end[j + 1]].tolist() for j in range(len(hyps))],
        [ref[ref_end[j] : ref_end[j + 1]].tolist() for j in range(len(refs))],
    )


def numbered(hyps: list[list[str]], refs: list[list[str]]) -> tuple[list[list[int]], ...]:
    """The same of texts that are already divided."""
    ids: dict[str, int] = {}
    in_refs = [[ids.setdefault(unit, len(ids)) for unit in ref] for ref in refs]
    return [[ids.get(unit, -1) for unit in hyp] for hyp in hyps], in_refs


TEXTS = st.lists(TEXT, min_size=1, max_size=4)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_words_are_those_of_split(hyps: list[str], refs: list[str]) -> None:
    expected = numbered([hyp.split() for hyp in hyps], [ref.split() for ref in refs])
    assert number(hyps, refs, tokens.WORDS) == expected


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_parts_are_those_of_chrf(hyps: list[str], refs: list[str]) -> None:
    divide = CHRF(word_order=2)._remove_punctuation
    expected = numbered([divide(hyp) for hyp in hyps], [divide(ref) for ref in refs])
    assert number(hyps, refs, tokens.PARTS) == expected


@pytest.mark.parametrize("word", ["((a", "a))", "(a)", "((", "(", "é)", "(é", "'tis", "--", "-a-"])
def test_one_mark_of_a_word_is_cut_off(word: str) -> None:
    divide = CHRF(word_order=2)._remove_punctuation
    text = f"x {word} y. {word}"
    assert number([text], [text], tokens.PARTS) == numbered([divide(text)], [divide(text)])


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_characters_are_all_but_white_space(hyps: list[str], refs: list[str]) -> None:
    expected = numbered(
        [[*"".join(h.split())] for h in hyps], [[*"".join(r.split())] for r in refs]
    )
    assert number(hyps, refs, tokens.CHARACTERS) == expected


@pytest.mark.parametrize("space", SPACES, ids=lambda c: f"U+{ord(c):04X}")
def test_every_white_space_of_python_splits(space: str) -> None:
    assert number([f"a{space}b"], ["a b"], tokens.WORDS)[0] == [[0, 1]]


def test_neighbours_of_white_space_do_not_split() -> None:
    characters = [chr(ord(c) + d) for c in SPACES for d in (-1, 1)]
    for character in (c for c in characters if not c.isspace()):
        assert number([f"a{character}b"], ["a b"], tokens.WORDS)[0] == [[-1]]


def test_words_of_one_hash_are_told_apart() -> None:
    # two words of equal 32-bit FNV-1a
    assert number(["costarring"], ["liquid"], tokens.WORDS)[0] == [[-1]]
    assert number([], ["liquid costarring liquid"], tokens.WORDS)[1] == [[0, 1, 0]]


def test_many_types() -> None:
    words = [f"w{i}" for i in range(3000)]
    hyps, refs = number([" ".join(words[::-1])], [" ".join(words)], tokens.WORDS)
    assert refs == [list(range(3000))]
    assert hyps == [list(range(2999, -1, -1))]


def test_a_part_of_a_larger_blob() -> None:
    texts = Texts.of(["xx", "a b", "b c", "yy"])
    blob = np.frombuffer(texts.blob, np.uint8)
    found = tokens.number(blob, texts.pointer[1:4], blob, texts.pointer[2:4], tokens.WORDS)
    assert [array.tolist() for array in found[:4]] == [[-1, 0, 0, 1], [0, 2, 4], [0, 1], [0, 2]]


def test_nothing() -> None:
    assert number([], [""], tokens.WORDS) == ([], [[]])
    assert number([" "], ["", "\u3000"], tokens.CHARACTERS) == ([[]], [[], []])


@settings(deadline=None)
@given(TEXTS)
def test_a_vocabulary_has_all_words(texts: list[str]) -> None:
    columns = Texts.of(texts)
    blob = np.frombuffer(columns.blob, np.uint8)
    ids, ends, spans = tokens.vocabulary(blob, columns.pointer)
    numbers: dict[str, int] = {}
    expected = [[numbers.setdefault(word, len(numbers)) for word in text.split()] for text in texts]
    assert [ids[ends[j] : ends[j + 1]].tolist() for j in range(len(texts))] == expected
    assert [columns.blob[a:b].decode() for a, b in spans.tolist()] == list(numbers)

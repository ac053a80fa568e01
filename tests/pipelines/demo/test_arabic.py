"""Arabic in lighter words: what is cut, what stays, and that nothing else is lost."""

from __future__ import annotations

import pytest

from campanula.pipelines.demo.arabic import JOINER, MARKS, segmented

BOOK, HOUSE = "\u0643\u062a\u0627\u0628", "\u0628\u064a\u062a"  # ktab, byt
THE, AND, IN, TO = "\u0627\u0644", "\u0648", "\u0628", "\u0644"


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        (THE + BOOK, f"{THE}{JOINER} {BOOK}"),
        (AND + BOOK, f"{AND}{JOINER} {BOOK}"),
        (AND + THE + BOOK, f"{AND}{JOINER} {THE}{JOINER} {BOOK}"),
        (AND + IN + BOOK, f"{AND}{JOINER} {IN}{JOINER} {BOOK}"),
        (TO + TO + BOOK[1:], TO + TO + BOOK[1:]),
        (TO + TO + BOOK, f"{TO}{JOINER} {THE}{JOINER} {BOOK}"),
        (HOUSE, HOUSE),  # what is left has two letters
        (AND + "\u0632\u0632\u0632", AND + "\u0632\u0632\u0632"),  # no word is left
    ],
)
def test_what_is_cut(word: str, pieces: str) -> None:
    others = [THE + BOOK, IN + BOOK, BOOK]  # what is left must be a word at each step
    first, *_ = segmented([word, " ".join([*others, *[BOOK] * 9, *[THE + BOOK] * 3])])
    assert first == pieces


def test_marks_go_and_the_rest_stays() -> None:
    vowels = "\u0643\u0650\u062a\u064e\u0627\u0628"
    text = [f"{vowels} {THE}{BOOK} (1) :", BOOK]
    found = segmented(text)
    assert found == [f"{BOOK} {THE}{JOINER} {BOOK} (1) :", BOOK]
    joined = [line.replace(f"{JOINER} ", "") for line in found]
    assert joined == [line.translate(MARKS) for line in text]


def test_a_word_that_is_more_frequent_than_what_would_be_left_stays() -> None:
    whole = AND + BOOK
    assert segmented([f"{whole} {whole} {BOOK}"]) == [f"{whole} {whole} {BOOK}"]

r"""Tokenised text as word numbers: one sentence per line, words separated by blanks.

A word ends at a space or a tab and nowhere else, as in Moses's files: U+00A0 and U+3000 are part of
words (unlike in metrics, words.py).  Words are numbered in the order of their UTF-8 bytes followed
by a blank, so that sentences of numbers sort as their lines do.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.text.words import split_words

SPECIALS = ("<unk>", "<s>", "</s>")
"""Words of a language model that a text must not hold."""

NOTHING, NEW_LINE = "", "\n"  # tokens of a split that are no words
LINES = 4096  # lines split at once


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentence i is `token[start[i]:start[i + 1]]`, numbers of `words`, -1 for an unknown word."""

    words: list[str]
    token: Ints
    start: Ints

    def __len__(self) -> int:
        return len(self.start) - 1

    def sentence_of(self, place: int) -> int:
        """Return the number of the sentence that has the token at `place`."""
        return int(np.searchsorted(self.start, place, side="right")) - 1


def read_corpus(lines: Iterable[str], name: str, reserved: Sequence[str] = ()) -> Corpus:
    """Read a corpus from lines; reserved words get numbers, too, but must not be in the text.

    Raises DataError that names the line of the first reserved word.
    """
    return corpus_of(Numbering(lines), name, reserved)


class WordNumbering(Protocol):
    """Lines whose words are numbered in the order in which they first occur."""

    def batches(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the numbers (n_words,) of the words of some lines, and their lengths (n_lines,)."""

    def words(self) -> list[str]:
        """Return all words so far, in order of their numbers."""


def corpus_of(numbered: WordNumbering, name: str, reserved: Sequence[str] = ()) -> Corpus:
    """Make a corpus of lines that are being numbered; otherwise as read_corpus."""
    tokens = [np.zeros(0, np.int64)]
    lengths = [np.zeros(0, np.int64)]
    for token, length in numbered.batches():
        tokens.append(token)
        lengths.append(length)
    words, rank = sorted_words(numbered.words(), reserved)
    corpus = Corpus(words, rank[np.concatenate(tokens)], pointer_of(np.concatenate(lengths)))
    for word in reserved:
        if word in numbered.words():
            refuse_reserved(corpus, words.index(word), name)
    return corpus


class Numbering:
    """Numbers the words of lines in the order in which they first occur."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._number: defaultdict[str, int] = defaultdict()
        self._number.default_factory = self._number.__len__  # a new word gets the next number
        self._nothing = self._number[NOTHING]  # between two blanks in a row
        self._new_line = self._number[NEW_LINE]

    def words(self) -> list[str]:
        """Return all words so far, in order of their numbers."""
        return list(self._number)[2:]  # without NOTHING and NEW_LINE

    def batches(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the numbers (n_words,) of the words of some lines, and their lengths (n_lines,)."""
        lines = iter(self._lines)
        while batch := list(islice(lines, LINES)):
            # one split for many lines is faster; a line end becomes a token that no line can have
            text = f" {NEW_LINE} ".join([*batch, ""]).replace("\t", " ")
            token = np.array(array("i", map(self._number.__getitem__, text.split(" "))), np.int64)
            token = token[token != self._nothing]
            ends = np.flatnonzero(token == self._new_line)
            yield np.delete(token, ends) - 2, np.diff(ends, prepend=-1) - 1


def sorted_words(appearing: Sequence[str], reserved: Sequence[str]) -> tuple[list[str], Ints]:
    """Return the sorted words of a corpus, reserved ones included, and their new numbers.

    The numbers (n,) are those of the n words in `appearing`.
    """
    words = sorted({*appearing, *reserved}, key=_sort_key)
    rank = {word: place for place, word in enumerate(words)}
    return words, np.array([rank[word] for word in appearing], np.int64)


def refuse_reserved(corpus: Corpus, word: int, name: str) -> None:
    """Raise DataError that names the first line with a word, which must be in the corpus."""
    sentence = corpus.sentence_of(int(np.argmax(corpus.token == word)))
    raise DataError(name, f"line {sentence + 1}", found_reserved(corpus.words[word]))


def found_reserved(word: str) -> str:
    """Return the problem of a reserved word in the text."""
    return f"expected words of text, found the reserved {word!r}"


def read_with_words(lines: Iterable[str], words: Sequence[str]) -> Corpus:
    """Read a corpus from lines, numbered by `words` of another corpus; other words are -1."""
    rank = {word: place for place, word in enumerate(words)}
    token = array("i")
    start = array("q", [0])
    for line in lines:
        token.extend(rank.get(word, -1) for word in split_words(line))
        start.append(len(token))
    return Corpus(list(words), np.array(token, np.int64), np.array(start))


def _sort_key(word: str) -> str:
    # the order of code points is the order of UTF-8 bytes
    return word + " "

r"""Tokenised text as word numbers: one sentence a line, words apart by blanks.

A word ends at a space or a tab and nowhere else, as in Moses's files: U+00A0 and U+3000 are part of
words (not so where metrics count words, words.py).  Words are numbered in the order of their UTF-8
bytes followed by a blank, so that sentences of numbers sort as their lines do.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError

SPECIALS = ("<unk>", "<s>", "</s>")
"""Words of a language model that a text must not hold."""

NOTHING, NEW_LINE = "", "\n"
LINES = 4096  # that are split at once


def split_words(line: str) -> list[str]:
    """Words of a line."""
    return [word for word in line.replace("\t", " ").split(" ") if word]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentence i is `token[start[i]:start[i + 1]]`, numbers into `words`; -1 is no known word."""

    words: list[str]
    token: Ints
    start: Ints

    def __len__(self) -> int:
        return len(self.start) - 1

    def sentence_of(self, place: int) -> int:
        """Number of the sentence that holds a token."""
        return int(np.searchsorted(self.start, place, side="right")) - 1


def read_corpus(lines: Iterable[str], name: str, reserved: Sequence[str] = ()) -> Corpus:
    """Corpus of lines; the reserved words have their numbers, too, but must not be in the text.

    Raises DataError with the line of the first reserved word.
    """
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    token, start = _numbered(lines, number)
    del number[NOTHING], number[NEW_LINE]
    words = sorted({*number, *reserved}, key=_sort_key)
    rank = {word: place for place, word in enumerate(words)}
    renumbered = np.array([0, 0, *(rank[word] for word in number)], np.int64)
    corpus = Corpus(words, renumbered[token], start)
    for word in reserved:
        if word in number:
            refuse(corpus, rank[word], name)
    return corpus


def _numbered(lines: Iterable[str], number: defaultdict[str, int]) -> tuple[Ints, Ints]:
    """Numbers (n_words,) of the words of lines, and pointers (n_lines + 1,).

    `number` gives the next number to what it does not have; what stands between two blanks without
    a word, and the end of a line, come first.
    """
    nothing, new_line = number[NOTHING], number[NEW_LINE]
    tokens = [np.zeros(0, np.int64)]
    lengths = [np.zeros(1, np.int64)]
    lines = iter(lines)
    while batch := list(islice(lines, LINES)):
        # one split for many lines; of what a line ends with it cannot have any
        text = f" {NEW_LINE} ".join([*batch, ""]).replace("\t", " ")
        read = np.array(array("i", map(number.__getitem__, text.split(" "))), np.int64)
        read = read[read != nothing]
        ends = np.flatnonzero(read == new_line)
        tokens.append(np.delete(read, ends))
        lengths.append(np.diff(ends, prepend=-1) - 1)
    return np.concatenate(tokens), np.cumsum(np.concatenate(lengths))


def refuse(corpus: Corpus, word: int, name: str) -> None:
    """Raise DataError for the first place where a word stands."""
    sentence = corpus.sentence_of(int(np.argmax(corpus.token == word)))
    problem = f"expected words of text, found the reserved {corpus.words[word]!r}"
    raise DataError(name, f"line {sentence + 1}", problem)


def read_with_words(lines: Iterable[str], words: Sequence[str]) -> Corpus:
    """Corpus of lines, numbered by the words of another; a word that is not there is -1."""
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

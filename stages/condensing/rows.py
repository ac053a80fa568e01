"""Rows of a Moses phrase table, some thousands at a time: fields, and words as arrays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.moses.features import MAX_SCORES
from campanula.formats.moses.phrase_table import probabilities, rows
from campanula.formats.text.words import split_byte_words

ROWS = 1 << 14
SOURCE, TARGET, SCORES = range(3)  # fields of a row


class RowPhrases(NamedTuple):
    """Phrases of n rows: words are text[word[k]:word[k + 1]], those of row x from start[x] on."""

    text: Bytes
    word: Ints
    start: Ints

    @classmethod
    def of(cls, fields: Sequence[bytes]) -> RowPhrases:
        """Return the phrases in some fields."""
        phrases = [split_byte_words(field) for field in fields]
        words = list(itertools.chain.from_iterable(phrases))
        text = np.frombuffer(b"".join(words), np.uint8)
        return cls(text, pointer_of([*map(len, words)]), pointer_of([*map(len, phrases)]))


class TableRows(NamedTuple):
    """Rows of a table: the number of the first one's line, and the fields of each."""

    line: int
    fields: list[list[bytes]]

    def phrases(self, side: int) -> RowPhrases:
        """Return the phrases of a side, SOURCE or TARGET."""
        return RowPhrases.of([fields[side] for fields in self.fields])

    def pair(self, row: int) -> str:
        """Return the phrase pair of a row as text, for a message."""
        source, target = (b" ".join(split_byte_words(field)) for field in self.fields[row][:SCORES])
        return f"{source.decode()} ||| {target.decode()}"


def read_rows(path: str, n_more: int) -> Iterator[TableRows]:
    """Yield the rows of a phrase table, ROWS at a time.

    Raises DataError for a bad row, and for one that has no place for `n_more` more scores.
    """
    name = display_name(path)
    # 0 lets the first row have any number of scores; the others must have as many
    n_scores = 0
    numbered = rows(path, SCORES + 1)
    while chunk := list(itertools.islice(numbered, ROWS)):
        for number, fields in chunk:
            n_here = len(probabilities(fields[SCORES], n_scores, name, number))
            if not fields[SOURCE].strip():
                raise DataError(name, f"line {number}", "expected a source phrase, found none")
            # refused here, at the first row: readers of the result would refuse all of it
            if n_here + n_more > MAX_SCORES:
                problem = f"expected at most {MAX_SCORES - n_more} scores beside {n_more} more"
                raise DataError(name, f"line {number}", f"{problem}, found {n_here}")
            n_scores = n_here
        yield TableRows(chunk[0][0], [fields for _, fields in chunk])
    if not n_scores:
        raise DataError(name, None, "expected phrase pairs, found none")

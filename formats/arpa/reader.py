r"""Read a back-off language model in ARPA format.

    \data\            how many n-grams of each order
    \N-grams:         log10 probability, N words, and below the highest order the back-off weight
    \end\

Fields are separated by blanks or tabs; a missing back-off weight is 0.  The vocabulary is the
unigrams.  A byte order mark is dropped.  Numbers are single precision; larger ones than LARGEST are
refused, so that sums of them are finite.  The error for a binary file of KenLM or another program
names its format.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, NoReturn

import numpy as np

from campanula.formats.arrays.types import Ids, Singles
from campanula.formats.errors import DataError, LineError, quoted, unreadable
from campanula.formats.files import display_name, open_expecting
from campanula.formats.foreign.signatures import signature_of
from campanula.formats.lines import raw_lines
from campanula.formats.text.numbers import decimals, float_or_nan

BATCH = 1 << 12  # lines split at once; the fields of many more would not fit in the cache
MAX_ORDER = 12
COUNT = re.compile(rb"ngram\s+([0-9]{1,2})\s*=\s*([0-9]{1,15})")
LARGEST = 1e30  # far beyond any logarithm, and sums stay far within single precision
FITS = ("arpa", "json", "weights")  # kinds that comments before \data\ may look like


@dataclass(frozen=True)
class Arpa:
    """N-grams of each order n: `words[n-1]` (count, n); log10 `prob`, `backoff` alike (count,)."""

    vocabulary: list[bytes]
    words: list[Ids]
    prob: list[Singles]
    backoff: list[Singles]

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self.words)


def is_binary(start: bytes) -> bool:
    """Whether `start`, the first bytes of a file, shows a binary language model."""
    return signature_of(start) is not None or b"\0" in start


def read_arpa(path: str) -> Arpa:
    """Read an ARPA file, plain or compressed; raises DataError that names the line."""
    with open_expecting(path, "a language model as ARPA text", FITS) as file:
        return _Reader(file, display_name(path)).read()


class _Reader:
    def __init__(self, file: BinaryIO, name: str) -> None:
        self._lines = raw_lines(file)
        self._name = name
        self._number = 0  # lines read so far
        self._index: dict[bytes, int] = {}  # words by spelling, numbered in order of the unigrams

    def read(self) -> Arpa:
        counts = self._counts()
        model = Arpa([], [], [], [])
        for n, count in enumerate(counts, 1):
            words, prob, backoff = self._section(n, count, n == len(counts))
            model.words.append(words)
            model.prob.append(prob)
            model.backoff.append(backoff)
        self._expect(b"\\end\\")
        model.vocabulary.extend(self._index)
        return model

    def _fail(self, expected: str, found: str, line: int | None = None) -> NoReturn:
        where = f"line {self._number if line is None else line}"
        raise DataError(self._name, where, f"expected {expected}, found {found}")

    def _read(self, most: int) -> list[bytes]:
        """Return the next lines, at most `most` and fewer at the end of the file."""
        lines: list[bytes] = []
        try:
            lines.extend(islice(self._lines, most))
        except (EOFError, zlib.error, OSError, LineError) as error:
            where = f"line {self._number + len(lines) + 1}"
            if isinstance(error, LineError):
                raise DataError(self._name, where, str(error)) from error
            raise unreadable(self._name, error, where) from error
        return lines

    def _line(self) -> bytes | None:
        raw = self._read(1)
        if self._number == 0:
            raw = [line.removeprefix(BOM_UTF8) for line in raw]
        self._number += 1
        return raw[0].rstrip(b" \t\r") if raw else None

    def _expect(self, mark: bytes) -> None:
        """Skip blank lines up to the mark."""
        while (line := self._line()) is not None:
            if line == mark:
                return
            if line:
                self._fail(f"'{mark.decode()}'", quoted(line))
        self._fail(f"'{mark.decode()}'", "the end of the file")

    def _counts(self) -> list[int]:
        while (line := self._line()) is not None and line != b"\\data\\":
            if is_binary(line):
                problem = "expected a language model as ARPA text, found a binary file"
                raise DataError(self._name, None, problem)
            # all other lines before \data\ are comments
        if line is None:
            self._fail("'\\data\\'", "the end of the file")
        counts: list[int] = []
        while line := self._line():
            match = COUNT.fullmatch(line)
            if match is None or int(match[1]) != len(counts) + 1 or len(counts) == MAX_ORDER:
                self._fail(f"'ngram {len(counts) + 1}=COUNT'", quoted(line))
            counts.append(int(match[2]))
        if not counts or not counts[0]:
            self._fail("unigrams", "none")
        return counts

    def _section(self, n: int, count: int, highest: bool) -> tuple[Ids, Singles, Singles]:
        self._expect(b"\\%d-grams:" % n)
        words: list[Ids] = [np.zeros((0, n), np.int32)]
        prob: list[Singles] = [np.zeros(0, np.float32)]
        backoff: list[Singles] = [np.zeros(0, np.float32)]
        for batch in self._batches(count, n):
            columns = _columns(batch, n + 2) or _columns(batch, n + 1)
            if columns is None:
                rows = (self._fields(i, line, n) for i, line in enumerate(batch))
                columns = list(zip(*rows, strict=True))
            words.append(self._ids(columns[1 : n + 1]))
            prob.append(self._numbers(columns[0], "a log10 probability", 0.0))
            if len(columns) == n + 2:
                backoff.append(self._numbers(columns[-1], "a back-off weight", LARGEST))
            else:
                backoff.append(np.zeros(len(batch), np.float32))
            self._number += len(batch)
        values = np.concatenate(backoff)
        # no context is as long as the longest n-grams: their weights would only make useless states
        return np.concatenate(words), np.concatenate(prob), values * 0 if highest else values

    def _batches(self, count: int, n: int) -> Iterator[list[bytes]]:
        while count:
            batch = self._read(min(count, BATCH))
            if len(batch) < min(count, BATCH):
                self._fail(f"{count} more {n}-grams", "the end of the file")
            count -= len(batch)
            yield batch

    def _fields(self, i: int, line: bytes, n: int) -> list[bytes]:
        line = line.rstrip(b"\r")
        fields = line.replace(b"\t", b" ").split(b" ")
        if not n + 1 <= len(fields) <= n + 2 or not all(fields):
            fields = [field for field in fields if field]
        if len(fields) == n + 1:
            fields.append(b"0")
        if len(fields) != n + 2:
            shown = quoted(line)
            self._fail(f"a log probability and {n} words", shown, self._number + 1 + i)
        return fields

    def _ids(self, columns: Sequence[Sequence[bytes]]) -> Ids:
        """Return the ids (n_rows, n) of words in n columns; one column (unigrams) sets them."""
        if len(columns) == 1:
            for i, word in enumerate(columns[0]):
                # a new word has the last number, one that was there before a lower one
                if self._index.setdefault(word, len(self._index)) != len(self._index) - 1:
                    self._fail("a new word", "a word for the second time", self._number + 1 + i)
        ids = np.empty((len(columns[0]), len(columns)), np.int32)
        try:
            for k, column in enumerate(columns):
                ids[:, k] = np.fromiter(map(self._index.__getitem__, column), np.int32, len(ids))
        except KeyError:
            for i, row in enumerate(zip(*columns, strict=True)):
                for word in row:
                    if word not in self._index:
                        shown = repr(word.decode(errors="replace"))
                        self._fail("words that are unigrams", shown, self._number + 1 + i)
            raise
        return ids

    def _numbers(self, tokens: Sequence[bytes], expected: str, largest: float) -> Singles:
        try:
            values = np.array(decimals(tokens), dtype=np.float64)
        except ValueError:  # one token at least is no number: NaN, to find which
            values = np.array([float_or_nan(token) for token in tokens])
        bad = ~(np.abs(values) <= LARGEST) | (values > largest)
        if bad.any():
            i = int(np.argmax(bad))
            self._fail(expected, repr(tokens[i].decode("latin-1")), self._number + 1 + i)
        return values.astype(np.float32)


def _columns(lines: list[bytes], n_fields: int) -> list[Sequence[bytes]] | None:
    """Return the fields of lines, column by column.

    None unless every line has n_fields fields, with one blank or tab between.  One split of all
    lines together takes a third of the time of a split of each.
    """
    # a line end becomes a field of its own, so every n_fields + 1st field must be one
    text = b" \n ".join(lines).replace(b"\t", b" ")
    if b"  " in text or b"\r" in text:
        return None
    fields = text.split(b" ")
    width = n_fields + 1
    ends = fields[n_fields::width]
    if len(fields) != width * len(lines) - 1 or ends.count(b"\n") != len(ends):
        return None
    return [fields[k::width] for k in range(n_fields)]

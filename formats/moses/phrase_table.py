"""Read a Moses phrase table: `source ||| target ||| scores ||| ...`, plain or gzip.

The scores are probabilities, stored as natural logarithms with Moses's floor of -100; every line
has as many as the first.  After them only the fifth field is read, the counts `n(e) n(f) n(f, e)`:
how often target phrase, source phrase and pair were extracted.  The rows of one source phrase need
not stand together.  A target phrase may be empty, for a source phrase that is dropped.
"""

from __future__ import annotations

import zlib
from array import array
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import xxhash

from campanula.formats.arrays.types import Floats, Ids, Ints, Singles, Words64
from campanula.formats.errors import DataError, LineError, quoted, unreadable
from campanula.formats.files import display_name, open_expecting
from campanula.formats.lines import raw_lines, utf8_problem
from campanula.formats.moses.features import MAX_SCORES
from campanula.formats.text.numbers import decimals
from campanula.formats.text.words import split_byte_words

LOG_FLOOR = -100.0  # Moses's; a natural logarithm
LARGEST = float(np.finfo(np.float64).max)  # largest score
SMALLEST_SINGLE = float(np.finfo(np.float32).tiny)
LARGEST_SINGLE = float(np.finfo(np.float32).max)
CHUNK = 1 << 16  # scores whose logarithms are taken at a time
DIGITS = 18  # most digits of a count; int() raises ValueError for thousands of them
MAX_COUNT = (1 << 31) - 1  # counts are int32
NO_COUNTS = (-1, -1, -1)  # of a row without them; counts are 0 or larger


@dataclass(frozen=True)
class WordSequences:
    """Phrases of numbered words: phrase i is `word[offset[i]:offset[i + 1]]`, offset (n + 1,)."""

    word: Ids
    offset: Ints

    def __len__(self) -> int:
        return len(self.offset) - 1


@dataclass(frozen=True)
class PhraseTable:
    """The rows of a phrase table in the order of the file.

    source: the distinct source phrases; row_source (n_rows,): the source phrase of each row;
    target: the target phrase of each row; score (n_rows, n_scores): natural logarithms; count
    (n_rows, 3): n(e), n(f), n(f, e), all -1 in a row without them, or (0, 3) if no row has them;
    key (n_rows, 2): digests of (source, target), by which a reordering table is joined.
    """

    source_words: list[bytes]
    target_words: list[bytes]
    source: WordSequences
    row_source: Ids
    target: WordSequences
    score: Singles
    count: Ids
    key: Words64


def read_phrase_table(path: str) -> PhraseTable:
    """Read a phrase table; raises DataError that names the line."""
    name = display_name(path)
    sources = _Sequences()
    targets = _Sequences()
    numbers: dict[bytes, int] = {}
    row_source = array("i")
    values = Logarithms()
    counts = array("i")
    keys = array("Q")
    n_scores = 0
    last = b"|"  # source field of the line before; no field can be this
    source_id = -1
    for number, fields in rows(path, 3):
        # rows of one source phrase mostly stand together, so it is split once for all of them
        if fields[0] != last:
            last = fields[0]
            phrase = b" ".join(split_byte_words(last))
            if not phrase:
                raise DataError(name, f"line {number}", "expected a source phrase, found none")
            source_id = numbers.setdefault(phrase, len(numbers))
            if source_id == len(sources):
                sources.append(phrase.split(b" "))
        target = split_byte_words(fields[1])
        scores = probabilities(fields[2], n_scores, name, number)
        n_scores = len(scores)
        row_source.append(source_id)
        targets.append(target)
        values.extend(scores)
        counts.extend(pair_counts(fields))
        keys.extend(pair_key(phrase, target))
    if not row_source:
        raise DataError(name, None, "expected phrase pairs, found none")
    return PhraseTable(
        list(sources.index),
        list(targets.index),
        sources.phrases(),
        np.frombuffer(row_source, np.int32),
        targets.phrases(),
        values.taken().reshape(-1, n_scores),
        _any_counts(np.frombuffer(counts, np.int32).reshape(-1, 3)),
        np.frombuffer(keys, np.uint64).reshape(-1, 2),
    )


def rows(path: str, n_fields: int) -> Iterator[tuple[int, list[bytes]]]:
    """Yield (line number, fields) of every line of a table with ||| between fields.

    A byte order mark is dropped.  Raises DataError for a line that has fewer than `n_fields`
    fields, is not UTF-8, or is too long.
    """
    name = display_name(path)
    number = 0
    with open_expecting(path, "phrase pairs with ||| between fields", ("phrase-table",)) as file:
        try:
            for number, line in enumerate(raw_lines(file), 1):
                if number == 1:
                    line = line.removeprefix(BOM_UTF8)
                if not line.isascii():
                    line.decode()
                fields = line.rstrip(b"\r").split(b"|||")
                if len(fields) < n_fields:
                    expected = f"expected {n_fields} fields with ||| between, found {len(fields)}"
                    raise DataError(name, f"line {number}", expected)
                yield number, fields
        except UnicodeDecodeError as error:
            raise DataError(name, f"line {number}", utf8_problem(error)) from error
        except LineError as error:
            raise DataError(name, f"line {number + 1}", str(error)) from error
        except (EOFError, zlib.error, OSError) as error:
            raise unreadable(name, error, f"line {number + 1}") from error


def probabilities(field: bytes, expected: int, name: str, number: int) -> list[float]:
    """Return the numbers of a field, which must be at least 0, `expected` of them.

    expected: 0 for any number from 1 to MAX_SCORES; name, number: file and line for DataError.
    """
    tokens = field.split()
    if len(tokens) != expected if expected else not 0 < len(tokens) <= MAX_SCORES:
        number_of = expected or f"1 to {MAX_SCORES}"
        found = f"expected {number_of} scores, found {len(tokens)}"
        raise DataError(name, f"line {number}", found)
    try:
        values = decimals(tokens)
    except ValueError:
        # refused below, by the same message as negative numbers
        values = [-1.0]
    if not (min(values) >= 0.0 and max(values) <= LARGEST):
        shown = quoted(field.strip())
        raise DataError(name, f"line {number}", f"expected numbers of at least 0, found {shown}")
    return values


def pair_counts(fields: list[bytes]) -> tuple[int, int, int]:
    """Return n(e), n(f), n(f, e) of a row; NO_COUNTS if it has none that are whole numbers."""
    tokens = fields[4].split() if len(fields) > 4 else []
    if len(tokens) != 3 or not b"".join(tokens).isdigit() or max(map(len, tokens)) > DIGITS:
        return NO_COUNTS
    e, f, both = map(int, tokens)
    return (e, f, both) if max(e, f, both) <= MAX_COUNT else NO_COUNTS


def _any_counts(count: Ids) -> Ids:
    return count if count.max() >= 0 else np.zeros((0, 3), np.int32)


class Logarithms:
    """Collects probabilities and returns their natural logarithms, at least -100, as float32.

    The logarithms are taken in chunks, so memory never has all values in double precision.
    """

    def __init__(self) -> None:
        self._values = array("d")
        self._taken: list[Singles] = []

    def extend(self, values: list[float]) -> None:
        """Add probabilities."""
        self._values.extend(values)
        if len(self._values) >= CHUNK:
            self._take()

    def _take(self) -> None:
        self._taken.append(log_floored(np.array(self._values, np.float64)))
        self._values = array("d")

    def taken(self) -> Singles:
        """Return the logarithms of all probabilities, in order."""
        self._take()
        return np.concatenate(self._taken)


def log_floored(values: Floats | Singles) -> Singles:
    """Return the natural logarithms as float32, at least -100, which 0 has, too.

    A probability is first rounded to single precision, as Moses stores it, unless it is outside
    that range, as learned scores (learned_scores.py) may be.
    """
    is_single = (values == 0.0) | ((values >= SMALLEST_SINGLE) & (values <= LARGEST_SINGLE))
    with np.errstate(divide="ignore", over="ignore"):
        rounded = np.where(is_single, values.astype(np.float32), values).astype(np.float64)
        return np.maximum(np.log(rounded), LOG_FLOOR).astype(np.float32)


def pair_key(source: bytes, target: list[bytes]) -> tuple[int, int]:
    """Return the 128-bit digest of a phrase pair as two numbers of 64 bits.

    source: words with single blanks between, so that other spacing gives the same digest.
    """
    digest = xxhash.xxh3_128_intdigest(source + b"\n" + b" ".join(target))
    return digest >> 64, digest & 0xFFFFFFFFFFFFFFFF


class _Sequences:
    """Collects phrases: a dictionary of their words, flat word numbers, offsets."""

    def __init__(self) -> None:
        self.index: dict[bytes, int] = {}
        self._word = array("i")
        self._offset = array("q", [0])

    def __len__(self) -> int:
        return len(self._offset) - 1

    def append(self, words: list[bytes]) -> None:
        index = self.index
        for word in words:
            self._word.append(index.setdefault(word, len(index)))
        self._offset.append(len(self._word))

    def phrases(self) -> WordSequences:
        word = np.frombuffer(self._word, np.int32) if self._word else np.zeros(0, np.int32)
        return WordSequences(word, np.frombuffer(self._offset, np.int64))

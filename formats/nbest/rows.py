"""Makes k-best records of hypotheses that come in any order of sentences.

Hypotheses belong together by the id of their sentence, not by their place: lists may be unsorted,
interleaved and of different lengths, and some ids may not occur.  Within a sentence the order of
the input is kept.  Feature ids follow the natural order of names (`TM0_2` before `TM0_10`), so that
one list gives the same stream from any format.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.nbest.sentence_ids import SentenceId, SentenceIds, SentenceName
from campanula.formats.records.features import NO_IDS, Features
from campanula.formats.records.joining import join_features, join_fields, join_texts
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts

BATCH = 1 << 14  # most rows of a piece


@dataclass(slots=True)
class Row:
    """One hypothesis as it was read; numbers that it does not have are None."""

    sid: SentenceId
    text: str
    features: Mapping[str, float]
    score: float | None = None
    fields: dict[str, str] = field(default_factory=dict)
    stats: Sequence[int] | None = None
    gain: float | None = None


class Piece(NamedTuple):
    """Consecutive hypotheses in columns; feature ids are numbered in the order of first use.

    sid (n,): the keys of their sentences (sentence_ids.py); in score and gain (n,), NaN stands for
    a missing number.
    """

    sid: Ints
    text: Texts
    features: Features
    score: Floats | None = None
    fields: Mapping[str, Texts] = MappingProxyType({})
    stats: Ints | None = None
    gain: Floats | None = None

    def with_field_names(self, names: Mapping[str, str]) -> Piece:
        """Return the piece with fields renamed; names: new names by old ones."""
        fields = {names.get(name, name): texts for name, texts in self.fields.items()}
        return self._replace(fields=fields)

    def rows(self, start: int, end: int) -> Piece:
        """Return the hypotheses from place `start` to `end` - 1."""
        return Piece(
            self.sid[start:end],
            self.text.span(start, end),
            self.features.span(start, end),
            None if self.score is None else self.score[start:end],
            {name: texts.span(start, end) for name, texts in self.fields.items()},
            None if self.stats is None else self.stats[start:end],
            None if self.gain is None else self.gain[start:end],
        )


def pieces_of(rows: Iterable[Row], names: Names, ids: SentenceIds) -> Iterator[Piece]:
    """Yield rows as pieces of at most BATCH; new names and ids are added to the tables.

    The rows of a piece have the same fields, so that missing fields differ from empty ones.
    """
    for keys, alike in itertools.groupby(rows, lambda row: tuple(row.fields)):
        while batch := list(itertools.islice(alike, BATCH)):
            yield _piece(batch, keys, names, ids)


def _piece(rows: Sequence[Row], keys: Iterable[str], names: Names, ids: SentenceIds) -> Piece:
    lengths = [len(row.features) for row in rows]
    feature = [names.id(name) for row in rows for name in row.features]
    value = [value for row in rows for value in row.features.values()]
    return Piece(
        np.array([ids.key(row.sid) for row in rows], np.int64),
        Texts.of(row.text for row in rows),
        all_sparse(pointer_of(lengths), np.array(feature, np.int32), np.array(value)),
        _numbers(row.score for row in rows),
        {key: Texts.of(row.fields[key] for row in rows) for key in keys},
        _stats([row.stats for row in rows]),
        _numbers(row.gain for row in rows),
    )


def all_sparse(pointer: Ints, feature: Ids, value: Floats) -> Features:
    """Make features that are all sparse; join_features makes dense ones when all rows are known."""
    no_binary = np.zeros_like(pointer)
    no_dense = np.zeros((0, len(pointer) - 1))
    return Features(NO_IDS, no_dense, pointer, feature, value.astype(np.float64), no_binary, NO_IDS)


def _numbers(values: Iterable[float | None]) -> Floats | None:
    column = np.array([np.nan if value is None else value for value in values], np.float64)
    return None if np.isnan(column).all() else column


def _stats(rows: Sequence[Sequence[int] | None]) -> Ints | None:
    complete = [row for row in rows if row is not None]
    if len(complete) < len(rows) or len({len(row) for row in complete}) != 1:
        return None
    return np.array(complete, np.int64)


class GatheredLists(Iterator[KBest]):
    """Iterates over the k-best lists of all sentences, in order; `at` gives that at any place.

    Sentences are in order of their numbers, or of the first use of their ids.  The constructor
    raises LineError for ids that contradict each other.

    names: the table that was given if its names are in their natural order, else a new one.
    """

    def __init__(self, pieces: Sequence[Piece], names: Names, sentences: SentenceIds) -> None:
        ordered = sorted(names, key=natural_order)
        self.names = names if ordered == list(names) else Names(ordered)
        self._place = 0
        ids = np.array([self.names.id(name) for name in names], np.int32)
        # by key of the sentence: pieces with the range of rows that belong to it
        self._runs: dict[int, list[tuple[Piece, int, int]]] = {}
        sentences.settle(piece.sid for piece in pieces)
        for piece in pieces:
            piece = piece._replace(features=piece.features.translate(ids))
            keys = sentences.settled(piece.sid)
            # hypotheses of a sentence mostly stand together, so runs are far fewer than rows
            cuts = np.flatnonzero(np.diff(keys)) + 1
            for start, end in itertools.pairwise([0, *cuts.tolist(), len(keys)]):
                self._runs.setdefault(int(keys[start]), []).append((piece, start, end))
        # a dict keeps the order of first use, in which ids that are no numbers are counted
        self._sentences = sentences.named(list(self._runs))

    def __len__(self) -> int:
        return len(self._sentences)

    def __next__(self) -> KBest:
        if self._place == len(self):
            raise StopIteration
        self._place += 1
        return self.at(self._place - 1)

    def at(self, place: int) -> KBest:
        """Return the list at a place, from 0; the iteration is not affected."""
        sentence, key = self._sentences[place]
        parts = [piece.rows(start, end) for piece, start, end in self._runs[key]]
        return _list(sentence, parts, self.names)


def natural_order(name: str) -> tuple[str, int, str]:
    """Return a sort key for feature names: the label, then its number compared as a number."""
    label, _, number = name.rpartition("_")
    # isdigit alone accepts digits such as a superscript 2, which int refuses
    counted = label and number.isascii() and number.isdigit() and len(number) < 10
    return (label, int(number), name) if counted else (name, -1, name)


def _list(sentence: SentenceName, parts: Sequence[Piece], names: Names) -> KBest:
    return KBest(
        sentence.sid,
        join_texts([part.text for part in parts]),
        _joined([part.features for part in parts]),
        names,
        _whole([part.score for part in parts]),
        _whole_stats([part.stats for part in parts]),
        _whole([part.gain for part in parts]),
        join_fields([part.fields for part in parts], [len(part.sid) for part in parts]),
        sentence.id,
    )


def _joined(parts: Sequence[Features]) -> Features:
    """Join the features of all parts; those of a single part need it only if they are sparse."""
    one = parts[0]
    return one if len(parts) == 1 and not len(one.sparse_id) else join_features(parts)


def _whole(columns: Sequence[Floats | None]) -> Floats | None:
    """Join a column of all parts; None unless every hypothesis has a number."""
    present = [column for column in columns if column is not None]
    if len(present) < len(columns) or any(np.isnan(column).any() for column in present):
        return None
    return np.concatenate(present)


def _whole_stats(columns: Sequence[Ints | None]) -> Ints | None:
    present = [column for column in columns if column is not None]
    if len(present) < len(columns) or len({column.shape[1] for column in present}) != 1:
        return None
    return np.concatenate(present)

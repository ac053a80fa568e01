"""Formats that are read sentence by sentence: JSON of any kind, tables, archives.

A format of this kind is a module with

    sentences(blocks, source)        # yields the sentences of a file, raises DataError

This module makes k-best lists of the sentences.  If hypotheses have no number but a score, it is
also the feature F0, as Marian and fairseq call their scores.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.reading import gathered
from campanula.formats.nbest.rows import Piece, Row, pieces_of
from campanula.formats.nbest.same_numbers import SameNumbers
from campanula.formats.nbest.sentence_ids import SentenceId, SentenceIds, sentence_id_of
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

SCORE_FEATURE = "F0"  # as Marian and fairseq call their scores


class SentenceRows(NamedTuple):
    """Hypotheses of a sentence; the `sid` of the rows is not set yet.

    id: the sentence's id in the file, None if sentences are just counted; place, file: where the
    sentence stands, for messages; more: whether the id may come again in the file, to add to the
    list (else that is an error); sparse: whether hypotheses may lack features that others have.
    """

    id: SentenceId | None
    rows: Sequence[Row]
    place: str
    more: bool = False
    sparse: bool = False
    file: str = ""


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """A format of this folder whose module has `sentences`.

    options: names of the settings that it takes; needed: names of those without which it cannot
    read; settings: their values by name.
    """

    module: str
    options: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    writes: bool = False

    def own_file(self) -> str | None:
        """Return None: the digest of the program includes our code."""
        return None

    def with_options(self, settings: Mapping[str, Any]) -> DocumentFormat:
        """Return the format with these settings."""
        return replace(self, settings=settings)

    def _module(self) -> ModuleType:
        return importlib.import_module(f"campanula.formats.nbest.{self.module}")

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the place."""
        return lists_of(self._sentences(blocks), source)

    def _sentences(self, blocks: Iterable[Block]) -> Iterator[SentenceRows]:
        """Yield the sentences of all files, one file after another."""
        module = self._module()
        # a document ends with its file, so each file is parsed by itself
        for name, of_file in itertools.groupby(blocks, lambda block: block.name):
            for sentence in module.sentences(of_file, name, **self.settings):
                yield sentence._replace(file=name)

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Raise DataError: these formats can only be read."""
        raise DataError(source, None, "lists cannot be written in this format")

    def pages(self, lists: Iterable[KBest], source: str) -> None:
        """Return None: these formats can only be read."""


def lists_of(sentences: Iterable[SentenceRows], source: str) -> Iterator[KBest]:
    """Make k-best lists of sentences; raises DataError."""
    names = Names()
    ids = SentenceIds()
    pieces = list(pieces_of(_rows(sentences, source), names, ids))
    return gathered(_with_score(pieces, names), names, ids, source)


def _rows(sentences: Iterable[SentenceRows], source: str) -> Iterator[Row]:
    """Yield the rows of sentences, with their ids, or with numbers from 0 if they have none."""
    same_numbers = SameNumbers()
    seen: dict[SentenceId, str] = {}
    named: bool | None = None
    names: set[str] | None = None
    for sentence in sentences:
        if named is None:
            named = sentence.id is not None
        try:
            sid = _id(sentence, named, len(seen))
            if sid in seen and (not sentence.more or seen[sid] != sentence.file):
                raise LineError(f"expected another id than before, found {sid!r} again")
            if not sentence.rows:
                raise LineError("expected hypotheses, found none")
            seen[sid] = sentence.file
            for row in sentence.rows:
                row.sid = sid
                same_numbers.checked(row)
                if not sentence.sparse:
                    names = _same_names(row, names)
                yield row
        except LineError as error:
            raise DataError(sentence.file or source, sentence.place, str(error)) from error


def _same_names(row: Row, names: set[str] | None) -> set[str]:
    """Return the feature names of a row; raises LineError if rows before had others, `names`."""
    own = set(row.features)
    if names is None or own == names:
        return own
    lacking = sorted(names - own)
    if lacking:
        raise LineError(f"feature {lacking[0]!r}: expected a number, as before, found none")
    raise LineError(f"feature {min(own - names)!r}: expected none, as before, found a number")


def _id(sentence: SentenceRows, named: bool, count: int) -> SentenceId:
    """Return the id of a sentence, or its number if no sentence has an id.

    named: whether the first sentence has an id; count: sentences so far.  Raises LineError if only
    some sentences have ids.
    """
    if named != (sentence.id is not None):
        wanted, found = ("an id", "none") if named else ("no id", f"{sentence.id!r}")
        raise LineError(f"expected {wanted}, as before, found {found}")
    if sentence.id is None:
        return count
    return sentence_id_of(sentence.id) if isinstance(sentence.id, str) else sentence.id


def _with_score(pieces: list[Piece], names: Names) -> list[Piece]:
    """Return the pieces with their scores as a feature, if they have no other feature."""
    if len(names) or any(piece.score is None for piece in pieces):
        return pieces
    ids = np.array([names.id(SCORE_FEATURE)], np.int32)
    return [
        piece._replace(features=Features.of_dense(ids, piece.score[None]))
        for piece in pieces
        if piece.score is not None
    ]

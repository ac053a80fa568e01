"""Reads another tool's lists, line by line, as k-best records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.rows import GatheredLists, Piece, Row, pieces_of
from campanula.formats.nbest.same_numbers import SameNumbers
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names


class LineReader(ABC):
    """Reads the lines of one input, and keeps what it needs to know of the earlier ones."""

    @abstractmethod
    def read(self, line: str) -> Iterable[Row]:
        """Return the hypotheses of a line, if any; raises LineError."""

    def finish(self) -> Iterable[Row]:
        """Return hypotheses that are complete only at the end; raises LineError."""
        return ()

    def field_names(self) -> Mapping[str, str]:
        """Return the final names of fields by those in rows and pieces; called at the end."""
        return {}

    def piece(self, block: Block, names: Names, ids: SentenceIds) -> Piece | None:
        """Read a block at once; None if its lines must be read one by one."""
        return None


def read_lists(blocks: Iterable[Block], reader: LineReader, name: str) -> Iterator[KBest]:
    """Read k-best lists by sentence; raises DataError that names the line."""
    names = Names()
    ids = SentenceIds()
    same_numbers = SameNumbers()
    pieces: list[Piece] = []
    for block in whole_lines(blocks):
        piece = reader.piece(block, names, ids)
        if piece is None:
            pieces.extend(pieces_of(_rows(block, reader, same_numbers), names, ids))
        else:
            pieces.append(piece)
    try:
        pieces.extend(pieces_of(map(same_numbers.checked, reader.finish()), names, ids))
    except LineError as error:
        raise DataError(name, "at the end", str(error)) from error
    field_names = reader.field_names()
    pieces = [piece.with_field_names(field_names) for piece in pieces]
    return gathered(pieces, names, ids, name)


def gathered(pieces: Sequence[Piece], names: Names, ids: SentenceIds, name: str) -> GatheredLists:
    """Join all pieces to k-best lists by sentence; raises DataError when there are none."""
    if not pieces:
        raise DataError(name, None, "expected hypotheses, found none")
    try:
        return GatheredLists(pieces, names, ids)
    except LineError as error:
        raise DataError(name, None, str(error)) from error


def _rows(block: Block, reader: LineReader, same_numbers: SameNumbers) -> Iterator[Row]:
    for number, line in block.lines():
        try:
            yield from map(same_numbers.checked, reader.read(line))
        except LineError as error:
            raise DataError(block.name, f"line {number}", str(error)) from error

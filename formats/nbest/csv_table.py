"""CSV (RFC 4180) with the names of the columns in the first line: a hypothesis a row.

    id,text,score,am,lm
    utt1,"hello, world",-12.5,-8,-4.5

`id` (or another name of an id) and `text` must be there, `score` may be; every other column is a
feature.  With settings the columns may be called otherwise, and the features be some of them: the
others are fields then.  Cells may stand in quotes and have line ends in them; semicolons may stand
for commas.  The unnamed first column that pandas adds is left out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from campanula.formats.errors import DataError, LineError
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import IDS
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import number, whole_number

TEXT = "text"
SCORE = "score"
DELIMITERS = ",;"


def header(line: str) -> tuple[str, list[str]] | None:
    """Delimiter and names of columns of a first line that names a text and an id, or None."""
    for delimiter in DELIMITERS:
        try:
            (names,) = csv.reader([line], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError):
            continue
        if TEXT in names and any(name in names for name in IDS):
            return delimiter, names
    return None


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Which column is what: places of the id, the text, the score, of features and of fields."""

    width: int
    id: int
    text: int
    score: int | None
    features: Mapping[str, int]
    fields: Mapping[str, int]
    index: int | None  # of pandas

    def hypothesis(self, cells: Sequence[str], count: int) -> Row:
        """The hypothesis of the row of a number; raises LineError."""
        if len(cells) != self.width:
            problem = f"expected {self.width} columns, found {len(cells)}"
            raise LineError(f"{problem}: {' '.join(cells)[:60]!r}")
        if self.index is not None and whole_number(cells[self.index]) != count:
            found = cells[self.index]
            raise LineError(f"expected {count} in the column without a name, found {found!r}")
        score = None if self.score is None else self._number(cells[self.score], SCORE)
        features = {
            name: self._number(cells[place], f"feature {name!r}")
            for name, place in self.features.items()
        }
        fields = {name: cells[place] for name, place in self.fields.items()}
        return Row(0, cells[self.text], features, score, fields)

    def _number(self, cell: str, what: str) -> float:
        token = cell.strip(" \t")
        if not token:
            raise LineError(f"{what}: expected a number, found an empty cell")
        return number(token, what)


def columns_of(
    names: Sequence[str],
    id: str | None,
    text: str | None,
    score: str | None,
    features: Mapping[str, str] | None,
) -> TableColumns:
    """The columns of a header, given what some are called; raises LineError."""
    names = [name.strip(" \t\n") for name in names]
    index = 0 if names[0] in ("", "Unnamed: 0") else None
    for name in names[1:] if index == 0 else names:
        if not name or names.count(name) > 1:
            raise LineError(f"expected columns with names of their own, found {name!r}")
    place = {name: at for at, name in enumerate(names) if at != index}

    def of(name: str) -> int:
        if name not in place:
            raise LineError(f"expected a column {name!r}, found {', '.join(names)[:80]!r}")
        return place[name]

    id = id or next((name for name in IDS if name in place), "id")
    score = score or (SCORE if SCORE in place and not features else None)
    taken = {of(id), of(text or TEXT), *(() if score is None else (of(score),))}
    left = {name: at for name, at in place.items() if at not in taken}
    chosen = left if not features else {name: of(column) for name, column in features.items()}
    fields = {name: at for name, at in left.items() if at not in chosen.values()}
    score_at = None if score is None else of(score)
    return TableColumns(len(names), of(id), of(text or TEXT), score_at, chosen, fields, index)


def sentences(
    blocks: Iterable[Block],
    source: str,
    id: str | None = None,
    text: str | None = None,
    score: str | None = None,
    features: Mapping[str, str] | None = None,
) -> Iterator[SentenceRows]:
    """Yield hypotheses by the ids of their sentences; raises DataError that names the line."""
    lines = _lines(blocks)
    first = next(lines, "")
    delimiter = max(DELIMITERS, key=first.count)
    place = 1
    csv.field_size_limit(LONGEST_LINE)  # answers of language models go beyond its 131,072
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        (names,) = csv.reader([first], delimiter=delimiter, strict=True)
        columns = columns_of(names, id, text, score, features)
        place = 2
        for count, cells in enumerate(filter(None, rows)):
            row = columns.hypothesis(cells, count)
            yield SentenceRows(cells[columns.id].strip(" "), [row], f"line {place}", more=True)
            place = rows.line_num + 2
    except csv.Error as error:
        raise DataError(source, f"line {place}", f"expected a row of CSV: {error}") from error
    except LineError as error:
        raise DataError(source, f"line {place}", str(error)) from error


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in whole_lines(blocks):
        for line in block.data.decode("utf-8").split("\n")[:-1]:
            yield f"{line}\n"

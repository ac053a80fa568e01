"""CSV (RFC 4180) with the names of the columns in the first line; a row is a hypothesis.

    id,text,score,am,lm
    utt1,"hello, world",-12.5,-8,-4.5

The columns `id` (or another name of an id) and `text` are required, `score` is optional; every
other column is a feature.  Settings give the columns other names, or choose those that are
features; the others become fields then.  Cells may be in quotes, with line ends inside; the
delimiter may be a semicolon.  The unnamed first column that pandas adds is left out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from campanula.formats.errors import DataError, LineError, quoted
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
    """Return delimiter and names of columns, if the line names a text and an id; else None."""
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
    """Places of the columns of id, text, score, features and fields.

    width: number of columns; index: place of pandas's unnamed column, None without one.
    """

    width: int
    id: int
    text: int
    score: int | None
    features: Mapping[str, int]
    fields: Mapping[str, int]
    index: int | None

    def hypothesis(self, cells: Sequence[str], count: int) -> Row:
        """Read the hypothesis of row number `count`, from 0; raises LineError."""
        if len(cells) != self.width:
            problem = f"expected {self.width} columns, found {len(cells)}"
            raise LineError(f"{problem}: {quoted(' '.join(cells))}")
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
    """Find the columns of a header; the arguments name those with other names; raises LineError."""
    names = [name.strip(" \t\n") for name in names]
    index = 0 if names[0] in ("", "Unnamed: 0") else None
    for name in names[1:] if index == 0 else names:
        if not name or names.count(name) > 1:
            raise LineError(f"expected columns with names of their own, found {name!r}")
    place = {name: at for at, name in enumerate(names) if at != index}

    def place_of(name: str) -> int:
        if name not in place:
            raise LineError(f"expected a column {name!r}, found {quoted(', '.join(names))}")
        return place[name]

    id = id or next((name for name in IDS if name in place), "id")
    score = score or (SCORE if SCORE in place and not features else None)
    id_at = place_of(id)
    text_at = place_of(text or TEXT)
    score_at = None if score is None else place_of(score)
    others = {n: at for n, at in place.items() if at not in (id_at, text_at, score_at)}
    chosen = others
    if features:
        chosen = {name: place_of(column) for name, column in features.items()}
    fields = {name: at for name, at in others.items() if at not in chosen.values()}
    return TableColumns(len(names), id_at, text_at, score_at, chosen, fields, index)


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
    # max takes the first of equal ones, so a single column has commas
    delimiter = max(DELIMITERS, key=first.count)
    place = 1
    csv.field_size_limit(LONGEST_LINE)  # the default, 131,072, is too short for language models
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        (names,) = csv.reader([first], delimiter=delimiter, strict=True)
        columns = columns_of(names, id, text, score, features)
        place = 2
        # csv gives an empty line as a row without cells
        for count, cells in enumerate(filter(None, rows)):
            row = columns.hypothesis(cells, count)
            yield SentenceRows(cells[columns.id].strip(" "), [row], f"line {place}", more=True)
            # line_num does not count the header, and the next row starts one line further
            place = rows.line_num + 2
    except csv.Error as error:
        raise DataError(source, f"line {place}", f"expected a row of CSV: {error}") from error
    except LineError as error:
        raise DataError(source, f"line {place}", str(error)) from error


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in whole_lines(blocks):
        for line in block.data.decode("utf-8").split("\n")[:-1]:
            # with its end, which may stand inside quotes and is then part of a cell
            yield f"{line}\n"

"""Functions that all readers of JSON records use: for texts, numbers, ids, errors with places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_rows import check_text, finite
from campanula.formats.nbest.json_text import entries
from campanula.formats.nbest.rows import Row

IDS = ("utt_id", "uttid", "utt", "key", "id", "sid", "sentence_id", "custom_id", "request_id")
SHOWN = 60  # characters of a value that a message shows

Read = Callable[[Mapping[str, Any]], Sequence[Row] | None]
"""Returns the hypotheses of a record, None for a record that is no list; raises LineError."""


def sentences_of(
    blocks: Iterable[Block],
    source: str,
    read: Read,
    ids: Sequence[str] = IDS,
    within: str | None = None,
    counted: str | None = None,
) -> Iterator[SentenceRows]:
    """Yield the sentences of a file of JSON records; raises DataError that names the place.

    The id of a record is its key in an object of records, or else the value of the first of the
    keys `ids` that it has.  within: as for json_text.entries; counted: a key whose numbers just
    count the records and are not ids.
    """
    for entry in entries(blocks, source, within):
        place = entry.place
        try:
            value = record(entry.value)
            name = id_of(value, ids) if entry.key is None else entry.key
            if name is not None and entry.key is None:
                place = f"{place} ({name})"
            # a number that only counts the records: sentences are counted later, as without ids
            if counted and name and name.isdecimal() and name == str(value.get(counted)):
                name = None
            rows = read(value)
            if rows is not None:
                check_text(text for row in rows for text in (row.text, *row.fields.values()))
                yield SentenceRows(name, rows, place)
        except LineError as error:
            raise DataError(source, place, str(error)) from error


def record(value: Any) -> Mapping[str, Any]:
    """Return a value that must be an object; raises LineError."""
    if not isinstance(value, dict):
        raise LineError(f"expected an object of JSON, found {shown(value)}")
    return value


def id_of(value: Mapping[str, Any], ids: Sequence[str] = IDS) -> str | None:
    """Return the id under the first of the keys `ids` that a record has; None without any.

    Raises LineError for a value that cannot be an id.
    """
    for key in ids:
        if key in value:
            name = value[key]
            if isinstance(name, str) and name:
                return name
            if isinstance(name, int) and not isinstance(name, bool):
                return str(name)
            raise LineError(
                f"{key!r}: expected an id, a text or a whole number, found {shown(name)}"
            )
    return None


def string(value: Any, what: str) -> str:
    """Return a value that must be a string; raises LineError that names `what`."""
    if not isinstance(value, str):
        raise LineError(f"expected a string under {what}, found {shown(value)}")
    return value


def array(value: Any, what: str) -> list[Any]:
    """Return a value that must be an array; raises LineError that names `what`."""
    if not isinstance(value, list):
        raise LineError(f"expected an array under {what}, found {shown(value)}")
    return value


def numbers(values: Any, size: int, what: str) -> list[float]:
    """Return an array of `size` finite numbers, one per hypothesis; raises LineError."""
    column = array(values, repr(what))
    if len(column) != size:
        raise LineError(
            f"{what!r}: expected {size} numbers, as there are hypotheses, found {len(column)}"
        )
    return [finite(value, f"hypothesis {rank}: {what!r}") for rank, value in enumerate(column)]


def is_number(value: Any) -> bool:
    """Whether a value is a number of JSON, finite or not; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_field(value: Any) -> str:
    """Return a value as the text of a field: a string unchanged, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def shown(value: Any) -> str:
    """Return a value as a message shows it, at most SHOWN characters."""
    return as_field(value)[:SHOWN] if not isinstance(value, str) else repr(value)[:SHOWN]

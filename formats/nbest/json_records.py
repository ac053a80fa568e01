"""Yields the sentences of a file of JSON records, with their ids, and errors with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_text import entries
from campanula.formats.nbest.json_values import check_text, record, shown
from campanula.formats.nbest.rows import Row

IDS = ("utt_id", "uttid", "utt", "key", "id", "sid", "sentence_id", "custom_id", "request_id")

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

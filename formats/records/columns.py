"""Columns of a record on the wire: `[dtype, raw little-endian bytes]`.

Reading a column is one `numpy.frombuffer`; the array is a read-only view of the message.  Integer
columns are written in the narrowest type that holds their values, so a column of small counts has
one byte per entry.  Reading checks type, length, range, and that numbers are finite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.pointers import lengths_of, pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.errors import SHOWN

Record = Mapping[str, Any]

INTEGER_TYPES = ("|u1", "<u2", "<u4", "<i8")
FLOAT_TYPES = ("<f8", "<f4")
_DTYPES = {name: np.dtype(name) for name in (*INTEGER_TYPES, *FLOAT_TYPES)}


def shortened(value: object) -> str:
    """Return a wrong value as a message shows it: at most SHOWN characters, `nothing` for None."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


class ColumnError(ValueError):
    """A record with a missing or wrong column; the Reader adds the file and the sentence."""


def all_finite(values: Floats) -> bool:
    """Whether no number is NaN or infinite."""
    # for short arrays, searching the bytes of the mask is faster than np.all
    return 0 not in np.isfinite(values).tobytes()


def pack_floats(values: npt.ArrayLike) -> list[object]:
    """Return a float column for msgpack, 8 bytes per entry.

    Raises ColumnError for a number that is not finite, which no reader accepts.
    """
    array = np.ascontiguousarray(values, dtype="<f8")
    if not all_finite(array):
        found = array[~np.isfinite(array)].flat[0]
        raise ColumnError(f"expected finite numbers, found {found}: features or weights too large")
    return ["<f8", array.tobytes()]


def is_narrowest(column: list[object]) -> bool:
    """Whether `pack_ints` would surely choose the same type: the column has the narrowest."""
    return column[0] == INTEGER_TYPES[0]


def pack_ints(values: npt.ArrayLike) -> list[object]:
    """Return an integer column for msgpack, in the narrowest type that holds its values."""
    array = np.asarray(values)
    name = "|u1"
    if array.size:
        # what the method `max` calls; columns are short, so the call on top of it would count
        high = np.maximum.reduce(array, axis=None)
        if np.minimum.reduce(array, axis=None) < 0 or high >= 1 << 32:
            name = "<i8"
        elif high >= 1 << 8:
            name = "<u2" if high < 1 << 16 else "<u4"
    return [name, array.astype(_DTYPES[name]).tobytes()]


def _unpack(record: Record, key: str, types: tuple[str, ...], size: int | None) -> npt.NDArray[Any]:
    column = record.get(key)
    if not (isinstance(column, list) and len(column) == 2 and isinstance(column[1], bytes)):
        raise ColumnError(f"expected a column {key!r}, found {type(column).__name__}")
    name, raw = column
    # not every dtype that np.dtype accepts: the name is data, and could mean Python objects
    if name not in types:
        raise ColumnError(
            f"column {key!r}: expected one of {', '.join(types)}, found {shortened(name)}"
        )
    dtype = _DTYPES[name]
    if len(raw) % dtype.itemsize:
        raise ColumnError(f"column {key!r}: {len(raw)} bytes are no whole number of {name}")
    array = np.frombuffer(raw, dtype)
    if size is not None and len(array) != size:
        raise ColumnError(f"column {key!r}: expected {size} entries, found {len(array)}")
    return array


def unpack_raw_floats(record: Record, key: str, size: int | None = None) -> Floats:
    """Return float column `key` as float64 (size,); NaN and infinity are not checked."""
    return _unpack(record, key, FLOAT_TYPES, size).astype(np.float64, copy=False)


def unpack_floats(record: Record, key: str, size: int | None = None) -> Floats:
    """Return float column `key` as float64 (size,); raises ColumnError for NaN and infinity."""
    array = unpack_raw_floats(record, key, size)
    if not all_finite(array):
        at = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ColumnError(f"column {key!r}: expected finite numbers, found {array[at]} at {at}")
    return array


def unpack_ints(record: Record, key: str, size: int | None = None) -> Ints:
    """Return integer column `key` as int64 (size,)."""
    return _unpack(record, key, INTEGER_TYPES, size).astype(np.int64, copy=False)


def unpack_ids(record: Record, key: str, limit: int, size: int | None = None) -> Ids:
    """Return a column of ids below `limit` as int32; raises ColumnError for others."""
    array = _unpack(record, key, INTEGER_TYPES, size)
    if len(array) and not (_none_negative(array) and np.maximum.reduce(array) < limit):
        raise ColumnError(f"column {key!r}: expected ids below {limit}, found {int(array.max())}")
    return array.astype(np.int32, copy=False)


def _none_negative(array: npt.NDArray[Any]) -> bool:
    return array.dtype.kind == "u" or bool(np.minimum.reduce(array) >= 0)


def pack_lengths(pointer: Ints) -> list[object]:
    """Return pointers (n + 1,) for msgpack: as the n lengths, which take fewer bytes."""
    return pack_ints(lengths_of(pointer))


def unpack_lengths(record: Record, key: str, size: int | None, total: int) -> Ints:
    """Return pointers (size + 1,) from the lengths in column `key`, which must add up to `total`.

    size: None accepts any number of lengths.
    """
    lengths = _unpack(record, key, INTEGER_TYPES, size)
    pointer = pointer_of(lengths)
    end = int(pointer[-1])
    # the usual case: unsigned lengths of the right sum are all from 0 to `total`
    if end == total and lengths.dtype.kind == "u":
        return pointer
    if len(lengths) and not (_none_negative(lengths) and np.maximum.reduce(lengths) <= total):
        raise ColumnError(f"column {key!r}: expected lengths from 0 to {total}")
    if end != total:
        raise ColumnError(f"column {key!r}: expected lengths adding up to {total}, found {end}")
    return pointer


def unpack_id(record: Record) -> str | None:
    """Return the id of a sentence; None if it has only a number."""
    value = record.get("id")
    if value is not None and (not isinstance(value, str) or not value or "\n" in value):
        raise ColumnError(f"expected the id of a sentence 'id', found {shortened(value)}")
    return value


def unpack_int(record: Record, key: str) -> int:
    """Return the whole number of at least 0 under `key`; raises ColumnError."""
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ColumnError(f"expected a whole number {key!r}, found {shortened(value)}")
    return value

"""Columns of a record on the wire: `[dtype, raw little-endian bytes]`.

Reading a column is one `numpy.frombuffer`; the array is a read-only view of the message.  Integer
columns travel in the narrowest type that holds them, so a column of small counts costs one byte
an entry.  Everything read is checked here: type, length, range, and finiteness of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.pointers import lengths_of, pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints

Record = Mapping[str, Any]

INTEGER_TYPES = ("|u1", "<u2", "<u4", "<i8")
FLOAT_TYPES = ("<f8", "<f4")
_DTYPES = {name: np.dtype(name) for name in (*INTEGER_TYPES, *FLOAT_TYPES)}

SHOWN = 60  # characters of what stands in the wrong place


def shortened(value: object) -> str:
    """A value that should not be there, for a message: `nothing` where there is none."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


class ColumnError(ValueError):
    """A record that is not as its kind demands; the Reader adds the file and the record."""


def all_finite(values: Floats) -> bool:
    """Whether no number is NaN or infinite; in short arrays bytes are found sooner than reduced."""
    return 0 not in np.isfinite(values).tobytes()


def pack_floats(values: npt.ArrayLike) -> list[object]:
    """Wire form of a float column, 8 bytes an entry.

    Raises ColumnError for what no reader takes: a number that is not finite.
    """
    array = np.ascontiguousarray(values, dtype="<f8")
    if not all_finite(array):
        found = array[~np.isfinite(array)].flat[0]
        raise ColumnError(f"expected finite numbers, found {found}: features or weights too large")
    return ["<f8", array.tobytes()]


def is_narrowest(column: list[object]) -> bool:
    """Whether an integer column that was read stands as `pack_ints` would write it, for sure."""
    return column[0] == INTEGER_TYPES[0]


def pack_ints(values: npt.ArrayLike) -> list[object]:
    """Wire form of an integer column in the narrowest type that holds its values."""
    array = np.asarray(values)
    name = "|u1"
    if array.size:
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
    """Float column `key` as float64 of shape (size,), with whatever it holds."""
    return _unpack(record, key, FLOAT_TYPES, size).astype(np.float64, copy=False)


def unpack_floats(record: Record, key: str, size: int | None = None) -> Floats:
    """Float column `key` as float64 of shape (size,); NaN and infinity are refused."""
    array = unpack_raw_floats(record, key, size)
    if not all_finite(array):
        at = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ColumnError(f"column {key!r}: expected finite numbers, found {array[at]} at {at}")
    return array


def unpack_ints(record: Record, key: str, size: int | None = None) -> Ints:
    """Integer column `key` as int64 of shape (size,)."""
    return _unpack(record, key, INTEGER_TYPES, size).astype(np.int64, copy=False)


def unpack_ids(record: Record, key: str, limit: int, size: int | None = None) -> Ids:
    """Column of ids below `limit` as int32."""
    array = _unpack(record, key, INTEGER_TYPES, size)
    if len(array) and not (_none_negative(array) and np.maximum.reduce(array) < limit):
        raise ColumnError(f"column {key!r}: expected ids below {limit}, found {int(array.max())}")
    return array.astype(np.int32, copy=False)


def _none_negative(array: npt.NDArray[Any]) -> bool:
    return array.dtype.kind == "u" or bool(np.minimum.reduce(array) >= 0)


def pack_lengths(pointer: Ints) -> list[object]:
    """Wire form of pointers (n + 1,): the n lengths, which are small."""
    return pack_ints(lengths_of(pointer))


def unpack_lengths(record: Record, key: str, size: int | None, total: int) -> Ints:
    """Pointers (size + 1,) from the lengths in column `key`, which must add up to `total`.

    A size of None takes however many there are.
    """
    lengths = _unpack(record, key, INTEGER_TYPES, size)
    pointer = pointer_of(lengths)
    end = int(pointer[-1])
    if end == total and lengths.dtype.kind == "u":  # so none is negative, none beyond the total
        return pointer
    if len(lengths) and not (_none_negative(lengths) and np.maximum.reduce(lengths) <= total):
        raise ColumnError(f"column {key!r}: expected lengths from 0 to {total}")
    if end != total:
        raise ColumnError(f"column {key!r}: expected lengths adding up to {total}, found {end}")
    return pointer


def unpack_id(record: Record) -> str | None:
    """The id of a sentence, None for one that has its number alone."""
    value = record.get("id")
    if value is not None and (not isinstance(value, str) or not value or "\n" in value):
        raise ColumnError(f"expected the id of a sentence 'id', found {shortened(value)}")
    return value


def unpack_int(record: Record, key: str) -> int:
    """A whole number of at least 0 under `key`."""
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ColumnError(f"expected a whole number {key!r}, found {shortened(value)}")
    return value

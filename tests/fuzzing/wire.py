"""Streams without the program's own reader: taken apart, damaged, put together with a checksum.

A message is a msgpack map; the columns in it are `[dtype, bytes]`, here Column objects, so that a
number in one can be changed.
"""

from __future__ import annotations

import copy
import io
import random
import struct
from dataclasses import dataclass
from typing import Any

import msgpack
import numpy as np
import xxhash

from tests.fuzzing import damage

TYPES = ("|u1", "<u2", "<u4", "<i8", "<f8", "<f4")
WHOLE = (
    0,
    1,
    2,
    3,
    5,
    7,
    100,
    255,
    256,
    65535,
    1 << 31,
    (1 << 32) - 1,
    (1 << 63) - 1,
    10**18,
    -1,
    -5,
    -(1 << 63),
)
REAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    37.2,
    1e300,
    -1e308,
    1e-320,
    float("nan"),
    float("inf"),
    float("-inf"),
    1e39,
)
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 1 << 63, 10**18, 1.5, float("nan"), "", "x", "bleu", "none", "13a",
    b"", b"\xff\x00", [], {}, [None], ["x"], {"a": 1}, [[]], [1.0], "a b", "ü" * 400,
)  # fmt: skip
END = struct.Struct(">B4sBQ9sBB8s")


@dataclass
class Column:
    """A column, as the numbers that it holds."""

    dtype: str
    values: list[Any]

    def packed(self) -> list[Any]:
        array = np.array([*self.values, 0][:-1], dtype=object)
        try:
            with np.errstate(all="ignore"):
                return [self.dtype, np.array(array, dtype=self.dtype).tobytes()]
        except (OverflowError, ValueError, TypeError):
            with np.errstate(all="ignore"):
                return ["<f8", np.array([float(v) for v in self.values], "<f8").tobytes()]


def loads(data: bytes) -> list[Any]:
    """The messages of a stream but the end record, with columns taken apart."""
    messages = list(msgpack.Unpacker(io.BytesIO(data), raw=False))
    return [_opened(message) for message in messages[:-1]]


def _opened(value: Any) -> Any:
    if (
        isinstance(value, list)
        and len(value) == 2
        and value[0] in TYPES
        and isinstance(value[1], bytes)
    ):
        return Column(value[0], np.frombuffer(value[1], value[0]).tolist())
    if isinstance(value, list):
        return [_opened(part) for part in value]
    if isinstance(value, dict):
        return {key: _opened(part) for key, part in value.items()}
    return value


def _closed(value: Any) -> Any:
    if isinstance(value, Column):
        return value.packed()
    if isinstance(value, list):
        return [_closed(part) for part in value]
    if isinstance(value, dict):
        return {key: _closed(part) for key, part in value.items()}
    return value


def dumps(messages: list[Any]) -> bytes:
    """The bytes of messages, with an end record that fits."""
    packer = msgpack.Packer(autoreset=True, unicode_errors="surrogatepass")
    data = b"".join(packer.pack(_closed(message)) for message in messages)
    checksum = xxhash.xxh3_64_digest(data)
    return data + END.pack(
        0x82, b"\xa3end", 0xCF, len(messages) - 1, b"\xa8checksum", 0xC4, 8, checksum
    )


def damaged(messages: list[Any], rng: random.Random) -> bytes:
    """A stream with faults in header, records and columns, and a right checksum."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        at = 0 if rng.random() < 0.15 else rng.randrange(len(messages))
        if rng.random() < 0.08:
            _change_order(messages, rng)
        elif isinstance(messages[at], dict) and messages[at]:
            _change_map(messages[at], rng, at)
    return dumps(messages)


def _odd(rng: random.Random) -> Any:
    """A value that is out of place; a copy, since what is changed next may be part of it."""
    return copy.deepcopy(rng.choice(ODD))


def _change_order(messages: list[Any], rng: random.Random) -> None:
    at = rng.randrange(len(messages))
    choice = rng.randrange(4)
    if choice == 0:
        messages.append(copy.deepcopy(messages[at]))
    elif choice == 1 and len(messages) > 1:
        messages.append(messages.pop(at))
    elif choice == 2:
        messages.insert(at, _odd(rng))
    elif len(messages) > 1:
        del messages[at]


def _change_map(message: dict[str, Any], rng: random.Random, at: int) -> None:
    key = rng.choice(list(message))
    value = message[key]
    if isinstance(value, dict) and value and rng.random() < 0.8:
        _change_map(value, rng, at)
    elif rng.random() < 0.8 and isinstance(value, Column):
        _change_column(value, rng)
    elif rng.random() < 0.7 and isinstance(value, list) and value:
        _change_list(value, rng)
    elif rng.random() < 0.3:
        del message[key]
    elif rng.random() < 0.3:
        message[rng.choice(list(message))] = copy.deepcopy(value)
    elif rng.random() < 0.3:
        message[
            rng.choice(("stats", "gain", "score", "names", "fields", "extra", "metric", "end"))
        ] = copy.deepcopy(value)
    else:
        message[key] = _odd(rng)


def _change_list(value: list[Any], rng: random.Random) -> None:
    at = rng.randrange(len(value))
    part = value[at]
    if isinstance(part, Column):
        _change_column(part, rng)
    elif isinstance(part, bytes) and part and rng.random() < 0.7:
        value[at] = damage.raw_bytes(part, rng) if rng.random() < 0.3 else _other_bytes(part, rng)
    elif isinstance(part, str) and rng.random() < 0.7:
        value[at] = rng.choice(value) if rng.random() < 0.3 else damage.word(rng)
    elif rng.random() < 0.3:
        del value[at]
    elif rng.random() < 0.5:
        value.insert(at, part)
    else:
        value[at] = _odd(rng)


def _other_bytes(part: bytes, rng: random.Random) -> bytes:
    """As many other bytes: a blank, a line end, bars, a control character within the text."""
    new = rng.choice((b" ", b"\n", b"\0", b"|||", b"\t", b"\r", "é".encode(), b"=", b"  "))
    at = rng.randrange(len(part))
    return (part[:at] + new + part[at + len(new) :])[: max(len(part), len(new))]


def _change_column(column: Column, rng: random.Random) -> None:
    values, real = column.values, column.dtype in ("<f8", "<f4")
    at = rng.randrange(len(values)) if values else 0
    choice = rng.randrange(8)
    if choice < 4 and values:
        odd: tuple[Any, ...] = REAL if real else WHOLE
        values[at] = rng.choice(values) if rng.random() < 0.3 else rng.choice(odd)
        if not real and not 0 <= values[at] < 256:
            column.dtype = "<i8"
    elif choice == 4 and values:
        del values[at]
    elif choice == 5:
        values.insert(at, values[at] if values else 0)
    elif choice == 6:
        column.dtype = rng.choice(TYPES)
        if rng.random() < 0.5 and not real:
            column.dtype = rng.choice(TYPES[:4])
            column.values = [v if isinstance(v, int) and v < 256 else 0 for v in values]
    elif rng.random() < 0.3:
        column.values = []
    elif values:
        other = rng.randrange(len(values))
        values[at], values[other] = values[other], values[at]

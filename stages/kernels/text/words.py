"""64-bit words as LLVM instructions: load and store at any byte, 128-bit product, leading zeros."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from campanula.stages.kernels.compiled import intrinsic

LOW = 0xFFFFFFFFFFFFFFFF
WORD = 8
BLOCK = 16  # one register of every 64-bit processor's vector unit
"""Bytes that `move` reads and writes at once."""


def _types() -> Any:
    # loaded only where a kernel is compiled: one that is found on disk needs no compiler
    return importlib.import_module("numba.core").types


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any, bits: int) -> Any:
    """Address of a byte of an array, as a pointer to an integer of `bits` bits."""
    from llvmlite import ir

    # without Numba's tests of an index: the place is never negative
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), ir.IntType(bits).as_pointer())


def _product(typing: Any, a: Any, b: Any, more: Any) -> Any:
    """Type and code of wide_product."""
    from llvmlite import ir

    types = _types()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # the compiler makes of this one multiplication, and an addition with carry
        wide = ir.IntType(128)
        first, second, third = (builder.zext(argument, wide) for argument in arguments)
        total = builder.add(builder.mul(first, second), third)
        high = builder.trunc(builder.lshr(total, ir.Constant(wide, 64)), ir.IntType(64))
        low = builder.trunc(total, ir.IntType(64))
        return context.make_tuple(builder, signature.return_type, (high, low))

    pair = types.UniTuple(types.uint64, 2)
    return pair(types.uint64, types.uint64, types.uint64), code


def _plain_product(a: Any, b: Any, more: Any) -> tuple[np.uint64, np.uint64]:
    total = int(a) * int(b) + int(more)
    return np.uint64(total >> 64), np.uint64(total & LOW)


wide_product = intrinsic(_product, _plain_product)
"""wide_product(a, b, more) in a kernel: the high and the low 64 bits of a b + more, all uint64."""


def _put(typing: Any, byte: Any, at: Any, word: Any) -> Any:
    types = _types()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1], 64)
        # align=1: the place may be any, not only multiples of 8
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(byte, types.int64, types.int64), code


def _plain_put(byte: Any, at: Any, word: Any) -> None:
    byte[at : at + WORD] = np.frombuffer((int(word) & LOW).to_bytes(WORD, "little"), np.uint8)


put = intrinsic(_put, _plain_put)
"""put(byte, at, word) in a kernel: write the 8 bytes of a word to byte[at:], the lowest first."""


def _get(typing: Any, byte: Any, at: Any) -> Any:
    types = _types()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1], 64)
        return builder.load(place, align=1)

    return types.uint64(byte, types.int64), code


def _plain_get(byte: Any, at: Any) -> np.uint64:
    return np.uint64(int.from_bytes(byte[at : at + WORD].tobytes(), "little"))


get = intrinsic(_get, _plain_get)
"""get(byte, at) in a kernel: the word of the 8 bytes byte[at:], the lowest first."""


def _move(typing: Any, out: Any, at: Any, byte: Any, start: Any) -> Any:
    types = _types()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        bits = 8 * BLOCK
        source = _place(context, builder, kinds[2], arguments[2], arguments[3], bits)
        target = _place(context, builder, kinds[0], arguments[0], arguments[1], bits)
        builder.store(builder.load(source, align=1), target, align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, byte, types.int64), code


def _plain_move(out: Any, at: Any, byte: Any, start: Any) -> None:
    out[at : at + BLOCK] = byte[start : start + BLOCK]


move = intrinsic(_move, _plain_move)
"""move(out, at, byte, start) in a kernel: copy byte[start:start + BLOCK] to out[at:]."""


def _leading(typing: Any, word: Any) -> Any:
    from llvmlite import ir

    types = _types()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # the flag 0 makes the count of the word 0 defined, 64, and not any number
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), code


def _plain_leading(word: Any) -> int:
    return 64 - int(word).bit_length()


leading_zeros = intrinsic(_leading, _plain_leading)
"""leading_zeros(word) in a kernel: the number of zeros before the highest bit set, of 64."""

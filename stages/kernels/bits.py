"""Whole numbers in LLVM's own terms: their lowest bit, and that they are not negative."""

from __future__ import annotations

import importlib
from typing import Any

from campanula.stages.kernels.compiled import intrinsic


def _zeros_behind(typing: Any, number: Any) -> Any:
    """LLVM's count of the zeros behind the last 1."""
    from llvmlite import ir

    core: Any = importlib.import_module("numba.core")
    whole = core.types.int64

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return whole(whole), code


def _not_negative(typing: Any, number: Any) -> Any:
    """The number, of which LLVM may assume that it is not negative."""
    from llvmlite import ir

    core: Any = importlib.import_module("numba.core")
    whole = core.types.int64

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        form = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
        assume = core.cgutils.get_or_insert_function(builder.module, form, "llvm.assume")
        zero = arguments[0].type(0)
        builder.call(assume, [builder.icmp_signed(">=", arguments[0], zero)])
        return arguments[0]

    return whole(whole), code


def _lowest(number: int) -> int:
    """Place of the lowest 1 among the bits of a number other than 0."""
    return (int(number) & -int(number)).bit_length() - 1


def _same(number: int) -> int:
    """The number."""
    return number


trailing_zeros = intrinsic(_zeros_behind, _lowest)
"""trailing_zeros(number): place of the lowest 1 among the bits of a number other than 0."""

natural = intrinsic(_not_negative, _same)
"""natural(number): a number that is not negative.  An index that is known to be none needs no test
whether it counts from the end, and of those there are many.
"""

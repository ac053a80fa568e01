"""Integer operations that Numba lacks, as LLVM instructions: the lowest bit; never negative."""

from __future__ import annotations

import importlib
from typing import Any

from campanula.stages.kernels.compiled import intrinsic


def _zeros_behind(typing: Any, number: Any) -> Any:
    """Type and code of LLVM's cttz, the count of the zeros behind the last 1."""
    # loaded only where a kernel is compiled: one that is found on disk needs no compiler
    from llvmlite import ir

    core: Any = importlib.import_module("numba.core")
    whole = core.types.int64

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # the flag 0 makes the count of the number 0 defined, 64, and not any number
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return whole(whole), code


def _not_negative(typing: Any, number: Any) -> Any:
    """Type and code of a number of which LLVM may assume that it is not negative."""
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
    """Return the place of the lowest 1 among the bits of a number other than 0, in Python."""
    # n & -n has the lowest 1 alone; int, because NumPy's integers have no bit_length
    return (int(number) & -int(number)).bit_length() - 1


def _same(number: int) -> int:
    return number


trailing_zeros = intrinsic(_zeros_behind, _lowest)
"""trailing_zeros(number): place of the lowest 1 among the bits of a number other than 0."""

natural = intrinsic(_not_negative, _same)
"""natural(number): the number, which the caller knows is not negative.

NumPy's negative indices count from the end, so compiled code tests every index for its sign; an
index that is known to be natural needs no test.
"""

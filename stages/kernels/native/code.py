"""Machine code of ours that stands beside a kernel's, written in LLVM's words.

All values are numbers: an address is one of 64 bits, as it is for the processor.
"""

from __future__ import annotations

from typing import Any

OBJECT = "object "
"""Begins the name of a symbol that is an object of Python: `object module:name`."""

OWN = "own "
"""Begins the name of a symbol of Numba's that has a namesake in machine code of ours."""


class Code:
    """A module of one function as it grows; `builder` stands where the code goes on."""

    builder: Any

    def __init__(self, name: str) -> None:
        from llvmlite import ir

        self.ir = ir
        self.word = ir.IntType(64)
        self.module = ir.Module(name=name)
        self._objects: dict[str, Any] = {}

    def function(self, name: str, arguments: list[Any]) -> Any:
        """Begin the function, which returns an address; its arguments."""
        form = self.ir.FunctionType(self.word, arguments)
        self._function = self.ir.Function(self.module, form, name=name)
        self.builder = self.ir.IRBuilder(self.block())
        return self._function.args

    def block(self) -> Any:
        """A place in the function that something may jump to."""
        return self._function.append_basic_block()

    def call(self, name: str, arguments: list[Any]) -> Any:
        """Call a function of the process, or of another file; what it returns."""
        form = self.ir.FunctionType(self.word, [one.type for one in arguments])
        called = self.module.globals.get(name) or self.ir.Function(self.module, form, name=name)
        return self.builder.call(called, arguments)

    def load(self, start: Any, place: int, bits: int = 64) -> Any:
        """Number of some bits at a place from an address."""
        kind = self.ir.IntType(bits)
        at = self.builder.add(start, self.word(place))
        return self.builder.load(self.builder.inttoptr(at, kind.as_pointer()), align=bits // 8)

    def object_at(self, place: str) -> Any:
        """Address of an object of Python."""
        if place not in self._objects:
            byte = self.ir.IntType(8)
            self._objects[place] = self.ir.GlobalVariable(self.module, byte, name=OBJECT + place)
        return self.builder.ptrtoint(self._objects[place], self.word)

    def require(self, condition: Any, otherwise: Any) -> None:
        """Go on where a condition holds, to another block where not."""
        block = self.block()
        self.builder.cbranch(condition, block, otherwise)
        self.builder.position_at_end(block)

    def require_equal(self, found: Any, expected: int, otherwise: Any) -> None:
        """Go on where a number is the one expected."""
        self.require(self.builder.icmp_unsigned("==", found, found.type(expected)), otherwise)

    def require_one_of(self, found: Any, expected: list[Any], otherwise: Any) -> None:
        """Go on where a number is one of some."""
        tests = [self.builder.icmp_unsigned("==", found, one) for one in expected]
        condition = tests[0]
        for test in tests[1:]:
            condition = self.builder.or_(condition, test)
        self.require(condition, otherwise)

    def compiled(self) -> bytes:
        """Object file of the module, for this processor, for any place in memory."""
        from llvmlite import binding

        target = binding.Target.from_default_triple()
        machine = target.create_target_machine(opt=2, reloc="static", codemodel="large")
        module = binding.parse_assembly(str(self.module))
        module.verify()
        code: bytes = machine.emit_object(module)
        return code

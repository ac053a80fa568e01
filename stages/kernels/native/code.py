"""Machine code of ours that is linked to a kernel's, written as LLVM instructions.

All values are integers: an address is a 64-bit integer, as it is for the processor.
"""

from __future__ import annotations

from typing import Any

OBJECT = "object "
"""Prefix of a symbol whose address is that of a Python object: `object module:name`."""

OWN = "own "
"""Prefix of a symbol of Numba's whose plain name is that of a function in machine code of ours."""


class Code:
    """A module of one function; `builder` appends instructions at the end of the code so far."""

    builder: Any

    def __init__(self, name: str) -> None:
        from llvmlite import ir

        self.ir = ir
        self.word = ir.IntType(64)
        self.module = ir.Module(name=name)
        self._objects: dict[str, Any] = {}

    def function(self, name: str, arguments: list[Any]) -> Any:
        """Begin the function, which returns an address; return the values of its arguments."""
        form = self.ir.FunctionType(self.word, arguments)
        self._function = self.ir.Function(self.module, form, name=name)
        self.builder = self.ir.IRBuilder(self.block())
        return self._function.args

    def block(self) -> Any:
        """Return a new basic block of the function, a target of jumps."""
        return self._function.append_basic_block()

    def call(self, name: str, arguments: list[Any]) -> Any:
        """Call a function of the process, or of another file; return its result."""
        form = self.ir.FunctionType(self.word, [value.type for value in arguments])
        # LLVM refuses a second declaration of one name
        called = self.module.globals.get(name) or self.ir.Function(self.module, form, name=name)
        return self.builder.call(called, arguments)

    def load(self, start: Any, place: int, bits: int = 64) -> Any:
        """Return the number of `bits` bits that is `place` bytes behind the address `start`."""
        kind = self.ir.IntType(bits)
        at = self.builder.add(start, self.word(place))
        return self.builder.load(self.builder.inttoptr(at, kind.as_pointer()), align=bits // 8)

    def object_at(self, place: str) -> Any:
        """Address of the Python object `module:name`, which the loader fills in."""
        if place not in self._objects:
            # of one byte: only the address of the symbol is used, never its content
            byte = self.ir.IntType(8)
            self._objects[place] = self.ir.GlobalVariable(self.module, byte, name=OBJECT + place)
        return self.builder.ptrtoint(self._objects[place], self.word)

    def require(self, condition: Any, otherwise: Any) -> None:
        """Jump to the block `otherwise` unless a condition holds."""
        block = self.block()
        self.builder.cbranch(condition, block, otherwise)
        self.builder.position_at_end(block)

    def require_equal(self, value: Any, expected: int, otherwise: Any) -> None:
        """Jump to the block `otherwise` unless a value is the number expected."""
        self.require(self.builder.icmp_unsigned("==", value, value.type(expected)), otherwise)

    def require_one_of(self, value: Any, expected: list[Any], otherwise: Any) -> None:
        """Jump to the block `otherwise` unless a value is one of those expected."""
        tests = [self.builder.icmp_unsigned("==", value, one) for one in expected]
        condition = tests[0]
        for test in tests[1:]:
            condition = self.builder.or_(condition, test)
        self.require(condition, otherwise)

    def compiled(self) -> bytes:
        """Object file of the module, for this processor, for any place in memory."""
        from llvmlite import binding

        # large: Python's functions may be further away than the 32 bits of the default model
        target = binding.Target.from_default_triple()
        machine = target.create_target_machine(opt=2, reloc="static", codemodel="large")
        module = binding.parse_assembly(str(self.module))
        module.verify()
        code: bytes = machine.emit_object(module)
        return code

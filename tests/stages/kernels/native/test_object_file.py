"""Object files are read as LLVM writes them."""

import pytest

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.object_file import ADDRESS, NOWHERE, ObjectFile, text_at
from tests.stages.kernels.native.objects import ELSEWHERE, NEEDS_ELF, object_of

pytestmark = NEEDS_ELF

TEXT = """
@table = internal constant [3 x i64] [i64 5, i64 6, i64 7]
@shared = common global i64 0
declare i64 @elsewhere(i64)
define i64 @asked(i64 %x) {
  %p = getelementptr [3 x i64], [3 x i64]* @table, i64 0, i64 %x
  %v = load i64, i64* %p
  %s = load i64, i64* @shared
  %w = add i64 %v, %s
  %r = call i64 @elsewhere(i64 %w)
  ret i64 %r
}
"""


def test_sections_symbols_and_relocations():
    file = ObjectFile(object_of(TEXT))
    symbols = {symbol.name: symbol for symbol in file.symbols}
    assert symbols["elsewhere"].section == NOWHERE
    assert not symbols["asked"].local
    assert file.sections[symbols["asked"].section].flags & 4
    assert symbols["table"].local
    assert symbols["shared"].size == 8
    of = {file.symbols[one.symbol].name for one in file.relocations() if one.kind == ADDRESS}
    assert {"elsewhere", "shared"} <= of


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"MZ", bytes(200)])
def test_what_is_no_object_file_is_refused(data):
    with pytest.raises(Unsupported):
        ObjectFile(data)


def test_a_file_for_another_processor_is_refused():
    data = bytearray(object_of(TEXT))
    data[0x12] = ELSEWHERE
    with pytest.raises(Unsupported, match="machine 183"):
        ObjectFile(bytes(data))


def test_texts_of_a_table():
    assert [text_at(b"\0a\0bcd\0", place) for place in (0, 1, 3, 4)] == ["", "a", "bcd", "cd"]

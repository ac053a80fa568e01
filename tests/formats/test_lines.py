"""Lines of bytes: as Python's, but for what is too long."""

from __future__ import annotations

import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError, LineError
from campanula.formats.files import read_lines
from campanula.formats.lines import LONGEST_LINE, PIECE, check_utf8, decoded, raw_lines


class Pieces(io.BytesIO):
    """A file that gives a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1) -> bytes:
        return super().read(self._size)


@given(st.lists(st.sampled_from([b"", b"a", b"bc", b"\r", b"\n"])), st.integers(1, 4))
def test_lines_are_those_of_python_in_pieces_of_any_size(parts: list[bytes], size: int) -> None:
    data = b"".join(parts)
    expected = [line.removesuffix(b"\n") for line in io.BytesIO(data)]
    assert list(raw_lines(Pieces(data, size))) == expected


def test_a_line_that_is_too_long_ends_the_lines_after_those_before_it() -> None:
    lines = raw_lines(Pieces(b"ab\nabcd\nabcde\nf", 2), longest=4)
    assert [next(lines), next(lines)] == [b"ab", b"abcd"]
    with pytest.raises(LineError, match="expected a line of at most"):
        next(lines)


def test_a_line_as_long_as_the_limit_is_read() -> None:
    assert [len(line) for line in raw_lines(io.BytesIO(b"a" * PIECE + b"\n"), PIECE)] == [PIECE]


def test_a_bomb_is_refused_before_it_is_held(tmp_path: Path) -> None:
    path = tmp_path / "zeros.xz"
    line = b"\0" * (LONGEST_LINE + 2 * PIECE)
    path.write_bytes(lzma.compress(b"a\n" + line, preset=0))
    with pytest.raises(DataError, match="line 2: expected a line of at most 32 MiB"):
        list(read_lines(str(path)))


@pytest.mark.parametrize("lines", [[b"a", b"b\r", b"", b"\r", b"\xc3\xa9\r\r"], [b""]])
def test_decoded_together_as_one_by_one(lines: list[bytes]) -> None:
    assert list(decoded(lines)) == [line.removesuffix(b"\r").decode() for line in lines]


def test_lines_before_the_one_at_fault_come_first() -> None:
    lines = decoded([b"b", b"c\xff", b"d"])
    assert next(lines) == "b"
    with pytest.raises(UnicodeDecodeError) as error:
        next(lines)
    assert error.value.object == b"c\xff"


def fault(check: Callable[[bytes], object], data: bytes) -> tuple[object, ...] | None:
    """What an error of decoding says, None without one."""
    try:
        check(data)
    except UnicodeDecodeError as error:
        return (error.object, error.start, error.end, error.reason)
    return None


@given(
    st.lists(
        st.sampled_from(["a", "é", "€", "𝄞"]).map(str.encode)
        | st.sampled_from([b"\xff", b"\xe2\x82", b"\x9d", b"\xf0\x9d\x84", b"\xed\xa0\x80"])
    ).map(b"".join)
)
@pytest.mark.parametrize("size", [4, 5, 7, 1000])
def test_utf8_is_checked_as_it_is_decoded(size: int, data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("campanula.formats.lines.SLICE", size)
        assert fault(check_utf8, data) == fault(bytes.decode, data)

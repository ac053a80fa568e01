from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from campanula.formats import atomic, files
from campanula.formats.errors import DataError
from campanula.formats.files import (
    Output,
    display_name,
    flush_stdout,
    is_file,
    open_input,
    read_lines,
    refuse_piped,
)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "file")


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def fail_halfway(path: str) -> None:
    with Output(path) as out:
        out.write(b"new")
        raise KeyError


def write(path: str, data: bytes) -> str:
    with open(path, "wb") as file:
        file.write(data)
    return path


@pytest.mark.parametrize(("durable", "expected"), [(True, [0, 18]), (False, [])])
def test_the_system_begins_to_flush_long_outputs_while_they_are_written(
    path: str, monkeypatch: pytest.MonkeyPatch, durable: bool, expected: list[int]
) -> None:
    monkeypatch.setattr(files, "FLUSHED", 10)
    written: list[int] = []
    flushed: list[int] = []
    begin = atomic.begin_flushing

    def looking(descriptor: int) -> None:
        assert os.fstat(descriptor).st_ino == os.stat(next(Path(path).parent.iterdir())).st_ino
        begin(descriptor)
        flushed.append(sum(written))

    monkeypatch.setattr(atomic, "begin_flushing", looking)
    with Output(path, durable=durable) as out:
        for data in [b"0123456789", b"01234567", b"89", b"a"]:
            out.write(data)
            written.append(len(data))
    assert read(path) == b"01234567890123456789a"
    assert flushed == expected


@pytest.mark.parametrize(("name", "times"), [("/dev/null", 0), ("file", 1)])
def test_a_file_is_flushed_and_a_device_is_not(
    name: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "FLUSHED", 1)
    with patch.object(atomic, "begin_flushing") as begin, Output(name) as out:
        out.write(b"all")
    assert begin.call_count == times


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\n\n", ["", ""]),
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b\x85c\x0bd\x1ce\u00a0f\n".encode(), ["a\u2028b\x85c\x0bd\x1ce\u00a0f"]),
    ],
)
def test_a_line_ends_at_its_newline_and_nowhere_else(
    path: str, data: bytes, lines: list[str]
) -> None:
    assert list(read_lines(write(path, data))) == lines
    assert list(read_lines(write(path, gzip.compress(data)))) == lines


def test_what_is_no_utf8_is_named_by_line_and_column(path: str) -> None:
    with pytest.raises(DataError, match="line 2: expected UTF-8, found byte 0xff at column 3"):
        list(read_lines(write(path, b"ab\nab\xff\n")))


def test_a_cut_gzip_file_is_an_error(path: str) -> None:
    data = gzip.compress(os.urandom(100_000))
    with pytest.raises(DataError, match="cannot be read"):
        list(read_lines(write(path, data[:50_000])))


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        open_input(str(tmp_path))
    with pytest.raises(DataError, match="cannot be read: No such file"):
        open_input(str(tmp_path / "none"))


def test_an_output_appears_when_it_is_whole(path: str) -> None:
    with Output(path) as out:
        out.write(b"half")
        assert not os.path.exists(path)
        out.write_line(" and half")
    assert read(path) == b"half and half\n"
    assert len(os.listdir(os.path.dirname(path))) == 1


def test_an_exception_leaves_nothing(path: str) -> None:
    with pytest.raises(KeyError):
        fail_halfway(path)
    assert os.listdir(os.path.dirname(path)) == []


def test_an_exception_leaves_the_old_file(path: str) -> None:
    write(path, b"old")
    with pytest.raises(KeyError):
        fail_halfway(path)
    assert read(path) == b"old"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with Output(str(link)) as out:
        out.write(b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_full_disk_is_an_error() -> None:
    with (
        pytest.raises(DataError, match="cannot be written: No space left"),
        Output("/dev/full") as out,
    ):
        out.write(b"x")


def test_an_output_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written"):
        Output(str(tmp_path / "none" / "file"))
    with pytest.raises(DataError, match="cannot be written: Is a directory"):
        Output(str(tmp_path))


def test_stdin_and_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    monkeypatch.setattr(sys, "stdout", out)
    assert list(read_lines("-")) == ["a", "b"]
    with Output("-") as output:
        output.write_line("c")
    assert out.buffer.getvalue() == b"c\n"
    assert (display_name("-"), display_name("x")) == ("stdin", "x")


def test_an_output_that_cannot_be_is_told_before_the_work(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "x"):
        with pytest.raises(DataError, match="cannot be written"):
            Output.check(str(path))
    Output.check(str(tmp_path / "x"))
    Output.check(None)


def test_a_file_is_written_where_stdout_has_no_bytes_as_in_a_notebook(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with Output(path) as out:
        out.write(b"data")
    with pytest.raises(KeyError):
        fail_halfway(path)
    assert read(path) == b"data"


def test_stdout_and_stdin_may_be_closed_or_take_text_alone(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\nb\u00e9\n"))
    assert list(read_lines("-")) == ["a", "b\u00e9"]
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    with Output(None) as output:
        for byte in "c\u00e9".encode():
            output.write(bytes([byte]))
    assert out.getvalue() == "c\u00e9"
    with pytest.raises(DataError, match="stdout: takes text alone here; name a file with -o"):
        Output(None, binary=True)
    flush_stdout()
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataError, match="stdin: cannot be read: it is closed"):
        open_input("-")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(DataError, match="stdout: cannot be written: it is closed"):
        Output("-")
    flush_stdout()


def test_text_that_was_printed_stands_before_an_output(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    print("first")
    with Output(None) as output:
        output.write_line("second")
    assert out.buffer.getvalue() == b"first\nsecond\n"


def test_stdin_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("text")
    assert not is_file("-")
    assert is_file("./-")
    assert not is_file(".")


def test_an_open_file_is_added_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("first\n")
    with open(path, "ab") as log, Output(f"/dev/fd/{log.fileno()}") as out:
        out.write_line("second")
    assert path.read_text() == "first\nsecond\n"


def test_the_head_of_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 9)[:40])
    with pytest.raises(DataError, match=r"cut\.gz: cannot be read: Compressed file ended"):
        files.read_head(str(path), 1 << 16)


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(DataError, match="expected a file, found"):
            files.refuse_no_file(str(path))
    with pytest.raises(FileNotFoundError):
        files.refuse_no_file(str(tmp_path / "none"))


def test_a_pipe_is_not_read_several_times(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="pipe: is read several times: expected a file, found a"):
        refuse_piped(str(tmp_path / "pipe"))
    (tmp_path / "file").write_text("x")
    for name in ("file", "nothing", "."):
        refuse_piped(str(tmp_path / name))

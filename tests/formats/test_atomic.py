"""Files that are there whole or not at all: no half a file, no link followed, modes that stay."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from campanula.formats import atomic, files
from campanula.formats.atomic import atomic_file, atomic_folder, make_folder, output_folder
from campanula.formats.errors import DataError
from campanula.formats.files import Output


@pytest.mark.parametrize("atomic", [atomic_file, atomic_folder])
def test_what_another_function_writes_appears_when_it_is_whole(
    atomic: Callable[[str], AbstractContextManager[str]], tmp_path: Path
) -> None:
    place = tmp_path / "place"

    def fill(unfinished: str, text: str) -> None:
        file = Path(unfinished, "x") if atomic is atomic_folder else Path(unfinished)
        file.write_text(text)

    def content() -> str:
        return (place / "x" if atomic is atomic_folder else place).read_text()

    def fail() -> None:
        with atomic(str(place)) as unfinished:
            fill(unfinished, "half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list(tmp_path.iterdir()) == []
    for text in ("old", "new"):
        with atomic(str(place)) as unfinished:
            fill(unfinished, text)
            assert (text == "old") == (not place.exists())
        assert content() == text
    with pytest.raises(KeyError):
        fail()
    assert content() == "new"
    assert list(tmp_path.iterdir()) == [place]


def test_a_temporary_name_is_no_link_that_waits_and_fits_a_long_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(os, "urandom", lambda n: bytes(n))
    (tmp_path / f".out.{'00' * 6}.tmp").symlink_to(victim)
    with pytest.raises(DataError, match="cannot be written: File exists"):
        Output(str(tmp_path / "out"))
    assert victim.read_text() == "precious"
    monkeypatch.undo()
    longest = tmp_path / ("\u00e9" * 127)
    with Output(str(longest)) as out:
        out.write(b"data")
    assert longest.read_text() == "data"


def test_a_name_of_255_bytes_can_be_written_by_all(tmp_path: Path) -> None:
    for size in (247, 255):
        with atomic_file(str(tmp_path / ("a" * size))) as unfinished:
            Path(unfinished).write_text("x")
        with atomic_folder(str(tmp_path / ("b" * size))) as unfinished:
            Path(unfinished, "x").write_text("x")
    assert sorted(len(name) for name in os.listdir(tmp_path)) == [247, 247, 255, 255]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_what_is_replaced_keeps_its_mode_and_what_is_new_has_the_umasks(
    tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(mode)
    with Output(str(path)) as out:
        (beside,) = (name for name in os.listdir(tmp_path) if name != "out")
        assert stat.S_IMODE((tmp_path / beside).stat().st_mode) == mode
        out.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    with atomic_file(str(path)) as unfinished:
        Path(unfinished).write_text("newer")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    before = os.umask(0o027)
    try:
        with Output(str(tmp_path / "fresh")):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o640


def test_another_name_of_what_is_replaced_keeps_the_old_content(tmp_path: Path) -> None:
    path, other = tmp_path / "out", tmp_path / "other"
    path.write_text("old")
    os.link(path, other)
    with Output(str(path)) as out:
        out.write(b"new")
    assert (path.read_text(), other.read_text()) == ("new", "old")


@pytest.mark.skipif(sys.platform != "linux", reason="a function of Linux")
def test_flushing_can_begin_before_a_file_is_closed(tmp_path: Path) -> None:
    begin = atomic._sync_file_range()
    assert begin is not None
    with open(tmp_path / "out", "wb") as file:
        file.write(b"new" * 9999)
        file.flush()
        assert begin(file.fileno(), 0, 0, atomic.SYNC_FILE_RANGE_WRITE) == 0
        atomic.begin_flushing(file.fileno())
    assert (tmp_path / "out").read_bytes() == b"new" * 9999
    # what cannot be flushed is left to the last flush
    read, write = os.pipe()
    atomic.begin_flushing(write)
    os.close(read)
    os.close(write)


def test_other_systems_flush_at_the_end_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: list[str]
) -> None:
    monkeypatch.setattr(atomic, "_sync_file_range", lambda: None)
    monkeypatch.setattr(files, "FLUSHED", 1)
    with Output(str(tmp_path / "out")) as out:
        out.write(b"new")
        assert calls == []
    assert calls == ["file", "rename", "folder"]
    assert (tmp_path / "out").read_bytes() == b"new"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is flushed and renamed, in order: `file`, `folder`, `rename`."""
    made: list[str] = []
    fsync, replace, rename = os.fsync, os.replace, os.rename

    def flushed(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        made.append(kind)
        fsync(descriptor)

    def replaced(source: str, target: str) -> None:
        made.append("rename")
        replace(source, target)

    def renamed(source: str, target: str) -> None:
        made.append("rename")
        rename(source, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(os, "rename", renamed)
    return made


def test_a_file_is_flushed_before_its_rename_and_the_folder_after(
    tmp_path: Path, calls: list[str]
) -> None:
    with Output(str(tmp_path / "out")) as out:
        out.write(b"x")
    with atomic_file(str(tmp_path / "out")) as unfinished:
        Path(unfinished).write_text("x")
    assert calls == ["file", "rename", "folder"] * 2
    del calls[:]
    with atomic_folder(str(tmp_path / "new")) as unfinished:
        for name in "ab":
            Path(unfinished, name).write_text("x")
    assert calls == ["file", "file", "folder", "rename", "rename", "folder"]
    del calls[:]
    make_folder(str(tmp_path / "a" / "b"))
    assert calls == ["folder", "folder"]


def test_a_pipe_and_a_device_are_not_flushed(tmp_path: Path, calls: list[str]) -> None:
    with Output("/dev/null") as out:
        out.write(b"x")
    assert calls == []


def test_a_file_system_without_flushing_is_none_the_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(descriptor: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", unable)
    with Output(str(tmp_path / "out")) as out:
        out.write(b"x")
    assert (tmp_path / "out").read_bytes() == b"x"


@pytest.mark.parametrize("fails_at", [1, 2])
@pytest.mark.parametrize("what", ["Output", "atomic_file", "atomic_folder"])
def test_what_cannot_be_flushed_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, fails_at: int
) -> None:
    left = [fails_at]

    def failing(descriptor: int) -> None:
        left[0] -= 1
        if not left[0]:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    path = str(tmp_path / "out")

    def write() -> None:
        if what == "Output":
            with Output(path) as out:
                out.write(b"x")
        elif what == "atomic_file":
            with atomic_file(path) as unfinished:
                Path(unfinished).write_text("x")
        else:
            with atomic_folder(path):
                pass

    with pytest.raises(DataError, match=f"{path}: cannot be written: Input/output error"):
        write()
    assert os.listdir(tmp_path) == []


def test_a_folder_for_outputs_is_made_or_refused(tmp_path: Path) -> None:
    output_folder(str(tmp_path / "a" / "b"))
    output_folder(str(tmp_path / "a"))
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    for path in ("file", "file/below"):
        with pytest.raises(DataError, match=r"file.*: cannot be written: Not a directory"):
            output_folder(str(tmp_path / path))

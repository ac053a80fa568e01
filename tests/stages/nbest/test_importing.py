"""Which lists are read in chunks and which as a whole: the stream is the same."""

from __future__ import annotations

import gzip
import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from campanula.stages import import_nbest
from campanula.stages.nbest import chunked_files, importing


def lists(first: int, n_lists: int) -> str:
    """Lists of two hypotheses, sentences in order."""
    return "".join(
        f"{first + place // 2} ||| a {place} ||| A= {place} ||| 1\n" for place in range(2 * n_lists)
    )


@pytest.fixture(autouse=True)
def chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Mock]:
    """The function that writes lists in chunks, of files of any size."""
    monkeypatch.setattr(importing, "are_large", lambda _: True)
    monkeypatch.chdir(tmp_path)
    Path("list").write_text(lists(0, 50))
    Path("more").write_text(lists(50, 50))
    write = chunked_files.write_in_chunks
    with patch.object(chunked_files, "write_in_chunks", wraps=write) as spy:
        yield spy


def run(*words: str) -> bytes:
    """Import to a file; return its bytes."""
    assert import_nbest.main([*words, "-q", "-o", "out"]) == 0
    return Path("out").read_bytes()


@pytest.fixture
def expected(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The stream of both files, read as a whole."""
    with patch.object(importing, "are_large", return_value=False):
        return run("list", "more")


def test_files_in_order_are_read_in_chunks(chunks: Mock, expected: bytes) -> None:
    assert run("list", "more") == expected
    chunks.assert_called_once()
    assert run("--format", "moses", "list", "more") == expected
    assert chunks.call_count == 2


@pytest.mark.parametrize("words", [(), ("--format", "moses")])
@pytest.mark.parametrize("pipe", [0, 1])
def test_a_pipe_is_read_once(
    chunks: Mock, expected: bytes, words: tuple[str, ...], pipe: int
) -> None:
    paths = ["list", "more"]
    text = Path(paths[pipe]).read_text()
    os.remove(paths[pipe])
    os.mkfifo(paths[pipe])
    writer = threading.Thread(target=lambda: Path(paths[pipe]).write_text(text))
    writer.start()
    assert run(*words, *paths) == expected
    writer.join()
    chunks.assert_not_called()


def test_stdin_is_no_file_of_its_name(
    chunks: Mock, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.rename("list", "-")
    text = Path("-").read_bytes() + Path("more").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run("-") == expected
    chunks.assert_not_called()


def test_an_empty_file_is_named(chunks: Mock, capsys: pytest.CaptureFixture[str]) -> None:
    Path("list").write_text("")
    assert import_nbest.main(["list", "more", "-o", "out"]) == 1
    assert capsys.readouterr().err == "import-nbest: list: expected hypotheses, found none\n"
    chunks.assert_not_called()


@pytest.mark.parametrize("output", ["-", "/dev/stdout", "pipe"])
def test_an_output_that_cannot_be_taken_back_gets_nothing_of_a_faulty_file(
    chunks: Mock, output: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    Path("list").write_text(lists(0, 50) + "x ||| y\n")
    os.mkfifo("pipe")
    # a reader, for which opening the pipe does not wait
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert import_nbest.main(["list", "-o", output]) == 1
    assert (capfdbinary.readouterr().out, os.read(reader, 1)) == (b"", b"")
    os.close(reader)
    chunks.assert_not_called()


def test_a_compressed_file_is_read_as_a_whole(expected: bytes) -> None:
    Path("list").write_bytes(gzip.compress(Path("list").read_bytes()))
    assert run("list", "more") == expected


@pytest.mark.parametrize("words", [("--negate", "A"), ("--format", "lines", "--size", "2")])
def test_what_needs_all_lists_is_read_as_a_whole(chunks: Mock, words: tuple[str, ...]) -> None:
    run(*words, "list", "more")
    chunks.assert_not_called()


def test_many_files_are_not_open_at_once(
    chunks: Mock, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_FILES", 1)
    assert run("list", "more") == expected
    chunks.assert_not_called()


def test_settings_are_checked_before_the_output(
    chunks: Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_nbest.main(["--format", "lines", "list", "-o", "none/out"]) == 2
    assert "--size" in capsys.readouterr().err
    chunks.assert_not_called()


def test_only_large_files_are_read_in_chunks(
    chunks: Mock, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks.assert_not_called()  # for `expected`
    monkeypatch.setattr(importing, "are_large", lambda paths: paths == ["list", "more"])
    run("list")
    chunks.assert_not_called()
    assert run("list", "more") == expected
    chunks.assert_called_once()

"""Files read chunk by chunk give what they give as a whole: the stream, warnings, and errors."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.file_chunks import ChunkedFiles, FileChunk
from campanula.stages import import_nbest
from campanula.stages.nbest import chunked_files, importing

Result = tuple[int, str, bytes | None]
LONG = "0.00025383813065349425"  # a number that Python writes, and the kernel does not read
CHUNKS = (150, 400)  # bytes of the first chunk, and of the others


@pytest.fixture(autouse=True)
def small_chunks_of_any_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importing, "are_large", lambda _: True)
    monkeypatch.setattr(chunked_files, "can_fork", lambda: True)
    monkeypatch.setattr(chunked_files, "ChunkedFiles", lambda paths: ChunkedFiles(paths, *CHUNKS))
    monkeypatch.chdir(tmp_path)


def moses(n_lists: int = 60, fields: str = " ||| 0-0 1-1") -> list[str]:
    """Lists in order, with a cost, scores that rise, and gaps between the numbers."""
    draw = random.Random(3)
    found = []
    for sid in range(n_lists):
        for place in range(draw.randrange(1, 6)):
            features = f"LM0= {-draw.random()!s} TM0= {draw.random()!s} 2 cost= {draw.random()!s}"
            found.append(f"{3 * sid} ||| c@@ at é {place} ||| {features} ||| {place}{fields}")
    return found


def write(lines: list[str], path: str = "list", end: str = "\n") -> None:
    Path(path).write_bytes("".join(line + end for line in lines).encode())


def run(capsys: pytest.CaptureFixture[str], *words: str, jobs: int = 1) -> Result:
    """Import files, or `list` if none is named; return status, messages, and the output."""
    Path("out").unlink(missing_ok=True)
    words = words if any(map(os.path.exists, words)) else ("list", *words)
    status = import_nbest.main([*words, "-o", "out", "--jobs", str(jobs)])
    found = Path("out").read_bytes() if Path("out").exists() else None
    return status, capsys.readouterr().err, found


def whole(capsys: pytest.CaptureFixture[str], *words: str) -> Result:
    """What the command gives when it reads the files as a whole."""
    with patch.object(importing, "are_large", return_value=False):
        return run(capsys, *words)


def same(capsys: pytest.CaptureFixture[str], *words: str, in_chunks: bool | None = True) -> Result:
    """Check that chunks give what the whole gives, for any number of jobs; return that.

    in_chunks: whether chunks must do; if False, the whole must be read; None: one of both.
    """
    expected = whole(capsys, *words)
    for jobs in (1, 2, 3):
        with patch.object(importing, "import_nbest", wraps=importing.import_nbest) as read_all:
            assert run(capsys, *words, jobs=jobs) == expected
        assert in_chunks in (None, not read_all.called)
    return expected


def with_line(place: int, change: Callable[[str], str]) -> list[str]:
    """Lists with one line changed."""
    lines = moses()
    lines[place] = change(lines[place])
    return lines


@pytest.mark.parametrize(
    "words", [(), ("--remove-subwords", "bpe"), ("--text-field", "alignment"), ("-q",)]
)
def test_chunks_give_the_same(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    write(moses())
    status, said, _ = same(capsys, *words)
    assert status == 0
    assert ("cost is never below 0" in said) == (words != ("-q",))


@pytest.mark.parametrize("fields", ["", " ||| ", " ||| 0 1", " ||| 0-0 ||| 0=0", " ||| x |y"])
def test_further_fields(capsys: pytest.CaptureFixture[str], fields: str) -> None:
    write(moses(fields=fields))
    assert same(capsys)[0] == 0


@pytest.mark.parametrize(
    "line",
    [
        "{sid} ||| a b ||| lm_0=-1.5 tm=2 ||| -3",
        "{sid} ||| a b ||| lm_0=-1.5 tm=2 ||| -3 ||| 0-0",
        "{sid} ||| a b ||| -1.5 2 ||| -3",
        "{sid} ||| a b ||| LM: -1.5 TM: 2 ||| -3",
    ],
)
def test_other_formats_with_bars(capsys: pytest.CaptureFixture[str], line: str) -> None:
    write([line.format(sid=sid // 3) for sid in range(200)])
    assert same(capsys)[0] == 0


def test_line_ends_a_mark_in_front_and_a_last_line_without_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(["\ufeff" + moses()[0], *moses()[1:]], end="\r\n")
    Path("list").write_bytes(Path("list").read_bytes()[:-2])
    assert same(capsys)[0] == 0


@pytest.mark.parametrize("place", [0, 70, -1])
def test_numbers_and_lines_that_the_kernel_does_not_read(
    capsys: pytest.CaptureFixture[str], place: int
) -> None:
    write(with_line(place, lambda line: re.sub("LM0= [^ ]+", f"LM0= {LONG}", line)))
    assert same(capsys)[0] == 0
    write(with_line(place, lambda line: f"9999{line}"))  # of more digits than the kernel reads
    same(capsys, in_chunks=None)
    write([f"{place // 10} ||| a ||| 1" for place in range(100)])  # shorter than its margin
    assert same(capsys)[0] == 0


def test_a_name_that_is_no_utf8(capsys: pytest.CaptureFixture[str]) -> None:
    write(moses())
    expected = run(capsys, "-q")
    os.rename("list", b"l\xe9")
    assert run(capsys, "-q", os.fsdecode(b"l\xe9"), jobs=2) == expected


def test_a_file_in_the_place_of_another_while_it_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(moses())
    expected = run(capsys)
    write([line.replace("LM0= -", "LM0= -7") for line in moses()], "other")

    class Replaced(ChunkedFiles):
        def read(self, chunk: FileChunk) -> Block:
            if chunk.start and Path("other").exists():
                os.replace("other", "list")
            return super().read(chunk)

    monkeypatch.setattr(chunked_files, "ChunkedFiles", lambda paths: Replaced(paths, *CHUNKS))
    assert run(capsys) == expected
    assert "-70." in Path("list").read_text(encoding="utf-8")


def test_a_file_that_is_written_to_while_it_is_read_is_read_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(moses())
    more = "9999 ||| a ||| LM0= 1 TM0= 1 1 cost= 1 ||| 1 ||| 0-0\n"

    class Growing(ChunkedFiles):
        def check_unchanged(self) -> None:
            with open("list", "a", encoding="utf-8") as file:
                file.write(more)
            super().check_unchanged()

    monkeypatch.setattr(chunked_files, "ChunkedFiles", lambda paths: Growing(paths, *CHUNKS))
    grown = run(capsys)
    assert grown == whole(capsys)
    assert "of 61 sentences" in grown[1]


def test_of_two_faulty_files_the_first_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write([*moses(), "x ||| y"])
    write([], "more")
    assert "list: line" in same(capsys, "list", "more", in_chunks=False)[1]


def test_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    write(moses()[:100])
    write([f"1000 ||| {line.partition(' ||| ')[2]}" for line in moses()[:50]], "more")
    assert same(capsys, "list", "more")[0] == 0
    same(capsys, "more", "list", in_chunks=False)
    within = next(place for place in range(50, 99) if moses()[place][:4] == moses()[place + 1][:4])
    write(moses()[: within + 1])
    write(moses()[within + 1 :], "more")
    same(capsys, "list", "more", in_chunks=False)
    write([])
    assert same(capsys, "more", "list", in_chunks=False)[0] == 1


def test_a_chunk_that_may_hold_too_long_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write([line.replace("30 ||| ", "30 ||| " + 999 * "x ") for line in moses()])
    assert same(capsys)[0] == 0
    monkeypatch.setattr(chunked_files, "LONGEST_LINE", 1500)
    same(capsys, in_chunks=False)


def test_one_list_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for lines in (moses(1), moses()[:1]):
        write(lines)
        assert same(capsys)[0] == 0


@pytest.mark.parametrize("place", [0, 1, 70, -1])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LM0=", "LM1="),
        ("TM0= ", "TM0= 1 "),
        ("cost=", "w_a= 1 cost="),
        ("||| 0-0 1-1", "||| of no kind"),
        ("||| 0-0 1-1", "||| 0-0 ||| 1"),
        ("LM0= -", "LM0= x"),
        ("LM0= -", "LM0= -1e999 "),
        ("LM0= -0.", "LM0= nan0."),
        ("c@@ at", "c@@ |||  at"),
        ("c@@ at", "c@@ |0-1| at |2-2|"),
        ("é", "\udcff"),
        (" ||| c@@", "x ||| c@@"),
        (" ||| c@@", "00000000 ||| c@@"),
    ],
)
def test_a_line_unlike_the_others(
    capsys: pytest.CaptureFixture[str], place: int, old: str, new: str
) -> None:
    lines = with_line(place, lambda line: line.replace(old, new, 1))
    assert lines[place] != moses()[place]
    Path("list").write_bytes("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    same(capsys, in_chunks=None)


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [("LM0=", "LM1=", 0), ("TM0= ", "TM0= 1 ", 1), (" ||| 0-0 1-1", "", 1), ("0-0 1-1", "a", 0)],
)
def test_a_file_that_goes_on_otherwise(
    capsys: pytest.CaptureFixture[str], old: str, new: str, status: int
) -> None:
    write(moses())
    with ChunkedFiles(["list"], *CHUNKS) as files:
        place = list(files.chunks())[3].start
    before = Path("list").read_bytes()
    rest = before[place:].replace(old.encode(), new.encode())
    Path("list").write_bytes(before[:place] + rest)
    assert same(capsys, in_chunks=False)[0] == status


@pytest.mark.parametrize("kind", ["swapped", "again", "blank", "shuffled", "negative"])
def test_lists_out_of_order(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    lines = moses()
    if kind == "swapped":
        lines = lines[90:] + lines[:90]
    elif kind == "again":
        lines = lines + lines[:1]
    elif kind == "blank":
        lines.insert(80, "")
    elif kind == "negative":
        lines = [f"-1{lines[0][1:]}", *lines]
    else:
        random.Random(1).shuffle(lines)
    write(lines)
    status, _, stream = same(capsys, in_chunks=False)
    assert (status, stream is None) == ((1, True) if kind == "negative" else (0, False))


@pytest.mark.parametrize("words", [("--text-field", "odd"), ("--remove-subwords", "spm")])
def test_an_error_is_that_of_the_whole(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    lines = moses()
    write(
        [line.replace("c@@ at é", "▁c at") if place else line for place, line in enumerate(lines)]
    )
    same(capsys, *words, in_chunks=None)
    write([line.replace("c@@ at é", "▁c at") for line in lines[:-1]] + lines[-1:])
    status, said, stream = same(capsys, *words, in_chunks=False)
    assert (status, stream) == (1, None)
    assert said.startswith("import-nbest: list: sentence ")


def test_of_two_errors_it_is_that_of_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    write([*moses(), "x ||| y"])
    assert "found 'x ||| y'" in same(capsys, "--text-field", "odd", in_chunks=False)[1]


def test_no_unfinished_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    write([*moses(), "x ||| y"])
    assert run(capsys, jobs=2)[0] == 1
    assert sorted(path.name for path in Path().iterdir()) == ["list"]

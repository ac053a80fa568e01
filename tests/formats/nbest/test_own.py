"""A list format of one's own: added by hand or as an entry point, used by name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.own import NumberedLines, own_format, row_of
from campanula.formats.records.kbest import KBest
from campanula.formats.registry import UnknownName
from campanula.formats.stream import Reader
from campanula.stages import export_nbest, import_nbest
from tests.plain import plain

TEXT = "1\t-2.5\tein Haus\n\n0\t-1\tx\n1\t-3\tHaus\n"


def read(lines: NumberedLines) -> Iterator[tuple[int, str, float, dict[str, int]]]:
    for line in lines:
        if line:
            sid, score, text = line.split("\t")
            yield int(sid), text, float(score), {"length": len(text.split())}


def write(lists: Iterable[KBest], source: str) -> Iterator[str]:
    for kbest in lists:
        assert kbest.score is not None
        for text, score in zip(kbest.text, kbest.score, strict=True):
            yield f"{kbest.sid}\t{score:g}\t{text}"


BOTH = SimpleNamespace(read=read, write=write)


@pytest.fixture(autouse=True)
def formats(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table that loses at the end what a test has added, and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(FORMATS, "_items", dict(FORMATS._items))
    Path("list").write_text(TEXT)


def imported(name: str) -> list[dict[str, Any]]:
    assert import_nbest.main(["--format", name, "list", "-q", "-o", "out"]) == 0
    with Reader("out", KBest) as lists:
        return [plain(kbest) for kbest in lists]


def test_a_function_is_a_format() -> None:
    FORMATS.add("mine", read)
    one, two = imported("mine")
    assert (one["sid"], one["text"], one["score"]) == (0, ["x"], [-1.0])
    assert (two["sid"], two["text"], two["score"]) == (1, ["ein Haus", "Haus"], [-2.5, -3.0])
    assert two["features"] == [{"length": 2.0}, {"length": 1.0}]


def test_an_entry_point_is_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("theirs", f"{__name__}:BOTH", "campanula.list_formats")
    monkeypatch.setattr(
        metadata, "entry_points", lambda **which: metadata.EntryPoints([point]).select(**which)
    )
    assert [kbest["text"] for kbest in imported("theirs")] == [["x"], ["ein Haus", "Haus"]]
    assert export_nbest.main(["--format", "theirs", "out", "-q", "-o", "again"]) == 0
    assert Path("again").read_text() == "0\t-1\tx\n1\t-2.5\tein Haus\n1\t-3\tHaus\n"


def test_numbers_may_be_numpys() -> None:
    number = np.int64(2)
    FORMATS.add("mine", lambda lines: [(number, "x", np.float32(0.5), {"a": number})])
    (kbest,) = imported("mine")
    assert (kbest["sid"], kbest["score"], kbest["features"]) == (2, [0.5], [{"a": 2.0}])


def test_a_score_may_be_missing() -> None:
    FORMATS.add("mine", lambda lines: ((0, line, None, {}) for line in lines if line))
    (kbest,) = imported("mine")
    assert kbest["score"] is None
    assert kbest["features"] == [{}] * 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("x\t1\ta", "line 2: expected a line of the format mine, found 'x\\t1\\ta' (invalid lit"),
        ("0\t1", "line 2: expected a line of the format mine, found '0\\t1' (not enough values"),
        ("-1\t1\ta", "line 2: expected the number or the id of a sentence, found -1"),
        ("0\tnan\ta", "line 2: score: expected a finite number, found nan"),
    ],
)
def test_a_bad_line_is_named(line: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    FORMATS.add("mine", read)
    Path("list").write_text(f"0\t1\ta\n{line}\n0\t1\tb\n")
    assert import_nbest.main(["--format", "mine", "list", "-q", "-o", "out"]) == 1
    assert capsys.readouterr().err.startswith(f"import-nbest: list: {problem}")
    assert not Path("out").exists()


def test_no_lines_are_no_list(capsys: pytest.CaptureFixture[str]) -> None:
    FORMATS.add("mine", read)
    Path("list").write_text("\n")
    assert import_nbest.main(["--format", "mine", "list", "-o", "out"]) == 1
    assert "list: expected hypotheses, found none" in capsys.readouterr().err


def test_a_format_that_only_reads_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    FORMATS.add("mine", read)
    imported("mine")
    assert export_nbest.main(["--format", "mine", "out", "-o", "again"]) == 2
    assert "--format mine: such lists can be read only" in capsys.readouterr().err
    assert not Path("again").exists()


def test_a_name_that_nothing_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        import_nbest.main(["--format", "mosses", "list"])
    assert stop.value.code == 2
    assert "'mosses'; did you mean moses?" in capsys.readouterr().err
    with pytest.raises(UnknownName):
        FORMATS["mosses"]


def test_the_file_of_the_code() -> None:
    assert own_format("mine", BOTH).own_file() == __file__
    assert own_format("mine", sorted).own_file() is None
    assert FORMATS["moses"].own_file() is None


def test_what_is_no_format_is_refused() -> None:
    with pytest.raises(TypeError, match="list format mine: expected a function"):
        own_format("mine", 3)


def test_a_program_whose_format_fails_ends(tmp_path: Path) -> None:
    """The thread that reads ahead does not keep it."""
    (tmp_path / "lists").write_text("a house\n" * 3)
    code = (
        "import campanula\n"
        "campanula.LIST_FORMATS.add('odd', lambda lines: ((0, l.no, 1.0, {}) for l in lines))\n"
        "campanula.read_nbest('lists', 'odd')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "AttributeError: 'str' object has no attribute 'no'" in done.stderr


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ((0, "a", "1.0", {}), "'1.0'"),
        ((0, "a", 1.0, None), "None"),
        ((0, "a", 1.0, {"f": "x"}), "'x'"),
    ],
)
def test_values_of_the_wrong_kind_are_named_with_their_line(
    row: tuple[int, str, Any, Any], found: str
) -> None:
    with pytest.raises(LineError, match=f"found {found}"):
        row_of(row)

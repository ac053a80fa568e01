"""Files in lockstep: batches, and files that do not fit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.selecting import parallel_lines
from campanula.stages.selecting.parallel_lines import ParallelLines, batched

LINKS = ["0-0 1-1", "", "0-0"]


def unwatched(lines: Iterable[str], label: str) -> Iterable[str]:
    return lines


def write(folder: Path, *files: list[str]) -> ParallelLines:
    paths = [folder / f"file{number}" for number in range(len(files))]
    for path, lines in zip(paths, files, strict=True):
        path.write_text("".join(f"{line}\n" for line in lines))
    return ParallelLines([str(path) for path in paths])


def test_batches_go_on_where_the_last_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_lines, "BATCH", 2)
    pairs = write(tmp_path, ["a b", "", "c"], ["A B", "x", "C"], LINKS)
    found = list(pairs.batches(unwatched, "reading"))
    assert [(batch.first, batch.source) for batch in found] == [(0, ["a b", ""]), (2, ["c"])]
    assert [batch.lines[2] for batch in found] == [LINKS[:2], LINKS[2:]]
    assert list(batched(iter("abcde"))) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(batched([])) == []
    assert list(write(tmp_path, [], []).batches(unwatched, "")) == []


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ([["a"] * 3, ["A"] * 2], "file1: expected 3 lines as in .*file0, found 2"),
        ([["a"] * 3, ["A"] * 5], "file1: expected 3 lines as in .*file0, found 5"),
        ([["a"] * 3, ["A"] * 3, ["0-0"] * 4], "file2: expected 3 lines as in .*file0, found 4"),
        ([["a"] * 2, ["A"] * 2, ["0-0", "0:0"]], "file2: line 2: expected links such as 0-1"),
        ([["a"] * 3, ["A"] * 3, [*LINKS[1:], "0-1"]], "file2: line 3: expected links i-j with"),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 100])
def test_files_that_do_not_fit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[list[str]],
    problem: str,
    size: int,
) -> None:
    monkeypatch.setattr(parallel_lines, "BATCH", size)
    with pytest.raises(DataError, match=problem):
        list(write(tmp_path, *files).batches(unwatched, "reading"))


def test_texts_in_parts_must_have_the_same_parts(tmp_path: Path) -> None:
    for side, parts in (("de", (2, 1)), ("en", (1, 2)), ("fr", (2, 1))):
        (tmp_path / side).mkdir()
        for number, n in enumerate(parts):
            (tmp_path / side / f"part{number}").write_text("x\n" * n)
    fitting = ParallelLines([str(tmp_path / "de"), str(tmp_path / "fr")])
    assert [batch.source for batch in fitting.batches(unwatched, "")] == [["x"] * 3]
    with pytest.raises(DataError, match="part1: expected line 3 first"):
        list(ParallelLines([str(tmp_path / "de"), str(tmp_path / "en")]).batches(unwatched, ""))

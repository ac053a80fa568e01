"""A command's numbers for the outputs of a file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.stages.command import UsageError
from campanula.stages.comparing.score_command import ScoreCommand

REFERENCES = References.of(["a b", "c\td"], ["x", "y z"])
OUTPUTS, SOURCE = ["a", "b c"], ["q", "r s t"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def numbers(line: str, shell: bool = False) -> list[float]:
    return ScoreCommand.of(line, shell, 5.0).numbers(OUTPUTS, REFERENCES, SOURCE).tolist()


def test_it_reads_texts_and_writes_a_number_a_line(folder: Path) -> None:
    assert numbers("awk '{print NF}' {hypotheses}") == [1.0, 2.0]
    assert numbers("cat {hypotheses} > /dev/null; awk '{print NF}' {source} > {gains}", True) == [
        1,
        3,
    ]
    assert numbers("awk '{print NF}' {references} {hypotheses} | head -2", True) == [3.0, 4.0]
    assert os.listdir(folder) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("false {hypotheses}", "ended with exit status 1"),
        ("nonesuch {hypotheses}", "cannot be run"),
        ("head -n1 {hypotheses}", "line 1"),
        ("echo 1 {hypotheses} > {gains}", "line 1"),
        ("awk 'NR == 1 {print 1}' {hypotheses}", "expected 2 lines, as the outputs has, found 1"),
        ("awk '{print \"nan\"}' {hypotheses}", "line 1"),
    ],
)
def test_what_gives_no_numbers_is_refused_in_one_line(line: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        numbers(line)


def test_it_must_read_the_outputs() -> None:
    with pytest.raises(UsageError, match=r"expected \{hypotheses\} in it"):
        ScoreCommand.of("true", False, 0.0)

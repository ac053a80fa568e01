"""The bar of a run: on a terminal alone, with where it is, and its commands' bars below."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from campanula.pipelines import tune
from campanula.pipelines.tasks.progress import Progress
from campanula.stages.command_line import bars
from tests.pipelines import tiny


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal as stderr; a fixture would have pytest's in its place again."""
    found = Terminal()
    monkeypatch.setattr("sys.stderr", found)
    return found


def test_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    with Progress("mert", quiet=False) as progress:
        progress.expect(6)
        progress.at("replicate 2 of 3")
        progress.doing("decode")
        progress.advance()
        progress.expect(-4)
        progress.doing("optimize")
    shown = terminal.getvalue()
    assert "mert: replicate 2 of 3, decode: " in shown
    assert re.search(r"mert: replicate 2 of 3, optimize:  50%.*1/2 \[\d\d:\d\d<\d\d:\d\d\]", shown)


@pytest.mark.parametrize("quiet", [True, False])
def test_where_stderr_is_no_terminal_or_nothing_is_wanted_there_is_none(
    quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Terminal() if quiet else io.StringIO()
    monkeypatch.setattr("sys.stderr", found)
    with Progress("mert", quiet) as progress:
        progress.expect(1)
        progress.doing("decode")
        progress.advance()
        assert not bars.is_within_run()
    assert found.getvalue() == ""


def run(folder: Path, *flags: str) -> None:
    words = ["mert", *tiny.write(folder), "--iterations", "2", "--replicates", "2", *flags]
    assert tune.main([*words, "--work-dir", os.fspath(folder / "run")]) == 0


def test_a_run_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = terminal_of(monkeypatch)
    run(tmp_path)
    shown = terminal.getvalue()
    for number in (1, 2):
        for command in ("decode", "score-bleu", "optimize"):
            assert f"mert: replicate {number} of 2, {command}" in shown
    assert re.search(r"decode: +\d+%\|.*/4 \[", shown)
    assert re.search(r"\riteration 0: dev|\niteration 0: dev", shown)
    assert capsys.readouterr().out.startswith("BLEU, 2 replicates\n")


def test_a_quiet_run_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    run(tmp_path, "-q")
    assert terminal.getvalue() == ""


def test_a_run_with_workers_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    run(tmp_path, "--workers", "2")
    assert "mert: 2 replicates, 2 workers:" in terminal.getvalue()

"""Bars and lines on stderr: bars on a terminal alone, and quiet commands have theirs in a run."""

from __future__ import annotations

import io
import os
import pty
import termios

import pytest

from campanula.stages.command_line import bars
from campanula.stages.kernels import kernel_cache


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(monkeypatch: pytest.MonkeyPatch, file: io.StringIO, quiet: bool, within: bool) -> str:
    monkeypatch.setattr("sys.stderr", file)
    if within:
        with bars.within_run():
            assert list(bars.bar([1, 2], quiet, "counting", 2)) == [1, 2]
    else:
        assert list(bars.bar([1, 2], quiet, "counting", 2)) == [1, 2]
    return file.getvalue()


def test_where_bars_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "counting" in drawn(monkeypatch, Terminal(), False, False)
    assert "counting" in drawn(monkeypatch, Terminal(), True, True)
    assert drawn(monkeypatch, Terminal(), True, False) == ""
    for quiet in (True, False):
        assert drawn(monkeypatch, io.StringIO(), quiet, True) == ""


@pytest.mark.parametrize(("size", "width"), [((0, 0), 80), ((40, 120), 119)])
def test_a_terminal_without_a_size_has_bars(
    size: tuple[int, int], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, size)
    with os.fdopen(slave, "w", encoding="utf-8") as terminal, os.fdopen(master, "rb") as screen:
        monkeypatch.setattr("sys.stderr", terminal)
        assert list(bars.bar([1], False, "counting", 1)) == [1]
        terminal.flush()
        first = os.read(screen.fileno(), 4096).decode().strip("\r\n ").partition("\r")[0]
    assert "counting" in first
    assert len(first) == width


def test_lines_go_between_bars(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(kernel_cache, "quiet", False)
    monkeypatch.delenv("CAMPANULA_QUIET", raising=False)
    with bars.within_run():
        for _ in bars.bar([1], True, "counting", 1):
            bars.complain("one")
            kernel_cache.say("two")
            with bars.lines_apart():
                print("three")
    shown = terminal.getvalue()
    assert "\rone\n" in shown
    assert "\rtwo\n" in shown
    assert capsys.readouterr().out == "three\n"
    bars.complain("four")
    assert terminal.getvalue().endswith("four\n")


def test_without_stderr_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    bars.complain("one")
    assert list(bars.bar([1], False, "counting")) == [1]

"""SIGTERM ends a run with all that it has started; an input that changes meanwhile is an error."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen
from typing import TypeVar

import pytest

from campanula.pipelines import tune
from tests.pipelines import pool_decoder
from tests.reliability.runs import FOREIGN, Runs, Variant, wait

SPAN, SPANS = 30.0, 20  # seconds; how many of them a run may take that has work to do
T = TypeVar("T")


def until(found: Callable[[], T | None], session: int) -> T:
    """Wait until something is found, and return it: as long as a session is at work.

    On a busy machine a run takes long.  One that gets on has had a processor in each span of time.
    """
    for _ in range(SPANS):
        before, latest = ticks_of(session), time.monotonic() + SPAN
        while time.monotonic() < latest:
            if (it := found()) is not None:
                return it
            time.sleep(0.005)
        assert ticks_of(session) != before, f"session {session} has stopped work"
    raise AssertionError(f"session {session} is still at work after {SPAN * SPANS:g} s")


def ticks_of(session: int) -> dict[str, int]:
    """Ticks of a processor that each process of a session has had, by its number."""
    ticks = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                ticks[entry] = int(fields[11]) + int(fields[12])
    return ticks


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("slow", ["cat", "awk"])
def test_a_signal_ends_the_programs_of_a_run_and_leaves_nothing_unfinished(
    tmp_path: Path, number: signal.Signals, workers: int, slow: str
) -> None:
    """In the decoder's command (`cat`) and in the scorer's (`awk`), which would take a minute."""

    class Slow(Runs):
        def argv(self, variant: Variant, work: str) -> list[str]:
            plain = super().argv(variant, work)
            return [word.replace(f"sleep 0.02; {slow}", f"sleep 61; {slow}") for word in plain]

    runs = Slow(tmp_path)
    process = runs.fork(Variant(FOREIGN, workers), "work")
    until(lambda: any(b"sleep 61" in line for line in command_lines(runs)) or None, process)
    os.kill(process, number)
    assert until(lambda: wait(process, 0.1), process) == -number
    until(lambda: not runs.processes() or None, process)
    assert list((tmp_path / "work").rglob(".*.tmp")) == []
    assert not (tmp_path / "work" / "weights").exists()


def test_waiting_goes_on_as_long_as_there_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a session that works and never comes to an end, and of one that sleeps."""
    cases = (
        ("while True: pass", 3.0, 1, "is still at work"),
        ("import time; time.sleep(60)", 0.1, 50, "has stopped work"),
    )
    for program, span, spans, problem in cases:
        monkeypatch.setattr(f"{__name__}.SPAN", span)
        monkeypatch.setattr(f"{__name__}.SPANS", spans)
        argv = [sys.executable, "-S", "-c", f"print(flush=True)\n{program}"]
        with Popen(argv, stdout=PIPE, start_new_session=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                assert ticks_of(process.pid).keys() == {str(process.pid)}
                with pytest.raises(AssertionError, match=problem):
                    until(lambda: None, process.pid)
                assert until(lambda: 0, process.pid) == 0
            finally:
                process.kill()


def command_lines(runs: Runs) -> list[bytes]:
    """Command lines of the programs that run."""
    lines = []
    for number in runs.processes():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            lines.append(Path(f"/proc/{number}/cmdline").read_bytes())
    return lines


def test_an_input_that_changes_in_a_run_is_an_error_and_nothing_is_kept_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = pool_decoder.write(tmp_path)
    command = "sh -c 'sed s/1/2/ -i $0; printf \"0 ||| a ||| LM0= 1 ||| 1\\n\" > $1' "
    flags = ["mert", *data, "--allow-missing", "--iterations", "1", "-q"]
    flags += ["--decode-command", command + "{source} {nbest} {weights}"]
    (tmp_path / "dev.de").write_text("satz 1\n")
    (tmp_path / "dev.en").write_text("a b\n")
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 1
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "dev.de: it has changed since this run began; start again" in printed
    left = (tmp_path / "work" / "cache").glob("decode-command-*")
    assert {path.suffix for path in left} == {".stderr"}

"""SIGTERM ends a run with all that it has started; an input that changes meanwhile is an error."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from campanula.pipelines import tune
from tests.pipelines import pool_decoder
from tests.reliability.runs import FOREIGN, Runs, Variant, wait


def until(true: Callable[[], object]) -> None:
    """Wait until something is true."""
    latest = time.monotonic() + 30
    while not true():
        assert time.monotonic() < latest
        time.sleep(0.005)


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
    until(lambda: any(b"sleep 61" in line for line in command_lines(runs)))
    os.kill(process, number)
    assert wait(process, 30) == -number
    until(lambda: not runs.processes())
    assert list((tmp_path / "work").rglob(".*.tmp")) == []
    assert not (tmp_path / "work" / "weights").exists()


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
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "dev.de: it has changed since this run began; start again" in said
    left = (tmp_path / "work" / "cache").glob("decode-command-*")
    assert {path.suffix for path in left} == {".stderr"}

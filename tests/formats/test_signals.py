"""A signal that ends a process: what is unfinished goes, and the signal is what the parent sees."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

WRITING = """
import os, sys, time
from campanula.formats import signals
from campanula.formats.atomic import atomic_file, atomic_folder, temporary_folder
from campanula.formats.files import Output
signals.install()
folder = sys.argv[1]
a, b, c = (f"{folder}/{name}" for name in "abc")
with Output(a) as out, atomic_file(b) as b, atomic_folder(c) as c, temporary_folder() as d:
    open(b, "w").close()
    open(f"{c}/x", "w").close()
    if os.fork() == 0:  # what the parent expects is not the child's to do
        signals.end_process(15)
    os.wait()
    with signals.delayed():
        print(len(os.listdir(folder)), flush=True)
        time.sleep(0.3)
        open(f"{folder}/begun", "w").close()
    time.sleep(60)
"""


def start(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.PIPE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_is_unfinished_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = start(sys.executable, "-c", WRITING, str(tmp_path))
    assert process.stdout is not None
    assert process.stdout.readline() == b"4\n"
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == -number
    assert os.listdir(tmp_path) == ["begun"]


def test_a_hangup_that_is_ignored_stays_so(tmp_path: Path) -> None:
    process = start("nohup", sys.executable, "-c", WRITING, str(tmp_path))
    assert process.stdout is not None
    assert process.stdout.readline() == b"3\n"
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.6)
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM

"""Builds with several workers: tasks side by side, one failure heard, nobody left behind."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.tasks import building, luigi_alone
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.failures import StageFailed
from campanula.pipelines.tasks.stage_task import stage
from tests.pipelines.stand_in import stand_in

__all__ = ["stand_in"]

TWO = Workers(2)


def cache_of(folder: Path, workers: Workers = TWO) -> Cache:
    return Cache(os.fspath(folder / "cache"), workers)


def test_tasks_are_side_by_side_each_in_a_process(
    tmp_path: Path, stand_in: list[list[str]]
) -> None:
    """Each of two waits for the file of the other."""
    flags = ("--pid", "--wait", os.fspath(tmp_path))
    with cache_of(tmp_path) as cache:
        tasks = [stage(cache, "stand-in", *flags, str(i), suffix=".x") for i in range(2)]
        after = stage(cache, "stand-in", "--pid", *tasks, suffix=".x")
        cache.build([after])
        assert cache.runs == {"stand-in": 3}
        assert all(report.seconds > 0.0 for report in cache.done)
    pids = {Path(task.path).read_text().split()[-1] for task in (*tasks, after)}
    assert len(pids | {str(os.getpid())}) == 4
    assert stand_in == []  # nothing ran here


@pytest.mark.parametrize(
    ("flags", "failure", "words"),
    [
        (["--say", "no model", "--fail", "1"], StageFailed, "no model\n"),
        (["--usage"], StageFailed, ""),
        (["--data"], DataError, ""),
        (["--fail", "130"], KeyboardInterrupt, ""),
        (["--raise"], StageFailed, "ZeroDivisionError: a bug"),
        (["--kill"], DataError, ""),
        (["--nothing"], RuntimeError, ""),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_a_failure_is_raised_and_heard(
    tmp_path: Path,
    stand_in: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    failure: type[BaseException],
    words: str,
) -> None:
    with cache_of(tmp_path) as cache:
        bad = stage(cache, "stand-in", *flags, suffix=".x")
        with pytest.raises(failure):
            cache.build([stage(cache, "stand-in", bad, suffix=".x")])
        assert cache.runs == ({"stand-in": 1} if flags == ["--nothing"] else {})
    assert words in capsys.readouterr().err
    assert os.listdir(tmp_path / "cache") == ["lock"]


def test_a_process_that_dies_is_named(tmp_path: Path, stand_in: list[list[str]]) -> None:
    with cache_of(tmp_path) as cache:
        bad = stage(cache, "stand-in", "--kill", suffix=".x")
        problem = "stand-in: its process died unexpectedly with exit code -9"
        with pytest.raises(DataError, match=problem):
            cache.build([bad])


def test_of_two_failures_the_first_is_heard(
    tmp_path: Path, stand_in: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with cache_of(tmp_path) as cache:
        bad = [
            stage(cache, "stand-in", "--say", f"bad {i}", "--fail", "1", suffix=".x")
            for i in range(4)
        ]
        with pytest.raises(StageFailed, match="stand-in ended with exit status 1"):
            cache.build(bad)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("bad ")


def test_a_failure_ends_the_others(tmp_path: Path, stand_in: list[list[str]]) -> None:
    started = time.perf_counter()
    with cache_of(tmp_path) as cache:
        long = stage(cache, "stand-in", "--sleep", "60", suffix=".x")
        bad = stage(cache, "stand-in", "--sleep", "0.5", "--fail", "1", suffix=".x")
        with pytest.raises(StageFailed):
            cache.build([long, bad])
    assert time.perf_counter() - started < 30
    assert os.listdir(tmp_path / "cache") == ["lock"]


RUN = """
import sys
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.external_scorer import ExternalScorer
from campanula.pipelines.scorer import MetricSettings
from campanula.pipelines.tasks.stage_task import Leaf
folder, line = sys.argv[1:]
with Cache(folder + "/cache", Workers(2)) as cache:
    scorer = ExternalScorer.of(line, True, MetricSettings("gain-column"), (), 0.0, 1)
    lists, text = (Leaf.of(cache, f"{folder}/{name}") for name in ("dev.kbest", "ref"))
    tasks = [scorer.scored(cache, lists, text, (Leaf(text.path, str(i)),)) for i in range(2)]
    cache.build(tasks)
"""


def stubborn(ready: Any) -> None:
    """A task that SIGTERM does not end, with a program in a session of its own."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as program:
        ready.put(program.pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="programs are found in /proc")
def test_a_task_that_does_not_end_is_killed_with_its_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(building, "GRACE", 0.2)
    fork = multiprocessing.get_context("fork")
    ready = fork.SimpleQueue()
    task = fork.Process(target=stubborn, args=(ready,))
    task.start()
    program = ready.get()
    building._end(iter([task]))
    assert task.exitcode == -signal.SIGKILL
    until = time.monotonic() + 5.0
    while state_of(program) not in (None, "Z"):
        assert time.monotonic() < until
        time.sleep(0.01)


def state_of(process: int) -> str | None:
    """The state that Linux shows of a process, None for none: Z for one that has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_parent_is_the_end_of_all(tmp_path: Path, number: int) -> None:
    """A command that a task has started ends as well, and the lock is free at once."""
    from tests.examples import random_lists, write_kbest

    records, _ = random_lists(3, n_lists=2, sparse=False)
    write_kbest(tmp_path / "dev.kbest", records)
    (tmp_path / "ref").write_text("a\nb\n")
    pids = tmp_path / "pids"
    line = f"echo $$ >> {pids}; sleep 60; cat {{hypotheses}} {{references}}"
    argv = [sys.executable, "-c", RUN, os.fspath(tmp_path), line]
    parent = subprocess.Popen(argv, stderr=subprocess.PIPE)
    assert within(60, lambda: pids.exists() and len(pids.read_text().split()) == 2)
    parent.send_signal(number)
    parent.communicate(timeout=30)
    with cache_of(tmp_path):
        pass
    found = [int(pid) for pid in pids.read_text().split()]
    assert within(30, lambda: not any(map(alive, found)))


def within(seconds: float, holds: Any) -> bool:
    """Whether something comes true in time."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def luigid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler of Luigi's."""
    folder = tmp_path_factory.mktemp("luigid")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = os.path.join(os.path.dirname(sys.executable), "luigid")
    argv = [program, "--address", "127.0.0.1", "--port", str(port)]
    argv += ["--state-path", os.fspath(folder / "state")]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(argv, cwd=folder, **quiet)
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except OSError:
            return False
        return True

    try:
        assert within(60, answers)
        yield url
    finally:
        process.kill()
        process.wait()


def asked(url: str, what: str, **data: object) -> Any:
    query = urllib.parse.urlencode({"data": json.dumps(data)})
    with urllib.request.urlopen(f"{url}/api/{what}?{query}", timeout=10) as page:
        return json.load(page)["response"]


@pytest.mark.parametrize("count", [1, 2])
def test_the_graph_is_shown_by_a_scheduler(
    tmp_path: Path, stand_in: list[list[str]], luigid: str, count: int
) -> None:
    workers = Workers(count, luigid)
    workers.check()
    with cache_of(tmp_path, workers) as cache:
        first = stage(cache, "stand-in", "--beam", "5", suffix=".kbest")
        second = stage(cache, "stand-in", first, "--eta", "1", suffix=".weights")
        cache.build([second])
        cache.build([second])
    shown = asked(luigid, "dep_graph", task_id=second.task_id)
    assert set(shown) == {first.task_id, second.task_id}
    for task, reads in ((first, "--beam 5"), (second, f"{first.file} --eta 1")):
        there = shown[task.task_id]
        assert (there["name"], there["status"]) == ("stand-in", "DONE")
        assert there["params"]["file"] == os.path.basename(task.path)
        assert there["params"]["reads"] == reads
        assert there["params"]["folder"].endswith(f":{tmp_path / 'cache'}")
        assert set(there["params"]) == {"file", "folder", "process", "reads"}
    assert shown[second.task_id]["deps"] == [first.task_id]


def test_a_failed_task_is_run_again_though_the_scheduler_remembers(
    tmp_path: Path, stand_in: list[list[str]], luigid: str
) -> None:
    (tmp_path / "bad").touch()
    flags = ("--fail-if", os.fspath(tmp_path / "bad"))
    for broken in (True, True, False):
        with cache_of(tmp_path, Workers(1, luigid)) as cache:
            task = stage(cache, "stand-in", *flags, suffix=".x")
            if broken:
                with pytest.raises(StageFailed):
                    cache.build([task])
            else:
                (tmp_path / "bad").unlink()
                cache.build([task])
    assert Path(task.path).exists()


def test_a_scheduler_that_is_gone_is_one_line(
    tmp_path: Path, stand_in: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    once = {"rpc-retry-attempts": "1", "rpc-retry-wait": "0"}
    monkeypatch.setattr(luigi_alone, "RETRIES", once)
    problem = r"http://127\.0\.0\.1:1: the scheduler is gone: .*refused"
    with (
        cache_of(tmp_path, Workers(1, "http://127.0.0.1:1")) as cache,
        pytest.raises(DataError, match=problem),
    ):
        cache.build([stage(cache, "stand-in", suffix=".x")])
    assert stand_in == []


KILLED = """
import os, sys
from types import ModuleType
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import stage
module = ModuleType("campanula.stages.stand_in")
module.main = lambda argv: os.kill(os.getpid(), 9)
sys.modules["campanula.stages.stand_in"] = module
with Cache(sys.argv[1], Workers(1, sys.argv[2])) as cache:
    cache.build([stage(cache, "stand-in", suffix=".x")])
"""


def test_a_run_goes_on_where_a_killed_one_is_thought_to_run(
    tmp_path: Path, stand_in: list[list[str]], luigid: str
) -> None:
    argv = [sys.executable, "-c", KILLED, os.fspath(tmp_path / "cache"), luigid]
    assert subprocess.run(argv, timeout=100).returncode == -signal.SIGKILL
    assert asked(luigid, "task_list", status="RUNNING", upstream_status="")
    with cache_of(tmp_path, Workers(1, luigid)) as cache:
        task = stage(cache, "stand-in", suffix=".x")
        cache.build([task])
    assert Path(task.path).exists()


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nothing"])
def test_no_scheduler_is_one_line(url: str) -> None:
    with pytest.raises(DataError, match=f"{url}: no scheduler of Luigi's"):
        Workers(1, url).check()

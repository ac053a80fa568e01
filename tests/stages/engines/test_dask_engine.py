"""Tasks on real workers: the same bytes, whatever happens to those."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from campanula.formats.errors import DataError
from campanula.stages.engines.course import Pace
from campanula.stages.engines.dask_engine import DaskEngine, open_dask
from campanula.stages.engines.engine_settings import DaskSettings
from campanula.stages.engines.local_engine import LocalEngine
from campanula.stages.engines.task import Task, task

FUNCTIONS = "tests.stages.engines.functions"
QUICK = Pace(silent=2.0, slow=3.0, least=2.0, rest=5.0, visible=1.0)


def numbers(folder: Path, n: int, seconds: float = 0.0, function: str = "numbers") -> list[Task]:
    return [
        task(
            os.fspath(folder),
            "count",
            f"{FUNCTIONS}:{function}",
            {"seed": seed, "seconds": seconds, "full": os.fspath(folder.parent / "full")},
            seed,
            ".txt",
        )
        for seed in range(n)
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one process makes of 20 tasks."""
    folder = tmp_path_factory.mktemp("whole")
    list(LocalEngine().run(numbers(folder, 20), "count"))
    return contents(folder)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DaskEngine, Path]]:
    """An engine with three workers, and its folder."""
    folder = tmp_path_factory.mktemp("dask") / "results"
    with open_dask(DaskSettings(workers=3), os.fspath(folder), pace=QUICK) as engine:
        yield engine, folder


@pytest.fixture
def three(engine: tuple[DaskEngine, Path]) -> tuple[DaskEngine, Path]:
    """The same with an empty folder."""
    for path in engine[1].iterdir():
        if not path.name.startswith(".run-"):
            path.unlink()
    return engine


def results(folder: Path) -> dict[str, bytes]:
    found = contents(folder)
    return {name: data for name, data in found.items() if not name.startswith(".run-")}


def processes(engine: DaskEngine) -> list[int]:
    """Numbers of the workers' processes."""
    return sorted(engine._crew._client.run(os.getpid).values())  # type: ignore[attr-defined]


def test_the_bytes_are_those_of_one_process(
    three: tuple[DaskEngine, Path], whole: dict[str, bytes]
) -> None:
    engine, folder = three
    tasks = numbers(folder, 20)
    assert list(engine.run(tasks, "count")) == [one.output for one in tasks]
    assert results(folder) == whole
    before = {path: path.stat() for path in folder.iterdir()}
    assert len(list(engine.run(tasks, "count"))) == 20
    assert {path: path.stat() for path in folder.iterdir()} == before


def test_workers_that_are_killed(three: tuple[DaskEngine, Path], whole: dict[str, bytes]) -> None:
    engine, folder = three
    tasks = numbers(folder, 20, seconds=0.3)
    made = []
    for path in engine.run(tasks, "count"):
        made.append(path)
        if len(made) in (2, 6, 10):
            os.kill(processes(engine)[0], signal.SIGKILL)
    assert made == [one.output for one in tasks]
    assert results(folder) == whole


def test_a_worker_that_is_stopped_and_goes_on(
    three: tuple[DaskEngine, Path], whole: dict[str, bytes]
) -> None:
    engine, folder = three
    tasks = numbers(folder, 20, seconds=0.3)
    stopped = processes(engine)[1]
    started = time.monotonic()
    run = engine.run(tasks, "count")
    made = [next(run)]
    os.kill(stopped, signal.SIGSTOP)
    threading.Timer(8.0, lambda: os.kill(stopped, signal.SIGCONT)).start()
    made += run
    assert made == [one.output for one in tasks]
    assert time.monotonic() - started < 7.0  # its shard was done by another
    assert results(folder) == whole
    time.sleep(max(0.0, started + 10.0 - time.monotonic()))  # it writes now, late
    assert results(folder) == whole


def test_a_worker_without_a_disk(three: tuple[DaskEngine, Path], whole: dict[str, bytes]) -> None:
    engine, folder = three
    Path(f"{folder.parent}/full.{processes(engine)[0]}").touch()
    tasks = numbers(folder, 20, function="careful")
    expected = numbers(folder, 20)
    assert len(list(engine.run(tasks, "count"))) == 20
    for one, other in zip(tasks, expected, strict=True):
        assert Path(one.output).read_bytes() == whole[other.name]
    assert not list(folder.glob("*.tmp"))


def test_the_users_data_end_the_run_with_their_line(three: tuple[DaskEngine, Path]) -> None:
    engine, folder = three
    tasks = numbers(folder, 9)
    for place in (3, 4):
        arguments = {"path": f"dev.{place}"}
        tasks[place] = Task(f"{FUNCTIONS}:refusing", arguments, os.fspath(folder / f"b-{place}"))
    with pytest.raises(DataError, match=r"^dev.3: sentence 7: expected a word, found none$"):
        list(engine.run(tasks, "count"))
    # names alone: other workers may still write and rename their results
    assert not list(folder.glob("b-*"))

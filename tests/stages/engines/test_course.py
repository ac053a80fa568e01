"""Whatever happens to workers, every task ends once, in order, with its bytes."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.engines.course import MOST_FAULTS, MOST_LOSSES, Course, Pace
from campanula.stages.engines.crew import Ending, Worker
from campanula.stages.engines.task import Task, task
from tests.stages.engines.fake_crew import FakeCrew

FUNCTIONS = "tests.stages.engines.functions"
AT_ONCE = Pace(silent=10.0, slow=0.0, least=0.0, visible=0.0, alone=0.0)
NEVER = Pace(silent=10.0, slow=1e9, least=1e9, visible=0.0, alone=0.0)


def tasks_in(folder: Path, n: int) -> list[Task]:
    return [
        task(
            os.fspath(folder), "count", f"{FUNCTIONS}:numbers", {"seed": i}, i, ".txt", f"shard {i}"
        )
        for i in range(n)
    ]


def results(crew: FakeCrew, tasks: list[Task], pace: Pace = NEVER) -> list[str]:
    """The first numbers of the results, which are the tasks' places."""
    paths = list(Course(crew, tasks, pace=pace).results())
    assert paths == [one.output for one in tasks]
    return [Path(path).read_text().split()[0] for path in paths]


def names(n: int) -> list[str]:
    return [str(i) for i in range(n)]


@pytest.mark.parametrize("n_workers", [1, 2, 7])
def test_all_goes_well(tmp_path: Path, n_workers: int) -> None:
    crew = FakeCrew(n_workers)
    tasks = tasks_in(tmp_path, 9)
    assert results(crew, tasks) == names(9)
    assert [name for _, name in crew.started] == [one.name for one in tasks]


def test_workers_that_die_and_come(tmp_path: Path) -> None:
    rng = random.Random(1)

    def script(crew: FakeCrew) -> None:
        if rng.random() < 0.3:
            crew.there.pop(rng.choice(sorted(crew.there)))
        if len(crew.there) < 3:
            crew.there[f"w{crew.looks + 10}"] = Worker(f"w{crew.looks + 10}", "h")

    crew = FakeCrew(3, script)
    assert results(crew, tasks_in(tmp_path, 50)) == names(50)
    assert len(crew.started) > 50


def test_a_stopped_worker_costs_its_shard(tmp_path: Path) -> None:
    def script(crew: FakeCrew) -> None:
        if crew.looks == 2:
            crew.stopped.add("w1")

    crew = FakeCrew(3, script)
    assert results(crew, tasks_in(tmp_path, 12)) == names(12)
    assert len(crew.started) == 13
    twice = Counter(name for _, name in crew.started)
    lost = next(name for name, count in twice.items() if count == 2)
    places = [place for place, (_, name) in enumerate(crew.started) if name == lost]
    assert places[1] < 8  # at once, not after all others


def test_a_worker_that_goes_on_later_is_given_work_again(tmp_path: Path) -> None:
    def script(crew: FakeCrew) -> None:
        crew.stopped = {"w1"} if 3 <= crew.looks < 6 else set()

    crew = FakeCrew(2, script)
    assert results(crew, tasks_in(tmp_path, 12)) == names(12)
    assert len([worker for worker, _ in crew.started if worker == "w1"]) > 2


def test_stopped_workers_alone_are_waited_for(tmp_path: Path) -> None:
    def script(crew: FakeCrew) -> None:
        crew.stopped = set(crew.there) if crew.looks < 50 else set()

    assert results(FakeCrew(2, script), tasks_in(tmp_path, 3)) == names(3)


def test_the_last_tasks_are_begun_again_where_a_worker_is_free(tmp_path: Path) -> None:
    slow: set[str] = set()

    def script(crew: FakeCrew) -> None:
        if crew.looks == 2:
            slow.update(worker for worker, _ in crew.started[:1])

    class Slow(FakeCrew):
        """Its first worker is heard and does not end."""

        def endings(self, seconds: float) -> Iterator[Ending]:
            self.stopped = set(slow)
            yield from super().endings(seconds)
            self.stopped = set()

    crew = Slow(2, script)
    assert results(crew, tasks_in(tmp_path, 4), AT_ONCE) == names(4)
    assert len(crew.started) == 5


def test_a_worker_without_a_disk_is_left_alone(tmp_path: Path) -> None:
    crew = FakeCrew(3)
    crew.full.add("w0")
    assert results(crew, tasks_in(tmp_path, 20)) == names(20)
    assert [worker for worker, _ in crew.started].count("w0") == 1
    assert len(crew.started) == 21


def test_disks_that_are_all_full_end_it(tmp_path: Path) -> None:
    crew = FakeCrew(4)
    crew.full |= crew.there.keys()
    with pytest.raises(DataError, match="no space left"):
        results(crew, tasks_in(tmp_path, 20), replace(NEVER, rest=0.0))
    assert len(crew.started) < 2 * 4 * MOST_FAULTS
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("n_workers", [1, 2])
def test_few_disks_that_are_full_end_it_when_no_other_worker_comes(
    tmp_path: Path, n_workers: int
) -> None:
    crew = FakeCrew(n_workers)
    crew.full |= crew.there.keys()
    with pytest.raises(DataError, match="no space left"):
        results(crew, tasks_in(tmp_path, 1))
    assert len(crew.started) == n_workers


def test_a_worker_that_comes_does_what_the_only_other_cannot(tmp_path: Path) -> None:
    def script(crew: FakeCrew) -> None:
        if len(crew.started) == 1:
            crew.there["w9"] = Worker("w9", "h9")

    crew = FakeCrew(1, script)
    crew.full.add("w0")
    assert results(crew, tasks_in(tmp_path, 3)) == names(3)
    assert [worker for worker, _ in crew.started] == ["w0", "w9", "w9", "w9"]


def test_a_task_that_no_worker_outlives_ends_it(tmp_path: Path) -> None:
    tasks = tasks_in(tmp_path, 3)
    crew = FakeCrew(1)
    crew.deadly = tasks[1].name
    with pytest.raises(DataError, match=f"shard 1: .*{MOST_LOSSES} lost"):
        results(crew, tasks)


@pytest.mark.parametrize("n_workers", [1, 3])
def test_the_first_shard_at_fault_is_named(tmp_path: Path, n_workers: int) -> None:
    tasks = tasks_in(tmp_path, 40)
    for place in (4, 5, 6):
        output = os.fspath(tmp_path / f"refused-{place}")
        arguments = {"path": f"dev.{place}"}
        tasks[place] = Task(f"{FUNCTIONS}:refusing", arguments, output)

    class Backwards(FakeCrew):
        """What was started last ends first."""

        def endings(self, seconds: float) -> Iterator[Ending]:
            self._running = dict(reversed(self._running.items()))
            yield from super().endings(seconds)

    crew = Backwards(n_workers)
    with pytest.raises(DataError, match=r"dev.4: sentence 7"):
        results(crew, tasks)
    assert len(crew.started) < 12


def test_a_bug_ends_it_with_its_traceback(tmp_path: Path) -> None:
    bug = Task(f"{FUNCTIONS}:broken", {"seed": 3}, os.fspath(tmp_path / "a-1"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError: of 3"):
        results(FakeCrew(2), [bug])


def test_a_result_that_is_not_seen_here_is_no_result(tmp_path: Path) -> None:
    class Elsewhere(FakeCrew):
        """It says that it has written what is not there."""

        def _do(self, task: Task, worker: str) -> None:
            return None

    with pytest.raises(DataError, match="is missing"):
        results(Elsewhere(2), tasks_in(tmp_path, 3), replace(NEVER, rest=0.0))


def test_work_goes_where_its_data_was(tmp_path: Path) -> None:
    hosts: dict[str, str] = {}
    tasks = tasks_in(tmp_path, 6)
    crew = FakeCrew(2)
    list(Course(crew, tasks, hosts, NEVER).results())
    first = {name: worker for worker, name in crew.started}
    crew = FakeCrew(2)
    list(Course(crew, list(reversed(tasks)), hosts, NEVER).results())
    again = {name: worker for worker, name in crew.started}
    assert sum(first[name] == again[name] for name in first) >= 5
    crew = FakeCrew(1)  # a hint only: the other has gone
    assert len(list(Course(crew, tasks, hosts, NEVER).results())) == 6


def test_every_end_is_counted(tmp_path: Path) -> None:
    counts: list[int] = []
    list(Course(FakeCrew(3), tasks_in(tmp_path, 5)).results(lambda: counts.append(1)))
    assert len(counts) == 5

"""What a loop runs in one iteration, without running it."""

from __future__ import annotations

import os
from pathlib import Path

from campanula.pipelines import from_flags, tune
from campanula.pipelines.loop import Tuner
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, StageTask
from tests.pipelines.arguments import argv_of


def settings(folder: Path, loop: str, *more: str) -> list[str]:
    """The flags of `optimize` between lists, weights, and output."""
    ref = folder / "ref"
    ref.write_text("a\n")
    needed = ["--source", "s", "--ref", os.fspath(ref), "--weights", "w", "--work-dir", "d"]
    args = tune.parser().parse_args([loop, *needed, *more])
    tuner = from_flags.parts_of(args, tune.LOOPS[loop].RECIPE).tuner
    lists, weights, origin = (Leaf(name, name) for name in ("lists", "weights", "theta0"))
    task = tuner.task(Cache(os.fspath(folder)), lists, weights, origin, seed=1)
    argv = argv_of(task)
    assert argv[:3] == ["lists", "--weights", "weights"]
    assert argv[-5:] == ["-o", task.path, "--jobs", "1", "-q"]
    return argv[3:-5]


def chain(folder: Path, tuner: Tuner) -> list[StageTask]:
    """The tasks that new weights take, the first one first."""
    path = {name: os.fspath(folder / name) for name in ("lists", "weights", "theta0")}
    lists, weights, origin = (Leaf(path[name], name) for name in path)
    tasks = [tuner.task(Cache(os.fspath(folder)), lists, weights, origin, seed=1)]
    while before := [task for task in tasks[0].requires() if isinstance(task, StageTask)]:
        tasks = [*before, *tasks]
    return tasks

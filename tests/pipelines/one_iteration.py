"""What a loop runs in one iteration, without running it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines import runs, tune
from campanula.pipelines.cache import Cache
from campanula.pipelines.stage_task import Leaf


def settings(folder: Path, loop: str, *more: str) -> list[str]:
    """The flags of `optimize` between lists, weights, and output."""
    ref = folder / "ref"
    ref.write_text("a\n")
    needed = ["--source", "s", "--ref", os.fspath(ref), "--weights", "w", "--work-dir", "d"]
    args = tune.parser().parse_args([loop, *needed, *more])
    found: list[runs.Tuner] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "tune", lambda args, tuner, fit: found.append(tuner))
        tune.LOOPS[loop].run(args)
    leaves = (Leaf(name, name) for name in ("lists", "weights", "theta0"))
    task = found[0](Cache(os.fspath(folder)), args, *leaves)
    argv = task.call.argv()
    assert argv[:3] == ["lists", "--weights", "weights"]
    assert argv[-5:] == ["-o", task.path, "--jobs", "1", "-q"]
    return argv[3:-5]

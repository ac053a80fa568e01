"""Flags that go through to `optimize`, and the tuner that they make."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from campanula.pipelines.cache import Cache
from campanula.pipelines.loops import optimizing
from campanula.pipelines.stage_task import Leaf, StageTask
from campanula.stages.tuning import flags
from campanula.stages.tuning.losses import LOSSES

ITS_OWN = {"--ref", "--seed", "--jobs", "--iterations"}  # of optimize, which a loop has, too


def parse(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser(allow_abbrev=False)
    optimizing.add_flags(p, "loss", tuple(optimizing.FLAGS))
    p.set_defaults(seed=1, jobs=2, allow_missing=False, ref=["r1", "r2"])
    return p.parse_args(argv)


def test_every_flag_of_optimize_goes_through() -> None:
    p = argparse.ArgumentParser()
    flags.add(p)
    there = {action.option_strings[0]: action for action in p._actions[1:]}
    here = {optimizing.RENAMED.get(name, name): what for name, what in optimizing.FLAGS.items()}
    assert set(here) == set(there) - ITS_OWN | {"--iterations"}
    for name, what in here.items():
        nargs = there[name].nargs
        assert len(what) == (1 if nargs is None else nargs), name


def test_losses_that_need_references() -> None:
    assert set(optimizing.NEED_REFERENCES) == {n for n, x in LOSSES.items() if x.needs_references}


def test_flags_keep_their_order() -> None:
    given = ["--freeze", "A", "--bounds", "B", "0", "1", "--shuffle", "--freeze", "C"]
    assert parse(*given).optimize_flags == given
    assert parse("--solver-iterations", "9").optimize_flags == ["--iterations", "9"]
    assert parse().optimize_flags == []


def made(tmp_path: Path, center: str | None, *argv: str) -> StageTask:
    cache = Cache(os.fspath(tmp_path))
    for name in ("r1", "r2", "center"):
        (tmp_path / name).write_text(name)
    args = parse(*argv)
    args.ref = [os.fspath(tmp_path / name) for name in args.ref]
    lists, weights, origin = (Leaf(name, name) for name in ("lists", "w", "w0"))
    return optimizing.tuner(["--solver", "x"], center)(cache, args, lists, weights, origin)


def test_the_task(tmp_path: Path) -> None:
    task = made(tmp_path, None, "--C", "2")
    argv = ["lists", "--weights", "w", "--solver", "x", "--seed", "1", "--C", "2"]
    assert task.call.argv() == [*argv, "-o", task.path, "--jobs", "2", "-q"]


@pytest.mark.parametrize(("center", "found"), [("theta0", "w0"), ("0", "0")])
def test_the_centre_is_the_loops_or_the_users(tmp_path: Path, center: str, found: str) -> None:
    argv = made(tmp_path, center).call.argv()
    assert argv[argv.index("--center") + 1] == found
    mine = os.fspath(tmp_path / "center")
    argv = made(tmp_path, center, "--center", mine).call.argv()
    assert argv.count("--center") == 1
    assert argv[argv.index("--center") + 1] == mine


def test_references_go_to_a_loss_that_needs_them(tmp_path: Path) -> None:
    assert "--ref" not in made(tmp_path, None, "--loss", "ramp3").call.argv()
    argv = made(tmp_path, None, "--loss", "hinge").call.argv()
    assert argv.count("--ref") == 2

"""RAMPION as tasks: each CCCP step on its own ends in the bytes of Algorithm 1 in one run."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from campanula.pipelines.cache import Cache
from campanula.pipelines.loops import rampion
from campanula.pipelines.stage_task import Leaf
from campanula.stages import optimize
from tests.examples import random_lists, write_kbest

WEIGHTS = "LM0 0.5\nWordPenalty0 -0.2\n"


def settings(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    rampion.add_flags(p)
    return argparse.Namespace(**vars(p.parse_args(argv)), allow_missing=False, ref=[])


def test_the_papers_settings_are_the_defaults() -> None:
    args = settings()
    assert (args.cccp_iterations, args.epochs) == (10, 5)
    assert (args.eta, args.C, args.alpha, args.loss) == (1e-4, 1.0, 10.0, "ramp3")


def test_the_centre_is_where_the_run_started(tmp_path: Path) -> None:
    lists, weights, center = (Leaf(name, name) for name in ("lists", "weights", "center"))
    args = settings("--cccp-iterations", "2")
    last = rampion.cccp(Cache(os.fspath(tmp_path)), args, lists, weights, center)
    hope, first = last.requires()
    assert [task.call.command for task in (last, hope, first)] == [
        "optimize",
        "impute-hope",
        "optimize",
    ]
    for task, start in ((last, first.path), (first, "weights")):
        argv = task.call.argv()
        assert argv[argv.index("--weights") + 1] == start
        assert argv[argv.index("--center") + 1] == "center"
    assert hope.call.argv()[:3] == ["lists", "--weights", first.path]


def test_in_steps_as_in_one_run(tmp_path: Path) -> None:
    records, _ = random_lists(3, n_lists=6, sparse=False)
    lists = write_kbest(tmp_path / "dev.kbest", records)
    (tmp_path / "w0").write_text(WEIGHTS)
    flags = ["--cccp-iterations", "4", "--epochs", "3", "--eta", "0.01", "--alpha", "5"]
    with Cache(os.fspath(tmp_path / "cache")) as cache:
        initial = Leaf.of(cache, os.fspath(tmp_path / "w0"))
        task = rampion.cccp(cache, settings(*flags), Leaf.of(cache, lists), initial, initial)
        cache.build([task])
        assert cache.runs == {"impute-hope": 4, "optimize": 4}
    one = os.fspath(tmp_path / "w1")
    assert optimize.main([lists, "--weights", initial.path, *flags, "-q", "-o", one]) == 0
    assert Path(task.path).read_bytes() == Path(one).read_bytes()


def test_references_go_to_the_losses_that_ask_for_them(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a\n")
    args = settings("--loss", "hinge", "--cccp-iterations", "1")
    args.ref = [os.fspath(tmp_path / "ref")]
    leaf = Leaf("x", "1")
    last = rampion.cccp(Cache(os.fspath(tmp_path / "cache")), args, leaf, leaf, leaf)
    for task in (last, *last.requires()):
        argv = task.call.argv()
        assert argv[argv.index("--ref") + 1] == args.ref[0]

"""Flags that go through to `optimize`, and the tuner that they make."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula import cli
from campanula.pipelines.loops import optimizing
from campanula.pipelines.loops.optimizing import OptimizeFlags, Recipe
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf
from campanula.stages.command import UsageError
from campanula.stages.tuning.solvers.table import SOLVERS
from tests.pipelines import arguments


def parse(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser(allow_abbrev=False)
    Recipe().add_flags(p, "loss")
    return p.parse_args(argv)


def test_every_flag_of_optimize_goes_through_or_is_the_loops() -> None:
    theirs = {flag for flag in cli.parser_of("optimize").flags() if flag.startswith("--")}
    here = {optimizing.RENAMED.get(flag, flag) for flag in theirs - optimizing.OWN}
    assert theirs >= optimizing.OWN
    assert set(optimizing.flags_of_optimize()) == here
    assert {"--loss", "--solver-iterations", "--bounds"} <= here


def test_flags_keep_their_order_and_their_text() -> None:
    given = ["--freeze", "A", "--bounds", "B", "0", "1", "--shuffle", "--freeze", "C"]
    assert parse(*given).optimize_flags == given
    assert parse("--no-shuffle").optimize_flags == ["--no-shuffle"]
    assert parse("--solver-iterations", "9").optimize_flags == ["--iterations", "9"]
    assert parse("--eta", "1e-4").optimize_flags == ["--eta", "1e-4"]
    assert parse().optimize_flags == []


def test_help_of_a_switch_and_of_its_opposite_differ() -> None:
    p = argparse.ArgumentParser()
    Recipe(texts={"--eta": "mine"}).add_flags(p, "some")
    help_of = {action.option_strings[0]: action.help for action in p._actions}
    assert str(help_of["--shuffle"]).endswith("online does unless told")
    assert help_of["--no-shuffle"] == "not --shuffle"
    assert help_of["--eta"] == "mine"


@pytest.mark.parametrize(
    "argv", [["--eta", "x"], ["--epochs", "0"], ["--loss", "none"], ["--bounds", "A", "1"]]
)
def test_a_flag_is_checked_as_optimize_does(argv: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(*argv)


def test_a_recipe_passes_what_it_names() -> None:
    p = argparse.ArgumentParser()
    Recipe(passed=("--C",), defaults={"k": 9}).add_flags(p, "some")
    assert p.parse_args(["--C", "2"]).optimize_flags == ["--C", "2"]
    assert p.parse_args([]).k == 9
    with pytest.raises(SystemExit, match="2"):
        p.parse_args(["--eta", "1"])


def test_help_says_what_is_fixed() -> None:
    p = argparse.ArgumentParser()
    Recipe(("--solver", "lbfgs"), ("--center",), center="0").add_flags(p, "pro")
    assert "  fixed: --solver lbfgs; --center 0 if not given\n" in p.format_help()
    p = argparse.ArgumentParser()
    Recipe(center="theta0").add_flags(p, "loss")
    assert "  theta0 is where the run started\n" in p.format_help()


def test_help_says_the_loops_own_default_of_a_flag_that_goes_through() -> None:
    p = argparse.ArgumentParser()
    Recipe(("--loss", "cost"), ("--trust",), usual={"--trust": "0.005"}).add_flags(p, "mert")
    text = " ".join(p.format_help().split())
    assert "fixed: --loss cost --trust TRUST" in text
    assert text.endswith("as far as it likes (default: 0.005)")


def argv_of(tmp_path: Path, recipe: Recipe, *given: str) -> list[str]:
    """What `optimize` is given, from its settings on."""
    cache = Cache(os.fspath(tmp_path))
    for name in ("r1", "r2", "center"):
        (tmp_path / name).write_text(name)
    refs = tuple(os.fspath(tmp_path / name) for name in ("r1", "r2"))
    tuner = recipe.tuner(OptimizeFlags(given, refs, jobs=2))
    lists, weights, origin = (Leaf(name, name) for name in ("lists", "w", "w0"))
    task = tuner.task(cache, lists, weights, origin, 7)
    argv = arguments.argv_of(task)
    assert argv[:3] == ["lists", "--weights", "w"]
    assert argv[-5:] == ["-o", task.path, "--jobs", "2", "-q"]
    return argv[3:-5]


def test_the_task(tmp_path: Path) -> None:
    fixed = ("--solver", "x")
    assert argv_of(tmp_path, Recipe(fixed), "--C", "2") == [*fixed, "--seed", "7", "--C", "2"]
    usual = Recipe(fixed, draws=False, usual={"--trust": "1"})
    assert argv_of(tmp_path, usual, "--trust", "0") == [*fixed, "--trust", "1", "--trust", "0"]
    assert argv_of(tmp_path, Recipe(fixed, draws=False), "--C", "2") == [*fixed, "--C", "2"]


@pytest.mark.parametrize(("center", "found"), [("theta0", "w0"), ("0", "0")])
def test_the_centre_is_the_loops_or_the_users(tmp_path: Path, center: str, found: str) -> None:
    argv = argv_of(tmp_path, Recipe(center=center))
    assert argv[argv.index("--center") + 1] == found
    mine = os.fspath(tmp_path / "center")
    argv = argv_of(tmp_path, Recipe(center=center), "--center", mine)
    assert argv.count("--center") == 1
    assert argv[argv.index("--center") + 1] == mine


def test_references_go_to_a_loss_that_needs_them(tmp_path: Path) -> None:
    assert "--ref" not in argv_of(tmp_path, Recipe(), "--loss", "ramp3")
    assert argv_of(tmp_path, Recipe(), "--loss", "hinge").count("--ref") == 2
    assert argv_of(tmp_path, Recipe(("--loss", "hinge"))).count("--ref") == 2
    check = Recipe().tuner(OptimizeFlags(("--loss", "hinge"), ("r",))).check()
    assert check == ["--loss", "hinge", "--ref", "r"]


def check(metric: str, *given: str) -> list[str]:
    return Recipe().tuner(OptimizeFlags(given, metric=metric)).check()


def test_a_solver_that_goes_by_bleu_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SOLVERS, "_items", dict(SOLVERS._items))
    SOLVERS.add("mine", replace(SOLVERS["batch-mira"]))
    SOLVERS.add("free", replace(SOLVERS["batch-mira"], needs_bleu=False))
    for name in ("batch-mira", "mine"):
        assert check("bleu", "--solver", name) == ["--solver", name]
        with pytest.raises(UsageError, match=f"solver {name} goes by BLEU.* found wer"):
            check("wer", "--solver", name)
    assert check("wer", "--solver", "free") == ["--solver", "free"]


def test_the_solver_is_what_stands_last_after_its_flag() -> None:
    others = ["--freeze", "batch-mira", "--solver", "batch-mira", "--solver", "sgd"]
    assert check("wer", *others) == others
    assert check("wer", "--freeze", "batch-mira") == ["--freeze", "batch-mira"]

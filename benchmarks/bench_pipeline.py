"""What orchestration costs: a task beside the bare call, and its share of a real tuning run."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.timing import seconds
from campanula.pipelines import history, tune
from campanula.pipelines.cache import Cache
from campanula.pipelines.stage_task import Leaf, Product, stage
from tests.examples import MOSES, MULTI30K

N_BUILDS, N_TASKS = 20, 4  # a run of 20 iterations of RAMPION, with a test set or two
SENTENCES = 200
NAMES = ["Distortion0", "LM0", "PhrasePenalty0", "UnknownWordPenalty0"]
NAMES += [f"TranslationModel0_{i}" for i in range(4)]
NAMES += [f"LexicalReordering0_{i}" for i in range(6)]


def main(argv: list[str]) -> int:
    """A stage that only makes its file."""
    with open(argv[argv.index("-o") + 1], "w", encoding="utf-8"):
        return 0


def run_tasks(folder: Path, number: list[int]) -> None:
    """Build chains of tasks as a run does, an iteration at a time, in a new folder."""
    number[0] += 1
    with Cache(os.fspath(folder / str(number[0]))) as cache:
        last: Product = Leaf("w0", "")
        for _ in range(N_BUILDS):
            for _ in range(N_TASKS):
                last = task = stage(cache, "nothing", last, suffix=".x")
            cache.build([task])


def call(folder: Path) -> None:
    for number in range(N_BUILDS * N_TASKS):
        main(["-o", os.fspath(folder / f"{number}.x")])


@pytest.mark.benchmark
def test_a_task(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    benchmark,  # type: ignore[no-untyped-def]
) -> None:
    module = ModuleType("campanula.stages.nothing")
    module.main = main  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "campanula.stages.nothing", module)
    number, n = [0], N_BUILDS * N_TASKS
    tasks, calls = seconds(lambda: run_tasks(tmp_path, number)), seconds(lambda: call(tmp_path))
    with capsys.disabled():
        print(f"\npipeline: {tasks / n * 1e3:.2f} ms a task; the call alone {calls / n * 1e3:.2f}")
    benchmark.pedantic(run_tasks, (tmp_path, number), rounds=1)


def head(path: Path, out: Path) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")[:SENTENCES]
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return os.fspath(out)


@pytest.mark.benchmark
@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark) -> None:  # type: ignore[no-untyped-def]
    """Two iterations with the paper's settings; the second one finds all code compiled."""
    weights = tmp_path / "w0"
    weights.write_text("".join(f"{name} 0.3\n" for name in NAMES) + "WordPenalty0 -1\n")
    data = ["--source", head(MULTI30K / "val.de", tmp_path / "dev.de")]
    data += ["--ref", head(MULTI30K / "val.en", tmp_path / "dev.en"), "--weights", str(weights)]
    flags = ["rampion", *data, "--model", os.fspath(MOSES), "--work-dir", str(tmp_path / "run")]
    assert tune.main([*flags, "--iterations", "2", "-q"]) == 0
    taken = history.read(os.fspath(tmp_path / "run" / "history.jsonl"))[1].seconds
    share = taken["orchestration"] / sum(taken.values())
    phases = ", ".join(f"{phase} {value:.2f} s" for phase, value in taken.items())
    with capsys.disabled():
        print(
            f"\ntune rampion, {SENTENCES} sentences, an iteration: {phases}: {share:.1%} overhead"
        )
    assert tune.main([*flags, "--iterations", "2", "-q"]) == 0
    benchmark.pedantic(tune.main, ([*flags, "--iterations", "2", "-q"],), rounds=1)

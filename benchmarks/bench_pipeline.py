"""What orchestration costs: a task beside the bare call, and its share of a real tuning run."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.captions import lines_of
from benchmarks.timing import seconds
from campanula.pipelines import history, tune
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, Product, stage
from tests.examples import MOSES

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
    # a folder of its own each time, or the tasks would be done already
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
    benchmark: BenchmarkFixture,
) -> None:
    # a task imports its stage by name: this one exists for the time of the test
    module = ModuleType("campanula.stages.nothing")
    module.main = main  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "campanula.stages.nothing", module)
    number, n = [0], N_BUILDS * N_TASKS
    tasks, calls = seconds(lambda: run_tasks(tmp_path, number)), seconds(lambda: call(tmp_path))
    with capsys.disabled():
        print(f"\npipeline: {tasks / n * 1e3:.2f} ms a task; the call alone {calls / n * 1e3:.2f}")
    benchmark.pedantic(run_tasks, (tmp_path, number), rounds=1)


def run_flags(folder: Path) -> list[str]:
    """Flags of a short run of RAMPION on some captions, whose files are written to a folder."""
    weights = folder / "w0"
    weights.write_text("".join(f"{name} 0.3\n" for name in NAMES) + "WordPenalty0 -1\n")
    for name in ("de", "en"):
        text = "".join(f"{line}\n" for line in lines_of(f"val.{name}", SENTENCES))
        (folder / f"dev.{name}").write_text(text, encoding="utf-8")
    data = ["--source", str(folder / "dev.de"), "--ref", str(folder / "dev.en")]
    model = ["--weights", str(weights), "--model", os.fspath(MOSES)]
    return ["rampion", *data, *model, "--iterations", "2", "-q"]


@pytest.mark.benchmark
@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: BenchmarkFixture
) -> None:
    """Two iterations with the paper's settings; the second one finds all code compiled."""
    flags = [*run_flags(tmp_path), "--work-dir", str(tmp_path / "run")]
    assert tune.main(flags) == 0
    taken = history.read(os.fspath(tmp_path / "run" / "history.jsonl"))[1].seconds
    share = taken["orchestration"] / sum(taken.values())
    phases = ", ".join(f"{phase} {value:.2f} s" for phase, value in taken.items())
    with capsys.disabled():
        print(
            f"\ntune rampion, {SENTENCES} sentences, an iteration: {phases}: {share:.1%} overhead"
        )
    # in the same folder: what it takes to see that a finished run is finished
    benchmark.pedantic(tune.main, (flags,), rounds=1)

"""Costs of safety: flushing to disk in a tuning run, seals, and the check of a compiled model."""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median

import pytest

from benchmarks.bench_pipeline import run_flags
from benchmarks.timing import seconds
from campanula.formats import seal
from campanula.formats.model import model as models
from campanula.formats.model.folder import read_model_folder
from campanula.pipelines import tune
from tests.examples import MOSES

PAIRS = 3
SIZE = 1 << 29  # bytes


@pytest.mark.benchmark
@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_flushing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs with and without fsync in turn, and the time within its calls, which has less noise."""
    flags = run_flags(tmp_path)
    fsync, within = os.fsync, [0.0, 0]

    def timed(descriptor: int) -> None:
        start = time.perf_counter()
        fsync(descriptor)
        within[0] += time.perf_counter() - start
        within[1] += 1

    def run(name: str, flush: object) -> float:
        monkeypatch.setattr(os, "fsync", flush)
        start = time.perf_counter()
        assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / name)]) == 0
        return time.perf_counter() - start

    run("first", fsync)  # which compiles
    pairs = [(run(f"with{n}", timed), run(f"without{n}", lambda fd: None)) for n in range(PAIRS)]
    with_it, without = (median(times) for times in zip(*pairs, strict=True))
    share = within[0] / sum(pair[0] for pair in pairs)
    with capsys.disabled():
        print(
            f"\ntune rampion: {with_it:.2f} s with fsync, {without:.2f} s without (medians of "
            f"{PAIRS}); {within[1] / PAIRS:.0f} calls a run, {share:.2%} of its time"
        )


@pytest.mark.benchmark
@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_seals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large"
    # one MiB again and again: the checksum takes as long over any bytes
    path.write_bytes(os.urandom(1 << 20) * (SIZE >> 20))
    speed = SIZE / seconds(lambda: seal.checksum_of(os.fspath(path)))
    files, cache = read_model_folder(os.fspath(MOSES)), tmp_path / "models"

    def loaded() -> None:
        # else the model would come from the memory of this process, unchecked
        models._loaded.clear()
        models.load_model(files, os.fspath(cache))

    # which compiles the model into the cache
    loaded()
    n_bytes = sum(file.stat().st_size for file in cache.rglob("*.npy"))
    checked = seconds(loaded)
    monkeypatch.setattr(seal, "fault", lambda *arguments: None)
    unchecked = seconds(loaded)
    with capsys.disabled():
        print(f"\nseals: {speed / 1e9:.1f} GB/s of what is in memory; a compiled model of ", end="")
        print(
            f"{n_bytes / 1e6:.0f} MB loads in {checked * 1e3:.0f} ms, {unchecked * 1e3:.0f} without"
        )

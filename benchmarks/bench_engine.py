"""Overhead of passes over shards by workers of dask, beside the time of the passes themselves.

A pass here is a wait of CAMPANULA_SECONDS (default: 1; 10 as in docs/clusters.md) and a partial
result of 5 million features, 12 bytes each, that is written, flushed and sealed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from campanula.stages.engines.local_engine import LocalEngine
from campanula.stages.engines.shards import Engine
from campanula.stages.engines.task import task

SECONDS = float(os.environ.get("CAMPANULA_SECONDS", "1"))
WORKERS, EACH = 2, 3  # passes of each worker
PARTIAL = 60_000_000  # bytes


def wait(arguments: Mapping[str, Any], output: str) -> None:
    """Sleep for arguments["seconds"], then write arguments["bytes"] bytes."""
    # asleep, so that workers need no core each, and what is over is the engine's own time
    time.sleep(arguments["seconds"])
    Path(output).write_bytes(bytes(arguments["bytes"]))


def overhead(engine: Engine, folder: Path, n_bytes: int) -> float:
    """Seconds of overhead for each pass."""
    arguments = {"seconds": SECONDS, "bytes": n_bytes}
    tasks = [
        # n_bytes determines the task too: else the second size would find the first one's files
        task(os.fspath(folder), "pass", "benchmarks.bench_engine:wait", arguments, [n, n_bytes])
        for n in range(WORKERS * EACH)
    ]
    start = time.perf_counter()
    assert len(list(engine.run(tasks, "pass"))) == len(tasks)
    # workers sleep side by side: without overhead all would take EACH waits
    return (time.perf_counter() - start) / EACH - SECONDS


@pytest.mark.benchmark
def test_overhead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    from campanula.stages.engines.dask_engine import open_dask
    from campanula.stages.engines.engine_settings import DaskSettings

    lines = []
    start = time.perf_counter()
    with open_dask(DaskSettings(workers=WORKERS), os.fspath(tmp_path / "dask")) as engine:
        lines.append(f"a cluster of {WORKERS} starts in {time.perf_counter() - start:.1f} s")
        # 1 byte for a task by itself; PARTIAL for flushing and sealing what a pass leaves, too
        for n_bytes in (1, PARTIAL):
            (folder := tmp_path / f"local-{n_bytes}").mkdir()
            local = overhead(LocalEngine(WORKERS), folder, n_bytes)
            dask = overhead(engine, tmp_path / "dask", n_bytes)
            shares = [f"{1000 * extra:.0f} ms, {extra / SECONDS:.1%}" for extra in (local, dask)]
            lines.append(
                f"a pass of {SECONDS:g} s that writes {n_bytes / 1e6:.0f} MB takes longer by "
                f"{shares[0]} (threads) and {shares[1]} (dask)"
            )
        start = time.perf_counter()
    lines.append(f"and ends in {time.perf_counter() - start:.1f} s")
    with capsys.disabled():
        print("\n" + "\n".join(lines))

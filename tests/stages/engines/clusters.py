"""Clusters of dask for tests, in a process of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPT = """
import sys
from campanula.stages.engines.dask_cluster import local_cluster
if __name__ == "__main__":
    with local_cluster(int(sys.argv[1])) as client:
        print(client.scheduler.address, flush=True)
        sys.stdin.read()
"""


@contextmanager
def scheduler(folder: Path, n_workers: int) -> Iterator[str]:
    """The address of a scheduler with some workers, which end with the block."""
    script = folder / "cluster.py"
    script.write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, script, str(n_workers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd="/",  # not where the tests are: paths that travel are whole
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
        process.communicate(timeout=20)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

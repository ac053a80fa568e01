"""Clusters of local processes: on 127.0.0.1 alone, quiet, and gone afterwards."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.engines import dask_cluster
from tests.reliability.workers import children_of

CLUSTER = """
import os, sys, time
from campanula.stages.engines.dask_cluster import local_cluster
if __name__ == "__main__":
    with local_cluster(2) as client:
        for worker in client.scheduler_info(n_workers=-1)["workers"]:
            print(worker, flush=True)
        print("up", flush=True)
        {body}
"""


def listening(processes: list[int]) -> set[str]:
    """Addresses, as /proc/net/tcp writes them, at which processes listen."""
    inodes: set[str] = set()
    for process in processes:
        for link in Path(f"/proc/{process}/fd").iterdir():
            found = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(link))
            inodes.update(found.groups() if found else ())
    tables = [Path("/proc/net", name).read_text() for name in ("tcp", "tcp6")]
    rows = [row.split() for table in tables for row in table.splitlines()[1:]]
    return {row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[9] in inodes}


@pytest.fixture
def cluster(tmp_path: Path):
    """A process with a cluster of two, and the numbers of all its processes."""
    body = "time.sleep(30)"
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER.format(body=body))
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": os.fspath(tmp_path)},
        start_new_session=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(3)]
    assert lines[-1] == "up", process.stderr.read() if process.stderr else ""
    assert all(line.startswith("tcp://127.0.0.1:") for line in lines[:-1])
    children = children_of(process.pid)
    yield process, children
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def gone(processes: list[int], seconds: float = 5.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not any(Path(f"/proc/{number}").exists() for number in processes):
            return True
        time.sleep(0.05)
    return False


def test_it_listens_at_home_alone(cluster) -> None:
    process, children = cluster
    assert listening([process.pid, *children]) == {"0100007F"}


@pytest.mark.parametrize(
    ("number", "everyone"),
    [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGKILL, False)],
)
def test_no_process_is_left(cluster, tmp_path: Path, number: int, everyone: bool) -> None:
    process, children = cluster
    assert len(children) >= 2
    (os.killpg if everyone else os.kill)(process.pid, number)
    _, said = process.communicate(timeout=10)
    assert gone(children), number
    if number == signal.SIGINT:  # a command ends without words; this script has a traceback
        assert said.count("Traceback") == 1
        assert [path.name for path in tmp_path.iterdir()] == ["cluster.py"]
    else:
        assert said == ""


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "CONNECT", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with (
            pytest.raises(DataError, match=f"{address}: expected a scheduler of dask"),
            dask_cluster.client_of(address),
        ):
            pass


def test_a_scheduler_of_tls_needs_certificates() -> None:
    with (
        pytest.raises(DataError, match=r"tls://127\.0\.0\.1:9: expected certificates"),
        dask_cluster.client_of("tls://127.0.0.1:9"),
    ):
        pass


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"campanula\[cluster\]"):
        dask_cluster.imported()


class Unlucky:
    """Stands for distributed: its clusters have a worker that dies, so many times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def LocalCluster(self, **_: object) -> str:
        if self.left:
            self.left -= 1
            raise RuntimeError("Nanny failed to start.")
        return "cluster"


def test_a_cluster_whose_worker_dies_at_the_start_is_begun_anew():
    assert dask_cluster._started(Unlucky(2), 2) == "cluster"
    with pytest.raises(DataError, match=r"expected 2 workers to start, found: Nanny failed to"):
        dask_cluster._started(Unlucky(3), 2)


def test_a_worker_that_dask_gives_up_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "LOST", 200.0)
    # less than any start takes
    monkeypatch.setitem(dask_cluster.SETTINGS, "distributed.deploy.lost-worker-timeout", "10ms")
    with dask_cluster.local_cluster(1) as client:
        [worker] = client.run(os.getpid).values()
        os.kill(worker, signal.SIGKILL)
        assert gone([worker])
        time.sleep(1.0)  # until the cluster has noticed, and given it up
        assert client.submit(int, "7").result(timeout=60.0) == 7

"""A cluster of local processes, and dask's settings: quiet, on 127.0.0.1, nothing left behind.

A worker is a process with one thread, so that Python code runs in parallel.  dask's limits of
memory are off: dask counts mapped files, and would stop or end a worker for reading its input.

dask starts a worker again that has died, but gives it up for good if that takes long or fails.
Without any worker a run would wait for ever, so `_replace_lost` starts others.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from campanula.formats import signals
from campanula.formats.atomic import temporary_folder
from campanula.formats.errors import DataError
from campanula.stages.command import UsageError

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

STARTS = 3  # of a cluster, each with other processes
LOCAL = "127.0.0.1"
CONNECT = 30.0  # seconds to reach a scheduler
LOST = 2000.0  # milliseconds between two looks for workers that dask has given up
SETTINGS: dict[str, Any] = {
    "distributed.scheduler.worker-ttl": "60s",  # a kernel that compiles is not heard for a while
    "distributed.scheduler.work-stealing": False,  # every attempt is bound to its worker
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    # of the start in place of a worker that died; on a busy machine it takes more than dask's 15 s
    "distributed.deploy.lost-worker-timeout": "10 minutes",
    "logging": {"distributed": "critical"},  # deaths of workers are expected here
}


@contextmanager
def client_of(scheduler: str) -> Iterator[Client]:
    """Give the client of the scheduler at an address; raises DataError if it is not reached."""
    distributed = imported()
    with _quiet():
        _refuse_no_certificates(scheduler, distributed.Security())
        try:
            client = distributed.Client(scheduler, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            problem = f"expected a scheduler of dask, found none: {_line(error)}"
            raise DataError(scheduler, None, problem) from None
        with client:
            yield client


@contextmanager
def local_cluster(n_workers: int) -> Iterator[Client]:
    """Give the client of a cluster of `n_workers` local processes, which end with the block."""
    distributed = imported()
    import dask

    with (
        _quiet(),
        temporary_folder() as scratch,
        dask.config.set({**SETTINGS, "temporary-directory": scratch}),
    ):
        with _quiet_children():
            cluster = _started(distributed, n_workers)
        with signals.cleanup(lambda: _kill(cluster)):
            try:
                with (
                    distributed.Client(cluster, set_as_default=False) as client,
                    _replace_lost(cluster, n_workers),
                ):
                    yield client
                cluster.close()
            finally:
                _kill(cluster)  # after a failure workers may still compute, and close() would wait
                cluster.close()


def _started(distributed: Any, n_workers: int) -> LocalCluster:
    """Start a cluster of processes, again if a worker dies during the start.

    Raises DataError after STARTS failures.
    """
    failed: RuntimeError | None = None
    for _ in range(STARTS):
        try:
            return distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                host=LOCAL,
                # 0 takes any free port: two runs on one machine do not meet
                dashboard_address=f"{LOCAL}:0",
                # 0 is no limit
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
        except RuntimeError as error:
            failed = error
    assert failed is not None
    problem = f"expected {n_workers} workers to start, found: {_line(failed)}"
    raise DataError("dask", None, problem) from failed


@contextmanager
def _replace_lost(cluster: LocalCluster, n_workers: int) -> Iterator[None]:
    """Have the cluster start workers in the place of those that it has given up."""
    from distributed.core import Status
    from tornado.ioloop import PeriodicCallback

    def look() -> None:
        for name, nanny in list(cluster.workers.items()):
            if nanny.status in (Status.closed, Status.failed):
                del cluster.workers[name]
        # starts what is missing; nothing, where nothing is
        cluster.scale(n_workers)

    callback = PeriodicCallback(look, LOST)
    cluster.loop.add_callback(callback.start)
    try:
        yield
    finally:
        # the loop takes calls in order: this one before the end of the cluster, which closes all
        # workers, and they are not lost then
        cluster.loop.add_callback(callback.stop)


def _refuse_no_certificates(scheduler: str, security: Any) -> None:
    """Raise DataError for a TLS address if dask's configuration has no certificates."""
    given = security.get_connection_args("client").get("ssl_context")
    if scheduler.startswith("tls:") and given is None:
        problem = "expected certificates in dask's configuration (docs/clusters.md), found none"
        raise DataError(scheduler, None, problem)


def imported() -> Any:
    """Return the package distributed; raises UsageError if it is not installed."""
    try:
        import distributed
    except ImportError:
        problem = "--engine dask needs the package distributed: pip install 'campanula[cluster]'"
        raise UsageError(problem) from None
    return distributed


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the logs and warnings of dask; faults that concern the user are errors of ours."""
    loggers = [logging.getLogger(name) for name in ("distributed", "asyncio", "tornado")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)


@contextmanager
def _quiet_children() -> Iterator[None]:
    """Silence, in child processes, Python's tracker of semaphores, which warns after a signal."""
    option = "ignore:resource_tracker:UserWarning"
    # child processes are started with the options of this list
    sys.warnoptions.append(option)
    try:
        yield
    finally:
        sys.warnoptions.remove(option)


def _kill(cluster: LocalCluster) -> None:
    """End the processes of a cluster, even those that are stopped by a signal."""
    for nanny in list(cluster.workers.values()):
        # a nanny starts its worker again when that dies
        nanny.auto_restart = False
        with suppress(OSError, TypeError, AttributeError):  # it has ended, or has not started yet
            os.kill(nanny.pid, signal.SIGKILL)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())

"""Workers that run cases under limits, and the process that watches them.

A worker takes cases one after the other and reports by a pipe what it has done.  One that is silent
for too long is killed, one that dies is replaced; the case that it was at is a failure.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path

from tests.fuzzing.case import Case
from tests.fuzzing.kinds import case_of
from tests.fuzzing.running import SECONDS, fault_of

MEMORY = 1 << 30  # bytes that a worker may take beyond what its code takes
SILENCE = 120.0  # seconds without a report, after which a worker is killed
WARM = 300  # cases after which all kernels are compiled
BATCH = 50  # cases between two reports of a worker


@dataclass
class Failure:
    """A case that went wrong: its number, what is wrong, the case itself."""

    number: int
    fault: str
    case: Case


@dataclass
class Report:
    """What has been run: cases by kind and end, failures, the slowest case, the memory taken."""

    done: int = 0
    accepted: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, -1)
    memory: int = 0


def place() -> str:
    """Folder for the cases' files: in memory where there is such a place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


def run_case(case: Case, folder: Path, seconds: float = SECONDS) -> str | None:
    """Run a case in an empty folder, which is emptied again; returns what is wrong."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        for name, data in case.files.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(data)
        return fault_of(case, seconds)
    finally:
        os.chdir(before)
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def limited_memory(size: int) -> Iterator[None]:
    """Within the block the process may take no more than so many bytes beyond what it has."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def work(pipe: Connection, seed: int, numbers: range) -> None:
    """Run the cases of some numbers; sends (next number, kinds, failures, slowest, memory)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that watches
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=place()) as folder:
        for start in range(0, len(numbers), BATCH):
            part = numbers[start : start + BATCH]
            kinds: Counter[str] = Counter()
            failures, slowest, accepted = [], (0.0, -1), 0
            for number in part:
                pipe.send(("at", number))
                case = case_of(seed, number)
                began = time.perf_counter()
                with limited_memory(MEMORY):
                    fault = run_case(case, Path(folder))
                slowest = max(slowest, (time.perf_counter() - began, number))
                kinds[case.kind] += 1
                accepted += case.accepted
                if fault is not None:
                    failures.append((number, fault))
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            pipe.send(("did", (len(part), accepted, kinds, failures, slowest, memory)))


class Worker:
    """A process that runs the cases of some numbers, started anew behind each that ends it."""

    def __init__(self, seed: int, numbers: range) -> None:
        self.seed, self.numbers = seed, numbers
        self.at = numbers.start
        self.heard = time.monotonic()
        self._start(numbers)

    def _start(self, numbers: range) -> None:
        self.pipe, theirs = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(
            target=work, args=(theirs, self.seed, numbers), daemon=True
        )
        self.process.start()
        theirs.close()
        self.heard = time.monotonic()

    def rest(self) -> range:
        """The numbers behind the one that the worker was at."""
        return self.numbers[self.numbers.index(self.at) + 1 :]

    def replace(self) -> bool:
        """Go on behind the case that ended, or held up, the process; False when none is left."""
        self.stop()
        if not self.rest():
            return False
        self._start(self.rest())
        return True

    def stop(self) -> None:
        """End the process."""
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.join()
        self.pipe.close()


def warm_up() -> None:
    """Load the kernels that the cases need, and compile new ones; workers inherit them."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=place()) as folder:
        for number in range(WARM):
            run_case(case_of(0, number), Path(folder), 600.0)


def run(
    seed: int,
    numbers: range,
    jobs: int,
    tell: Callable[[Report], None] = lambda report: None,
    report: Report | None = None,
) -> Report:
    """Run the cases of some numbers on several workers; `tell` hears of it as it goes on.

    What is found is added to `report`, or to a new one.
    """
    report = report or Report()
    warm_up()
    workers = [Worker(seed, numbers[k::jobs]) for k in range(jobs) if numbers[k::jobs]]
    try:
        while workers:
            ready = wait([worker.pipe for worker in workers], timeout=1.0)
            for worker in list(workers):
                if worker.pipe in ready:
                    _receive(worker, workers, report)
                elif time.monotonic() - worker.heard > SILENCE:
                    _replace_dead(worker, workers, report, f"hang: no word for {SILENCE:.0f} s")
            tell(report)
    finally:
        for worker in workers:
            worker.stop()
    return report


def _receive(worker: Worker, workers: list[Worker], report: Report) -> None:
    """Add a worker's report, or note that it has ended."""
    worker.heard = time.monotonic()
    try:
        kind, content = worker.pipe.recv()
    except EOFError:
        worker.process.join()
        status = worker.process.exitcode
        if status == 0:
            worker.stop()
            workers.remove(worker)
        else:
            _replace_dead(worker, workers, report, f"crash: the process ended with {status}")
        return
    if kind == "at":
        worker.at = content
        return
    done, accepted, kinds, failures, slowest, memory = content
    report.done += done
    report.accepted += accepted
    report.kinds += kinds
    report.failures += [Failure(n, fault, case_of(worker.seed, n)) for n, fault in failures]
    report.slowest = max(report.slowest, slowest)
    report.memory = max(report.memory, memory)


def _replace_dead(worker: Worker, workers: list[Worker], report: Report, fault: str) -> None:
    """Count the case that a worker was at as a failure, and start the worker anew behind it."""
    report.failures.append(Failure(worker.at, fault, case_of(worker.seed, worker.at)))
    report.done += 1
    if not worker.replace():
        workers.remove(worker)

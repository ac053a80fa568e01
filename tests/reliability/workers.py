"""Workers that are killed, stopped and left without a disk while they score shards: same bytes.

    python -m tests.reliability.workers --seconds 300 --seed 1

A run scores a collection on three workers, or makes weights by RPROP, and the shards take half a
second each.  Meanwhile

    kill      a random worker ends by SIGKILL, every few seconds
    stop      one is stopped for 20 s, its shard is taken over, and it writes late
    fill      one cannot write for 20 s: a limit of the size of files (EFBIG) is its disk

What comes out must be the collection, or the weights, that one process makes.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages import score_bleu
from campanula.stages.engines.dask_engine import open_dask
from campanula.stages.engines.engine_flags import flags_to_send
from campanula.stages.engines.engine_settings import DaskSettings
from campanula.stages.engines.shards import Engine
from campanula.stages.engines.task import Task
from campanula.stages.metrics import shard_scoring
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.start import Start
from campanula.stages.tuning.sharded.worker_passes import WorkerPasses
from campanula.stages.tuning.tune import minimise_theta
from campanula.stages.tuning.tune_inputs import TuneInputs
from tests.stages.tuning.sharded import files

WORKERS = 3
SHARD_SECONDS = 0.5
STOPPED = 20.0  # seconds
BETWEEN = (2.0, 4.0)  # seconds from one kill to the next
ROUNDS = 4  # of RPROP
SMALL = 512  # bytes that a worker without a disk may write to a file
KINDS = ("kill", "stop", "fill")


def children_of(process: int) -> list[int]:
    """Numbers of the processes that a process has started, and of theirs."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            stat = Path("/proc", entry, "stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) == process:
                found += [int(entry), *children_of(int(entry))]
    return found


def workers_of(process: int) -> list[int]:
    """Numbers of the processes of its local cluster, but for those that are stopped or ended."""
    found = []
    for child in children_of(process):
        with suppress(OSError):
            line = Path(f"/proc/{child}/cmdline").read_bytes()
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
            if b"spawn_main" in line and state not in "TZ":
                found.append(child)
    return sorted(found)


class Trouble:
    """`with Trouble(seed): ...` gives the workers of this process trouble; `counts` says which."""

    def __init__(self, seed: int, kinds: tuple[str, ...] = KINDS) -> None:
        self.counts: Counter[str] = Counter()
        self._random = random.Random(seed)
        self._over = threading.Event()
        self._process = os.getpid()
        self._threads = [threading.Thread(target=getattr(self, f"_{kind}")) for kind in kinds]

    def __enter__(self) -> Trouble:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _one(self) -> int | None:
        """A worker, unless there is only one."""
        workers = workers_of(self._process)
        return self._random.choice(workers) if len(workers) > 1 else None

    def _kill(self) -> None:
        while not self._over.wait(self._random.uniform(*BETWEEN)):
            if (worker := self._one()) is not None:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                    self.counts["killed"] += 1

    def _stop(self) -> None:
        while not self._over.wait(2.0):
            if (worker := self._one()) is not None:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGSTOP)
                    self.counts["stopped"] += 1
                    self._over.wait(STOPPED)
                    os.kill(worker, signal.SIGCONT)

    def _fill(self) -> None:
        while not self._over.wait(5.0):
            if (worker := self._one()) is not None:
                with suppress(ProcessLookupError, PermissionError):
                    hard = resource.prlimit(worker, resource.RLIMIT_FSIZE)[1]
                    resource.prlimit(worker, resource.RLIMIT_FSIZE, (SMALL, hard))
                    self.counts["without a disk"] += 1
                    self._over.wait(STOPPED)
                    resource.prlimit(worker, resource.RLIMIT_FSIZE, (hard, hard))


def slowly(arguments: Mapping[str, Any], output: str) -> object:
    """Do what a task's function does, which takes a while."""
    time.sleep(SHARD_SECONDS)
    return Task(arguments["function"], {}, output).resolve()(arguments["arguments"], output)


class Slow:
    """An engine whose tasks take a while."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def run(self, tasks: Sequence[Task], title: str) -> Iterator[str]:
        slow = [
            replace(
                each,
                function="tests.reliability.workers:slowly",
                arguments={"function": each.function, "arguments": each.arguments},
            )
            for each in tasks
        ]
        yield from self._engine.run(slow, title)


def content(folder: Path) -> dict[str, bytes]:
    """Files of a folder, but for what is unfinished, such as a late writer's."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith(".")}


class Collections:
    """A collection with references in a folder, and what one process makes of it."""

    def __init__(self, folder: Path, n_shards: int, seed: int) -> None:
        self.folder, rng = folder, random.Random(seed)
        self.refs = [self._text(rng, f"ref{number}", 2 * n_shards) for number in range(2)]
        write_lists(folder / "lists", rng, n_shards)
        self.flags = [os.fspath(folder / "lists"), "--ref", self.refs[0], "--ref", self.refs[1]]
        whole = [*self.flags, "-o", os.fspath(folder / "whole"), "-q"]
        assert score_bleu.main(whole) == 0

    def _text(self, rng: random.Random, name: str, n: int) -> str:
        path = self.folder / name
        path.write_text("".join(f"{sentence(rng)}\n" for _ in range(n)))
        return os.fspath(path)

    def score(self, engine: Engine, work: str, name: str) -> None:
        """Score it on an engine, slowly."""
        args = score_bleu.parser().parse_args(self.flags)
        whole = Collection.open(os.fspath(self.folder / "whole")).manifest
        path = os.fspath(self.folder / name)
        references = References.read(self.refs)
        with (
            open_lists(self.flags[0], KBest) as lists,
            CollectionWriter(path, KBest, whole.signature, whole.metric) as out,
        ):
            assert isinstance(lists, CollectionReader)
            flags = flags_to_send(args, shard_scoring.PATHS)
            given = (Slow(engine), work, flags, lists, references, out)
            for _ in shard_scoring.score_shards(*given):
                pass

    def same(self, name: str) -> bool:
        """Whether a collection has the bytes that one process has made."""
        return content(self.folder / name) == content(self.folder / "whole")


def sentence(rng: random.Random) -> str:
    """Some words."""
    return " ".join(rng.choices(("the", "a", "dog", "man", "sees", "sleeps"), k=rng.randint(2, 9)))


def write_lists(path: Path, rng: random.Random, n_shards: int) -> None:
    """A collection of two lists a shard."""
    with CollectionWriter(os.fspath(path), KBest, "random") as out:
        for number in range(n_shards):
            out.begin()
            names = Names()
            for sid in (2 * number, 2 * number + 1):
                text = Texts.of(sentence(rng) for _ in range(5))
                rows = [{"LM0": rng.random(), f"p{rng.randint(0, 9)}": 1.0} for _ in range(5)]
                out.write(KBest(sid, text, Features.of(rows, names), names))


class Weights:
    """Lists against an inventory, and the weights that one process makes of them."""

    def __init__(self, folder: Path, n_shards: int, seed: int) -> None:
        paths = files.write(folder, seed=seed, n_lists=4 * n_shards, shards=n_shards)
        self.given = TuneInputs(paths["coll"], paths["w0.stream"], cache=paths["cache"])
        self.data = self.given.shards()
        self.start = Start.of(self.given, self.data.names, self.data.path)
        self.plan = TuneSettings(loss="expected-bleu", solver="rprop", iterations=ROUNDS).plan(
            sharded=True
        )
        self.whole = self._made(self.data)

    def _made(self, data: ShardedSet) -> bytes:
        solved = minimise_theta(data, self.start.weights.theta, self.start.origin, self.plan)
        return solved.last.theta.tobytes()

    def same(self, engine: Engine, work: str) -> bool:
        """Whether weights made on an engine have the bytes that one process has made."""
        collection = Collection.open(self.given.lists)
        passes = WorkerPasses(Slow(engine), work, collection, self.given.cache_folder, size=300)
        return self._made(replace(self.data, passes=passes)) == self.whole


def trial_of_weights(folder: Path, seed: int, kinds: tuple[str, ...] = KINDS) -> Counter[str]:
    """Make weights in trouble; what the trouble was.  Raises AssertionError."""
    weights = Weights(folder, 6, seed)
    work = os.fspath(folder / "work")
    with (
        open_dask(DaskSettings(workers=WORKERS), work) as engine,
        Trouble(seed, kinds) as trouble,
    ):
        assert weights.same(engine, work)
    return trouble.counts


def trial(folder: Path, n_shards: int, seed: int, kinds: tuple[str, ...] = KINDS) -> Counter[str]:
    """Score a collection in trouble; what the trouble was.  Raises AssertionError."""
    data = Collections(folder, n_shards, seed)
    work = os.fspath(folder / "work")
    with open_dask(DaskSettings(workers=WORKERS), work) as engine:
        with Trouble(seed, kinds) as trouble:
            data.score(engine, work, "out")
        assert data.same("out")
        results = content(folder / "work")
        time.sleep(3 * SHARD_SECONDS)  # who was stopped writes now
        assert content(folder / "work") == results
        assert data.same("out")
    return trouble.counts


def main() -> int:
    """Make trouble for so long; print the figures."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--seconds", type=float, default=300.0, help="(default: 300)")
    p.add_argument("--seed", type=int, default=1, help="of lists and trouble")
    args = p.parse_args()
    counts: Counter[str] = Counter()
    started = time.monotonic()
    while time.monotonic() - started < args.seconds:
        folder = Path(tempfile.mkdtemp(prefix="campanula-"))
        try:
            seed = args.seed + counts["runs"]
            (folder / "weights").mkdir()
            counts += trial(folder, 200, seed) + trial_of_weights(folder / "weights", seed)
            counts["runs"] += 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    seconds = time.monotonic() - started
    trouble = ", ".join(
        f"{counts[what]} {what}" for what in ("killed", "stopped", "without a disk")
    )
    print(
        f"{counts['runs']} runs in {seconds:.0f} s, seed {args.seed}: workers {trouble}; ", end=""
    )
    print("the bytes are those of one process")
    return 0


if __name__ == "__main__":
    sys.exit(main())

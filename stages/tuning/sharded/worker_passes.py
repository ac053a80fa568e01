"""Passes over shards by workers; the results have the same bytes as those of one process.

    optimize        a task for each shard: a pass over it at theta, whose result is a file of the
                    shard's feature ids, their gradient sums, and its loss
    optimize-sums   a task for each range of features: the files of all shards added in their order

theta, and the hopes that CCCP holds fixed, are files as well.  All files of a pass but that of the
hopes are removed at its end.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_128_hexdigest

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.atomic import atomic_file, remove
from campanula.formats.collections.collection import Collection
from campanula.formats.errors import DataError
from campanula.formats.raw_arrays import write_raw_arrays
from campanula.formats.text.references import References
from campanula.stages.engines import result
from campanula.stages.engines.shards import Engine
from campanula.stages.engines.task import Task, task
from campanula.stages.kernels.lists.formulas import Formula, Term
from campanula.stages.kernels.shards.records import Question, Sums
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.sharded.loading import Loader
from campanula.stages.tuning.sharded.sharded_objective import partial_of
from campanula.stages.tuning.sharded.store import PackedShard

PASS, SUMS, PACK = "optimize", "optimize-sums", "optimize-pack"
RANGE = 1 << 22  # features of a task of sums: 32 MB
MAPPED = 1024  # shards that a worker keeps mapped
SIZES, HEADER = 16, 32  # bytes of a partial sum's file: two sizes, and also the value's two numbers
_packing = threading.Lock()  # threads of a worker must not pack one shard twice


class WrittenHopes(NamedTuple):
    """Hopes and the file that has them, with its digest."""

    hopes: Hopes
    path: str
    digest: str


@dataclass(slots=True)
class WorkerPasses:
    """Passes over a collection on an engine, whose tasks write their results to `folder`.

    cache: folder of packed shards; refs: paths of the references, for losses that need them; size:
    features of a range.
    """

    engine: Engine
    folder: str
    collection: Collection
    cache: str
    refs: tuple[str, ...] = ()
    size: int = RANGE
    _written: WrittenHopes | None = field(default=None, init=False, repr=False)

    def pack(self) -> None:
        """Pack every shard that the cache does not have, a task for each."""
        tasks = [
            self._task(PACK, "pack", self._shard(number), [shard.checksum], shard.path)
            for number, shard in enumerate(self.collection.shards)
        ]
        for path in self.engine.run(tasks, PACK):
            result.remove(path)

    def passed(
        self, formula: Formula, alpha: float, hopes: Hopes | None, theta: Floats, gradient: Floats
    ) -> Floats:
        """Return the value (2,) of a loss at theta, as in Sums; add its gradient to `gradient`.

        An empty `gradient` asks for the value alone.  Raises DataError for scores that overflow.
        """
        digest = xxh3_128_hexdigest(np.ascontiguousarray(theta).data)
        theta_file = os.path.join(self.folder, f"theta-{digest}.f64")
        with atomic_file(theta_file) as unfinished:
            write_raw_arrays(unfinished, np.asarray(theta, np.float64))
        hopes_file, hopes_digest = self._file_of(hopes)
        settings = {
            "formula": [formula.form, list(formula.up), list(formula.down)],
            "alpha": alpha,
            "theta": theta_file,
            "hopes": hopes_file,
            "gradient": len(gradient) > 0,
        }
        # a task is named by contents, not by paths, so that the same pass is the same task
        contents = {**settings, "theta": digest, "hopes": hopes_digest}
        tasks = []
        first = 0
        for number, shard in enumerate(self.collection.shards):
            arguments = {**self._shard(number), **settings, "first": first}
            identity = [shard.checksum, contents]
            tasks.append(self._task(PASS, "pass_over", arguments, identity, shard.path))
            first += shard.records
        partials = list(self.engine.run(tasks, PASS))
        # a file has up to 12 bytes a feature of its shard, and is of no use after the pass
        try:
            return self._sum(partials, gradient)
        finally:
            for path in partials:
                result.remove(path)
            remove(theta_file)

    def _sum(self, partials: list[str], gradient: Floats) -> Floats:
        """Add up the files of all shards: by workers, or here if only values are asked for."""
        if not len(gradient):
            return _added(partials, 0, gradient)
        ranges = [(start, start + self.size) for start in range(0, len(gradient), self.size)]
        tasks = [
            self._task(
                SUMS,
                "sum_range",
                {"partials": partials, "start": start, "end": min(end, len(gradient))},
                [[os.path.basename(path) for path in partials], start, end],
                "",
            )
            for start, end in ranges
        ]
        value = np.zeros(2)
        for (start, end), path in zip(ranges, self.engine.run(tasks, SUMS), strict=True):
            mapped_value, _, sums = read_partial(path)
            gradient[start:end] += sums
            value = np.array(mapped_value)  # every range has the value of all shards
            del mapped_value, sums  # unmap the file before it is removed
            result.remove(path)
        return value

    def _file_of(self, hopes: Hopes | None) -> tuple[str | None, str | None]:
        """Return the file of hopes and its digest, written when new hopes are asked for."""
        if hopes is None:
            return None, None
        written = self._written
        if written is None or written.hopes is not hopes:
            if written is not None:
                remove(written.path)
            self._written = written = self._write(hopes)
        return written.path, written.digest

    def _write(self, hopes: Hopes) -> WrittenHopes:
        sizes = np.array([len(hopes.pointer), len(hopes.place)])
        columns = [np.asarray(ints, np.int64) for ints in (sizes, hopes.pointer, hopes.place)]
        digest = xxh3_128_hexdigest(b"".join(p.tobytes() for p in (*columns, hopes.weight)))
        path = os.path.join(self.folder, f"hopes-{digest}")
        with atomic_file(path) as unfinished:
            write_raw_arrays(unfinished, *columns, hopes.weight)
        return WrittenHopes(hopes, path, digest)

    def _shard(self, number: int) -> dict[str, Any]:
        """Return the arguments by which a task finds a packed shard."""
        shard = self.collection.shards[number]
        stream = {"stream": os.path.abspath(shard.path), "checksum": shard.checksum}
        return {**stream, "cache": self.cache, "refs": list(self.refs)}

    def _task(
        self, title: str, function: str, arguments: Mapping[str, Any], identity: object, near: str
    ) -> Task:
        return task(self.folder, title, f"{__name__}:{function}", arguments, identity, near=near)


def pack(arguments: Mapping[str, Any], output: str) -> None:
    """Pack a shard into the cache: a task; `output` has only the shard's number of lists."""
    shard = _shard_of(arguments)
    with open(output, "w", encoding="ascii") as file:
        file.write(f"{len(shard.sid)}\n")


def pass_over(arguments: Mapping[str, Any], output: str) -> None:
    """Pass over a shard and write its value and gradient to `output`: a task."""
    shard = _shard_of(arguments)
    # copy on write: kernels are compiled for arrays that can be written
    theta = np.asarray(np.memmap(arguments["theta"], np.float64, "c"))
    form, up, down = arguments["formula"]
    formula = Formula(form, Term(*up), Term(*down))
    hopes = _hopes_of(arguments, len(shard.sid))
    question = Question(formula, arguments["alpha"], hopes.pointer, hopes.place, hopes.weight)
    with_gradient = arguments["gradient"]
    value, slopes = partial_of(shard, theta, question, with_gradient).sums
    write_partial(output, value, shard.ids if with_gradient else shard.ids[:0], slopes)


def sum_range(arguments: Mapping[str, Any], output: str) -> None:
    """Add up the files of all shards, in their order, for a range of features: a task."""
    sums = np.zeros(arguments["end"] - arguments["start"])
    value = _added(arguments["partials"], arguments["start"], sums)
    write_partial(output, value, np.zeros(0, np.int32), sums)


def _added(partials: Sequence[str], start: int, gradient: Floats) -> Floats:
    """Add files of shards to the gradient of features from `start` on; return the value (2,)."""
    from campanula.stages.kernels.shards.losses import add_partial

    sums = Sums(np.array([0.0, -np.inf]), gradient)
    for path in partials:
        value, ids, own = read_partial(path)
        begin, end = np.searchsorted(ids, [start, start + len(gradient)])
        partial = Sums(np.array(value), np.array(own[begin:end]))
        add_partial(sums, partial)
        gradient[ids[begin:end] - start] += partial.gradient  # no id twice, so += adds each
    return sums.value


def write_partial(path: str, value: Floats, ids: Ids, sums: Floats) -> None:
    """Write a value (2,), and sums (n,) of the features `ids` (n,), or of a range: ids (0,)."""
    sizes = np.array([len(ids), len(sums)], np.int64)
    write_raw_arrays(path, sizes, value, sums, np.asarray(ids, np.int32))


def read_partial(path: str) -> tuple[Floats, Ids, Floats]:
    """Return value, ids and sums of a file, mapped; raises DataError for one that was cut off."""
    data = np.memmap(path, np.uint8, "r")
    n_ids, n_sums = data[:SIZES].view(np.int64).tolist()
    value = data[SIZES:HEADER].view(np.float64)
    end = HEADER + 8 * n_sums  # of the sums; the ids follow
    if len(data) != end + 4 * n_ids:
        problem = f"expected {end + 4 * n_ids} bytes, found {len(data)}: it was cut off"
        raise DataError(path, None, problem)
    ids: NDArray[np.int32] = data[end : end + 4 * n_ids].view(np.int32)
    return value, np.asarray(ids), np.asarray(data[HEADER:end].view(np.float64))


def _hopes_of(arguments: Mapping[str, Any], n_lists: int) -> Hopes:
    """Return the hopes of a shard's lists, in memory; without hopes, those of no list."""
    if arguments["hopes"] is None:
        return Hopes(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
    data = np.memmap(arguments["hopes"], np.int64, "r")
    n_pointer, n_places = data[:2].tolist()
    pointer = data[2 : 2 + n_pointer]
    place = data[2 + n_pointer : 2 + n_pointer + n_places]
    weight = data[2 + n_pointer + n_places :].view(np.float64)
    first = arguments["first"]
    hopes = Hopes(pointer, place, weight).span(first, first + n_lists)
    return Hopes(np.array(hopes.pointer), np.array(hopes.place), np.array(hopes.weight))


def _shard_of(arguments: Mapping[str, Any]) -> PackedShard:
    """Return the packed shard of a task's arguments, from this worker's memory or the cache."""
    with _packing:
        return _mapped(
            arguments["stream"],
            arguments["checksum"],
            arguments["cache"],
            tuple(arguments["refs"]),
        )


@lru_cache(maxsize=MAPPED)
def _mapped(stream: str, checksum: str, cache: str, refs: tuple[str, ...]) -> PackedShard:
    return Loader(cache, _references(refs)).shard(stream, checksum)


@lru_cache(maxsize=1)
def _references(refs: tuple[str, ...]) -> References | None:
    return References.read(refs) if refs else None

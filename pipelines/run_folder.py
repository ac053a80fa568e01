"""The folder of a run: its run.json, and the results of other runs, which are put aside.

    with RunFolder(...).begun(cache):        before the first result is written
        ...                                  the run

What another run has left (other settings, other data, another program) moves to `earlier-1`,
`earlier-2`, ... within the folder, run.json last: a move that was cut short goes on with the next
run.  The cache stays, and serves both.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count

from campanula.formats import atomic
from campanula.formats.errors import DataError
from campanula.formats.weight_stream import is_weight_stream, read_weight_stream
from campanula.pipelines import digest
from campanula.pipelines.cache import Cache, remove_temporary
from campanula.pipelines.run_record import NAME, CommandLine, RunRecord
from campanula.pipelines.settings import Files
from campanula.stages import command

EARLIER = "earlier"
OUTPUT = ".out"
RECORDED = ("weights", f"*{OUTPUT}")
"""Results whose bytes determine no time, path or number of threads: run.json has their digests."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run's folder; patterns say which files and folders in it are results."""

    path: str
    patterns: Sequence[str]
    command: CommandLine
    sets: Sequence[Files]
    quiet: bool = False

    @contextmanager
    def begun(self, cache: Cache) -> Iterator[None]:
        """Write run.json around a run; one that fails before its first result leaves none.

        Raises DataError for an input that the run would write over.
        """
        sets = {files.name: {"source": files.source, "refs": [*files.refs]} for files in self.sets}
        record = RunRecord.of(self.command, sets)
        self._refuse_inputs()
        self._put_others_aside(record, cache)
        atomic.output_folder(self.path)
        remove_temporary(self.path, [*self.patterns, NAME])
        for word in self.command.words:
            if os.path.isfile(word):
                cache.digest_of(word)
        replace(record, inputs=self._inputs(cache)).write(self.path)
        try:
            yield
        except BaseException:
            if os.listdir(cache.folder) == ["lock"] and not self._results():
                atomic.remove(os.path.join(self.path, NAME))
            else:
                replace(record, inputs=self._inputs(cache)).write(self.path)
            raise
        done = replace(record, inputs=self._inputs(cache), results=self._digests())
        replace(done, signatures=self._signatures()).write(self.path)

    def _results(self) -> list[str]:
        """Names of the results that are there."""
        return self._matching(self.patterns)

    def _matching(self, patterns: Sequence[str]) -> list[str]:
        """Names in the folder; of outputs those of data sets, since nohup.out is the user's."""
        here = glob.escape(self.path)
        found = (glob.glob(os.path.join(here, pattern)) for pattern in patterns)
        names = {os.path.basename(path) for paths in found for path in paths}
        sets = {files.name for files in self.sets} | self._earlier_sets()
        return sorted(name for name in names if not name.endswith(OUTPUT) or _set_of(name) in sets)

    def _earlier_sets(self) -> set[str]:
        """Names of the data sets of the run that the folder has, if it says so."""
        try:
            return set(RunRecord.read(self.path).sets)
        except DataError:
            return set()

    def _refuse_inputs(self) -> None:
        """Raise DataError for a file of the command line that is a result, or in one."""
        own = os.path.realpath(self.path)
        taken = [os.path.join(own, name) for name in self._results()]
        for word in self.command.words:
            path = os.path.realpath(word)
            if any(path == result or path.startswith(result + os.sep) for result in taken):
                problem = "a result of the run in this folder, and no input of another: copy it"
                raise DataError(word, None, f"{problem}, or take another --work-dir")

    def _put_others_aside(self, record: RunRecord, cache: Cache) -> None:
        """Move results that are not of the run that the record is of."""
        results = self._results()
        try:
            earlier: RunRecord | None = RunRecord.read(self.path)
        except DataError:
            earlier = None
        if earlier is not None and earlier.is_asked_as(record) and _as_it_was(earlier, cache):
            return
        if not results:
            return
        aside = self._place_aside(results)
        atomic.output_folder(aside)
        for name in [*results, NAME]:
            with suppress(FileNotFoundError):
                _move(os.path.join(self.path, name), os.path.join(aside, name))
        for folder in (self.path, aside):
            atomic.flush_folder(folder)
        if not self.quiet:
            command.complain(f"results of another run are now in {aside}")

    def _place_aside(self, results: Sequence[str]) -> str:
        """The next free folder, or the last one where a move was cut short."""
        for number in count(1):
            aside = os.path.join(self.path, f"{EARLIER}-{number}")
            if not os.path.lexists(aside):
                return aside
            there = set(os.listdir(aside))
            if NAME not in there and there and there.isdisjoint(results):
                return aside
        raise AssertionError

    def _inputs(self, cache: Cache) -> dict[str, str]:
        """Digests of what was read; paths below the working folder are relative to it."""
        here = os.getcwd()
        own = os.path.abspath(self.path) + os.sep
        return {
            os.path.relpath(path, here) if path.startswith(here + os.sep) else path: found
            for path, found in sorted(cache.inputs.digests().items())
            if not path.startswith(own)
        }

    def _digests(self) -> dict[str, str]:
        names = self._matching(RECORDED)
        return {name: digest.of_path(os.path.join(self.path, name)) for name in names}

    def _signatures(self) -> Mapping[str, str]:
        return {"weights": signature_of(os.path.join(self.path, "weights"))}


def _set_of(name: str) -> str:
    """The data set of an output: x of x.out, and of x.2.out, which is that of a replicate."""
    return re.sub(r"(\.[0-9]+)?\.out$", "", name)


def signature_of(path: str) -> str:
    """How weights were made, as their file says it."""
    if is_weight_stream(path):
        return read_weight_stream(path).signature
    with open(path, encoding="utf-8") as lines:
        said = [line[1:].strip() for line in lines if line.startswith("#")]
    return "\n".join(said)


def _as_it_was(record: RunRecord, cache: Cache) -> bool:
    """Whether all inputs of a run are there, and still what they were."""
    try:
        return all(
            cache.digest_of(record.resolved(path)) == found for path, found in record.inputs.items()
        )
    except DataError:
        return False


def _move(path: str, target: str) -> None:
    """Move a file, a folder or a link, which leads where it led."""
    if not os.path.islink(path):
        os.rename(path, target)
        return
    leads = os.path.join(os.path.dirname(path), os.readlink(path))
    relative = os.path.relpath(leads, os.path.dirname(target))
    os.symlink(leads if os.path.isabs(os.readlink(path)) else relative, target)
    os.unlink(path)

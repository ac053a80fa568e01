"""The folder of a run: its run.json, and the results of earlier runs, which are moved aside.

    with RunFolder(...).begun(cache):        before the first result is written
        ...                                  the run

Results of another run (other settings, other data, another program) move to `earlier-1`,
`earlier-2`, ... within the folder, run.json last: the next run finishes a move that was cut short.
The cache stays, and serves both.
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
from campanula.pipelines.results import WEIGHTS
from campanula.pipelines.run_record import NAME, CommandLine, RunRecord
from campanula.pipelines.settings import Files
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.cache import Cache, remove_temporary
from campanula.stages import command

EARLIER = "earlier"
OUTPUT = ".out"
RECORDED = (WEIGHTS, f"*{OUTPUT}")
"""Results whose digests are in run.json: no time, path or number of threads is in their bytes."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run's folder; patterns: names of the files and folders in it that are results."""

    path: str
    patterns: Sequence[str]
    command: CommandLine
    sets: Sequence[Files]
    quiet: bool = False

    @contextmanager
    def begun(self, cache: Cache) -> Iterator[None]:
        """Write run.json before and after a run; a run that fails before any result leaves none.

        Raises DataError for an input that the run would overwrite.
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
        # Ctrl-C, too: what there is stays, with a record that has no results
        except BaseException:
            if os.listdir(cache.folder) == ["lock"] and not self._results():
                atomic.remove(os.path.join(self.path, NAME))
            else:
                replace(record, inputs=self._inputs(cache)).write(self.path)
            raise
        done = replace(record, inputs=self._inputs(cache), results=self._digests())
        replace(done, signatures=self._signatures()).write(self.path)

    def _results(self) -> list[str]:
        """Names of the results in the folder."""
        return self._matching(self.patterns)

    def _matching(self, patterns: Sequence[str]) -> list[str]:
        """Names that match; of *.out only those of data sets, since nohup.out is the user's."""
        here = glob.escape(self.path)
        matches = (glob.glob(os.path.join(here, pattern)) for pattern in patterns)
        names = {os.path.basename(path) for paths in matches for path in paths}
        sets = {files.name for files in self.sets} | self._earlier_sets()
        return sorted(name for name in names if not name.endswith(OUTPUT) or _set_of(name) in sets)

    def _earlier_sets(self) -> set[str]:
        """Names of the data sets of the earlier run, by its run.json if there is one."""
        try:
            return set(RunRecord.read(self.path).sets)
        except DataError:
            return set()

    def _refuse_inputs(self) -> None:
        """Raise DataError for a word of the command line that names a result, or a file in one."""
        own = os.path.realpath(self.path)
        taken = [os.path.join(own, name) for name in self._results()]
        for word in self.command.words:
            # a link may lead to a result under another name
            path = os.path.realpath(word)
            if any(path == result or path.startswith(result + os.sep) for result in taken):
                problem = "a result of the run in this folder, and no input of another: copy it"
                raise DataError(word, None, f"{problem}, or take another --work-dir")

    def _put_others_aside(self, record: RunRecord, cache: Cache) -> None:
        """Move the results of an earlier run aside, unless it was the run of `record`."""
        results = self._results()
        try:
            earlier: RunRecord | None = RunRecord.read(self.path)
        except DataError:
            earlier = None
        if (
            earlier is not None
            and earlier.is_asked_as(record)
            and _inputs_unchanged(earlier, cache)
        ):
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
        """Path of the next free folder, or of the last one where a move was cut short."""
        for number in count(1):
            aside = os.path.join(self.path, f"{EARLIER}-{number}")
            if not os.path.lexists(aside):
                return aside
            moved = set(os.listdir(aside))
            # run.json moves last: a folder without it is that of a move that was cut short
            if NAME not in moved and moved and moved.isdisjoint(results):
                return aside
        raise AssertionError

    def _inputs(self, cache: Cache) -> dict[str, str]:
        """Digests of the inputs by path; paths below the working folder are relative to it."""
        here = os.getcwd()
        own = os.path.abspath(self.path) + os.sep
        return {
            os.path.relpath(path, here) if path.startswith(here + os.sep) else path: value
            for path, value in sorted(cache.inputs.digests().items())
            if not path.startswith(own)
        }

    def _digests(self) -> dict[str, str]:
        names = self._matching(RECORDED)
        return {name: digest.of_path(os.path.join(self.path, name)) for name in names}

    def _signatures(self) -> Mapping[str, str]:
        return {WEIGHTS: signature_of(os.path.join(self.path, WEIGHTS))}


def _set_of(name: str) -> str:
    """Data set of an output's name: x for x.out, and for x.2.out, a replicate's."""
    return re.sub(r"(\.[0-9]+)?\.out$", "", name)


def signature_of(path: str) -> str:
    """Signature in a file of weights: the stream's, or the comments of a text file."""
    if is_weight_stream(path):
        return read_weight_stream(path).signature
    with open(path, encoding="utf-8") as lines:
        comments = [line[1:].strip() for line in lines if line.startswith("#")]
    return "\n".join(comments)


def _inputs_unchanged(record: RunRecord, cache: Cache) -> bool:
    """Whether all inputs of a run exist and have the digests of its record."""
    try:
        return all(
            cache.digest_of(record.resolved(path)) == found for path, found in record.inputs.items()
        )
    except DataError:
        return False


def _move(path: str, target: str) -> None:
    """Move a file, a folder or a link; a relative link still leads to the same target."""
    if not os.path.islink(path):
        os.rename(path, target)
        return
    leads = os.path.join(os.path.dirname(path), os.readlink(path))
    relative = os.path.relpath(leads, os.path.dirname(target))
    # the new link first: a move that is cut short leaves two links, and not none
    os.symlink(leads if os.path.isabs(os.readlink(path)) else relative, target)
    os.unlink(path)

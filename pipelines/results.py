"""What a run puts in its folder, and what an earlier run has left there.

    history.jsonl, replicates.jsonl, ...    files with names of their own
    NAME.out, NAME.1.out, NAME.compare      of data sets

A run writes over what it makes again.  What an earlier one has made and this one does not, such as
the translations of a test set that it has no more, would pass for its own: that is removed before
the work.  Histories name the data sets of an earlier run, so no other file is touched; a folder
without a history has had no run.  What this run reads stays, and so does what is no file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from campanula.formats.atomic import remove, reporting
from campanula.formats.files import Output

HISTORY, REPLICATES = HISTORIES = ("history.jsonl", "replicates.jsonl")
WEIGHTS, INITIAL, CURVE = "weights", "initial", "curve.png"
INVENTORY = "features"  # a link
SELECTION = "selection"  # of which no run leaves a file


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a run in its folder.

    made: names of the files that it makes, or their paths from there; fixed: those that runs of the
    loop may make whatever their data sets are; forms: regular expressions of the names of a data
    set's files, {} for its own; reads: paths of what the run reads.
    """

    folder: str
    made: frozenset[str]
    fixed: tuple[str, ...]
    forms: tuple[str, ...] = (r"{}\.out",)
    reads: tuple[str, ...] = ()

    def begin(self, say: Callable[[str], None]) -> None:
        """Make room for them, and say what was removed; raises DataError where there is none."""
        self.refuse_folders()
        if removed := self.remove_stale():
            say(f"{self.folder}: removed, of an earlier run: {', '.join(removed)}")

    def refuse_folders(self) -> None:
        """Raise DataError for a folder that stands where the run is to put a file."""
        for name in sorted(self.made):
            path = os.path.join(self.folder, name)
            is_link = name == INVENTORY and os.path.islink(path)
            if os.path.isdir(path) and not is_link:
                Output.check(path)

    def remove_stale(self, names: Iterable[str] = ()) -> list[str]:
        """Remove what an earlier run has made and this one does not; the names of these files.

        names: of data sets (default: those of the folder's histories).  Raises DataError for what
        cannot be removed.
        """
        found = list(self._stale(set(names) or data_sets(self.folder)))
        for name in found:
            path = os.path.join(self.folder, name)
            with reporting(path):
                remove(path)
        return found

    def _stale(self, names: set[str]) -> Iterator[str]:
        """Yield names of files, the history last: as long as it is there the others are found."""
        if not names:
            return
        of_names = files_of(names, self.forms)
        reads = set(map(os.path.realpath, self.reads))
        for name in sorted(os.listdir(self.folder), key=lambda name: (name in HISTORIES, name)):
            path = os.path.join(self.folder, name)
            of_runs = name in self.fixed or of_names.fullmatch(name)
            is_file = os.path.isfile(path) or os.path.islink(path)
            is_read = os.path.realpath(path) in reads
            if of_runs and is_file and not is_read and name not in self.made:
                yield name


def files_of(names: Iterable[str], forms: Iterable[str]) -> re.Pattern[str]:
    """What matches the names of data sets' files, of some forms."""
    any_name = f"(?:{'|'.join(map(re.escape, sorted(names)))})"
    return re.compile("|".join(form.replace("{}", any_name) for form in forms))


def outputs(names: Iterable[str]) -> set[str]:
    """Names of the translations of data sets."""
    return {f"{name}.out" for name in names}


def data_sets(folder: str) -> set[str]:
    """Names of the data sets that the histories of a folder have; none without any."""
    found: set[str] = set()
    for name in HISTORIES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            found |= {"dev", *_names_of_lines(path)}
    return found


def _names_of_lines(path: str) -> Iterator[str]:
    """Yield the names of data sets in lines of JSON; damaged lines have none."""
    try:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                yield from _names_of(json.loads(line))
    except (OSError, ValueError, RecursionError):
        return


def _names_of(line: object) -> Iterator[str]:
    """Yield those of a line: of a loop's history, of replicates, or of systems (a list each)."""
    if not isinstance(line, dict):
        return
    tuned = line.get("tuned")
    nested = [line.get("test"), tuned, tuned.get("test") if isinstance(tuned, dict) else None]
    for values in nested:
        if isinstance(values, dict):
            yield from (name for name, value in values.items() if isinstance(value, float))
    of_systems = (name for name, value in line.items() if isinstance(value, list))
    yield from (name for name in of_systems if name != SELECTION)

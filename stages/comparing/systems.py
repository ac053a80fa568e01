"""The systems of a comparison: each a name, and a file of outputs or several replicates of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campanula.formats.text.references import References
from campanula.stages.command import UsageError, one_stdin
from campanula.stages.comparing.output_files import in_order_of_references, read_outputs


@dataclass(frozen=True, slots=True)
class System:
    """A system's name and the files of its outputs, one a replicate (a seed of the optimizer)."""

    name: str
    paths: tuple[str, ...]

    def outputs(self, references: References, by_ids: bool = False) -> list[list[str]]:
        """Return the texts of every file, in the order of the references.

        by_ids: lines are `id text`, as those of the references.  Raises DataError for a file that
        has not one text for each reference.
        """
        return [
            in_order_of_references(read_outputs(path, by_ids), references, path)
            for path in self.paths
        ]


def systems_of(arguments: Sequence[str], references: Iterable[str] = ()) -> list[System]:
    """Return the systems of arguments FILE or NAME=FILE,FILE,...

    A NAME that comes again adds replicates.  An argument that is the name of a file is this file,
    even with `=` in it.  Raises UsageError for a file that is given twice, and where more than one
    input is stdin.
    """
    paths: dict[str, list[str]] = {}
    for argument in arguments:
        name, files = _parse(argument)
        if name in paths and files == [name]:
            raise UsageError(f"SYSTEM {argument}: given twice")
        paths.setdefault(name, []).extend(files)
    inputs = [path for files in paths.values() for path in files]
    one_stdin(*inputs, *references)
    return [System(name, tuple(files)) for name, files in paths.items()]


def _parse(argument: str) -> tuple[str, list[str]]:
    if "=" not in argument or os.path.exists(argument):
        return argument, [argument]
    name, _, rest = argument.partition("=")
    files = rest.split(",")
    if not name or not all(files):
        raise UsageError(f"SYSTEM {argument}: expected FILE or NAME=FILE,FILE,...")
    return name, files

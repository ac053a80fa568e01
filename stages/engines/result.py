"""Results of tasks as files, which are whole or not there, however many processes write them.

    decode-5f0c.kbest          what the function wrote
    decode-5f0c.kbest.json     what it returned, where it returned something
    decode-5f0c.kbest.seal     their checksums (formats/seal.py)

Every attempt writes under a name of its own, flushes, and renames.  A worker that was taken for
dead and writes late puts the same bytes in the same place.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from campanula.formats import atomic, seal
from campanula.formats.files import Output
from campanula.stages.engines.task import Task

SEAL = ".seal"
VALUE = ".json"


def make(task: Task) -> None:
    """Do a task, unless its result is there and whole; raises what its function raises."""
    if is_whole(task.output):
        return
    function = task.resolve()
    with atomic.atomic_file(task.output) as unfinished:
        value = function(task.arguments, unfinished)
    if value is not None:
        with Output(task.output + VALUE) as out:
            out.write_line(json.dumps(value))
    # last, since a result without a seal counts as not there
    seal.write(task.output + SEAL, task.name, _files(task.output))


def is_whole(output: str) -> bool:
    """Whether a result is there with its checksums: every byte is read."""
    return _fault(output) is None


def absence(output: str) -> str | None:
    """Return why a result that was made just now cannot be taken, or None.

    Its maker has read it after writing, so here only its place and its size are checked.
    """
    return _fault(output, sizes_alone=True)


def value_of(output: str) -> Any:
    """Return the value that a task's function has returned; None where there is none."""
    try:
        with open(output + VALUE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def remove(output: str) -> None:
    """Remove a result; the seal goes first, so that a part of a result never looks whole."""
    for path in (output + SEAL, output + VALUE, output):
        atomic.remove(path)


def remove_unfinished(folder: str, tasks: Iterable[Task]) -> None:
    """Remove the unfinished files that attempts at these tasks have left in a folder."""
    names = {task.name for task in tasks}
    for name in os.listdir(folder):
        stem, end = os.path.splitext(name)
        if end == ".tmp" and stem.startswith("."):
            while stem.startswith(".") or stem.endswith(".tmp"):  # a writer's own within ours
                stem = stem.lstrip(".").removesuffix(".tmp").rpartition(".")[0]
            if stem.removesuffix(SEAL).removesuffix(VALUE) in names:
                atomic.remove(os.path.join(folder, name))


def _files(output: str) -> list[str]:
    return [path for path in (output, output + VALUE) if path == output or os.path.exists(path)]


def _fault(output: str, sizes_alone: bool = False) -> str | None:
    name = os.path.basename(output)
    digest = seal.size_of if sizes_alone else seal.checksum_of
    try:
        return seal.fault(output + SEAL, name, _files(output), digest)
    except FileNotFoundError:
        return f"{name} is missing"

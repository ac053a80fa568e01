"""Reads folders of `tune`: histories, signatures, progress, seconds and bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from campanula.formats.errors import DataError
from campanula.pipelines.run_record import NAME, RunRecord

Line = Mapping[str, Any]

EARLIER = re.compile(r"earlier-\d+$")
"""Names of folders within a run's that have the results of other settings or another version."""


def lines_of(folder: str, name: str) -> list[Line]:
    """Lines of a file of JSON lines in a run's folder; none where there is no file."""
    path = Path(folder) / name
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def name_of(folder: str) -> str:
    """The name of a run's folder."""
    return Path(folder).name


def signature(folder: str) -> str:
    """Signature of a run's weights; empty for an unfinished run."""
    return RunRecord.read(folder).signatures.get("weights", "")


def is_done(folder: str) -> bool:
    """Whether a run is finished: its run.json has digests of results."""
    try:
        return RunRecord.read(folder).results is not None
    except DataError:
        return False


def reach(folder: str) -> str:
    """How far an unfinished run is, in words."""
    histories = own_files(folder, "history.jsonl")
    if not histories:
        return "begun" if Path(folder).is_dir() else "not begun"
    n_lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in histories)
    n_done = len(replicates(folder))
    return f"{n_done} done, {n_lines} iterations" if n_done else f"{n_lines} iterations"


def replicates(folder: str) -> list[tuple[Line, Line]]:
    """First and last line of each finished replicate, in the order of the seeds."""
    paths = Path(folder).glob("replicate-*/history.jsonl")
    # numbers: as text, replicate-10 would come before replicate-9
    by_number = sorted(paths, key=lambda path: int(path.parent.name.removeprefix("replicate-")))
    histories = [lines_of(str(path.parent), path.name) for path in by_number]
    return [(lines[0], lines[-1]) for lines in histories if lines and "tuned" in lines[-1]]


def unfinished(folders: Sequence[str]) -> dict[str, str]:
    """How far the unfinished runs are, by the last two parts of their paths."""
    return {"/".join(Path(f).parts[-2:]): reach(f) for f in folders if not is_done(f)}


def own_files(folder: str, name: str) -> list[Path]:
    """Files of a run below its folder, by a pattern; not what an earlier run has left in it."""
    found = (path for path in Path(folder).glob(f"**/{name}") if path.is_file())
    return sorted(p for p in found if not any(map(EARLIER.match, p.relative_to(folder).parts)))


def cost(folders: Sequence[str]) -> dict[str, float]:
    """Seconds of all steps of runs, from their histories, and megabytes of their folders."""
    seconds = 0.0
    for folder in folders:
        # `tune expected-bleu` has no seconds in its history, but in a file of their own
        for name in ("history.jsonl", "seconds.jsonl"):
            for path in own_files(folder, name):
                for line in lines_of(str(path.parent), name):
                    seconds += sum(line.get("seconds", {}).values())
    # a set, so that a file below two of the folders, or with a link to it, counts once
    files = {path.resolve() for f in folders for path in own_files(f, "*")}
    size = sum(path.stat().st_size for path in files)
    return {"seconds": round(seconds), "megabytes": round(size / 1e6)}


def sentences(folders: Sequence[str]) -> dict[str, int]:
    """Number of sentences of each data set of the runs, by name.

    Where languages have other numbers, by language and name: `es dev`; a run's folder is
    LANGUAGE/METHOD then.
    """
    counts: dict[str, dict[str, int]] = {}
    for folder in folders:
        if not (Path(folder) / NAME).exists():
            continue
        record = RunRecord.read(folder)
        for name, files in record.sets.items():
            # bytes, since a file that is read as text has line ends at a lone CR, too
            with open(record.resolved(files["source"]), "rb") as lines:
                own = counts.setdefault(name, {})
                own.setdefault(Path(folder).parent.name, sum(1 for _ in lines))
    found: dict[str, int] = {}
    for name, own in counts.items():
        if len({*own.values()}) == 1:
            found[name] = next(iter(own.values()))
        else:
            found |= {f"{language} {name}": count for language, count in own.items()}
    return found

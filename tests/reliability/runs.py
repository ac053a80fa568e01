"""Runs of `tune` for proofs: every loop on a tiny model, forked from a process that is warm.

A forked process runs as the command does, with its signal handlers, and takes a fifth of a second;
what it says goes to a file.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from campanula.formats import signals
from campanula.formats.model import model as models
from campanula.pipelines import tune
from tests.pipelines import tiny

SHORT = {
    "rampion": ["--cccp-iterations", "1", "--epochs", "1", "--eta", "0.05"],
    "mert": ["--restarts", "1"],
    "pro": [],
    "mira": [],
    "loss": ["--loss", "bayes-risk", "--solver", "adagrad", "--epochs", "2"],
}
"""Settings of the loops that make them short."""

NBEST = "".join(
    f"{sid} ||| {text} ||| LM0= -{n}.5 WordPenalty0= -{n + sid} ||| {-n}\n"
    for sid, texts in enumerate(zip(*tiny.REFS, ("the", "a", "one", "dog"), strict=True))
    for n, text in enumerate(texts, 1)
)
FOREIGN = "foreign"  # the loop with another decoder and another scorer


@dataclass(frozen=True)
class Variant:
    """A loop, and how many tasks are side by side."""

    loop: str
    workers: int

    def __str__(self) -> str:
        return f"{self.loop} --workers {self.workers}"


class Runs:
    """Runs in a folder, which has the data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.flags = tiny.write(folder)
        (folder / "nbest").write_text(NBEST, encoding="utf-8")
        (folder / "weights").write_text("LM0 1\nWordPenalty0 0.1\n", encoding="utf-8")

    def argv(self, variant: Variant, work: str) -> list[str]:
        """The arguments of a run."""
        folder, loop = self.folder, variant.loop
        own = [loop, *self.flags, *SHORT.get(loop, [])]
        own += ["--cache", os.fspath(folder / work / "models")]
        data = [os.fspath(folder / name) for name in ("dev.de", "dev.en0")]
        if loop == FOREIGN:
            decode = f"sh -c 'sleep 0.02; cat {folder}/nbest' {{source}} {{weights}}"
            price = "sh -c 'sleep 0.02; awk \"{print NF / 9}\" $0' {hypotheses}"
            own = ["mert", "--source", data[0], "--ref", data[1], "--restarts", "1", "-k", "3"]
            own += ["--weights", os.fspath(folder / "weights"), "--allow-missing"]
            own += ["--decode-command", decode, "--score-command", price]
        own += ["--iterations", "2", "--test", "test", *data, "-q"]
        return [*own, "--workers", str(variant.workers), "--work-dir", os.fspath(folder / work)]

    def run(self, variant: Variant, work: str) -> int:
        """Run in this process; returns the exit status."""
        models._loaded.clear()
        return tune.main(self.argv(variant, work))

    def fork(self, variant: Variant, work: str) -> int:
        """Run in a process of its own, whose number is returned."""
        process = os.fork()
        if process:
            return process
        status = 70
        try:
            os.setsid()
            log = os.open(self.folder / f"{work}.messages", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            for stream in (1, 2):
                os.dup2(log, stream)
            sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
            signals.install()
            status = self.run(variant, work)
        finally:
            os._exit(status)

    def messages(self, work: str) -> str:
        """What forked runs have written to stdout and stderr."""
        path = self.folder / f"{work}.messages"
        return path.read_text() if path.exists() else ""

    def remove(self, work: str) -> None:
        """Remove a run."""
        shutil.rmtree(self.folder / work, ignore_errors=True)
        (self.folder / f"{work}.messages").unlink(missing_ok=True)

    def contents(self, work: str) -> dict[str, object]:
        """Every result of a run; histories without their seconds; not curves, stderr, run.json."""
        found: dict[str, object] = {}
        for path in (self.folder / work).rglob("*"):
            name = path.relative_to(self.folder / work).as_posix()
            left_out = path.suffix in (".stderr", ".png") or path.name == "run.json"
            left_out |= path.is_symlink()  # what it leads to is in the cache
            if path.is_dir() or name.startswith("models/.") or left_out:
                continue
            if path.name == "history.jsonl" or path.match("iteration-*.json"):
                lines = map(json.loads, path.read_text().splitlines())
                found[name] = [{**line, "seconds": None} for line in lines]
            elif path.match("prices-*"):  # in the order of asking, with the blanks of damaged ones
                found[name] = sorted(filter(bytes.strip, path.read_bytes().splitlines()))
            elif not path.match("iteration-*.seal"):
                found[name] = path.read_bytes()
        return found

    def processes(self) -> list[int]:
        """Numbers of the programs that have the folder in their command line."""
        found = []
        for entry in os.listdir("/proc"):
            try:
                line = Path("/proc", entry, "cmdline").read_bytes()
            except OSError:
                continue
            if entry.isdigit() and os.fsencode(self.folder) in line:
                found.append(int(entry))
        return [number for number in found if number != os.getpid()]


def wait(process: int, seconds: float) -> int | None:
    """Exit status of a forked process, negative for a signal; None if it still runs after that."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    return None

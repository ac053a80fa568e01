"""Runs of `tune relevant-set` that are killed at random moments: they end in the same bytes.

    python -m tests.reliability.relevant_set --sentences 2000 --iterations 30 --kills 20

On made-up captions, with truth, bags and sparse features against an inventory that grows.  A run
with one job that nobody kills; then runs with one job, with two, and with workers of dask and texts
in parts, each killed as often (SIGKILL, itself or with its workers, or SIGTERM; of dask's also a
worker alone), then finished.  What they come to must be what the first has come to: with texts in
parts, one with the same texts that nobody kills, and the same weights.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.captions import SIDES, write_caption_model, write_captions
from tests.reliability.runs import Runs, Variant, wait
from tests.reliability.torture import Torture
from tests.reliability.workers import workers_of

ONE, TWO, DASK = "one job", "two jobs", "dask"
PARTS = 8
DEV = 50
KILLED_WORKERS = 3  # before the run is killed, too


class RelevantRuns(Runs):
    """Runs of the loop in a folder, which has the data: in one file a side, and in parts."""

    def __init__(self, folder: Path, sentences: int, iterations: int) -> None:
        self.folder, self.iterations = folder, iterations
        write_captions(folder, 1, train=sentences, dev=DEV)
        size = -(-sentences // PARTS)
        for side in SIDES:
            lines = (folder / f"train.{side}").read_text().splitlines(keepends=True)
            parts = folder / f"parts.{side}"
            parts.mkdir()
            for part, start in enumerate(range(0, sentences, size)):
                (parts / f"{part}").write_text("".join(lines[start : start + size]))
        write_caption_model(folder)
        table, lm = (os.fspath(folder / name) for name in ("table", "lm"))
        self.flags = ["--phrase-table", table, "--lm", lm, "--features", "tillmann-zhang"]

    def argv(self, variant: Variant, work: str) -> list[str]:
        """The arguments of a run."""
        path = {name: os.fspath(self.folder / name) for name in os.listdir(self.folder)}
        side = "parts" if variant.loop == DASK else "train"
        train = ["--train", *(path[f"{side}.{name}"] for name in SIDES)]
        dev = ["--source", path["dev.de"], "--ref", path["dev.en"]]
        own = ["relevant-set", *train, "--leave-one-out", *dev, *self.flags]
        own += ["--iterations", str(self.iterations), "--epochs", "10", "--eta", "1e-4"]
        own += ["--test", "x", path["dev.de"], path["dev.en"], "-q"]
        if variant.loop == DASK and variant.workers > 1:
            own += ["--engine", "dask", "--dask-workers", str(variant.workers)]
        own += ["--jobs", "2" if variant.loop == TWO else "1"]
        own += ["--cache", os.fspath(self.folder / "models")]
        return [*own, "--work-dir", os.fspath(self.folder / work)]

    def fork(self, variant: Variant, work: str) -> int:
        """Run in a process of its own; dask's threads, once there were some, survive no fork."""
        if variant.loop != DASK:
            return super().fork(variant, work)
        log = os.open(self.folder / f"{work}.messages", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        argv = [sys.executable, "-m", "campanula", "tune", *self.argv(variant, work)]
        streams = [(os.POSIX_SPAWN_DUP2, log, stream) for stream in (1, 2)]
        try:
            return os.posix_spawn(
                sys.executable, argv, os.environ, file_actions=streams, setsid=True
            )
        finally:
            os.close(log)


class RelevantTorture(Torture):
    """Kills of runs of the loop; what a run must come to is known from one that nobody kills."""

    def __init__(self, folder: Path, seed: int, sentences: int, iterations: int) -> None:
        super().__init__(folder, seed, RelevantRuns(folder, sentences, iterations), 3600.0)

    @property
    def kills(self) -> int:
        """How many runs, or workers of one, were killed."""
        return super().kills + self.counts["workers"]

    def whole(self, variant: Variant) -> tuple[dict[str, object], float]:
        """What a run that nobody kills comes to, in one process, and its seconds."""
        alone = Variant(DASK if variant.loop == DASK else ONE, 1)
        if alone not in self.known:
            name = f"whole-{alone.loop}"
            started = time.monotonic()
            assert self.runs.run(alone, name) == 0  # which loads the kernels
            self.known[alone] = self.runs.contents(name), time.monotonic() - started
        return self.known[alone]

    def kill(self, variant: Variant, work: str, moment: float) -> None:
        """Kill a run, or workers of it."""
        if variant.loop != DASK or self.random.random() < 0.5:
            super().kill(variant, work, moment)
            return
        process = self.runs.fork(variant, work)
        left = KILLED_WORKERS
        while wait(process, self.random.uniform(0.2, 1.5)) is None:
            if not left:
                os.killpg(process, signal.SIGKILL)
                wait(process, self.patience)
                self.counts["SIGKILL"] += 1
                return
            if workers := workers_of(process):
                with suppress(ProcessLookupError):
                    os.kill(self.random.choice(workers), signal.SIGKILL)
                    self.counts["workers"] += 1
                    left -= 1
        self.counts["ended before"] += 1


def kill_some(torture: Torture, variant: Variant, kills: int) -> None:
    """Kill a run so many times, sooner each time until one was killed before its end.

    The whole run, by whose seconds moments are drawn, may have compiled kernels.
    """
    share = 1.0
    while not torture.kills and share > 0.01:
        torture.trial_of(variant, kills, share)
        share /= 2.0


def main() -> int:
    """Kill as often as is asked for in each way; print the figures."""
    p = parser(__doc__, sentences=2000, kills=20)
    p.add_argument("--iterations", type=int, default=30, help="(default: 30)")
    args = p.parse_args()
    with tempfile.TemporaryDirectory(prefix="campanula-") as folder:
        kill_all(RelevantTorture(Path(folder), args.seed, args.sentences, args.iterations), args)
    return 0


def parser(about: str | None, sentences: int, kills: int) -> argparse.ArgumentParser:
    """Parser of what a program that kills runs can be asked for."""
    p = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    for name, usual, what in (("sentences", sentences, ""), ("kills", kills, "of each run ")):
        p.add_argument(f"--{name}", type=int, default=usual, help=f"{what}(default: {usual})")
    p.add_argument("--seed", type=int, default=1, help="of signals and moments")
    p.add_argument("--without-dask", action="store_true", help="one job and two alone")
    return p


def kill_all(torture: Torture, args: argparse.Namespace) -> None:
    """Kill runs of each variant as often as is asked for; print the figures."""
    variants = [Variant(ONE, 1), Variant(TWO, 1)]
    variants += [] if args.without_dask else [Variant(DASK, 2)]
    started = time.monotonic()
    for variant in variants:
        before = torture.kills
        while (left := args.kills - (torture.kills - before)) > 0:
            torture.trial_of(variant, left, share=2.0 / args.kills)
        seconds = time.monotonic() - started
        killed = torture.kills - before
        print(f"{variant.loop}: killed {killed} times, same bytes; {seconds:.0f} s", flush=True)
    print(f"seed {args.seed}: {dict(torture.counts)}")


if __name__ == "__main__":
    raise SystemExit(main())

"""Workers that are killed, stopped and left without a disk while they decode and add names.

    python -m tests.reliability.extending --parts 200 --seed 1

A text in parts is decoded against an inventory that grows, as in tests/reliability/workers.py.
Lists and inventory must be those that one process makes.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from campanula.formats.weights import Weights
from campanula.stages import decode
from campanula.stages.engines.dask_engine import open_dask
from campanula.stages.engines.engine_settings import EngineSettings
from tests.reliability.workers import KINDS, SHARD_SECONDS, WORKERS, Slow, Trouble, content
from tests.small_models import random_model, write_model


def write_data(folder: Path, n_parts: int, seed: int) -> list[str]:
    """A model, its weights, a text in parts; flags of decode, with words that become features."""
    rng = random.Random(seed)
    small = random_model(rng, 2, True)
    files = write_model(small, folder)
    Weights(dict(small.weights)).write(os.fspath(folder / "w0"))
    (folder / "text").mkdir()
    for number in range(n_parts):
        words = ["a", "b", "c", *(f"w{rng.randrange(3 * n_parts)}" for _ in range(3))]
        lines = (" ".join(rng.choices(words, k=rng.randint(1, 5))) for _ in range(3))
        (folder / "text" / f"{number:05d}").write_text("".join(f"{line}\n" for line in lines))
    flags = [os.fspath(folder / "text"), "--phrase-table", files.phrase_table]
    flags += ["--lm", files.lms[0].path, "--cache", os.fspath(folder / "cache")]
    flags += ["--reordering-table", files.reordering_tables[0].path]
    flags += ["--weights", os.fspath(folder / "w0"), "-k", "5", "--features", "tillmann-zhang"]
    return flags


class SlowWorkers:
    """Workers whose tasks take a while, in trouble from their start on."""

    def __init__(self, trouble: Trouble) -> None:
        self._trouble = trouble

    @contextmanager
    def open(self, settings: EngineSettings, output: object) -> Iterator[tuple[Slow, str]]:
        """In the place of what `decode` opens."""
        assert settings.folder is not None
        folder = os.path.abspath(settings.folder)
        with open_dask(settings.dask, folder) as engine, self._trouble:
            yield Slow(engine), folder


def decoded(folder: Path, name: str, flags: list[str]) -> tuple[dict[str, bytes], ...]:
    """Lists and inventory that the command makes with some flags."""
    made, inventory = folder / f"{name}.lists", folder / f"{name}.names"
    argv = [*flags, "--inventory", os.fspath(inventory), "-q", "-o", os.fspath(made)]
    assert decode.main(argv) == 0
    return content(made), content(inventory)


def trial(folder: Path, n_parts: int, seed: int, kinds: tuple[str, ...] = KINDS) -> Counter[str]:
    """Decode a text in trouble; what the trouble was.  Raises AssertionError."""
    flags = write_data(folder, n_parts, seed)
    whole = decoded(folder, "whole", flags)
    work = folder / "work"
    dask = ["--engine", "dask", "--dask-workers", str(WORKERS), "--dask-folder", os.fspath(work)]
    trouble = Trouble(seed, kinds)
    with mock.patch.object(decode, "open_engine", SlowWorkers(trouble).open):
        found = decoded(folder, "found", [*flags, *dask])
    assert found == whole
    results = content(work)
    time.sleep(3 * SHARD_SECONDS)  # who was stopped writes now
    assert content(work) == results
    return trouble.counts


def main() -> int:
    """Decode in trouble once; print the figures."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--parts", type=int, default=200, help="(default: 200)")
    p.add_argument("--seed", type=int, default=1, help="of text and trouble")
    args = p.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="campanula-"))
    started = time.monotonic()
    try:
        counts = trial(folder, args.parts, args.seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    trouble = ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))
    seconds = time.monotonic() - started
    print(f"{args.parts} parts in {seconds:.0f} s, seed {args.seed}: workers {trouble}; ", end="")
    print("lists and inventory are those of one process")
    return 0


if __name__ == "__main__":
    sys.exit(main())

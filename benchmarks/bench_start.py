"""Time of commands before their first byte: each on a text of a few lines, kernels on disk.

    python -m benchmarks.bench_start
    python -m benchmarks.bench_start --commands rerank,optimize --repeats 9

A row is a command line of `warm-up`: wall and processor time of the process, their ratio to a
Python that loads NumPy alone, in turn with it, and how many modules are loaded, by whom.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

from campanula import warm_up
from campanula.formats.atomic import temporary_folder

NUMPY = [sys.executable, "-c", "import numpy"]
LOADED = re.compile(r"^import time: +\d+ \| +\d+ \| +(\S+)$", re.MULTILINE)
HEAVY = ("numba", "llvmlite", "scipy", "sacrebleu")


class Times(NamedTuple):
    """Wall and processor seconds of a process."""

    wall: float
    cpu: float


def times(command: list[str], folder: str) -> Times:
    """Times of a process; raises CalledProcessError where it fails."""
    remove_inventory(command, folder)
    # a sum over all children that have ended, so the difference is this one's alone
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    # or OpenBLAS, which NumPy loads, would start a thread a core
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environment)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Times(wall, cpu)


def remove_inventory(command: list[str], folder: str) -> None:
    """Remove the inventory of an earlier run, which index-features would not overwrite."""
    if "index-features" in command:
        name = command[command.index("--inventory") + 1]
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def modules(words: list[str], folder: str) -> list[str]:
    """Modules that a command loads."""
    command = [sys.executable, "-X", "importtime", "-m", "campanula", *words]
    remove_inventory(command, folder)
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return LOADED.findall(done.stderr)


def row(words: list[str], folder: str, repeats: int) -> str:
    """The line of a command."""
    command = [sys.executable, "-m", "campanula", *words]
    times(command, folder)  # compiles what is not on disk yet
    pairs = [(times(command, folder), times(NUMPY, folder)) for _ in range(repeats)]
    wall, cpu = (statistics.median(ours[i] for ours, _ in pairs) for i in range(2))
    # pair by pair: what slows the machine for a while slows both of a pair
    ratio = statistics.median(ours.wall / numpy.wall for ours, numpy in pairs)
    loaded = modules(words, folder)
    packages = {name.partition(".")[0] for name in loaded}
    own = sum(name.startswith("campanula") for name in loaded)
    heavy = ", ".join(name for name in HEAVY if name in packages)
    return (
        f"| `{words[0]}` | {wall:.3f} | {cpu:.3f} | {ratio:.2f} | {own} | {len(loaded)} | {heavy} |"
    )


def main() -> None:
    """Print the table: one line a command, or every command line of those that are asked for."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--commands", type=lambda text: text.split(","), help="(default: each, once)")
    p.add_argument("--repeats", type=int, default=5, help="runs of each (default: 5)")
    args = p.parse_args()
    print("| command | wall, s | CPU, s | NumPy alone = 1 | our modules | all modules | heavy |")
    print("|---|---|---|---|---|---|---|")
    with temporary_folder() as folder:
        warm_up.write_texts(folder)
        for words, wanted in runs(args.commands):
            if wanted:
                print(row(words, folder, args.repeats), flush=True)
            else:
                times([sys.executable, "-m", "campanula", *words], folder)


def runs(commands: list[str] | None) -> list[tuple[list[str], bool]]:
    """Command lines up to the last that is asked for, with whether each is asked for.

    The others make inputs of those that are.
    """
    lines = [[*job.line.split(), "-q"] for job in warm_up.jobs() if not job.may_fail]
    names = [words[0] for words in lines]
    if commands is None:
        wanted = [name not in names[:place] for place, name in enumerate(names)]
    else:
        wanted = [name in commands for name in names]
    last = max((place for place, one in enumerate(wanted) if one), default=-1)
    return list(zip(lines, wanted, strict=True))[: last + 1]


if __name__ == "__main__":
    main()

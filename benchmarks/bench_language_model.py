"""estimate-lm on a larger text, in memory and within a bound of it: seconds and peak memory.

    python -m benchmarks.bench_language_model TEXT [--sentences 700000] [--memory 300M]

The text is drawn from TEXT: the beginning of a sentence and the end of another, with one word
exchanged, so that longer n-grams are new.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    """Write a text, estimate both ways, compare the bytes."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("text")
    p.add_argument("--sentences", type=int, default=700_000)
    p.add_argument("--memory", default="300M")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = write_text(args.text, args.sentences, folder / "text")
        print(f"{args.sentences} sentences, {words} words")
        whole = measured(folder, "whole")
        print(f"in memory: {whole}")
        print(f"--memory {args.memory}: {measured(folder, 'bounded', '--memory', args.memory)}")
        same = (folder / "whole").read_bytes() == (folder / "bounded").read_bytes()
        print("the same bytes" if same else "other bytes")


def write_text(path: str, n_sentences: int, to: Path) -> int:
    """Write a text that is drawn from another; returns how many words it has."""
    rng = random.Random(1)
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    count = 0
    with to.open("w", encoding="utf-8") as file:
        for _ in range(n_sentences):
            one, other = rng.choice(lines), rng.choice(lines)
            words = one[: rng.randrange(len(one) + 1)] + other[rng.randrange(len(other) + 1) :]
            if words:
                words[rng.randrange(len(words))] = rng.choice(rng.choice(lines))
            file.write(" ".join(words) + "\n")
            count += len(words)
    return count


def measured(folder: Path, output: str, *flags: str) -> str:
    """Wall time and peak memory of a run as a process of its own."""
    argv = [str(folder / "text"), *flags, "-q", "-o", str(folder / output)]
    code = f"from campanula.stages import estimate_lm; estimate_lm.main({argv!r})"
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", code])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"estimate-lm {' '.join(argv)} failed")
    return f"{seconds:.1f} s, {peak(usage):.2f} GB"


def peak(usage: resource.struct_rusage) -> float:
    """Peak memory in GB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e9


if __name__ == "__main__":
    main()

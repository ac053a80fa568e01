"""Wall time, processor time and peak memory of one shell command, all its processes together.

    python -S benchmarks/process.py FOLDER COMMAND      prints three numbers: seconds, seconds, MB

A process of its own, and a small one: the kernel counts the size of the program that starts
another as that other's, so a benchmark with arrays in its memory cannot measure small commands.
Peak memory is that of the largest process of a pipe.
"""

from __future__ import annotations

import os
import sys
import time


def main() -> None:
    """Run the command in the folder; its status is ours."""
    folder, command = sys.argv[1:]
    os.chdir(folder)
    start = time.perf_counter()
    # the peak outlives exec, so that no command has less than this interpreter before the fork
    child = os.fork()
    if child == 0:
        # stdout is for the three numbers
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        # pipefail, or a pipe whose first command fails would pass as a fast one
        os.execvp("bash", ["bash", "-c", f"set -o pipefail; {command}"])
    # of this child and of what it has waited for: all processes of a pipe
    _, status, usage = os.wait4(child, 0)
    taken = time.perf_counter() - start
    per_mb = 1 << 20 if sys.platform == "darwin" else 1 << 10  # macOS counts bytes, Linux kB
    print(taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / per_mb)
    # a signal's number is negative, which is no exit status
    sys.exit(os.waitstatus_to_exitcode(status) and 1)


if __name__ == "__main__":
    main()

"""Run many fuzzed inputs: `make fuzz`, or `python -m tests.fuzzing --seed 1 --count 1000000`.

A failure is kept in a folder of --keep: the input files, `run.sh` with the command, and what is
wrong.  Ctrl-C prints the figures of what has been run.  To run one case again:

    python -m tests.fuzzing --seed 1 --case 4711
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzzing.workers import Failure, Report

os.environ.setdefault("CAMPANULA_QUIET", "1")


def main() -> int:
    """Run the cases, print figures; status 1 when a case failed."""
    args = _flags()
    from tests.fuzzing import workers
    from tests.fuzzing.kinds import case_of

    if args.case is not None:
        case = case_of(args.seed, args.case)
        keep(Path(args.keep), workers.Failure(args.case, "", case), args.seed)
        with tempfile.TemporaryDirectory() as folder:
            fault = workers.run_case(case, Path(folder))
        print(f"{case.line()}\n{fault or 'as it should be'}")
        return fault is not None
    began = time.monotonic()
    kept = 0

    def tell(report: workers.Report) -> None:
        nonlocal kept
        for failure in report.failures[kept:]:
            keep(Path(args.keep), failure, args.seed)
            print(f"{failure.number} {failure.case.kind}: {failure.fault}", flush=True)
        kept = len(report.failures)
        if sys.stderr.isatty():
            print(f"\r{report.done} inputs, {kept} failures", end="", file=sys.stderr)

    numbers = range(args.first, args.first + args.count)
    report = workers.Report()
    with suppress(KeyboardInterrupt):  # the figures of what was run are printed then, too
        workers.run(args.seed, numbers, args.jobs, tell, report)
    tell(report)
    figures(report, args.seed, time.monotonic() - began)
    return bool(report.failures)


def _flags() -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=1_000_000)
    p.add_argument("--first", type=int, default=0, help="number of the first case")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--keep", default="work/fuzz", help="folder of failures")
    p.add_argument("--case", type=int, help="run this one alone")
    return p.parse_args()


def keep(folder: Path, failure: Failure, seed: int) -> None:
    """Write a case's files, its command and how to run it again."""
    own = folder / f"{seed}-{failure.number}"
    own.mkdir(parents=True, exist_ok=True)
    for name, data in failure.case.files.items():
        (own / name).parent.mkdir(exist_ok=True)
        (own / name).write_bytes(data)
    again = f"# python -m tests.fuzzing --seed {seed} --case {failure.number}"
    (own / "run.sh").write_text(
        f"{again}\ncd $(dirname $0) && {failure.case.line()}\n# {failure.fault}\n"
    )


def figures(report: Report, seed: int, seconds: float) -> None:
    """Print what was run, by kind, and what failed, by fault."""
    for kind, count in sorted(report.kinds.items()):
        print(f"{count:9,}  {kind}")
    for fault, count in Counter(f.fault.partition(":")[0] for f in report.failures).most_common():
        print(f"{count:9,}  FAILED: {fault}")
    accepted = 100 * report.accepted / max(report.done, 1)
    rate = report.done / max(seconds, 1e-9)
    print(
        f"seed {seed}: {report.done:,} inputs in {seconds:.0f} s ({rate:.0f} a second),"
        f" {accepted:.0f} % accepted, {len(report.failures)} failures;"
        f" slowest {report.slowest[0]:.2f} s"
        f" (number {report.slowest[1]}), memory {report.memory / 1e6:.0f} MB"
    )


if __name__ == "__main__":
    raise SystemExit(main())

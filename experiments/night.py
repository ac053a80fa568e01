"""Print the time and disk space that a night of experiments will take, before it starts.

    python -m experiments.night TABLE... --limit 3h --pairs 4 --work FOLDER

A table takes at most its limit, and less where runs are in the work folder already.  For a table
that was made before (results/NAME.json) it prints the hours of its steps and the size of its runs
then; those of a table of several languages are scaled to their number now.  The exit status is 1
where the disk has less space than these tables took.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.page import RESULTS
from experiments.tables import read

UNITS = {"s": 1 / 3600, "m": 1 / 60, "h": 1.0, "d": 24.0}
BY_PAIR = ("rampion-table1", "rampion-table2")


class EarlierCost(NamedTuple):
    """Hours and gigabytes of a table when it was made before."""

    hours: float
    gigabytes: float


def hours_of(limit: str) -> float:
    """Hours of a limit as `timeout` takes it: 90m, 3h, 10800."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", limit)
    if match is None:
        raise SystemExit(f"night: --limit {limit}: expected a number with s, m, h or d")
    return float(match[1]) * UNITS[match[2] or "s"]


def earlier_cost(name: str, pairs: int, results: Path = RESULTS) -> EarlierCost | None:
    """Cost of a table when it was made before, scaled to `pairs` languages; None if unknown."""
    path = results / f"{name}.json"
    if not path.exists():
        return None
    table = read(path)
    # with unfinished runs the time is only a part of what the table takes
    if "seconds" not in table.made or table.unfinished:
        return None
    # columns are `LANGUAGE TEST`; the average over all has no space
    languages = {column.split()[0] for column in table.columns if " " in column}
    times = pairs / len(languages) if name in BY_PAIR else 1.0
    hours, gigabytes = table.made["seconds"] / 3600, table.made["megabytes"] / 1000
    return EarlierCost(times * hours, times * gigabytes)


def lines_of(names: Sequence[str], limit: float, pairs: int, free: float) -> Iterator[str]:
    """Yield a line for each table, then sums; raises SystemExit where the disk is too small.

    limit: hours of a table; free: gigabytes of the disk.
    """
    total, size, unknown = 0.0, 0.0, []
    for name in names:
        cost = earlier_cost(name, pairs)
        if cost is None:
            unknown.append(name)
            # a table that was never made may take all of its time
            total += limit
            yield f"{name}: not known, at most {limit:.1f} h"
        else:
            total += min(cost.hours, limit)
            size += cost.gigabytes
            before = f"{cost.hours:.1f} h before, {cost.gigabytes:.1f} GB"
            yield f"{name}: {before}; at most {limit:.1f} h"
    yield f"in all at most {total:.1f} h; {size:.1f} GB of {free:.0f} GB that are free"
    if unknown:
        yield f"the size of {len(unknown)} tables is not known"
    if size > free:
        raise SystemExit(f"night: {size:.1f} GB are needed, {free:.1f} GB are free")


def main() -> None:
    """Print what a night will take."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("tables", nargs="+", metavar="TABLE")
    p.add_argument("--limit", required=True, help="of a table, as `timeout` takes it")
    p.add_argument("--pairs", type=int, required=True, help="languages of the tables of several")
    p.add_argument("--work", required=True, help="where runs are made")
    args = p.parse_args()
    free = shutil.disk_usage(args.work).free / 1e9
    for line in lines_of(args.tables, hours_of(args.limit), args.pairs, free):
        print(line)


if __name__ == "__main__":
    main()

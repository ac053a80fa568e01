"""Say what a night of experiments will take, before it starts.

    python -m experiments.night TABLE... --limit 3h --pairs 4 --work FOLDER

A table takes at most its limit, and less where earlier runs have come far.  Of tables that were
made before (results/NAME.json) it says the hours of their steps and the size of their runs then;
those of several languages are multiplied by their number now.  Ends with 1 where the disk has less
room than the tables are known to take.
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


class Known(NamedTuple):
    """Hours and gigabytes of a table that was made before."""

    hours: float
    gigabytes: float


def hours_of(limit: str) -> float:
    """Hours of a limit as `timeout` takes it: 90m, 3h, 10800."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", limit)
    if found is None:
        raise SystemExit(f"night: --limit {limit}: expected a number with s, m, h or d")
    return float(found[1]) * UNITS[found[2] or "s"]


def known(name: str, pairs: int, results: Path = RESULTS) -> Known | None:
    """What a table took before, None where that is not known."""
    path = results / f"{name}.json"
    if not path.exists():
        return None
    table = read(path)
    if "seconds" not in table.made or table.unfinished:
        return None
    languages = {column.split()[0] for column in table.columns if " " in column}
    times = pairs / len(languages) if name in BY_PAIR else 1.0
    return Known(times * table.made["seconds"] / 3600, times * table.made["megabytes"] / 1000)


def lines_of(names: Sequence[str], limit: float, pairs: int, free: float) -> Iterator[str]:
    """Yield what is said."""
    total, size, unknown = 0.0, 0.0, []
    for name in names:
        cost = known(name, pairs)
        if cost is None:
            unknown.append(name)
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

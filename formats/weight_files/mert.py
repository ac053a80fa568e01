"""Moses's mert: the numbers of its weights.txt, or the last `Best point` of its log.

    0.1 0.2 0.05
    Best point: 0.1 0.2 0.05  => 0.23

The numbers have no names, so they are called F0, F1, ... as in kbmira's output, unless a file of
names is given.
"""

from __future__ import annotations

import re

from campanula.formats.errors import quoted
from campanula.formats.weight_files.lines import WeightLines, WeightTable

BEST = re.compile(r"Best point: ([^=]*)=>.*")


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights; raises DataError."""
    best = [match[1] for line in lines if (match := BEST.fullmatch(line))]
    if best:
        _add(best[-1], lines, table)
        return
    for number, line in enumerate(lines):
        if number:
            raise lines.error(f"expected one line of numbers, found another: {quoted(line)}")
        _add(line, lines, table)


def _add(text: str, lines: WeightLines, table: WeightTable) -> None:
    for place, token in enumerate(text.split()):
        table.add(lines, f"F{place}", token)

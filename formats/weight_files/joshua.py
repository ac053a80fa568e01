"""Joshua: weights in joshua.config, in the file that it names, or in Z-MERT's params.txt.

    lm_0 1.0                                   (joshua.config, weights file)
    weights-file = weights.txt                 (joshua.config)
    lm_0 ||| 1.0 Opt 0.1 +Inf +0.5 +1.5        (params.txt)

Other settings, which have a `=`, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights

FILE = re.compile(r"weights-file *= *(.+)")


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights; raises DataError."""
    for line in lines:
        name, bars, rest = line.partition("|||")
        tokens = line.split()
        if bars and rest.strip(" "):
            table.add(lines, name.strip(" "), rest.split()[0])
        elif found := FILE.fullmatch(line):
            table.add_pairs(lines.beside(found[1]))
        elif len(tokens) == 2:
            table.add(lines, *tokens)
        elif "=" not in line:
            raise lines.error(f"expected `name value` or a setting, found {line[:60]!r}")


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines of a weights file."""
    for name, value in weights.items():
        yield f"{name} {value!r}"

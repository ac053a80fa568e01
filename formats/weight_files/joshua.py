"""Joshua: weights in joshua.config, in the weights file named there, or in Z-MERT's params.txt.

    lm_0 1.0                                   (joshua.config, weights file)
    weights-file = weights.txt                 (joshua.config)
    lm_0 ||| 1.0 Opt 0.1 +Inf +0.5 +1.5        (params.txt)

In a configuration Joshua takes every line with a `=` for a setting, and all others for weights.  A
file is taken for a configuration if one of its lines is a setting that only Joshua has; in other
files names may have a `=`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from campanula.formats.errors import quoted
from campanula.formats.text.numbers import looks_like_number
from campanula.formats.text.words import split_words
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights

SETTING = re.compile(r"([A-Za-z][\w-]*) *= *(.*)", re.ASCII)
# settings that only Joshua has, as they are normalised
TYPICAL = {"tm", "lm", "featurefunction", "weightsfile", "outputformat"}
COMMENTS = ("#", "//")


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights; raises DataError."""
    config = is_config(lines)
    for line in lines:
        key, value = _setting(line)
        if config and "=" in line:
            if key == "weightsfile":
                table.add_pairs(lines.beside(value), COMMENTS)
            continue
        if line.startswith(COMMENTS):
            continue
        name, bars, rest = line.partition("|||")
        tokens = split_words(line)
        if bars and rest.strip(" "):
            table.add(lines, name.strip(" "), split_words(rest)[0])
        elif len(tokens) == 2:
            table.add(lines, *tokens)
        elif not key:
            raise lines.error(f"expected `name value` or a setting, found {quoted(line)}")


def is_config(lines: Iterable[str]) -> bool:
    """Whether one of the lines is a setting that only joshua.config has."""
    settings = (_setting(line) for line in lines)
    return any(key in TYPICAL and not _numeric(value) for key, value in settings)


def _setting(line: str) -> tuple[str, str]:
    """Return key and value of a setting, both empty for any other line.

    The key is normalised: Joshua does not distinguish `pop-limit`, `pop_limit` and `PopLimit`.
    """
    match = SETTING.fullmatch(line)
    if match is None:
        return "", ""
    return match[1].replace("-", "").replace("_", "").lower(), match[2]


def _numeric(value: str) -> bool:
    return looks_like_number(value.partition(" ")[0])


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines of a weights file."""
    for name, value in weights.items():
        yield f"{name} {value!r}"

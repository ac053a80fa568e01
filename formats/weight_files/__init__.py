"""Weights files of other tools: a table of formats to read and to write.

A format is a module of this folder with `read(lines, table)` and, where weights can be written,
`write(weights)`.  To add one, add its module and its row here.

A format of your own (own.py) is added by `FORMATS.add("my-format", read)`, or found by name among
the entry points of the group campanula.weight_formats.
"""

from __future__ import annotations

from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.registry import Registry
from campanula.formats.weight_files import cdec, joshua, json_object, mert, moses, plain, travatar
from campanula.formats.weight_files.detecting import detect
from campanula.formats.weight_files.format import WeightFormat
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weight_files.numbered import list_order, renamed
from campanula.formats.weight_files.own import own_format
from campanula.formats.weights import Weights

FORMATS: Registry[WeightFormat] = Registry(
    "weights format",
    "campanula.weight_formats",
    {
        "plain": WeightFormat(plain.read, plain.write),
        "moses": WeightFormat(moses.read, moses.write, moses.write_apart, marks=("#", "[")),
        "cdec": WeightFormat(cdec.read, cdec.write, marks=("#",)),
        "joshua": WeightFormat(joshua.read, joshua.write, marks=joshua.COMMENTS),
        "travatar": WeightFormat(travatar.read, travatar.write, marks=("#",)),
        "mert": WeightFormat(mert.read),
        "json": WeightFormat(json_object.read, json_object.write),
    },
    make=own_format,
)
"""The formats by name; one that is added, or an entry point, may be just a function."""


def read_weights(path: str, form: str = "auto", names: str | None = None) -> Weights:
    """Read a weights file; raises DataError, also for a file without any weights.

    names: a file with the names of the features F0, F1, ... (numbered.py).
    """
    ordered: list[str] = []
    if names is not None:
        lines = WeightLines(names)
        ordered = list_order(lines, list(_read(lines, "auto")))
    lines = WeightLines(path)
    weights = _read(lines, form)
    return Weights(renamed(weights, ordered, lines.name, display_name(names or "")), lines.name)


def lines_of(weights: Weights, form: str) -> list[str]:
    """Return the lines of a weights file in a format that can be written.

    Raises DataError for a name that would not be read back, since it looks like a comment, a
    section or a setting of the format.
    """
    write = FORMATS[form].write
    if write is None:
        raise ValueError(f"weights in the format {form} can be read only")
    lines = list(write(weights))
    # read again rather than checked by rules: each format has other names that it cannot hold;
    # the loop only finds which name to report
    if _read_back(lines, form) != dict(weights):
        for name, value in weights.items():
            if _read_back(list(write(Weights({name: value}))), form) != {name: value}:
                problem = f"the format {form} cannot hold this name"
                raise DataError(weights.source, f"feature {name!r}", problem)
        problem = f"the format {form} cannot hold these names in one file"
        raise DataError(weights.source, None, problem)
    return lines


def _read_back(lines: list[str], form: str) -> dict[str, float] | None:
    table = WeightTable()
    first = [line.removeprefix("\ufeff") for line in lines[:1]]  # a reader of files drops it
    try:
        FORMATS[form].read(WeightLines("weights", [*first, *lines[1:]]), table)
    except DataError:
        return None
    return table.weights


def _read(lines: WeightLines, form: str) -> dict[str, float]:
    table = WeightTable()
    name = detect(lines) if form == "auto" else form
    if name is None:
        problem = f"expected weights in one of the formats {', '.join(FORMATS)}"
        raise DataError(lines.name, None, f"{problem}; found something else")
    FORMATS[name].read(lines, table)
    if not table.weights:
        raise DataError(lines.name, None, f"expected weights in the format {name}, found none")
    return table.weights

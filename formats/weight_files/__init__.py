"""Weights as the files of other tools: a table of formats, to read and to write.

A format is a module of this folder with `read(lines, table)` and, where weights can be written,
`write(weights)`.  To add one, add its module and its row here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.weight_files import cdec, joshua, json_object, mert, moses, plain, travatar
from campanula.formats.weight_files.detecting import detect
from campanula.formats.weight_files.lines import Lines, Table
from campanula.formats.weights import Weights


@dataclass(frozen=True, slots=True)
class Format:
    """How weights of a tool are read and, if they can be, written."""

    read: Callable[[Lines, Table], None]
    write: Callable[[Weights], Iterator[str]] | None = None


FORMATS: dict[str, Format] = {
    "plain": Format(plain.read, plain.write),
    "moses": Format(moses.read, moses.write),
    "cdec": Format(cdec.read, cdec.write),
    "joshua": Format(joshua.read, joshua.write),
    "travatar": Format(travatar.read, travatar.write),
    "mert": Format(mert.read),
    "json": Format(json_object.read, json_object.write),
}


def read_weights(path: str, form: str = "auto", names: Sequence[str] = ()) -> Weights:
    """Read a weights file; raises DataError.

    `names` are those of the features F0, F1, ..., if the file has no better ones.
    """
    lines, table = Lines(path), Table()
    found = detect(lines) if form == "auto" else form
    if found is None:
        problem = f"expected weights in one of the formats {', '.join(FORMATS)}"
        raise DataError(lines.name, None, f"{problem}; found something else")
    FORMATS[found].read(lines, table)
    weights = {_named(name, names, lines): value for name, value in table.weights.items()}
    if len(weights) < len(table.weights):
        raise DataError(lines.name, None, "expected different names, found one of them twice")
    return Weights(weights, lines.name)


def _named(name: str, names: Sequence[str], lines: Lines) -> str:
    place = name.removeprefix("F")
    if not names or place == name or not (place.isascii() and place.isdigit()):
        return name
    if int(place) >= len(names):
        problem = f"expected {len(names)} features, as names are given, found more"
        raise DataError(lines.name, f"feature {name!r}", problem)
    return names[int(place)]

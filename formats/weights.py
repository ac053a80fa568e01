r"""Weights: a text file, one `name value` per line.

A line that starts with `# ` is a comment.  Values are written so that reading gives the same
64-bit number.  Blanks and tabs may surround names and values; a name has none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import xxhash

from campanula.formats.arrays.growing import extended
from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError, quoted, repeated
from campanula.formats.files import Output, display_name, read_lines
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.records.names import Names
from campanula.formats.text.numbers import finite_number, float_or_nan
from campanula.formats.weight_stream import WeightStream, is_weight_stream, read_weight_stream

LARGEST = 1e200  # with features up to 1e100, far beyond those of models, every sum is finite
FEW = 6  # names of features that a message lists


@dataclass(frozen=True, slots=True)
class Weights(Mapping[str, float]):
    """theta: a map from feature name to a finite number, in the order of the file."""

    values_by_name: dict[str, float]
    source: str = "weights"

    def __getitem__(self, name: str) -> float:
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    @classmethod
    def of(cls, names: Iterable[str], theta: Floats) -> Weights:
        """Make weights of names (n,) and values (n,)."""
        return cls(dict(zip(names, theta.tolist(), strict=True)))

    @classmethod
    def read(cls, path: str) -> Weights:
        """Read a weights file; raises DataError that names the line."""
        weights: dict[str, float] = {}
        for number, name, value in pairs(path):
            if name in weights:
                raise DataError(display_name(path), f"line {number}", repeated("feature", name))
            weights[name] = value
        return cls(weights, display_name(path))

    def write(self, path: str | None, comments: Iterable[str] = ()) -> None:
        """Write a weights file, comments first.

        Raises DataError for a name with a blank, and for a weight that is not finite: such a file
        could not be read.
        """
        lines = [f"# {comment}" for comment in comments]
        for name, value in self.values_by_name.items():
            # a name `#` would make the line a comment
            if not name or any(c in name for c in " \t\n\r") or name == "#":
                problem = "expected no blank, tab or line end in a feature name"
                raise DataError(self.source, f"feature {name!r}", problem)
            if not math.isfinite(value):
                problem = f"expected a finite weight, found {value}"
                output = "stdout" if path in (None, "-") else str(path)
                raise DataError(output, f"feature {name!r}", problem)
            lines.append(f"{name} {value!r}")
        with Output(path) as out:
            out.write("".join(f"{line}\n" for line in lines).encode("utf-8"))

    def digest(self) -> str:
        """Return the checksum of names and values, 16 hexadecimal digits; order does not matter."""
        return xxhash.xxh3_64(repr(sorted(self.values_by_name.items())).encode()).hexdigest()

    def vector(self, names: Names, missing: float | None = None, start: int = 0) -> Floats:
        """Return the weights of the names from id `start` on, (len(names) - start,).

        A name without a weight has `missing`; if that is None, raises DataError.
        """
        values = [self.values_by_name.get(name, missing) for name in names.since(start)]
        if None in values:
            name = names[start + values.index(None)]
            problem = "expected a weight, found none (--allow-missing takes 0)"
            raise DataError(self.source, f"feature {name!r}", problem)
        return np.array(values, np.float64)

    def checked_vector(self, names: Names, lists: str, allow_missing: bool = False) -> Floats:
        """Return the weights of the names of some lists, (len(names),).

        Raises DataError for a feature without a weight, and for a weight whose feature is not in
        `names`.  With allow_missing both are accepted, and a feature without a weight has 0.
        """
        if not allow_missing:
            self.refuse_unknown(names, lists)
        return self.vector(names, 0.0 if allow_missing else None)

    def refuse_beyond(self, largest: float = LARGEST) -> None:
        """Raise DataError for a weight so large that scores of a search could overflow."""
        for name, value in self.values_by_name.items():
            if not abs(value) <= largest:
                problem = f"expected a weight of at most {largest:g} in size, found {value:g}"
                raise DataError(self.source, f"feature {name!r}", problem)

    def without(self, names: Names) -> Weights:
        """Return the weights of all other names than these."""
        if not len(names):
            return self
        others = {name: value for name, value in self.values_by_name.items() if name not in names}
        return Weights(others, self.source)

    def refuse_unknown(self, names: Names, lists: str) -> None:
        """Raise DataError for a weight whose feature is in none of the lists that were read.

        names: features of the lists; lists: name of their file, for the message.
        """
        for name in self.values_by_name:
            if name not in names:
                problem = f"unknown feature: {lists} has none of this name{_but(names)}"
                problem = f"{problem} (--allow-missing)"
                raise DataError(self.source, f"feature {name!r}", problem)


def _but(names: Names) -> str:
    """Return the end of a message: the first names of the table."""
    first = [names[at] for at in range(min(len(names), FEW))]
    return f", but {', '.join(first)}{', ...' if len(names) > FEW else ''}" if first else ""


AnyWeights: TypeAlias = Weights | WeightStream


class Theta:
    """Weights by feature id, for a names table that grows while lists are read."""

    def __init__(self, weights: AnyWeights, names: Names, missing: float | None = None) -> None:
        """Take weights for lists with these names; raises DataError for another inventory's."""
        if isinstance(weights, WeightStream):
            weights.check(names)
        elif isinstance(names, InventoryNames):
            problem = "expected a weights stream for lists against an inventory, found text"
            raise DataError(weights.source, None, f"{problem} (--inventory, import-weights)")
        self._weights = weights
        self._names = names
        self._missing = missing
        self._values = np.zeros(0)
        self._size = 0

    def vector(self) -> Floats:
        """Return the weights of all names so far, (len(names),); raises as Weights.vector does."""
        weights = self._weights
        size = len(self._names)
        if self._size < size:
            if isinstance(weights, WeightStream):
                self._values = weights.vector(size)
            else:
                fresh = weights.vector(self._names, self._missing, self._size)
                self._values = extended(self._values, self._size, fresh)
            self._size = size
        return self._values[:size]


def read_any_weights(path: str) -> AnyWeights:
    """Read weights from a file, text or a weights stream; raises DataError."""
    return read_weight_stream(path) if is_weight_stream(path) else Weights.read(path)


def _lines(path: str) -> Iterator[str]:
    """Yield the lines of a text file; raises DataError that names a weights stream as such.

    A weights stream is no UTF-8 from its first byte on, so read_lines fails at once.
    """
    try:
        yield from read_lines(path, "weights, `name value` a line", ("json", "weights"))
    except DataError as error:
        if path != "-" and is_weight_stream(path):
            problem = "is a weights stream, for lists against its inventory: expected text"
            raise DataError(error.where, None, f"{problem} (export-weights)") from error
        raise


def pairs(path: str) -> Iterator[tuple[int, str, float]]:
    """Yield line number, name and value of every weight of a text file; raises DataError."""
    for number, line in enumerate(_lines(path), 1):
        if not line.strip(" \t") or line == "#" or line.startswith("# "):
            continue
        try:
            name, value = _parse(line)
        except ValueError as error:
            raise DataError(display_name(path), f"line {number}", str(error)) from error
        yield number, name, value


def _parse(line: str) -> tuple[str, float]:
    name, _, token = line.partition(" ")
    value = float_or_nan(token)
    if name and "\t" not in name and math.isfinite(value):
        return name, value  # the form that `write` gives; other lines take the slow way below
    fields = [field for field in line.replace("\t", " ").split(" ") if field]
    if len(fields) != 2:
        problem = f"expected `name value`, found {quoted(line)}"
        raise ValueError(f"{problem} (import-weights reads other formats)")
    return fields[0], finite_number(fields[1], "a number")

r"""Weights: a text file, `name value` a line.

A line that starts with `# ` is a comment.  Values are written so that reading gives the same
64-bit number.  Blanks and tabs stand around names and values, never in them.
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
from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name, read_lines
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.records.names import Names
from campanula.formats.text.numbers import finite_number, float_or_nan
from campanula.formats.weight_stream import WeightStream, is_weight_stream, read_weight_stream

LARGEST = 1e200  # with features up to 1e100, far more than models have, every sum is finite
FEW = 6  # names of features that a message has


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
        """Weights from names (n,) and values (n,)."""
        return cls(dict(zip(names, theta.tolist(), strict=True)))

    @classmethod
    def read(cls, path: str) -> Weights:
        """Read a weights file; raises DataError that names the line."""
        weights: dict[str, float] = {}
        for number, name, value in pairs(path):
            if name in weights:
                problem = f"feature {name!r} stands here for the second time"
                raise DataError(display_name(path), f"line {number}", problem)
            weights[name] = value
        return cls(weights, display_name(path))

    def write(self, path: str | None, comments: Iterable[str] = ()) -> None:
        """Write a weights file, comments first; raises DataError for what nobody could read.

        That is a name with a blank, and a weight that is no finite number.
        """
        lines = [f"# {comment}" for comment in comments]
        for name, value in self.values_by_name.items():
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
        """Checksum of names and values, as 16 hexadecimal digits; their order does not matter."""
        return xxhash.xxh3_64(repr(sorted(self.values_by_name.items())).encode()).hexdigest()

    def vector(self, names: Names, missing: float | None = None, start: int = 0) -> Floats:
        """Values of the names from id `start` on; `missing` where there is none, or DataError."""
        values = [self.values_by_name.get(name, missing) for name in names.since(start)]
        if None in values:
            name = names[start + values.index(None)]
            problem = "expected a weight, found none (--allow-missing takes 0)"
            raise DataError(self.source, f"feature {name!r}", problem)
        return np.array(values, np.float64)

    def checked_vector(self, names: Names, lists: str, allow_missing: bool = False) -> Floats:
        """Values of the names of some lists; raises DataError where weights and features differ.

        When that is allowed a feature without a weight has 0.
        """
        if not allow_missing:
            self.refuse_unknown(names, lists)
        return self.vector(names, 0.0 if allow_missing else None)

    def refuse_beyond(self, largest: float = LARGEST) -> None:
        """Raise DataError for a weight with which scores of a search might not be finite."""
        for name, value in self.values_by_name.items():
            if not abs(value) <= largest:
                problem = f"expected a weight of at most {largest:g} in size, found {value:g}"
                raise DataError(self.source, f"feature {name!r}", problem)

    def without(self, names: Names) -> Weights:
        """The weights but those of the names."""
        if not len(names):
            return self
        kept = {name: value for name, value in self.values_by_name.items() if name not in names}
        return Weights(kept, self.source)

    def refuse_unknown(self, names: Names, lists: str) -> None:
        """Raise DataError for a weight whose feature is in none of the lists read."""
        for name in self.values_by_name:
            if name not in names:
                problem = f"unknown feature: {lists} has none of this name{_but(names)}"
                problem = f"{problem} (--allow-missing)"
                raise DataError(self.source, f"feature {name!r}", problem)


def _but(names: Names) -> str:
    """The first names that there are, for a message."""
    first = [names[at] for at in range(min(len(names), FEW))]
    return f", but {', '.join(first)}{', ...' if len(names) > FEW else ''}" if first else ""


GivenWeights: TypeAlias = Weights | WeightStream


class Theta:
    """Weights by feature id, kept in step with a names table that grows while it is read."""

    def __init__(self, weights: GivenWeights, names: Names, missing: float | None = None) -> None:
        """Weights of lists with these names; raises DataError for those of another inventory."""
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
        """Values of all names so far, (len(names),); raises DataError as Weights.vector does."""
        weights, size = self._weights, len(self._names)
        if self._size < size:
            if isinstance(weights, WeightStream):
                self._values = weights.vector(size)
            else:
                fresh = weights.vector(self._names, self._missing, self._size)
                self._values = extended(self._values, self._size, fresh)
            self._size = size
        return self._values[:size]


def given_weights(path: str) -> GivenWeights:
    """Weights of a file, text or a weights stream; raises DataError."""
    return read_weight_stream(path) if is_weight_stream(path) else Weights.read(path)


def _lines(path: str) -> Iterator[str]:
    """Lines of a text file; of a weights stream, whose first byte is none of UTF-8, it says so."""
    try:
        yield from read_lines(path, "weights, `name value` a line", ("json", "weights"))
    except DataError as error:
        if path != "-" and is_weight_stream(path):
            problem = "is a weights stream, for lists against its inventory: expected text"
            raise DataError(error.where, None, f"{problem} (export-weights)") from error
        raise


def pairs(path: str) -> Iterator[tuple[int, str, float]]:
    """Yield line, name and value of every weight of a text file; raises DataError."""
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
        return name, value  # as we write it; what is not has more blanks, or a fault
    parts = [part for part in line.replace("\t", " ").split(" ") if part]
    if len(parts) != 2:
        problem = f"expected `name value`, found {line[:60]!r}"
        raise ValueError(f"{problem} (import-weights reads other formats)")
    return parts[0], finite_number(parts[1], "a number")

"""Lines of a weights file that know their place for errors, and the table of its weights."""

from __future__ import annotations

import os
from collections.abc import Iterator

from campanula.formats.errors import DataError, LineError, quoted, repeated
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.numbers import number

LARGEST = 1 << 31  # bytes of lines in memory; a small compressed file may expand to any size
LINE = 64  # bytes of memory per line beside its characters


class WeightLines:
    """Lines of a file, stripped; blank ones and comments are left out."""

    def __init__(self, path: str, lines: list[str] | None = None) -> None:
        """Read a file, or take `lines` as its lines."""
        self.name = display_name(path)
        self._path = path
        self._lines = _all_lines(path) if lines is None else lines
        self._number = 0

    def __iter__(self) -> Iterator[str]:
        return self.without("#")

    def without(self, comment: str | tuple[str, ...]) -> Iterator[str]:
        """Yield the lines that do not start with a mark of comments, or with one of several."""
        for place, line in enumerate(self._lines, 1):
            self._number = place
            stripped = line.replace("\t", " ").strip(" ")
            if stripped and stripped != "#" and not stripped.startswith(comment):
                yield stripped

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that are no comments, each with its number from 1."""
        for line in self:
            yield self._number, line

    def text(self) -> str:
        """Return the whole file as one text."""
        return "\n".join(self._lines)

    def value(self, token: str, name: str) -> float:
        """Parse the weight of the feature `name`; raises DataError."""
        try:
            return number(token, f"feature {name!r}")
        except LineError as error:
            raise self.error(str(error)) from error

    def error(self, problem: str) -> DataError:
        """Return an error in the line that was yielded last."""
        return DataError(self.name, f"line {self._number}", problem)

    def beside(self, path: str) -> WeightLines:
        """Read another file that this one names, relative to the current or this one's folder."""
        folder = os.path.dirname(self._path)
        return WeightLines(path if os.path.exists(path) else os.path.join(folder, path))


def _all_lines(path: str) -> list[str]:
    """Read the lines of a file; raises DataError when they take more memory than LARGEST."""
    lines: list[str] = []
    size = 0
    for line in read_lines(path, "weights", ("json", "weights", "moses.ini")):
        size += len(line) + LINE
        if size > LARGEST:
            problem = f"expected weights, at most {LARGEST >> 30} GiB of text, found more"
            raise DataError(display_name(path), None, problem)
        lines.append(line)
    return lines


class WeightTable:
    """Weights by name; a name stands once."""

    def __init__(self) -> None:
        self.weights: dict[str, float] = {}

    def add(self, lines: WeightLines, name: str, token: str) -> None:
        """Add a weight; raises DataError for a bad number, and for a name that is there already."""
        value = lines.value(token, name)
        if not name:
            raise lines.error("expected a feature's name, found none")
        if name in self.weights:
            raise lines.error(repeated("feature", name))
        self.weights[name] = value

    def add_pairs(self, lines: WeightLines, comment: str | tuple[str, ...] = "#") -> None:
        """Add the weights of lines `name value`; raises DataError."""
        for line in lines.without(comment):
            name, blank, token = line.rpartition(" ")
            if not blank:
                raise lines.error(f"expected `name value`, found {quoted(line)}")
            self.add(lines, name.strip(" "), token)

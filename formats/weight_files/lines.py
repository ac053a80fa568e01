"""Lines of a weights file, with what an error says of their place."""

from __future__ import annotations

import os
from collections.abc import Iterator

from campanula.formats.errors import DataError, LineError
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.numbers import number

LARGEST = 1 << 31  # bytes of weights in memory: a few of a compressed file may stand for any number
LINE = 64  # bytes that a line takes beside its characters


class WeightLines:
    """Lines of a file, stripped; blank ones and comments are left out."""

    def __init__(self, path: str, lines: list[str] | None = None) -> None:
        """Read a file, or take its lines where they are known."""
        self.name = display_name(path)
        self._path = path
        self._lines = _all_lines(path) if lines is None else lines
        self._number = 0

    def __iter__(self) -> Iterator[str]:
        return self.without("#")

    def without(self, comment: str | tuple[str, ...]) -> Iterator[str]:
        """Yield the lines that do not start with a comment's mark, or with one of several."""
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
        """All of the file."""
        return "\n".join(self._lines)

    def value(self, token: str, name: str) -> float:
        """The weight of a feature; raises DataError."""
        try:
            return number(token, f"feature {name!r}")
        except LineError as error:
            raise self.error(str(error)) from error

    def error(self, problem: str) -> DataError:
        """An error in the line that was read last."""
        return DataError(self.name, f"line {self._number}", problem)

    def beside(self, path: str) -> WeightLines:
        """Another file that this one names; its path may start from this one's folder."""
        folder = os.path.dirname(self._path)
        return WeightLines(path if os.path.exists(path) else os.path.join(folder, path))


def _all_lines(path: str) -> list[str]:
    """The lines of a file; raises DataError when it is more than weights can be."""
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
        """Add a weight; raises DataError for what is no number, and for a name that is there."""
        value = lines.value(token, name)
        if not name:
            raise lines.error("expected a feature's name, found none")
        if name in self.weights:
            raise lines.error(f"feature {name!r} stands here for the second time")
        self.weights[name] = value

    def add_pairs(self, lines: WeightLines, comment: str | tuple[str, ...] = "#") -> None:
        """Add `name value` a line."""
        for line in lines.without(comment):
            name, blank, token = line.rpartition(" ")
            if not blank:
                raise lines.error(f"expected `name value`, found {line[:60]!r}")
            self.add(lines, name.strip(" "), token)

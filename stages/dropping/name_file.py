"""Names of features in a file, one a line."""

from __future__ import annotations

from collections.abc import Iterable

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name, read_lines
from campanula.formats.text.words import split_words


def read_names(path: str) -> frozenset[str]:
    """Return the names in a file, one a line; raises DataError for a line of several words."""
    names = set()
    for number, line in enumerate(read_lines(path), 1):
        if len(split_words(line)) > 1:
            problem = f"expected one feature name, found {line!r}"
            raise DataError(display_name(path), f"line {number}", problem)
        names.add(line.strip(" \t"))
    if names <= {""}:
        raise DataError(display_name(path), None, "expected names of features, found none")
    return frozenset(names)


def write_names(names: Iterable[str], out: Output) -> None:
    """Write names, one a line; raises DataError for one that no line can hold."""
    for name in names:
        if split_words(name.replace("\n", " ")) != [name] or name.endswith("\r"):
            raise DataError(out.name, None, f"expected a name without blanks, found {name!r}")
        out.write_line(name)


def digest_of(names: Iterable[str]) -> str:
    """Return the checksum of a set of names: their order does not count."""
    return xxhash.xxh3_64_hexdigest("\n".join(sorted(names)).encode())

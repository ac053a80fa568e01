"""Code of the user's own that a stage runs by name: metrics, losses, solvers, formats of packages.

A result is kept under a digest of all that determines it, so the file in which such a thing stands
counts by its bytes; what that file imports does not.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from itertools import chain, pairwise

from campanula.pipelines import digest

GROUPS = {
    "--metric": ("metrics",),
    "--loss": ("losses",),
    "--solver": ("solvers",),
    "--format": ("weight_formats", "list_formats"),  # of weights or of lists, as the stage goes
}
"""What stands after a flag, as the groups of its entry points are called."""


def digests(arguments: Sequence[object]) -> Iterator[str]:
    """Yield the digest of the file of everything of the user's own that flags name."""
    for flag, name in pairwise(arguments):
        if isinstance(flag, str) and isinstance(name, str) and flag in GROUPS:
            for group in GROUPS[flag]:
                path = files().get((group, name))
                if path is not None:
                    yield digest.of_path(path)


@functools.cache
def files() -> dict[tuple[str, str], str]:
    """File of everything that installed packages give, by group and name."""
    found = {}
    for group in chain.from_iterable(GROUPS.values()):
        for point in metadata.entry_points(group=f"campanula.{group}"):
            with suppress(ImportError):  # whoever asks for it by name is told
                spec = importlib.util.find_spec(point.module)
                if spec is not None and spec.origin is not None:
                    found[group, point.name] = spec.origin
    return found

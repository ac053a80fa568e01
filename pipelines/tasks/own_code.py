"""The user's own code that a stage runs by name: metrics, losses, solvers, formats of packages.

A result is kept under a digest of all that determines it.  So the digest covers the bytes of the
file that defines such a metric or solver; it does not cover what that file imports.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from itertools import chain, pairwise

from campanula.pipelines.tasks import digest

GROUPS = {
    "--metric": ("metrics",),
    "--loss": ("losses",),
    "--solver": ("solvers",),
    "--format": ("weight_formats", "list_formats"),  # which of them depends on the stage
}
"""Groups of entry points in which the value of a flag may be a name."""


def digests(arguments: Sequence[object]) -> Iterator[str]:
    """Yield digests of the files of the user's code that `arguments` name."""
    for flag, name in pairwise(arguments):
        if isinstance(flag, str) and isinstance(name, str) and flag in GROUPS:
            for group in GROUPS[flag]:
                path = files().get((group, name))
                if path is not None:
                    yield digest.of_path(path)


@functools.cache
def files() -> dict[tuple[str, str], str]:
    """Paths of the files that define the entry points of installed packages, by group and name."""
    origins = {}
    for group in chain.from_iterable(GROUPS.values()):
        for point in metadata.entry_points(group=f"campanula.{group}"):
            with suppress(ImportError):  # the stage that uses the name reports the error
                spec = importlib.util.find_spec(point.module)
                if spec is not None and spec.origin is not None:
                    origins[group, point.name] = spec.origin
    return origins

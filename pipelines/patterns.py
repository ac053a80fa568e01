"""Patterns of --freeze, --only and --bounds that no feature of a run can match.

`optimize` refuses such patterns for the features of its lists, but by then a run has decoded.  Here
they are refused before any work, by the names of the dense features that are on and by the prefixes
of the sparse ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.pipelines.decoder import SparseFlags
from campanula.stages.command import UsageError
from campanula.stages.decoding.sparse.flags import read_lists, templates_of_flags

FLAGS = ("--freeze", "--only", "--bounds")
WILD = re.compile(r"[*?[]")


def patterns(given: Sequence[str]) -> list[tuple[str, str]]:
    """Flags of `optimize` with a pattern, and their patterns."""
    return [(flag, pattern) for flag, pattern in pairwise(given) if flag in FLAGS]


def refuse_unmatched(
    given: Sequence[str], dense: Collection[str], beginnings: Collection[str] = ()
) -> None:
    """Raise UsageError for a pattern that matches no dense feature, and cannot match a sparse one.

    given: flags of `optimize`; beginnings: prefixes of the sparse features' names.
    """
    for flag, pattern in patterns(given):
        # not fnmatch, which ignores case on some systems
        is_dense = any(fnmatchcase(name, pattern) for name in dense)
        if not is_dense and not any(_may_match(pattern, one) for one in beginnings):
            raise UsageError(f"{flag}: no feature matches {pattern!r}")


def beginnings_of(flags: Sequence[str]) -> list[str]:
    """Prefixes of the sparse features' names that flags of `decode` turn on; raises DataError."""
    sparse = SparseFlags.of(flags)
    on = [*templates_of_flags(sparse.given), *sparse.models]
    prefixes = [prefix for name in on for prefix in TEMPLATES[name].prefixes]
    prefixes += [name.partition("_")[0] for name in read_lists(sparse.lists)]
    return [f"{prefix}_" for prefix in dict.fromkeys(prefixes)]


def _may_match(pattern: str, beginning: str) -> bool:
    """Whether a pattern may match a name with a prefix: up to its first wildcard both agree."""
    plain, *rest = WILD.split(pattern, maxsplit=1)
    return plain.startswith(beginning) or bool(rest and beginning.startswith(plain))

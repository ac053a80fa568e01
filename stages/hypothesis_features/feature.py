"""The contract of a feature of hypotheses: its flags, and its values."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from campanula.formats.arrays.types import Floats
from campanula.formats.records.kbest import KBest


def nothing_left() -> None:
    """Do nothing: the check at the end for features without one."""


class FeatureValues(NamedTuple):
    """The values of a feature.

    of_list: returns the values (n_hyps,) of a list.  signature: how they were made.  finish: called
    at the end; raises DataError for values that are left over.
    """

    of_list: Callable[[KBest], Floats]
    signature: str
    finish: Callable[[], None] = nothing_left


class Feature(NamedTuple):
    """A feature: `values(**options)` makes its values, of options that are flags of `add_flags`.

    name: its default name, with options in braces; "" if the user must give one.
    """

    summary: str
    options: tuple[str, ...]
    add_flags: Callable[[argparse.ArgumentParser], None]
    values: Callable[..., FeatureValues]
    name: str = ""

"""What a feature of hypotheses is: flags of its own, and the values that they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from campanula.formats.arrays.types import Floats
from campanula.formats.records.kbest import KBest


def nothing_left() -> None:
    """The check at the end of a feature that has none."""


class FeatureValues(NamedTuple):
    """Values of a list's hypotheses (n_hyps,), how they were made, and a check at the end."""

    of_list: Callable[[KBest], Floats]
    signature: str
    finish: Callable[[], None] = nothing_left


class Feature(NamedTuple):
    """A feature: its values are `values` of its options by name, which are flags of `add_flags`.

    name: what it is called where the user does not say, with options in braces; "" if it is to be
    said.
    """

    summary: str
    options: tuple[str, ...]
    add_flags: Callable[[argparse.ArgumentParser], None]
    values: Callable[..., FeatureValues]
    name: str = ""

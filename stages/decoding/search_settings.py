"""Settings of the search, as users give them and as the kernels take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from campanula.stages.decoding.written_features import SearchWeights
from campanula.stages.kernels.records import (
    DISTANCE_ORDER,
    MAX_WINDOW,
    MONOTONE_ORDER,
    SWAP_ORDER,
    Settings,
)

REORDERING = {"monotone": MONOTONE_ORDER, "swap": SWAP_ORDER, "distance": DISTANCE_ORDER}
EVERYTHING = 1 << 40  # more candidates than any stack has
COUNTS = ("pop_limit", "stack", "table_limit")
MOSES_NAMES = {  # names in a moses.ini of the settings that it may have
    "distortion_limit": "distortion-limit",
    "pop_limit": "cube-pruning-pop-limit",
    "stack": "stack",
    "beam_threshold": "beam-threshold",
    "table_limit": "table-limit",
}


@dataclass(frozen=True)
class SearchSettings:
    """Settings of the search; `decode --help` explains each."""

    k: int = 500
    distinct: bool = False
    reordering: str = "distance"
    distortion_limit: int = 6
    pop_limit: int = 500
    stack: int = 200
    beam_threshold: float = float("inf")
    table_limit: int = 20

    def for_kernels(self, weights: SearchWeights, split: bool, lexical: bool) -> Settings:
        """Return the settings as the kernels take them: modes as numbers, flags as 0 or 1.

        split: whether log probabilities of first words are needed; lexical: whether orientations
        have scores.
        """
        return Settings(
            lm_weight=weights.lm,
            first_weight=weights.first,
            split=int(split or weights.first != 0.0),
            reordering=REORDERING[self.reordering],
            limit=self.distortion_limit,
            lexical=int(lexical),
            pop_limit=self.pop_limit,
            stack=self.stack,
            threshold=self.beam_threshold,
        )


def settings_of_moses(moses: Mapping[str, float]) -> SearchSettings:
    """Return the settings of a moses.ini, from numbers by Moses's names; else the defaults."""
    values = {ours: moses[name] for ours, name in MOSES_NAMES.items() if name in moses}
    return with_numbers(SearchSettings(), values)


def with_numbers(settings: SearchSettings, values: Mapping[str, float]) -> SearchSettings:
    """Return the settings with some values replaced; a count of inf becomes the largest one."""
    most = dict.fromkeys(COUNTS, EVERYTHING) | {"distortion_limit": MAX_WINDOW}
    numbers: dict[str, Any] = {
        name: int(min(values[name], most[name])) for name in most if name in values
    }
    if "beam_threshold" in values:
        numbers["beam_threshold"] = float(values["beam_threshold"])
    return replace(settings, **numbers)

"""Settings of the search, as users give them and as the kernels take them."""

from __future__ import annotations

from dataclasses import dataclass

from campanula.stages.decoding.written_features import SearchWeights
from campanula.stages.kernels.records import (
    DISTANCE_ORDER,
    MONOTONE_ORDER,
    SWAP_ORDER,
    Settings,
)

REORDERING = {"monotone": MONOTONE_ORDER, "swap": SWAP_ORDER, "distance": DISTANCE_ORDER}


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

"""How many words of a text are in no phrase pair, and whether that is worth a warning.

Some words of every text, as names and numbers, are in no phrase pair; many such words point to a
wrong table or another tokenisation.
"""

from __future__ import annotations

from dataclasses import dataclass

MANY = 0.02
"""Share of unknown words above which there is a warning."""


@dataclass(slots=True)
class WordCount:
    """Number of words of the sentences so far, and how many of them are in no phrase pair."""

    words: int = 0
    unknown: int = 0

    def warning(self) -> str | None:
        """Return a warning about many unknown words; None if they are few."""
        if self.unknown <= MANY * self.words:
            return None
        counts = f"{self.unknown:,} of {self.words:,} words"
        return f"{counts} are in no phrase pair of the model, and copied"

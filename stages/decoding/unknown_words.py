"""How many words of a text are in no phrase pair, and whether these are many.

Names and numbers are some in any text; many are a wrong table, or a wrong tokenisation.
"""

from __future__ import annotations

from dataclasses import dataclass

MANY = 0.02
"""Share of unknown words that is worth a warning."""


@dataclass(slots=True)
class WordCount:
    """Words of the sentences so far, and those of them that no phrase pair has."""

    words: int = 0
    unknown: int = 0

    def warning(self) -> str | None:
        """What to say of many unknown words, None where they are few."""
        if self.unknown <= MANY * self.words:
            return None
        found = f"{self.unknown:,} of {self.words:,} words"
        return f"{found} are in no phrase pair of the model, and copied"

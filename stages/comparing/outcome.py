"""The outcome of `compare` in a format: tables, or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campanula.stages.comparing.as_json import as_json
from campanula.stages.comparing.comparison import Comparison
from campanula.stages.comparing.reporting import tables_of
from campanula.stages.comparing.sentences import ShownSentence, sentence_objects, sentence_tables
from campanula.stages.comparing.systems import System
from campanula.stages.comparing.table_formats import TABLE_FORMATS

JSON = "json"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Comparisons of systems, and how they are shown.

    all_pairs: the differences are those of all pairs, not those to the first system.  sentences:
    number of sentences most improved and most worsened to show, or None.
    """

    comparisons: Sequence[Comparison]
    systems: Sequence[System]
    all_pairs: bool
    sentences: int | None
    shown: ShownSentence

    def lines(self, form: str) -> Iterable[str]:
        """Return the lines of the outcome in a format: a key of TABLE_FORMATS, or JSON."""
        if form == JSON:
            return [self._json()]
        tables = list(tables_of(self.comparisons, self.all_pairs))
        if self.sentences:
            tables += sentence_tables(self.comparisons, self.sentences, self.shown)
        return TABLE_FORMATS[form](tables)

    def _json(self) -> str:
        files = {system.name: system.paths for system in self.systems}
        if not self.sentences:
            return as_json(self.comparisons, files)
        n = self.sentences
        return as_json(self.comparisons, files, lambda c: sentence_objects(c, n, self.shown))

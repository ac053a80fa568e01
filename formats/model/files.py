"""The files of a translation model, and the features that are on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION

WORD, PHRASE, HIERARCHICAL = ORIENTATIONS = ("word", "phrase", "hierarchical")


@dataclass(frozen=True)
class LanguageModelFile:
    """An ARPA language model; one over classes of words has the file of its words' `classes`."""

    path: str
    classes: str | None = None


@dataclass(frozen=True)
class ReorderingTable:
    """A lexicalised reordering table, and which orientations its scores are of.

    Those of `word` and `phrase` are towards the block before (Koehn et al. 2005), those of
    `hierarchical` towards the largest block that ends there (Galley and Manning 2008).
    """

    path: str
    orientation: str = WORD

    @classmethod
    def named(cls, text: str) -> ReorderingTable:
        """The table that is named as FILE or FILE,ORIENTATION."""
        path, comma, orientation = text.rpartition(",")
        return cls(path, orientation) if comma and orientation in ORIENTATIONS else cls(text)


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model, language models LM0, LM1, ... in order; `features` are those that are
    on, None for all.

    `labels` are pairs of our label of a feature (`LM0`) and the one that it goes by, where that is
    another; `source` is the file that says all this.
    """

    phrase_table: str
    reordering_tables: tuple[ReorderingTable, ...] = ()
    lms: tuple[LanguageModelFile, ...] = ()
    features: tuple[str, ...] | None = None
    distortion_table: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    source: str = "model.json"

    def paths(self) -> list[list[str | None]]:
        """Return the paths of each kind, none, one or several, in a fixed order.

        The kinds are phrase, reordering tables, language models, distortion table; and, where one
        is over classes, the classes of each language model.
        """
        kinds: list[list[str | None]] = [
            [self.phrase_table],
            [table.path for table in self.reordering_tables],
            [lm.path for lm in self.lms],
            [] if self.distortion_table is None else [self.distortion_table],
        ]
        classes = [lm.classes for lm in self.lms]
        return [*kinds, classes] if any(classes) else kinds

    def hierarchical(self) -> tuple[bool, ...]:
        """Whether each reordering table has hierarchical orientations."""
        return tuple(table.orientation == HIERARCHICAL for table in self.reordering_tables)

    def with_language_models(self, models: tuple[LanguageModelFile, ...]) -> ModelFiles:
        """Return the same with more language models, whose features are on; raises DataError."""
        if not models:
            return self
        lms = self.lms + models
        names = tuple(f"LM{number}" for number in range(len(self.lms), len(lms)))
        for _, name in self.labels:
            if name in names:
                problem = f"expected another name of a feature beside the added {', '.join(names)}"
                raise DataError(self.source, None, f"{problem}; found {name}")
        on = None if self.features is None else (*self.features, *names)
        return replace(self, lms=lms, features=on)

    def with_distortion_table(self, path: str) -> ModelFiles:
        """Return the same with a distortion table, whose features are on."""
        on = None if self.features is None else (*self.features, *DISTORTION)
        return replace(self, distortion_table=path, features=on)

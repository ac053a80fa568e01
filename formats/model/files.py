"""The files of a translation model, and the features that are on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION

WORD, PHRASE, HIERARCHICAL = ORIENTATIONS = ("word", "phrase", "hierarchical")


@dataclass(frozen=True)
class LanguageModelFile:
    """An ARPA language model.

    classes: file that gives words their classes, for a model over classes; None for one over words.
    """

    path: str
    classes: str | None = None


@dataclass(frozen=True)
class ReorderingTable:
    """A lexicalised reordering table, and the kind of orientations that it scores.

    `word` and `phrase` orientations are relative to the block before (Koehn et al. 2005),
    `hierarchical` ones to the largest block that ends there (Galley and Manning 2008).
    """

    path: str
    orientation: str = WORD

    @classmethod
    def named(cls, text: str) -> ReorderingTable:
        """Make a table of FILE or FILE,ORIENTATION."""
        path, comma, orientation = text.rpartition(",")
        # only a known orientation is cut off, since the name of a file may have commas, too
        return cls(path, orientation) if comma and orientation in ORIENTATIONS else cls(text)


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model.

    lms: language models LM0, LM1, ... in order; features: names of those that are on, None for all;
        labels: pairs of our label of a feature (`LM0`) and the label that the model's author gave,
        where they differ; source: the file that named all this, for messages.
    """

    phrase_table: str
    reordering_tables: tuple[ReorderingTable, ...] = ()
    lms: tuple[LanguageModelFile, ...] = ()
    features: tuple[str, ...] | None = None
    distortion_table: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    source: str = "model.json"

    def paths(self) -> list[list[str | None]]:
        """Return the paths by kind in a fixed order; a kind has none, one or several.

        The kinds are phrase table, reordering tables, language models, distortion table; and, if
        any language model is over classes, the class file of each model, None for those over words.
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
        """Return the files with more language models, whose features are on.

        Raises DataError if another feature has a name that an added model would get.
        """
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
        """Return the files with a distortion table, whose features are on."""
        on = None if self.features is None else (*self.features, *DISTORTION)
        return replace(self, distortion_table=path, features=on)

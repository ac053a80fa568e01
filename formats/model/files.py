"""The files of a translation model, and the features that are on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION


@dataclass(frozen=True)
class LanguageModelFile:
    """An ARPA language model; one over classes of words has the file of its words' `classes`."""

    path: str
    classes: str | None = None

    def paths(self) -> list[str | None]:
        """Return both paths."""
        return [self.path, self.classes]


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model, language models LM0, LM1, ... in order; `features` are those that are
    on, None for all.

    `labels` are pairs of our label of a feature (`LM0`) and the one that it goes by, where that is
    another; `source` is the file that says all this.
    """

    phrase_table: str
    reordering_table: str | None = None
    lms: tuple[LanguageModelFile, ...] = ()
    features: tuple[str, ...] | None = None
    distortion_table: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    source: str = "model.json"

    def paths(self) -> list[str | None]:
        """Return all paths, those of the language models in pairs."""
        lms = [path for lm in self.lms for path in lm.paths()]
        return [self.phrase_table, self.reordering_table, *lms, self.distortion_table]

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

"""The files of a translation model, and the features that are on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from campanula.formats.feature_names.dense import DISTORTION


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model; `features` are those that are on, None for all.

    `labels` are pairs of our label of a feature (`LM0`) and the one that it goes by, where that is
    another; `source` is the file that says all this.
    """

    phrase_table: str
    reordering_table: str | None = None
    lm: str | None = None
    features: tuple[str, ...] | None = None
    distortion_table: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    source: str = "model.json"

    def paths(self) -> list[str | None]:
        """Return the four paths in a fixed order."""
        return [self.phrase_table, self.reordering_table, self.lm, self.distortion_table]

    def with_distortion_table(self, path: str) -> ModelFiles:
        """Return the same with a distortion table, whose features are on."""
        on = None if self.features is None else (*self.features, *DISTORTION)
        return replace(self, distortion_table=path, features=on)

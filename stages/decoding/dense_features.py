"""The dense features that are on: those that are asked for, or else those of the model's files."""

from __future__ import annotations

from collections.abc import Sequence

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION, chosen
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import Model
from campanula.stages.command import UsageError


def features_on(files: ModelFiles, model: Model, asked: Sequence[str] = ()) -> list[str]:
    """Return the names of the dense features that are on: those named, else those of the files.

    asked: names, labels or sets.  Raises UsageError, or DataError if the files name it, for a
    feature that the model does not have.
    """
    names = model.all_features()
    if not asked and files.features is None:
        return model.feature_names()
    try:
        return chosen(asked or files.features or (), names, model.labels)
    except KeyError as error:
        [name] = error.args
        problem = f"expected one of {', '.join(names)}"
        if name in DISTORTION:
            problem = "expected --distortion-table, which the feature takes its values from"
        if asked:
            raise UsageError(f"--dense-features: {problem}; found {name!r}") from error
        raise DataError(files.source, f"feature {name!r}", problem) from error

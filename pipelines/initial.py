"""Initial weights: given ones, those of a moses.ini, Moses's defaults, or a draw around these.

    theta_m ~ N(mu_m, (mu_m / 2)^2),  mu the default weights        (G&S 2012, footnote 13)

Moses's defaults are 0.5 for the language model, 0.3 for reordering and jumps, 0.2 for the phrase
table, -1 for the word penalty.  Weights are drawn in the order of the features' names, so that the
order of a file does not matter; a weight of 0 stays 0.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION, LM_SPLIT, chosen, names_of
from campanula.formats.feature_names.template_sets import split_features
from campanula.formats.files import read_lines
from campanula.formats.model.files import ModelFiles
from campanula.formats.weights import Weights
from campanula.pipelines.settings import RunSettings
from campanula.stages import command
from campanula.stages.decoding.model_flags import (
    add_model_flags,
    dense_features_of_flags,
    given_model,
)

PENALTIES = {
    "Distortion0": 0.3,
    "WordPenalty0": -1.0,
    "PhrasePenalty0": 0.2,
    "UnknownWordPenalty0": 1.0,
}


def initial_weights(settings: RunSettings, model: Sequence[str] | None) -> str:
    """Path of the initial weights, which are written to the folder of the run unless given.

    model: the decoder's flags, which name a model; None for another program.
    """
    given = settings.weights
    origin = settings.initial
    if given is not None and origin == "default":
        return given
    if given is not None:
        weights = Weights.read(given)
    elif model is not None:
        weights = default_weights(model)
    else:
        raise command.UsageError("--decode-command needs --weights: a weight for every feature")
    if origin == "random":
        seed = settings.loop.seed
        weights = drawn(weights, seed)
        origin = f"random|seed:{seed}"
    path = os.path.join(settings.work_dir, "initial")
    weights.write(path, [f"initial:{origin}"])
    return path


def drawn(weights: Weights, seed: int) -> Weights:
    """Weights drawn from normal distributions around others, by the module's formula."""
    import numpy as np

    rng = np.random.default_rng(seed)
    # abs: the word penalty's weight is negative, a deviation must not be
    values = {
        name: float(rng.normal(weights[name], abs(weights[name]) / 2)) for name in sorted(weights)
    }
    return Weights({name: values[name] for name in weights}, weights.source)


def parsed_model_flags(decoder_flags: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Parse those of the decoder's flags that name a model; return the other words, too."""
    p = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_model_flags(p)
    return p.parse_known_args(list(decoder_flags))


def default_weights(decoder_flags: Sequence[str]) -> Weights:
    """Weights of the model that the decoder's flags name: a moses.ini's own, or Moses's defaults.

    Raises UsageError where they name none.
    """
    args, _ = parsed_model_flags(decoder_flags)
    model = given_model(args)
    files, weights = model.files, model.weights
    on = moses_defaults(files, dense_features_of_flags(args.dense_features))
    if weights is None:
        return on
    # sparse weights stay; dense features of the model that are off are dropped
    others = {name: value for name, value in weights.items() if name not in every_default(files)}
    return Weights(others | {name: weights.get(name, on[name]) for name in on}, weights.source)


def moses_defaults(files: ModelFiles, asked: Sequence[str] = ()) -> Weights:
    """Moses's default weights of the features `asked`, else of those that the model turns on.

    A feature that the model does not have gets 0; `decode` then refuses it by name.
    """
    weights = every_default(files)
    if not asked and files.features is None:
        return Weights({name: weights[name] for name in weights if name not in LM_SPLIT})
    on = asked or split_features(files.features or ())[1]
    try:
        names = chosen(on, list(weights), files.labels)
    except KeyError:
        names = list(on)
    return Weights({name: weights.get(name, 0.0) for name in names})


def every_default(files: ModelFiles) -> dict[str, float]:
    """Default weight of every dense feature that a model's files provide."""
    values = {f"LM{number}": [0.5] for number in range(len(files.lms))}
    values |= {label: [value] for label, value in PENALTIES.items()}
    values["TranslationModel0"] = [0.2] * n_scores(files.phrase_table)
    for number in range(len(files.reordering_tables)):
        # monotone, swap, discontinuous, each of the phrase before and of the phrase after
        values[f"LexicalReordering{number}"] = [0.3] * 6
    values |= {name: [0.3] for name in DISTORTION if files.distortion_table is not None}
    values |= {name: [0.5] for name in LM_SPLIT if files.lms}
    called = dict(files.labels)
    weights: dict[str, float] = {}
    for label, group in values.items():
        weights |= zip(names_of(called.get(label, label), len(group)), group, strict=True)
    return weights


def n_scores(phrase_table: str) -> int:
    """Number of scores in the first line of a phrase table; raises DataError."""
    first = next(read_lines(phrase_table), "").split("|||")
    if len(first) < 3:
        raise DataError(phrase_table, "line 1", "expected source ||| target ||| scores")
    return len(first[2].split())

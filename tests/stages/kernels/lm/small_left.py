"""Small texts, the models that estimate-lm makes of them, and these without each sentence."""

from __future__ import annotations

import random
from pathlib import Path

from campanula.formats.model.language_models import LanguageModels, read_language_models
from campanula.stages.decoding.language_model import language_model
from campanula.stages.kernels.lm.left_records import LeftLanguageModel
from tests.training import OWN_WORDS, Corpus, estimated_lms, random_pairs

FALLBACK = [0.5, 1.0, 1.5]


def text_of(seed: int, folder: Path, size: int = 12, longest: int = 6) -> Corpus:
    """Sentences of few words, some there twice, some empty, one of words that no other has."""
    return Corpus([*random_pairs(random.Random(seed), size, longest), OWN_WORDS], folder)


def targets(corpus: Corpus) -> list[list[str]]:
    return [target.split() for _, target, _ in corpus.pairs]


def whole_and_left(
    corpus: Corpus, *orders: int, classes: int = 0
) -> tuple[LanguageModels, list[LeftLanguageModel]]:
    """The models of a text, and those without each of its sentences."""
    from types import SimpleNamespace

    from campanula.stages.decoding.left_out.language_models import LeftLanguageModels

    lms = estimated_lms(corpus, *orders, classes=classes)
    models = read_language_models(lms)
    model = SimpleNamespace(lm=models, digest=f"{orders} {classes}")
    lm, cache = language_model(models.automaton), str(corpus.folder / "cache")
    left = LeftLanguageModels(model, lm, lms, corpus.text(), "target", cache)  # type: ignore[arg-type]
    [batch] = corpus.text().batches(corpus.source, 1000)
    return models, left.without(batch)

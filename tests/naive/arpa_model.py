"""An ARPA file as a dictionary, and the backoff formula word by word."""

from __future__ import annotations

import gzip
from pathlib import Path

Gram = tuple[str, ...]
Model = dict[Gram, tuple[float, float]]


def read(path: Path) -> Model:
    """log10 probability and log10 backoff of every n-gram."""
    opener = gzip.open if path.suffix == ".gz" else open
    model: Model = {}
    with opener(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) > 1:
                backoff = float(fields[2]) if len(fields) > 2 else 0.0
                model[tuple(fields[1].split(" "))] = (float(fields[0]), backoff)
    return model


def log10_prob(model: Model, history: Gram, word: str) -> float:
    """log10 p(word | history): the longest n-gram that is there, and the backoffs above it."""
    if (*history, word) in model:
        return model[(*history, word)][0]
    if not history:
        return model[("<unk>",)][0]
    backoff = model[history][1] if history in model else 0.0
    return backoff + log10_prob(model, history[1:], word)


def perplexity(model: Model, order: int, sentences: list[list[str]]) -> float:
    """Perplexity per word, ends of sentences and unknown words included."""
    total, n_words = 0.0, 0
    for sentence in sentences:
        words = ["<s>", *sentence, "</s>"]
        for i in range(1, len(words)):
            total += log10_prob(model, tuple(words[max(0, i - order + 1) : i]), words[i])
            n_words += 1
    return float(10 ** (-total / n_words))

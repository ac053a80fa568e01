"""log p(sentence) under a dictionary of n-grams, word by word, with the rounding of 32-bit values.

Every value of the file is rounded to 32 bits, and again when it is made a natural logarithm; sums
are of 64 bits, the back-offs of a word first, from the longest context down.
"""

from __future__ import annotations

import numpy as np

from tests.naive.arpa_model import Model

LN10 = np.float32(np.log(10.0))


def natural(value: float) -> float:
    return float(np.float32(value) * LN10)


def log_prob(model: Model, history: tuple[str, ...], word: str) -> float:
    total = 0.0
    while (*history, word) not in model:
        if not history:
            return total + natural(model[("<unk>",)][0] if ("<unk>",) in model else -100.0)
        total += natural(model[history][1]) if history in model else 0.0
        history = history[1:]
    return total + natural(model[(*history, word)][0])


def sentence(model: Model, order: int, text: str) -> float:
    known = {gram[0] for gram in model if len(gram) == 1}
    words = [word for word in text.replace("\t", " ").split(" ") if word]
    words = ["<s>", *(word if word in known else "<unk>" for word in words), "</s>"]
    total = 0.0
    for i in range(1, len(words)):
        total += log_prob(model, tuple(words[max(0, i - order + 1) : i]), words[i])
    return total

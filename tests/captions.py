"""Made-up captions with their links, and a small model of them."""

from __future__ import annotations

import os
import random
from pathlib import Path

from campanula.stages import estimate_lm, extract_blocks

WORDS = 400
SIDES = ("de", "en", "align")


def captions(seed: int, n: int) -> list[tuple[str, str, str]]:
    """Pairs of sentences with links: words common and rare, some neighbours change places.

    A word has two translations.
    """
    rng = random.Random(seed)
    pairs = []
    for _ in range(n):
        words = [int(rng.paretovariate(0.7)) % WORDS for _ in range(rng.randint(4, 12))]
        order = list(range(len(words)))
        for place in range(len(words) - 1):
            if rng.random() < 0.15:
                order[place], order[place + 1] = order[place + 1], order[place]
        target = [f"{'u' if rng.random() < 0.3 else 't'}{words[place]}" for place in order]
        links = sorted(f"{source}-{place}" for place, source in enumerate(order))
        pairs.append((" ".join(f"s{word}" for word in words), " ".join(target), " ".join(links)))
    return pairs


def write_captions(folder: Path, seed: int, **sizes: int) -> None:
    """Write texts of so many captions each, by name: train.de, train.en, train.align, ..."""
    columns = zip(*captions(seed, sum(sizes.values())), strict=True)
    for side, column in zip(SIDES, columns, strict=True):
        lines = iter(column)
        for name, size in sizes.items():
            text = "".join(f"{next(lines)}\n" for _ in range(size))
            (folder / f"{name}.{side}").write_text(text)


def write_caption_model(folder: Path) -> None:
    """Write folder/table and folder/lm, a phrase table and language model of its text `train`."""
    text = [os.fspath(folder / f"train.{side}") for side in SIDES]
    table, lm = (os.fspath(folder / name) for name in ("table", "lm"))
    assert extract_blocks.main([*text, "--max-length", "3", "-q", "-o", table]) == 0
    assert estimate_lm.main([text[1], "--order", "2", "-q", "-o", lm]) == 0

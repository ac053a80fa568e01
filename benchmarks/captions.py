"""The captions of Multi30k, German and English, where the shared data is there."""

from __future__ import annotations

from tests.examples import MULTI30K

TRAIN = tuple(str(MULTI30K / name) for name in ("train.de", "train.en", "train.de-en.align"))
"""Files of the training text: source, target, links."""


def lines_of(name: str, n: int | None = None) -> list[str]:
    """The first n lines of a file, or all; name: in the folder of the captions, or a path."""
    # not splitlines: it also splits at U+0085 and U+2028, and sides would no longer match
    return (MULTI30K / name).read_text(encoding="utf-8").split("\n")[:-1][:n]


def training_pairs(n: int | None = None) -> list[tuple[str, str, str]]:
    """Source, target and links of the first n pairs of the training text, or of all."""
    columns = (lines_of(path, n) for path in TRAIN)
    return list(zip(*columns, strict=True))

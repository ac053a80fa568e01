"""Numbers of words by the kernel are those of Numbering."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from campanula.formats.text.corpus import Numbering, WordNumbering
from campanula.stages.estimating import word_numbering
from campanula.stages.estimating.word_numbering import BlockNumbering


def read(numbered: WordNumbering) -> tuple[list[int], list[int], list[str]]:
    tokens, lengths = list[int](), list[int]()
    for token, length in numbered.batches():
        tokens += token.tolist()
        lengths += length.tolist()
    return tokens, lengths, numbered.words()


def text(seed: int, n_lines: int, endings: Sequence[str]) -> list[str]:
    rng = random.Random(seed)
    letters = "ab\u00e9\u3000\u00a0\x0b\r"
    words = ["".join(rng.choices(letters, k=rng.randrange(1, 6))) for _ in range(300)]
    return [
        rng.choice([" ", "  ", "\t"]).join(rng.choices([*words, "", " "], k=rng.randrange(9)))
        + rng.choice(endings)
        for _ in range(n_lines)
    ]


@pytest.mark.parametrize("capacity", [1, 1 << 16])
@pytest.mark.parametrize("per_block", [1, 7, 1000])
def test_the_same_numbers(monkeypatch: pytest.MonkeyPatch, capacity: int, per_block: int) -> None:
    monkeypatch.setattr(word_numbering, "CAPACITY", capacity)
    lines = text(per_block, 200, ["\n", "\r\n", "\r\r\n", " \n"])
    blocks = [
        "".join(lines[start : start + per_block]).encode() for start in range(0, 200, per_block)
    ]
    plain = [line[:-1].removesuffix("\r") for line in lines]
    assert read(BlockNumbering(blocks)) == read(Numbering(plain))


def test_no_block() -> None:
    assert read(BlockNumbering([])) == read(Numbering([])) == ([], [], [])

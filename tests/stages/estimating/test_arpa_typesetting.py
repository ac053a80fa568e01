"""The text of kernels is that of the template, part by part."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.arpa.writer import NgramLines, Part, by_template
from campanula.stages.estimating.arpa_typesetting import arpa_text

WORDS = ["a", "bé", "c" * 40, "<s>"]


def parts() -> list[Part]:
    """Parts of which two have numbers that the kernel does not write."""
    rng = np.random.default_rng(3)
    made: list[Part] = [b"head\n"]
    for n in (1, 2, 3):
        for odd in (False, True, False):
            prob, backoff = -rng.exponential(size=(2, 40))
            prob[7] = -4.8e-17 if odd else 0.0
            words = rng.integers(0, len(WORDS), (40, n))
            made.append(NgramLines(words, prob, backoff if n < 3 else np.zeros(0)))
        made.append(b"\nbetween\n")
    return made


@pytest.mark.parametrize("few", [0, 360])
def test_the_same_bytes(few: int) -> None:
    given = parts()
    expected = b"".join(by_template(WORDS, part) for part in given)
    assert b"".join(arpa_text(WORDS, given, 360, few)) == expected


def test_no_part() -> None:
    assert list(arpa_text(WORDS, [], 0)) == []

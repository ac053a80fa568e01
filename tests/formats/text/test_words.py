from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.formats.text.words import split_byte_words, split_words, words_of_text
from campanula.stages.hypothesis_features.length import lengths
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.tuning.reaching import reaching

ODD = ["a\u00a0b c", "ein\u3000Hund", "x\x1cy", "a\tb", " a  b ", "", "\u2028", "a\u200bb"]


@pytest.mark.parametrize("text", ODD)
def test_metric_length_and_reaching_have_the_same_words(text: str) -> None:
    n = len(words_of_text(text))
    names = Names()
    kbest = KBest(0, Texts.of([text]), Features.of([{}], names), names)
    assert lengths(kbest.text, "words").tolist() == [n]
    scored = Scorer(Bleu(), References.of(["a"]))(kbest)
    assert scored.stats is not None
    assert scored.stats[0, 0] == n
    same = References.of([" ".join(words_of_text(text))])
    assert np.all(reaching(kbest, same))


def test_a_no_break_space_is_between_words() -> None:
    assert words_of_text("a\u00a0b c") == ["a", "b", "c"]


def test_words_end_at_blanks_and_tabs_only() -> None:
    assert split_byte_words(b"a  b\tc ") == [b"a", b"b", b"c"]
    odd = "a\u00a0b\u2028c\x0bd\x0ce\u3000\U0001f98b"
    assert split_byte_words(odd.encode()) == [odd.encode()]
    assert split_words(odd) == [odd]
    assert split_byte_words(b" \t ") == []

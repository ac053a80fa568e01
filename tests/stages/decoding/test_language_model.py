"""Sentence scores: equal to the bit to the slow twin, and to Moses's own LM feature."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import read_blocks
from campanula.formats.records.texts import Texts
from campanula.stages import estimate_lm
from campanula.stages.decoding.language_model import SentenceScorer
from tests.examples import MOSES
from tests.naive import arpa_model
from tests.naive import sentence_scores as naive

pytestmark = pytest.mark.usefixtures("own_cache")

TEXTS = ["", "a", "b a c", "a  b\tc a", "new a b", "a new new b c", "<unk> a", "a\u00a0b c"]


def write(path: Path, grams: dict[tuple[str, ...], tuple[float, float]], order: int) -> str:
    lines = ["\\data\\"]
    by_order = [[gram for gram in grams if len(gram) == n] for n in range(1, order + 1)]
    lines += [f"ngram {n}={len(found)}" for n, found in enumerate(by_order, 1)]
    for n, found in enumerate(by_order, 1):
        lines += ["", f"\\{n}-grams:"]
        lines += [f"{grams[gram][0]}\t{' '.join(gram)}\t{grams[gram][1]}" for gram in found]
    path.write_text("\n".join([*lines, "", "\\end\\", ""]))
    return str(path)


def random_grams(
    seed: int, order: int, unknown: bool
) -> dict[tuple[str, ...], tuple[float, float]]:
    """A back-off model: every n-gram's context is there; not normalised."""
    rng = random.Random(seed)
    words = ["a", "b", "c", "<s>", "</s>", *(["<unk>"] if unknown else [])]
    grams: dict[tuple[str, ...], tuple[float, float]] = {}
    contexts: list[tuple[str, ...]] = [()]
    for n in range(1, order + 1):
        chosen = [(*context, word) for context in contexts for word in words]
        if n > 1:
            chosen = [gram for gram in chosen if rng.random() < 0.4]
        for gram in chosen:
            weight = rng.choice([0.0, round(rng.uniform(-1, 0.3), 5)]) if n < order else 0.0
            grams[gram] = (round(rng.uniform(-4, 0), 5), weight)
        contexts = [gram for gram in chosen if gram[-1] != "</s>"]
    return grams


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("unknown", [True, False])
def test_equal_to_the_twin(tmp_path: Path, order: int, unknown: bool) -> None:
    for seed in range(4):
        grams = random_grams(seed, order, unknown)
        scorer = SentenceScorer.of_file(write(tmp_path / "lm.arpa", grams, order))
        expected = [naive.sentence(grams, order, text) for text in TEXTS]
        assert scorer(Texts.of(TEXTS)).tolist() == expected


def test_equal_to_the_twin_on_an_estimated_model(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b c\nc a b b\nb a\n\na a c b\n" * 3)
    path = tmp_path / "lm.arpa.gz"
    assert estimate_lm.main([str(tmp_path / "text"), "--order", "3", "-q", "-o", str(path)]) == 0
    model = arpa_model.read(path)
    found = SentenceScorer.of_file(str(path))(Texts.of(TEXTS))
    expected = [naive.sentence(model, 3, text) for text in TEXTS]
    assert found.tolist() == expected


def test_the_digest_is_of_the_model(tmp_path: Path) -> None:
    grams = random_grams(1, 2, True)
    one = SentenceScorer.of_file(write(tmp_path / "one", grams, 2)).digest
    assert SentenceScorer.of_file(write(tmp_path / "two", grams, 2)).digest == one
    grams["a",] = (-0.125, 0.0)
    assert SentenceScorer.of_file(write(tmp_path / "two", grams, 2)).digest != one


def test_no_end_of_sentence(tmp_path: Path) -> None:
    path = write(tmp_path / "lm.arpa", {("a",): (-1.0, 0.0), ("<s>",): (-9.0, 0.0)}, 1)
    with pytest.raises(DataError, match=r"lm\.arpa: expected the word </s>"):
        SentenceScorer.of_file(path)


@pytest.mark.parametrize(
    ("grams", "said"),
    [
        ([("a",), ("b",), ("a", "b", "a")], "3-gram 'a b a': expected its first 2 words"),
        ([("a",), ("a", "a"), ("a", "a")], "2-grams: expected each once, found one twice"),
    ],
)
def test_n_grams_that_do_not_fit(tmp_path: Path, grams: list[tuple[str, ...]], said: str) -> None:
    lines = ["\\data\\"]
    by_order = [[gram for gram in grams if len(gram) == n] for n in (1, 2, 3)]
    by_order[0] += [("<s>",), ("</s>",)]
    lines += [f"ngram {n}={len(found)}" for n, found in enumerate(by_order, 1)]
    for n, found in enumerate(by_order, 1):
        lines += ["", f"\\{n}-grams:", *(f"-1\t{' '.join(gram)}" for gram in found)]
    (tmp_path / "lm").write_text("\n".join([*lines, "", "\\end\\", ""]))
    with pytest.raises(DataError) as error:
        SentenceScorer.of_file(str(tmp_path / "lm"))
    assert said in str(error.value)


@pytest.mark.skipif(not MOSES.exists(), reason="no shared data")
def test_equal_to_what_moses_says_of_its_own_lists() -> None:
    scorer = SentenceScorer.of_file(str(MOSES / "lm.arpa.gz"))
    path = str(MOSES / "run1.best100.gz")
    for kbest in FORMATS["moses"].read(read_blocks(path), path):
        column = kbest.features.dense_id.tolist().index(kbest.names.id("LM0"))
        # Moses writes six digits
        np.testing.assert_allclose(scorer(kbest.text), kbest.features.dense[column], rtol=6e-6)
        if kbest.sid == 200:
            break

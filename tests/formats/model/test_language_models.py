"""Several language models as one automaton: each steps as it does alone."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.automaton import END_WORD, START_STATE, UNKNOWN_WORD
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.language_models import read_language_models
from campanula.stages.decoding.language_model import language_model
from campanula.stages.kernels.lm.automaton import lm_step
from tests.small_models import arpa_text, random_ngrams


def written(folder: Path, order: int, classes: str = "") -> LanguageModelFile:
    path = folder / f"lm{order}"
    path.write_text(arpa_text(random_ngrams(random.Random(order), order), order))
    if not classes:
        return LanguageModelFile(str(path))
    (folder / f"classes{order}").write_text(classes)
    return LanguageModelFile(str(path), str(folder / f"classes{order}"))


@pytest.mark.parametrize("orders", [(3, 2), (1, 3, 2), (2, 1)])
def test_models_step_as_they_do_alone(tmp_path: Path, orders: tuple[int, ...]) -> None:
    files = [written(tmp_path, order) for order in orders]
    together = read_language_models(files)
    joint = language_model(together.automaton)
    assert len(together) == len(orders)
    rng, first = random.Random(0), 0
    for model, file in enumerate(files):
        own = read_language_models([file])
        alone = language_model(own.automaton)
        end = int(own.automaton.special[0, END_WORD])
        assert together.automaton.special[model, END_WORD] == end + first
        for _ in range(30):
            state, place = int(own.automaton.special[0, START_STATE]), int(joint.begin[model])
            for word in [*rng.choices(range(len(own.automaton.unigram)), k=5), end]:
                expected, state = lm_step(alone, state, word)
                found, place = lm_step(joint, place, first + word)
                assert found == expected
                assert joint.state[place, 2] == alone.state[state, 2]
            assert (place < len(orders)) == (state == 0)
            assert place == model or place >= len(orders)
        first += len(own.automaton.unigram)


def test_one_model_is_as_it_is(tmp_path: Path) -> None:
    lms = read_language_models([written(tmp_path, 2)])
    assert lms.automaton.special.shape == (1, 3)
    assert lms.numbers(b"none such").tolist() == [lms.automaton.special[0, UNKNOWN_WORD]]


def test_words_have_the_numbers_of_their_classes(tmp_path: Path) -> None:
    """Of a word without class, and of a class that the model lacks, that is of <unk>."""
    plain = written(tmp_path, 2)
    classed = written(tmp_path, 3, "a\tu\nb\tv\nc\tu\ne\tnone\n")
    lms = read_language_models([plain, classed])
    a, b, c, d, e = (lms.numbers(word).tolist() for word in (b"a", b"b", b"c", b"d", b"e"))
    unknown = lms.automaton.special[:, UNKNOWN_WORD].tolist()
    assert a[1] == c[1] not in (b[1], unknown[1])
    assert e == unknown
    assert d[1] == unknown[1]
    assert d[0] != unknown[0]
    u = lms.numbers(b"u")
    assert u[0] != unknown[0]
    assert a[1] - u[0] == len(lms.lexicons[0].words)  # the same word of the other vocabulary
    words = [b"a", b"e", b"u", b"d"]
    expected = [lms.numbers(word).tolist() for word in words]
    assert lms.numbers_of_all(words).tolist() == expected
    assert lms.numbers_of_all([]).shape == (0, 2)
    assert np.array(expected).max() < len(lms.automaton.unigram)


def test_classes_that_are_not_those_of_the_model(tmp_path: Path) -> None:
    file = written(tmp_path, 2, "a\t7\nb\t8\n")
    with pytest.raises(DataError, match=r"classes2: expected classes that .*lm2 has as its words"):
        read_language_models([file])

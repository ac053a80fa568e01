"""The decoder on odd sentences: each gets its list."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.feature_names.dense import DISTORTION, LM_SPLIT, TILLMANN_ZHANG
from campanula.formats.model.model import load_model
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.naive import decoder as naive
from tests.naive import sparse as naive_sparse
from tests.naive.orientation import exact_orientations, search_orientations
from tests.present import present
from tests.small_models import (
    UNPRUNED,
    Unpruned,
    check_list,
    decode,
    random_model,
    random_tillmann_zhang_model,
    small_decoder,
    write_model,
)


@pytest.fixture
def model():
    return random_model(random.Random(21), 3, True)


def features_of(record, j=0):
    names = [record.names[i] for i in record.features.dense_id]
    return dict(zip(names, record.features.dense[:, j].tolist(), strict=True))


@pytest.fixture
def tillmann_zhang():
    model = random_tillmann_zhang_model(random.Random(22), 3, True)
    model.features_on = [name for name in TILLMANN_ZHANG if name.startswith("T")]
    model.features_on = ["WordPenalty0", *model.features_on, *DISTORTION, *LM_SPLIT]
    return model


@pytest.mark.parametrize("line", ["", "  ", "\t"])
@pytest.mark.parametrize("make", [random_model, random_tillmann_zhang_model])
def test_an_empty_line_has_one_empty_translation(make, tmp_path, line):
    model = make(random.Random(21), 3, True)
    record = decode(model, tmp_path, [line])
    assert list(record.text) == [""]
    [(score, _, value)] = naive.decode(model, ())
    assert features_of(record) == pytest.approx(value, abs=1e-6)
    assert present(record.score)[0] == pytest.approx(score, abs=1e-6)


def test_unknown_words_are_copied(model, tmp_path):
    sentence = ["ä\u00a0b", "\U0001f98b", "u", "<unk>", "\u2028"]
    record = decode(model, tmp_path, sentence, k=1)
    words = record.text[0].split(" ")
    assert sorted(words) == sorted(sentence)
    value = features_of(record)
    assert value["UnknownWordPenalty0"] == -500.0
    assert value["PhrasePenalty0"] == 5.0
    assert value["LM0"] == pytest.approx(naive.text_log(model, tuple(words)), abs=1e-5)
    assert not any(value[f"LexicalReordering0_{k}"] for k in range(6))


@pytest.mark.parametrize("line", ["ü", "a", "ü ü", "ü a <s> b", "x\u00a0y \U0001f98b"])
def test_features_of_odd_sentences(tillmann_zhang, tmp_path, line):
    source = tuple(line.split(" "))
    expected = naive.decode(tillmann_zhang, source)
    record = decode(tillmann_zhang, tmp_path, [line], k=10**5, table_limit=100, **UNPRUNED)
    assert len(record) == len(expected)
    check_list(record, expected)


def test_blocks_without_target_words(tillmann_zhang, tmp_path):
    """The first word after them is a first word; the end alone is one, too."""
    nothing = ((), [0.5] * 4, [0.5] * 6)
    tillmann_zhang.phrases = {("a",): [nothing], ("b",): [nothing, (("u", "v"), [0.5] * 4, None)]}
    for source in ("a", "a b", "b a a b"):
        expected = naive.decode(tillmann_zhang, tuple(source.split()))
        record = decode(tillmann_zhang, tmp_path, [source], k=1000, **UNPRUNED)
        assert len(record) == len(expected)
        check_list(record, expected)


def test_blanks_and_tabs_part_words(model, tmp_path):
    texts = [decode(model, tmp_path, [s], k=3).text for s in ("a b\tc", " a  b c\t")]
    assert list(texts[0]) == list(texts[1])


@pytest.mark.parametrize("reordering", ["monotone", "swap", "distance"])
def test_a_long_sentence(model, tmp_path, reordering):
    model.reordering = reordering
    rng = random.Random(1)
    sentence = [rng.choice("abcde") for _ in range(200)]
    record = decode(model, tmp_path, sentence, k=20, pop_limit=8, stack=8)
    assert len(record) == 20
    theta = np.array([model.weights[name] for name in model.features_on])
    scores = present(record.score)
    np.testing.assert_allclose(scores, theta @ record.features.dense, atol=1e-6)
    assert (np.diff(scores) <= 0).all()
    lm = naive.text_log(model, tuple(record.text[0].split()))
    assert features_of(record)["LM0"] == pytest.approx(lm, abs=1e-3)


@pytest.mark.parametrize("make", [random_model, random_tillmann_zhang_model])
def test_any_number_of_jobs_gives_the_same_lists(make, tmp_path):
    model = make(random.Random(21), 3, True)
    rng = random.Random(4)
    lines = [" ".join(rng.choices("abcdefg", k=rng.randrange(6))) for _ in range(150)]
    lists = [
        [
            (
                record.sid,
                list(record.text),
                present(record.score).tolist(),
                record.features.dense.tolist(),
            )
            for record in small_decoder(model, tmp_path, k=5, pop_limit=20).decode_all(lines, jobs)
        ]
        for jobs in (1, 3)
    ]
    assert lists[0] == lists[1]
    assert [item[0] for item in lists[0]] == list(range(150))


def test_features_that_are_off_are_not_written(model, tmp_path):
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    on = ["LM0", "WordPenalty0"]
    theta = np.array([model.weights[n] if n in on else 0.0 for n in compiled.feature_names()])
    [record] = Decoder(compiled, theta, SearchSettings(k=3), on).decode_all(["a b"])
    assert list(features_of(record)) == on
    np.testing.assert_allclose(present(record.score), theta[[0, 2]] @ record.features.dense)


def test_a_beam_threshold_of_0_keeps_only_the_best_of_a_stack(model, tmp_path):
    source = tuple("abcd")
    every = {(text, round(score, 5)) for score, text, _ in naive.decode(model, source)}
    pruned: Unpruned = {**UNPRUNED, "beam_threshold": 0.0}
    narrow = decode(model, tmp_path, list(source), k=10**5, table_limit=100, **pruned)
    scores = present(narrow.score).round(5).tolist()
    assert 1 <= len(narrow) < len(every)
    assert every.issuperset(zip(narrow.text, scores, strict=True))


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_hierarchical_orientations_of_all_derivations(tmp_path, seed, exact):
    """Dense and sparse ones, as the search has them and by the definition; scores are of these."""
    rng = random.Random(seed)
    model = random_model(rng, 0, ("hierarchical", "word"))
    model.phrases = {phrase: rows[:1] for phrase, rows in model.phrases.items() if len(phrase) < 3}
    sentence = [*"abcd"] if seed else [*"abca"]
    turns = exact_orientations if exact else search_orientations
    templates, found = ("hierarchical-orientation",), []
    for steps in naive.derivations(model, tuple(sentence)):
        value = naive.features(model, steps, hierarchical=turns)
        found.append((value, naive_sparse.features(sentence, steps, templates, turns)))
    theta = {
        name: round(rng.uniform(-2, 2), 3) for name in sorted({n for _, c in found for n in c})
    }
    weights = model.weights | theta
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    decoder = Decoder(
        compiled,
        np.array([model.weights[name] for name in compiled.all_features()]),
        SearchSettings(k=len(found) + 5, distortion_limit=model.limit, **UNPRUNED),
        None,
        SparseWeights(templates, theta),
        exact_orientation=exact,
    )
    [record] = decoder.decode_all([" ".join(sentence)])
    names = model.features_on
    expected = [
        (sum(weights[n] * v for n, v in {**value, **counts}.items()), value, dict(counts))
        for value, counts in found
    ]
    assert len(record) == len(expected)
    scores = present(record.score)
    assert (np.diff(scores) <= 1e-9).all()
    rows = list(record.features.sparse_rows(record.names))
    for j, score in enumerate(scores.tolist()):
        own = features_of(record, j)
        for k, (total, value, counts) in enumerate(expected):
            near = all(abs(own[name] - value[name]) < 1e-5 for name in names)
            if near and counts == rows[j]:
                assert abs(total - score) < 1e-5
                expected.pop(k)
                break
        else:
            raise AssertionError(f"no derivation is {record.text[j]!r}, {own}")

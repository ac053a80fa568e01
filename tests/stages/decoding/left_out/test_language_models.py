"""Lists of training sentences, whose language models have not seen them."""

from __future__ import annotations

import random
from dataclasses import replace
from math import log10
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.model import Model, load_model
from campanula.formats.records.kbest import KBest
from campanula.stages import decode as decode_command
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.left_out.leave_one_out import LANGUAGE_MODELS, LeftOut
from campanula.stages.decoding.search_settings import SearchSettings
from tests.lattices import best_score
from tests.naive.decoder import first_words
from tests.naive.kneser_ney import BOS, UNK
from tests.naive.left_language_model import LeftModel
from tests.present import present
from tests.small_models import UNPRUNED, SearchOptions
from tests.training import (
    CLASSES,
    OWN_WORDS,
    Corpus,
    decode,
    estimated_lms,
    random_pairs,
    random_theta,
)

FALLBACK = [0.5, 1.0, 1.5]


def made(
    rng: random.Random, folder: Path, *orders: int, classes: int = 0, longest: int = 4
) -> tuple[Corpus, Model, LeftOut]:
    """A text, the model of it with language models, and what is left out."""
    corpus = Corpus([*random_pairs(rng, 8, longest), OWN_WORDS], folder)
    lms = estimated_lms(corpus, *orders, classes=classes)
    files = replace(corpus.extract(), lms=lms)
    cache = str(folder / "cache")
    left_out = LeftOut(corpus.text(), "table", 1e-3, (LANGUAGE_MODELS,), None, cache, (), lms)
    return corpus, load_model(files, cache), left_out


def twins(corpus: Corpus, order: int, n: int, over_classes: bool = False) -> LeftModel:
    text = [target.split() for _, target, _ in corpus.pairs]
    if over_classes:
        text = [[CLASSES[word] for word in sentence] for sentence in text]
    return LeftModel(text, order, FALLBACK, n)


def expected_logs(twin: LeftModel, words: list[str], over_classes: bool = False) -> list[float]:
    tokens = [CLASSES.get(word, UNK) if over_classes else word for word in words]
    return twin.logs([token if token in twin.words else UNK for token in tokens])


def columns(record: KBest, *names: str) -> np.ndarray:
    return record.features.dense[[list(record.names).index(name) for name in names]]


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_features_are_those_of_an_estimate_without_the_sentence(tmp_path: Path, order: int) -> None:
    """In all hypotheses of 100-best lists, to what sums of 64 bits leave."""
    rng = random.Random(order)
    corpus, model, left_out = made(rng, tmp_path, order)
    theta = random_theta(rng, model)
    records = decode(model, theta, corpus.source, left_out, k=100, reordering="monotone")
    for n, record in enumerate(records):
        twin = twins(corpus, order, n)
        [values] = columns(record, "LM0")
        expected = [sum(expected_logs(twin, text.split())) for text in record.text]
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(theta @ record.features.dense, present(record.score), atol=1e-9)


def test_several_models_and_one_over_classes(tmp_path: Path) -> None:
    rng = random.Random(6)
    corpus, model, left_out = made(rng, tmp_path, 3, 2, classes=4)
    theta = random_theta(rng, model)
    records = decode(model, theta, corpus.source, left_out, k=100, reordering="swap")
    for n, record in enumerate(records):
        kinds = [(twins(corpus, 3, n), False), (twins(corpus, 2, n), False)]
        kinds.append((twins(corpus, 4, n, True), True))
        expected = [
            [sum(expected_logs(twin, text.split(), classes)) for text in record.text]
            for twin, classes in kinds
        ]
        values = columns(record, "LM0", "LM1", "LM2")
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


def arpa_without(corpus: Corpus, order: int, n: int) -> LanguageModelFile:
    """The twin as an ARPA file, with the probabilities that a sum over orders gives."""
    twin = twins(corpus, order, n)
    levels: list[list[tuple[str, ...]]] = [[(word,) for word in sorted(twin.words)]]
    levels += [
        sorted(g for g, c in twin.count.items() if len(g) == length and c > 0)
        for length in range(2, order + 1)
    ]
    lines = ["\\data\\", *(f"ngram {i}={len(grams)}" for i, grams in enumerate(levels, 1))]
    for length, grams in enumerate(levels, 1):
        lines += ["", f"\\{length}-grams:"]
        for gram in grams:
            prob = 0.0 if gram == (BOS,) else log10(twin.prob(gram[:-1], gram[-1]))
            lines.append(f"{prob!r}\t{' '.join(gram)}\t{log10(twin.gamma(gram))!r}")
    path = corpus.folder / f"lm-without{n}"
    path.write_text("\n".join([*lines, "", "\\end\\", ""]))
    return LanguageModelFile(str(path))


@pytest.mark.parametrize("reordering", ["monotone", "swap"])
def test_the_lists_are_those_of_a_model_made_without_the_sentence(
    tmp_path: Path, reordering: str
) -> None:
    """Of all derivations, so the search has the values that an enumeration has."""
    rng = random.Random(7)
    corpus, model, left_out = made(rng, tmp_path, 3, longest=3)
    corpus_files = corpus.extract()
    theta = random_theta(rng, model)
    settings: SearchOptions = {"k": 100_000, "reordering": reordering}
    whole = replace(left_out, parts=())
    records = decode(model, theta, corpus.source, left_out, **settings)
    changed = 0
    for n, record in enumerate(records):
        reduced = replace(corpus_files, lms=(arpa_without(corpus, 3, n),))
        other = load_model(reduced, str(tmp_path / "reduced"))
        expected = decode(other, theta, corpus.source, whole, **settings)[n]
        found, wanted = present(record.score), present(expected.score)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4)
        assert sorted(record.text) == sorted(expected.text)
        changed += len(record.text) > 1
    assert changed > 3


def test_first_words_and_the_rest_are_apart(tmp_path: Path) -> None:
    rng = random.Random(8)
    corpus, model, left_out = made(rng, tmp_path, 3)
    theta = np.concatenate([random_theta(rng, model), [0.3, 0.7]])
    settings = SearchSettings(k=50, reordering="monotone", **UNPRUNED)
    decoder = Decoder(model, theta, settings, model.all_features(), None, left_out)
    for n, record in enumerate(decoder.decode_all(corpus.source)):
        lm, first, rest = columns(record, "LM0", "LMFirst0", "LMRest0")
        np.testing.assert_allclose(first + rest, lm, atol=1e-12)
        phrases = columns(record, "PhrasePenalty0")[0]
        for x in np.flatnonzero(phrases == 1).tolist():
            words = record.text[x].split()
            logs = expected_logs(twins(corpus, 3, n), words)
            places = first_words([(0, 0, tuple(words), None, None)])
            assert first[x] == pytest.approx(sum(logs[place] for place in places), abs=1e-12)
        np.testing.assert_allclose(theta @ record.features.dense, present(record.score), atol=1e-9)


def test_lattices_and_threads_have_the_same_values(tmp_path: Path) -> None:
    rng = random.Random(9)
    corpus, model, left_out = made(rng, tmp_path, 3, classes=2)
    theta = random_theta(rng, model)
    decoder = Decoder(model, theta, SearchSettings(k=3), None, None, left_out)
    three = list(decoder.decode_all(corpus.source, 3))
    pairs = decoder.decode_with_lattices(corpus.source)
    for (record, lattice), other in zip(pairs, three, strict=True):
        assert record.features.dense.tolist() == other.features.dense.tolist()
        assert best_score(lattice) == pytest.approx(present(record.score)[0], abs=1e-6)


def test_a_text_of_one_sentence_leaves_nothing_but_its_words(tmp_path: Path) -> None:
    corpus = Corpus([("a b", "u v", "0-0 1-1")], tmp_path)
    lms = estimated_lms(corpus, 2)
    model = load_model(replace(corpus.extract(), lms=lms), str(tmp_path / "cache"))
    left_out = LeftOut(corpus.text(), "t", 1e-3, (LANGUAGE_MODELS,), None, str(tmp_path), (), lms)
    [record] = decode(model, random_theta(random.Random(1), model), corpus.source, left_out, k=9)
    [values] = columns(record, "LM0")
    lengths = np.array([len(text.split()) + 1 for text in record.text])
    np.testing.assert_allclose(values, lengths * np.log(1 / 4))  # u, v, </s>, <unk>


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("u v u", "line 2: 3-gram 'u v u': expected it as often in .*whole/target"),
        ("u u u", "line 2: 3-gram 'u u u': expected it as often"),
        ("new", "line 2: 2-gram '<s> new': expected it as often"),
    ],
)
def test_a_sentence_that_the_text_lacks(tmp_path: Path, target: str, problem: str) -> None:
    whole = Corpus(
        [("a", "u v", "0-0"), ("b", "v", "0-0"), ("a b", "u u", "0-0 1-1")], tmp_path / "whole"
    )
    lms = estimated_lms(whole, 3)
    cache = str(tmp_path / "cache")
    model = load_model(replace(whole.extract(), lms=lms), cache)
    part = Corpus([("b", "v", "0-0"), ("c", target, "")], tmp_path / "part")
    left_out = LeftOut(part.text(), "t", 0.1, (LANGUAGE_MODELS,), whole.text(), cache, (), lms)
    with pytest.raises(DataError, match=problem) as caught:
        decode(model, np.ones(len(model.feature_names())), part.source, left_out)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "part" / "target"))


def test_a_text_in_parts_is_counted_whole(tmp_path: Path) -> None:
    """As `tune expected-bleu` decodes its training text: each file without its own sentences."""
    corpus = Corpus([*random_pairs(random.Random(10), 8), OWN_WORDS], tmp_path / "whole")
    [lm] = estimated_lms(corpus, 2)
    folders = []
    for path in corpus.paths:
        lines = Path(path).read_text().splitlines(keepends=True)
        folders.append(tmp_path / f"{Path(path).name}.d")
        folders[-1].mkdir()
        for part, first in enumerate((0, 4)):
            (folders[-1] / f"part.{part}").write_text("".join(lines[first : first + 4 + 9 * part]))
    source, target, links = map(str, folders)
    model = ["--phrase-table", corpus.extract().phrase_table, "--lm", lm.path]
    argv = [source, *model, "--weights", str(tmp_path / "w"), "--allow-missing", "-k", "9", "-q"]
    (tmp_path / "w").write_text("LM0 0.5\nPhrasePenalty0 -1\n")
    out = str(tmp_path / "lists")
    argv += ["--leave-one-out", target, links, "--leave-out", "lm", "-o", out]
    assert decode_command.main([*argv, "--cache", str(tmp_path / "cache")]) == 0
    with open_lists(out, KBest) as lists:
        assert "|leave_out:phrases,lm" in lists.signature
        for record in lists:
            twin = twins(corpus, 2, record.sid)
            expected = [sum(expected_logs(twin, text.split())) for text in record.text]
            np.testing.assert_allclose(columns(record, "LM0")[0], expected, rtol=1e-12)
    assert record.sid == len(corpus.pairs) - 1

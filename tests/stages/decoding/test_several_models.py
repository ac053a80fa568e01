"""Several language models in the search, against enumeration and their own automata."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.formats.weights import Weights
from campanula.stages import decode as decode_command
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.decoding.rescorer import Rescorer, RescoreSettings
from tests.naive import decoder as naive
from tests.present import present
from tests.small_models import (
    UNPRUNED,
    check_list,
    decode,
    random_model,
    random_tillmann_zhang_model,
    small_decoder,
    with_more_lms,
    write_model,
)

KINDS = ("w", "c", "wc", "cwc")


def models(kinds):
    """Small models with more language models of these kinds, of Moses's features and others."""
    for seed in range(3):
        rng = random.Random(f"{kinds} {seed}")
        make = random_model if seed % 2 else random_tillmann_zhang_model
        model = make(rng, rng.choice([1, 2, 3]), rng.random() < 0.5)
        model.reordering = rng.choice(["monotone", "swap", "distance"])
        yield rng, with_more_lms(model, rng, kinds)


@pytest.mark.parametrize("kinds", KINDS)
def test_all_derivations_are_found(kinds, tmp_path):
    for rng, model in models(kinds):
        source = tuple(rng.choices("abcdü", k=4))
        expected = naive.decode(model, source)
        record = decode(model, tmp_path, list(source), k=10**5, table_limit=100, **UNPRUNED)
        assert len(record) == len(expected)
        check_list(record, expected)


@pytest.mark.parametrize("kinds", KINDS)
def test_values_are_those_of_each_model_alone(kinds, tmp_path):
    """The texts of lists, mapped to classes, scored as sentences."""
    for rng, model in models(kinds):
        files = write_model(model, tmp_path)
        lines = [" ".join(rng.choices("abcdeü", k=rng.randrange(1, 7))) for _ in range(4)]
        for record in small_decoder(model, tmp_path, k=20, pop_limit=30).decode_all(lines):
            names = [record.names[number] for number in record.features.dense_id]
            for number, lm in enumerate(model.more_lms, 1):
                texts = [" ".join(lm.tokens(tuple(text.split()))) for text in record.text]
                scorer = SentenceScorer.of_file(files.lms[number].path)
                value = record.features.dense[names.index(f"LM{number}")]
                np.testing.assert_allclose(value, scorer(Texts.of(texts)), atol=1e-5)


@pytest.mark.parametrize("kinds", KINDS)
def test_an_empty_sentence(kinds, tmp_path):
    for _, model in models(kinds):
        check_list(decode(model, tmp_path, []), naive.decode(model, ()))


@pytest.mark.parametrize("kinds", ["wc"])
def test_lattices_have_their_values(kinds, tmp_path):
    for _, model in models(kinds):
        decoder = small_decoder(model, tmp_path, k=50, pop_limit=40)
        both = list(decoder.decode_with_lattices(["a b c d", "", "ü a"]))
        weights = Weights({name: model.weights[name] for name in model.features_on})
        rescorer = Rescorer(weights, RescoreSettings(k=50))
        for (found, _), again in zip(
            both, rescorer.rescore(lattice for _, lattice in both), strict=True
        ):
            assert list(found.text) == list(again.text)
            np.testing.assert_allclose(found.features.dense, again.features.dense, atol=1e-9)
            np.testing.assert_allclose(present(found.score), present(again.score), atol=1e-9)
        halved = Weights({name: value / 2 for name, value in weights.items()})
        scaled = list(
            Rescorer(halved, RescoreSettings(k=50)).rescore(lattice for _, lattice in both)
        )
        for (found, _), again in zip(both, scaled, strict=True):
            np.testing.assert_allclose(present(found.score) / 2, present(again.score), atol=1e-6)


def test_a_model_twice_counts_twice(tmp_path):
    """LM1 the same as LM0: the lists are those of LM0 with both weights, with as many nodes."""
    model = random_model(random.Random(5), 3, True)
    weight = model.weights["LM0"]
    once = decode(model, tmp_path, list("abca"), k=30, pop_limit=20)
    assert model.ngrams is not None
    model.more_lms = [naive.NaiveLm(model.ngrams, model.order)]
    model.features_on.append("LM1")
    model.weights |= {"LM0": weight / 4, "LM1": weight * 3 / 4}
    twice = decode(model, tmp_path, list("abca"), k=30, pop_limit=20)
    assert list(once.text) == list(twice.text)
    np.testing.assert_allclose(present(once.score), present(twice.score), atol=1e-9)
    assert twice.features.dense[0].tolist() == twice.features.dense[-1].tolist()


def test_a_model_is_no_other_with_more(tmp_path):
    """Digests: the same files as words and as classes are different models."""
    rng = random.Random(6)
    model = with_more_lms(random_model(rng, 2, False), rng, "c")
    cache = str(tmp_path / "cache")
    both = load_model(write_model(model, tmp_path), cache)
    assert both.n_lms == 2
    assert both.feature_names()[-1] == "LM1"
    assert both.all_features()[-3:] == ["LM1", "LMFirst0", "LMRest0"]
    model.more_lms = []
    alone = load_model(write_model(model, tmp_path), cache)
    assert alone.n_lms == 1
    assert alone.digest != both.digest


@pytest.mark.parametrize("kinds", ["c", "wc"])
def test_oracles_have_their_values(kinds, tmp_path):
    """Of sequences of blocks, and of an empty sentence."""
    for rng, model in models(kinds):
        files = write_model(model, tmp_path)
        compiled = load_model(files, str(tmp_path / "cache"))
        refs = References(Texts.of(["u v w x", "v", "x u"]), ("ref",))
        found = OracleSearch(compiled, refs, OracleSettings(n=10), model.features_on)
        lines = [" ".join(rng.choices("abcü", k=4)), "", "a b"]
        for record in found.truth(lines, "source"):
            names = [record.names[number] for number in record.features.dense_id]
            for number, lm in enumerate(model.more_lms, 1):
                expected = [naive.text_log(lm, lm.tokens(tuple(t.split()))) for t in record.text]
                value = record.features.dense[names.index(f"LM{number}")]
                np.testing.assert_allclose(value, expected, atol=1e-5)


def test_flags_a_folder_and_a_moses_ini_name_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(3)
    model = with_more_lms(random_model(rng, 2, False), rng, "wc")
    write_model(model, tmp_path)
    Weights({name: model.weights[name] for name in model.features_on}).write("w")
    (tmp_path / "source").write_text("a b c\n\nü d\n", encoding="utf-8")
    classed = {"file": "lm2.arpa", "classes": "classes2"}
    content = {"phrase-table": "table.gz", "lm": ["lm.arpa", "lm1.arpa", classed]}
    (tmp_path / "model.json").write_text(json.dumps(content))
    features = ["PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=table.gz"]
    features += ["KENLM name=LM0 path=lm.arpa", "SRILM name=LM1 path=lm1.arpa order=9"]
    features += ["WordPenalty", "PhrasePenalty", "Distortion", "UnknownWordPenalty"]
    (tmp_path / "moses.ini").write_text(
        "\n".join(["[distortion-limit]", "6", "[feature]", *features])
    )
    class_lm = ["--class-lm", "lm2.arpa", "--classes", "classes2"]
    ways = [
        ["--phrase-table", "table.gz", *class_lm, "--lm", "lm.arpa", "--lm", "lm1.arpa"],
        ["--model", "."],
        ["--moses-ini", "moses.ini", *class_lm],
    ]
    lists = []
    for number, flags in enumerate(ways):
        out = f"{number}.kbest"
        argv = ["source", *flags, "--weights", "w", "-k", "9", "--cache", "cache", "-q", "-o", out]
        assert decode_command.main(argv) == 0
        with open_lists(out, KBest) as found:
            lists.append([(list(kbest.text), present(kbest.score).tolist()) for kbest in found])
    assert lists[0] == lists[1] == lists[2]


@pytest.mark.parametrize("flags", [["--class-lm", "c"], ["--classes", "m"]])
def test_classes_and_class_models_go_in_pairs(flags, capsys):
    assert decode_command.main(["--phrase-table", "t", "--weights", "w", *flags]) == 2
    assert "expected as many --class-lm as --classes, found " in capsys.readouterr().err

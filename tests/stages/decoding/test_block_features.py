"""Sparse features of block sequences: those of the derivation, and those that decode writes."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.decoding.block_features import OF_BAGS, AskedFeatures
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.naive import decoder as naive_decoder
from tests.naive import oracle as naive
from tests.naive import sparse as naive_sparse
from tests.small_models import (
    EVERYTHING,
    SOURCE,
    TARGET,
    UNPRUNED,
    random_tillmann_zhang_model,
    small_decoder,
    write_model,
)

EVERY = tuple(TEMPLATES)
LINES = ["a b ü", "d d", "ü a = b", "c a b"]
REFERENCES = ["u v w ü", "x", "= ü u", "v v w u"]


def search_of(
    model: naive_decoder.NaiveModel,
    folder: Path,
    templates: tuple[str, ...] = EVERY,
    n: int = EVERYTHING,
    listed: tuple[str, ...] = (),
) -> OracleSearch:
    references = References(Texts.of(REFERENCES), ("ref",))
    compiled = load_model(write_model(model, folder), str(folder / "cache"))
    settings = OracleSettings(n, swap=model.reordering == "swap", beam=EVERYTHING)
    asked = AskedFeatures(templates, listed)
    return OracleSearch(compiled, references, settings, model.features_on, 0, asked)


def rows(record: KBest) -> list[tuple[str, dict[str, float], dict[str, float]]]:
    """Text, dense and sparse features of every hypothesis."""
    dense = {record.names[number] for number in record.features.dense_id.tolist()}
    every = zip(record.text, record.features.rows(record.names), strict=True)
    return [
        (
            text,
            {name: value for name, value in row.items() if name in dense},
            {name: value for name, value in row.items() if name not in dense},
        )
        for text, row in every
    ]


def sample(seed: int, reordering: str) -> naive_decoder.NaiveModel:
    rng = random.Random(seed)
    model = random_tillmann_zhang_model(rng, 2 if seed % 2 else 0, lexical=seed % 3 == 0)
    model.reordering = reordering
    return model


@pytest.mark.parametrize("reordering", ["monotone", "swap"])
@pytest.mark.parametrize("seed", range(2))
def test_features_are_those_of_the_sequence(tmp_path: Path, seed: int, reordering: str) -> None:
    model = sample(seed, reordering)
    for line, record in zip(LINES, search_of(model, tmp_path).truth(LINES, "s"), strict=True):
        source = tuple(line.split())
        by_place = {
            (naive.text_of(steps), naive.segmentation(steps), naive.orientation(steps)): steps
            for steps in naive_decoder.derivations(model, source)
        }
        fields = (record.fields["segmentation"], record.fields["orientation"])
        keys = list(zip(record.text, *fields, strict=True))
        assert sorted(keys) == sorted(by_place)
        for key, (_, _, sparse) in zip(keys, rows(record), strict=True):
            assert sparse == dict(naive_sparse.features(source, by_place[key], EVERY))


@pytest.mark.parametrize("reordering", ["monotone", "swap"])
@pytest.mark.parametrize("seed", range(2))
def test_decode_writes_the_same_of_the_same_sequence(
    tmp_path: Path, seed: int, reordering: str
) -> None:
    """Both enumerate every sequence, so their lists are the same but for the order."""
    model = sample(seed, reordering)
    sparse = SparseWeights(EVERY, {})
    decoder = small_decoder(
        model, tmp_path, sparse, **UNPRUNED, k=EVERYTHING, table_limit=EVERYTHING
    )
    found = search_of(model, tmp_path).truth(LINES, "s")
    for record, decoded in zip(found, decoder.decode_all(LINES), strict=True):
        ours, theirs = (sorted(rows(each), key=by_sequence) for each in (record, decoded))
        assert [(text, own) for text, _, own in ours] == [(text, own) for text, _, own in theirs]
        for (_, dense, _), (_, other, _) in zip(ours, theirs, strict=True):
            assert list(dense) == list(other)
            np.testing.assert_allclose([*dense.values()], [*other.values()], rtol=0, atol=1e-9)


LISTED = ("trigger_u~~v", "uni_u", "bigram_u~v", "pair_a~~u", "jump_+1", "slen_2", "uni_none")


@pytest.mark.parametrize("templates", [(), ("ngram", "block")], ids=["alone", "beside"])
def test_listed_features_are_those_that_decode_writes(
    tmp_path: Path, templates: tuple[str, ...]
) -> None:
    model = sample(5, "swap")
    sparse = SparseWeights(templates, {}, "w", LISTED)
    decoder = small_decoder(
        model, tmp_path, sparse, **UNPRUNED, k=EVERYTHING, table_limit=EVERYTHING
    )
    search = search_of(model, tmp_path, templates, listed=LISTED)
    seen: set[str] = set()
    for record, decoded in zip(search.truth(LINES, "s"), decoder.decode_all(LINES), strict=True):
        ours, theirs = (sorted(rows(each), key=by_sequence) for each in (record, decoded))
        assert [(text, own) for text, _, own in ours] == [(text, own) for text, _, own in theirs]
        seen |= {name for _, _, own in ours for name in own}
    assert {"uni_u", "slen_2", "jump_+1"} <= seen & set(LISTED)


def test_what_a_bag_is_asked_for() -> None:
    asked = AskedFeatures(("jump", "word-pair"), LISTED).of_bags()
    assert asked == AskedFeatures(("word-pair",), ("pair_a~~u",))
    assert not AskedFeatures(("jump",), ("uni_u",)).of_bags().any()
    assert AskedFeatures().signature() == {}
    assert set(AskedFeatures((), ("uni_u",)).signature()) == {"features", "feature_list"}


Sequence = tuple[str, list[tuple[str, float]], list[float]]


def by_sequence(row: tuple[str, dict[str, float], dict[str, float]]) -> Sequence:
    text, dense, sparse = row
    return text, sorted(sparse.items()), [round(value, 6) for value in dense.values()]


def test_a_bag_has_those_of_its_blocks_alone(tmp_path: Path) -> None:
    model = sample(3, "swap")
    rng = random.Random(1)
    lines = [" ".join(rng.choices([*SOURCE, "ü"], k=4)) for _ in range(4)]
    for line, record in zip(
        lines, search_of(model, tmp_path, OF_BAGS).bags(lines, "s"), strict=True
    ):
        source, words = tuple(line.split()), record.text[0].split()
        steps = []
        for part in record.fields["segmentation"][0].split():
            spans = [[int(x) for x in span.split("-")] for span in part.split("=")]
            (start, end), (begin, stop) = ((span[0], span[-1] + 1) for span in spans)
            steps.append((start, end, tuple(words[begin:stop])))
        expected = naive_sparse.features(source, steps, ("block", "word-pair"))
        assert rows(record)[0][2] == dict(expected)


def test_the_same_for_any_number_of_threads_and_after_other_sentences(tmp_path: Path) -> None:
    """Ids are given in the order of the sentences; words that are copied come one by one."""
    model = sample(4, "swap")
    rng = random.Random(2)
    words = [*SOURCE, *(f"new{k}" for k in range(30)), *TARGET]
    lines = [" ".join(rng.choices(words, k=4)) for _ in range(len(REFERENCES))]
    packed = []
    for jobs in (1, 3):
        search = search_of(model, tmp_path, n=5)
        packed.append([repr(r.pack(r.names)) for r in search.truth(lines, "s", jobs)])
    assert packed[0] == packed[1]

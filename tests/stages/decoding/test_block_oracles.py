"""The oracle search against enumerating every block sequence, and on sentences of all kinds."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer
from tests.naive import decoder as naive_decoder
from tests.naive import oracle as naive
from tests.small_models import (
    SOURCE,
    TARGET,
    random_model,
    random_tillmann_zhang_model,
    write_model,
)

EVERYTHING = 1 << 40


def search_of(
    model: naive_decoder.NaiveModel,
    folder: Path,
    references: list[list[str]],
    seed: int = 0,
    **settings,
) -> OracleSearch:
    """Oracle search with a small model; references[r][i] is reference r of sentence i."""
    text = Texts.of(ref for refs in zip(*references, strict=True) for ref in refs)
    names = tuple(f"ref{r}" for r in range(len(references)))
    compiled = load_model(write_model(model, folder), str(folder / "cache"))
    of_search = OracleSettings(**{"beam": EVERYTHING, **settings})
    return OracleSearch(compiled, References(text, names), of_search, model.features_on, seed)


def random_texts(rng: random.Random, n: int, words: list[str], sizes: range) -> list[str]:
    return [" ".join(rng.choices(words, k=rng.choice(sizes))) for _ in range(n)]


@pytest.mark.parametrize("reordering", ["monotone", "swap"])
@pytest.mark.parametrize("seed", range(6))
def test_the_n_best_are_those_of_enumeration(tmp_path: Path, reordering: str, seed: int) -> None:
    rng = random.Random(seed)
    make = random_tillmann_zhang_model if seed % 3 else random_model
    model = make(rng, 3 if seed % 2 else 0, lexical=seed % 4 < 2)
    model.reordering = reordering
    sources = random_texts(rng, 4, SOURCE, range(1, 5))
    references = [random_texts(rng, 4, [*TARGET, "d"], range(1, 9)) for _ in range(1 + seed % 3)]
    n = 40
    search = search_of(model, tmp_path, references, n=n, swap=reordering == "swap")
    for sid, record in enumerate(search.truth(sources, "source")):
        refs = [reference[sid] for reference in references]
        every = naive.block_sequences(model, tuple(sources[sid].split()), refs)
        assert record.gain is not None
        expected = [gain for gain, _, _ in every[:n]]
        np.testing.assert_allclose(record.gain, expected, rtol=0, atol=1e-12)
        keys = {
            (naive.text_of(steps), naive.segmentation(steps), naive.orientation(steps)): item
            for item in every
            for steps in [item[2]]
        }
        found = list(
            zip(
                record.text,
                record.fields["segmentation"],
                record.fields["orientation"],
                strict=True,
            )
        )
        assert len(set(found)) == len(found)
        blocks = [keys[key][1] for key in found]
        assert blocks == [count for _, count, _ in every[:n]]
        rows = record.features.rows(record.names)
        for key, gain, row in zip(found, record.gain, rows, strict=True):
            assert gain == pytest.approx(keys[key][0], abs=1e-12)
            value = naive.features(model, keys[key][2], tuple(sources[sid].split()))
            assert row == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_distinct_strings(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    model = random_model(rng, 0, lexical=False)
    model.reordering = "swap"
    [source] = random_texts(rng, 1, SOURCE, range(4, 5))
    [ref] = random_texts(rng, 1, TARGET, range(5, 6))
    [record] = search_of(model, tmp_path, [[ref]], n=9, distinct=True).truth([source], "source")
    best: dict[str, float] = {}
    for gain, _, steps in naive.block_sequences(model, tuple(source.split()), [ref]):
        best.setdefault(naive.text_of(steps), gain)
    assert len(set(record.text)) == len(record) == min(9, len(best))
    expected = sorted(best.values(), reverse=True)[:9]
    np.testing.assert_allclose(np.asarray(record.gain), expected, atol=1e-12)


def test_gains_are_those_of_score_bleu_and_swaps_lose_nothing(tmp_path: Path) -> None:
    rng = random.Random(3)
    model = random_model(rng, 2, lexical=True)
    sources = random_texts(rng, 30, SOURCE, range(9))
    references = [random_texts(rng, 30, [*TARGET, "d"], range(9)) for _ in range(2)]
    best = []
    for swap in (False, True):
        search = search_of(model, tmp_path, references, swap=swap, beam=2)
        records = list(search.truth(sources, "source"))
        text = Texts.of(ref for refs in zip(*references, strict=True) for ref in refs)
        scorer = Scorer(Bleu(n_refs=2), References(text, ("a", "b")))
        for record in records:
            again = scorer(replace(record, stats=None, gain=None))
            assert again.gain is not None
            assert record.gain is not None
            np.testing.assert_array_equal(again.gain, record.gain)
            np.testing.assert_array_equal(np.asarray(again.stats), np.asarray(record.stats))
            assert (np.diff(record.gain) <= 0).all()
        best.append([float(record.gain[0]) for record in records if record.gain is not None])
        assert [kbest_key(r) for r in search.truth(sources, "s", jobs=3)] == [
            kbest_key(r) for r in records
        ]
    assert (np.array(best[1]) >= np.array(best[0])).all()


def kbest_key(record: KBest) -> object:
    packed = record.pack(record.names)
    return repr(packed)


def test_sentences_of_all_kinds(tmp_path: Path) -> None:
    rng = random.Random(5)
    model = random_model(rng, 2, lexical=True)
    long = " ".join(rng.choices([*SOURCE, "\U0001f33c"], k=200))
    sources = ["", "a", "\u00fc \U0001f33c x\u00a0y", "no word known", long, "a b"]
    refs = ["u", "v", "\U0001f33c \u00fc x y", "no word known", long, ""]
    search = search_of(model, tmp_path, [refs, refs[::-1]], beam=4)
    records = list(search.truth(sources, "source"))
    assert [len(record) > 0 for record in records] == [True] * 6
    assert records[0].text[0] == ""
    assert records[0].gain is not None
    assert records[0].gain.tolist() == [0.0]
    assert records[2].text[0] == "\U0001f33c \u00fc x\u00a0y"
    assert records[2].gain is not None
    assert records[2].gain[0] == 1.0
    assert records[3].text[0] == "no word known"
    bags = list(search.bags(sources, "source"))
    assert bags[3].text[0] == "no word known"


def test_references_must_fit(tmp_path: Path) -> None:
    model = random_model(random.Random(1), 0, lexical=False)
    for sources in (["a"], ["a", "b", "c"]):
        with pytest.raises(DataError, match=r"source: expected 2 lines, as ref0 has, found"):
            list(search_of(model, tmp_path, [["u", "v"]]).truth(sources, "source"))


def test_bag_of_blocks(tmp_path: Path) -> None:
    rng = random.Random(4)
    model = random_model(rng, 2, lexical=True)
    sources = random_texts(rng, 6, SOURCE, range(1, 6))
    search = search_of(model, tmp_path, [["u v"] * 6])
    for source, record in zip(sources, search.bags(sources, "source"), strict=True):
        words = tuple(source.split())
        spans = [
            (i, j)
            for i in range(len(words))
            for j in range(i + 1, len(words) + 1)
            if naive_decoder.options(model, words, i, j)
        ]
        parts = record.fields["segmentation"][0].split()
        starts = [f"{i}-{j - 1}" if j > i + 1 else f"{i}" for i, j in spans]
        assert [part.split("=")[0] for part in parts] == starts
        [row] = record.features.rows(record.names)
        assert "PhrasePenalty0" in row
        assert set(row.values()) == {0.0}
    texts = set()
    for seed in range(8):
        seeded = search_of(model, tmp_path, [["u v"] * 6], seed)
        [*_, last] = seeded.bags(sources, "source")
        texts.add(last.text[0])
    assert len(texts) > 1

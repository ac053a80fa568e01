"""A decoder made in Python gives the lists of the command."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.folder import NamedModel
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import decode
from campanula.stages.command import UsageError
from campanula.stages.decoding.decoder_setup import DecoderSetup, sparse_signature
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.plain import plain
from tests.small_models import random_model, write_model

LINES = ["a b c", "", "b d"]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NamedModel:
    """A model in its folder; weights in w0, sparse ones too in w1; sentences in source."""
    monkeypatch.chdir(tmp_path)
    Path("model").mkdir()
    small = random_model(random.Random(2), 2, True)
    files = write_model(small, Path("model"))
    names = {
        "phrase-table": files.phrase_table,
        "reordering-table": files.reordering_tables[0].path,
    }
    content: dict[str, object] = {key: Path(str(name)).name for key, name in names.items()}
    content["lm"] = Path(files.lms[0].path).name
    content["features"] = ["moses", "phrase-length"]
    Path("model/model.json").write_text(json.dumps(content))
    Weights(dict(small.weights)).write("w0")
    Weights({**small.weights, "plen_1_u": 0.5, "uni_u": -0.25}).write("w1")
    Path("source").write_text("".join(f"{line}\n" for line in LINES))
    return NamedModel.at("model")


def commanded(*flags: str) -> tuple[list[dict[str, object]], str]:
    argv = ["--model", "model", "--cache", "cache", "-q", "-o", "out", *flags, "source"]
    assert decode.main(argv) == 0
    with Reader("out", KBest) as lists:
        return [plain(kbest) for kbest in lists], lists.signature


def test_the_lists_are_those_of_the_command(model: NamedModel) -> None:
    setup = DecoderSetup(model, Weights.read("w0"), SearchSettings(k=7), cache="cache")
    expected, signature = commanded("--weights", "w0", "-k", "7")
    assert [plain(kbest) for kbest in setup.decoder().decode_all(LINES)] == expected
    options = setup.prepare().signature
    assert all(f"|{name}:{value}" in signature for name, value in options.items())
    assert options["features"] == "phrase-length"


def test_everything_can_be_said(model: NamedModel) -> None:
    Path("listed").write_text("uni_u\n")
    flags = ("--features", "block", "--feature-list", "listed", "--reordering", "swap")
    expected, signature = commanded("--weights", "w1", *flags, "--dense-features", "moses")
    setup = DecoderSetup(
        model,
        Weights.read("w1"),
        SearchSettings(reordering="swap"),
        dense_features=("moses",),
        templates=("block",),
        listed=("uni_u",),
        cache="cache",
    )
    assert [plain(kbest) for kbest in setup.decoder().decode_all(LINES)] == expected
    assert "|features:block,phrase-length|" in signature
    assert all(f"|{name}:{value}" in signature for name, value in setup.prepare().signature.items())


def test_settings_and_weights_of_a_moses_ini_count(model: NamedModel) -> None:
    given = NamedModel(model.files, {"stack": 3.0}, Weights.read("w0"))
    decoder = DecoderSetup(given, cache="cache").decoder()
    assert (decoder.settings.stack, decoder.settings.k) == (3, 500)
    expected, _ = commanded("--weights", "w0", "--stack", "3")
    assert [plain(kbest) for kbest in decoder.decode_all(LINES)] == expected


def test_weights_must_fit(model: NamedModel) -> None:
    assert issubclass(UsageError, ValueError)
    with pytest.raises(UsageError, match="expected --weights"):
        DecoderSetup(model, cache="cache").decoder()
    with pytest.raises(DataError, match="expected a weight, found none"):
        DecoderSetup(model, Weights({"LM0": 1.0}), cache="cache").decoder()
    more = DecoderSetup(model, Weights({**Weights.read("w0"), "LM7": 1.0}), cache="cache")
    with pytest.raises(DataError, match="unknown feature"):
        more.decoder()
    lenient = DecoderSetup(model, Weights({"LM0": 1.0}), allow_missing=True, cache="cache")
    assert len(list(lenient.decoder().decode_all(LINES))) == 3


@pytest.mark.parametrize("name", ["LM0", "plen_1_u"])
def test_a_weight_that_scores_could_overflow_with_is_named(model: NamedModel, name: str) -> None:
    weights = Weights({**Weights.read("w1"), name: -1e308})
    with pytest.raises(DataError, match=f"feature '{name}': expected a weight of at most 1e.200"):
        DecoderSetup(model, weights, cache="cache").decoder()


def test_sparse_weights_stand_in_the_signature() -> None:
    assert sparse_signature(None) == {}
    one = sparse_signature(SparseWeights(("block",), {"block_a~~u": 1.0}))
    assert one["features"] == "block"
    listed = sparse_signature(SparseWeights((), {}, "w", ("uni_u",)))
    assert set(listed) == {"features", "sparse_weights", "feature_list"}

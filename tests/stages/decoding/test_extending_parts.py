"""Parts decoded by workers against an inventory that grows: lists and inventory of one process."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.model.files import ModelFiles
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.weight_stream import write_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import decode
from campanula.stages.decoding.extending_parts import by_row
from campanula.stages.inventories.growing import Growing
from tests.small_models import random_model, write_model
from tests.stages.engines.any_order import AnyOrder
from tests.training import Corpus, random_pairs

EVERY = ["--features", ",".join(TEMPLATES)]
PARTS = ["a b c\nb a\nä b\n", "c c b\na ß b\n", "a b c\n\nä ß\n", "b c a\nc ö\n"]
BINARY = ["--dense-features", "none"]


@pytest.fixture(autouse=True)
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """A model in its folder, its weights in w0, a text in parts; workers that do tasks anyhow."""
    monkeypatch.chdir(tmp_path)
    Path("model").mkdir()
    small = random_model(random.Random(2), 2, True)
    files = write_model(small, Path("model"))
    Path("model/model.json").write_text(json.dumps(names_of(files)))
    Weights(dict(small.weights)).write("w0")
    Path("texts").mkdir()
    for number, part in enumerate(PARTS):
        Path(f"texts/{number}").write_text(part, encoding="utf-8")
    (tmp_path / "results").mkdir()

    @contextmanager
    def anyhow(settings: object, output: object) -> Iterator[tuple[AnyOrder, str]]:
        yield AnyOrder(len(os.listdir("results"))), str(tmp_path / "results")

    monkeypatch.setattr(decode, "open_engine", anyhow)
    return dict(small.weights)


def names_of(files: ModelFiles) -> dict[str, str]:
    tables = {
        "phrase-table": files.phrase_table,
        "reordering-table": files.reordering_tables[0].path,
    }
    return {key: Path(str(name)).name for key, name in {**tables, "lm": files.lms[0].path}.items()}


def run(out: str, *flags: str, weights: str = "w0", text: str = "texts") -> int:
    argv = ["--model", "model", "--cache", "cache", "--weights", weights, "-k", "20", "-o", out]
    return decode.main([*argv, *flags, text])


def files_of(folder: str) -> dict[str, bytes]:
    names = sorted(set(os.listdir(folder)) - {"lock"})
    return {name: Path(folder, name).read_bytes() for name in names}


def check_same(
    capsys: pytest.CaptureFixture[str], *flags: str, weights: str = "w0", text: str = "texts"
) -> None:
    """One process and workers do the same with lists and inventory, which each has a copy of."""
    found = []
    for name, more in (("here", []), ("there", ["--engine", "dask"])):
        for folder in ("F", name):
            if folder != "F" or os.path.isdir("seed"):
                shutil.rmtree(folder, ignore_errors=True)
        if os.path.isdir("seed"):
            shutil.copytree("seed", "F")
        else:
            shutil.rmtree("F", ignore_errors=True)
        capsys.readouterr()
        assert run(name, *flags, "--inventory", "F", *more, weights=weights, text=text) == 0
        found.append((files_of(name), files_of("F"), capsys.readouterr().err.splitlines()[-1]))
    for ours, theirs in zip(*found, strict=True):
        assert ours == theirs


@pytest.mark.parametrize("count", [[], ["--no-count"]], ids=["counted", "not"])
@pytest.mark.parametrize("seeded", [False, True], ids=["new", "grown"])
@pytest.mark.parametrize("more", [[], EVERY, [*EVERY, *BINARY]], ids=["dense", "all", "binary"])
def test_the_bytes_of_one_process(
    capsys: pytest.CaptureFixture[str], seeded: bool, more: list[str], count: list[str]
) -> None:
    Path("empty").write_text("")
    if seeded:
        assert run("first", *EVERY, "--inventory", "seed", text="texts/2") == 0
    check_same(capsys, *more, *count, weights="empty" if BINARY[0] in more else "w0")


def test_scores_add_up_in_the_order_of_the_ids(
    weights: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    """Weights of text, whose features are new to the inventory."""
    assert run("first", *EVERY, "--inventory", "seed") == 0
    names = list(Inventory.open("seed"))
    rng = random.Random(1)
    Weights({**{name: rng.gauss(0, 0.7) for name in names}, **weights}).write("text")
    shutil.rmtree("seed")
    check_same(capsys, *EVERY, weights="text")
    with Growing("seed", new=True) as growing:
        growing.ids_of_names(rng.sample(names, len(names) // 3))
        growing.commit()
    check_same(capsys, *EVERY, "--reordering", "swap", "--no-count", weights="text")


def test_weights_of_a_stream(weights: dict[str, float], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("first", *EVERY, "--inventory", "seed", text="texts/1") == 0
    inventory = Inventory.open("seed")
    theta = np.array([weights.get(name, 0.1 * (len(name) % 7 - 3)) for name in inventory])
    write_weight_stream("stream", inventory.reference, theta, "test")
    check_same(capsys, *EVERY, weights="stream")
    Path("listed").write_text("trigger_u~~v\nuni_u\njump_+1\n")
    check_same(capsys, "--feature-list", "listed", weights="stream")


def test_training_text(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Corpus(random_pairs(random.Random(3), 8), Path("corpus"))
    files = corpus.extract()
    Path("model/model.json").write_text(
        json.dumps({"phrase-table": os.path.relpath(files.phrase_table, "model")})
    )
    for side, lines in zip("sta", zip(*corpus.pairs, strict=True), strict=True):
        Path(side).mkdir()
        for number in (0, 1):
            part = lines[5 * number : 5 * number + 5]
            Path(side, str(number)).write_text("".join(f"{line}\n" for line in part))
    Path("empty").write_text("")
    flags = ["--leave-one-out", "t", "a", "--singleton-penalty", "0", *EVERY, *BINARY]
    check_same(capsys, *flags, "--reordering", "swap", weights="empty", text="s")


def test_what_was_made_of_another_inventory_is_not_taken(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Results of tasks stay, and every run looks for them."""
    for text in ("texts/0", "texts/3"):
        shutil.rmtree("seed", ignore_errors=True)
        assert run("first", *EVERY, "--inventory", "seed", text=text) == 0
        for more in ([], ["--no-count"], ["--no-extend"]):
            check_same(capsys, "--features", "ngram,jump", *more)
            check_same(capsys, "--features", "jump", *more)
    kept = len(os.listdir("results"))
    check_same(capsys, "--features", "jump", "--no-extend")
    assert len(os.listdir("results")) == kept


def test_a_failure_leaves_the_inventory(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("first", *EVERY, "--inventory", "seed", text="texts/0") == 0
    before = files_of("seed")
    Path("texts/3").write_bytes(b"a\n\xff\n")
    flags = ["--inventory", "seed", "--engine", "dask", *EVERY]
    capsys.readouterr()
    assert run("there", *flags) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert files_of("seed") == before
    assert not os.path.exists("there")


def test_lists_are_read_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    check_same(capsys, *EVERY)
    assert run("named", *EVERY) == 0
    with (
        open_lists("there", KBest, inventory=Inventory.open("F")) as lists,
        open_lists("named", KBest) as named,
    ):
        for record, other in zip(lists, named, strict=True):
            assert list(record.text) == list(other.text)
            rows, others = (each.features.rows(each.names) for each in (record, other))
            assert list(rows) == list(others)


def test_rows_by_ids() -> None:
    ids = np.array([5, 3, 9, 1, 2, 0], np.int32)
    features = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, 3)))
    features = features.with_sparse(np.array([0, 3, 3, 6]), ids, np.ones(6))
    assert ids[by_row(features.binary_pointer, ids)].tolist() == [3, 5, 9, 0, 1, 2]

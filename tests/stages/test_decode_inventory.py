"""decode against an inventory: ids for names, weights streams, what is added and what left out."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.formats.weight_stream import write_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import decode, rescore
from campanula.stages.inventories.growing import Growing
from tests.plain import plain
from tests.small_models import random_model, write_model

EVERY = ["--features", ",".join(TEMPLATES)]
LISTED = ["trigger_u~~v", "uni_u", "slen_2", "trigger_v~~u", "bigram_u~v", "jump_+1", "uni_none"]


@pytest.fixture(autouse=True)
def model(tmp_path, monkeypatch):
    """A model in its folder; weights in w0; texts `one` and `two`, the second with new words."""
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
    Path("model/model.json").write_text(json.dumps(content))
    Weights(dict(small.weights)).write("w0")
    Path("one").write_text("a b c\n\nb a\n")
    Path("two").write_text("a ß b\nc c =\n", encoding="utf-8")
    Path("listed").write_text("".join(f"{name}\n" for name in LISTED))
    return small


def run(out, *flags, weights="w0", k="20"):
    argv = ["--model", "model", "--cache", "cache", "--weights", weights, "-k", k, "-o", out]
    return decode.main([*argv, *flags])


def lists(path, inventory=None):
    """Records as they are shown, by name."""
    given = None if inventory is None else Inventory.open(inventory)
    with Reader(path, KBest, inventory=given) as reader:
        return [plain(kbest) for kbest in reader]


def files_of(folder):
    return {name: Path(folder, name).read_bytes() for name in sorted(os.listdir(folder))}


def sparse_weights(model, names, share=0.6):
    """Weights of the model and of some of the features, the others 0."""
    rng = random.Random(5)
    sparse = {n: round(rng.uniform(-1, 1), 3) if rng.random() < share else 0.0 for n in names}
    return {**sparse, **model.weights}


def write_stream(path, inventory, weights, n=None):
    reference = inventory.reference if n is None else None
    assert reference is not None
    theta = np.array([weights.get(name, 0.0) for name in inventory])
    write_weight_stream(path, reference, theta, "test")


@pytest.mark.parametrize("more", [[], EVERY, [*EVERY, "--feature-list", "listed"]], ids=len)
def test_lists_are_those_with_names(more, capsys):
    assert run("named", *more, "one") == 0
    capsys.readouterr()
    assert run("indexed", *more, "--inventory", "F", "one") == 0
    n = len(Inventory.open("F"))
    assert f"decode: 3 sentences, {n} of {n} names are new" in capsys.readouterr().err
    assert lists("indexed", "F") == lists("named")
    assert run("again", *more, "--inventory", "F", "one") == 0
    assert f", 0 of {n} names are new" in capsys.readouterr().err
    assert Path("again").read_bytes() == Path("indexed").read_bytes()
    count = Inventory.open("F").count
    assert count.max() == 6  # twice in each of three sentences
    assert count.min() >= 2


def test_threads_leave_no_trace():
    assert run("one.jobs", *EVERY, "--inventory", "F", "one") == 0
    assert run("two.jobs", *EVERY, "--inventory", "G", "--jobs", "2", "one") == 0
    assert Path("one.jobs").read_bytes() == Path("two.jobs").read_bytes()
    kept = {name for name in files_of("F") if name != "lock"}
    assert {n: files_of("F")[n] for n in kept} == {n: files_of("G")[n] for n in kept}


def test_an_inventory_grows_and_its_index_with_it():
    assert run("first", *EVERY, "--inventory", "F", "one") == 0
    before = list(Inventory.open("F"))
    assert run("second", *EVERY, "--inventory", "F", "two") == 0
    after = list(Inventory.open("F"))
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert len(set(after)) == len(after)
    assert run("named", *EVERY, "two") == 0
    assert lists("second", "F") == lists("named")
    assert run("named.one", *EVERY, "one") == 0
    assert lists("first", "F") == lists("named.one")
    assert run("third", *EVERY, "--inventory", "F", "one") == 0  # has the index of all
    assert lists("third", "F") == lists("named.one")
    assert sum(name.startswith("features-") for name in os.listdir("cache")) == 1


@pytest.mark.parametrize("more", [EVERY, [*EVERY[:1], "jump,ngram,bigram"]], ids=["all", "some"])
@pytest.mark.parametrize("listing", [[], ["--feature-list", "listed"]], ids=["plain", "listed"])
def test_a_stream_weighs_what_the_text_does(model, more, listing):
    """The same lists, whatever weighs 0 and whichever templates are off."""
    assert run("seed", *EVERY, "--feature-list", "listed", "--inventory", "F", "one") == 0
    assert run("seed", *EVERY, "--feature-list", "listed", "--inventory", "F", "two") == 0
    inventory = Inventory.open("F")
    weights = sparse_weights(model, list(inventory))
    write_stream("stream", inventory, weights)
    on = {prefix for name in more[1].split(",") for prefix in TEMPLATES[name].prefixes}
    kept = {
        name: value
        for name, value in weights.items()
        if name in model.weights or name.partition("_")[0] in on or (listing and name in LISTED)
    }
    Weights(kept).write("text")
    for text in ("one", "two"):
        flags = [*more, *listing, "--reordering", "monotone", text]
        assert run("by.name", *flags, weights="text") == 0
        assert run("by.id", *flags, "--inventory", "F", weights="stream") == 0
        assert run("text.by.id", *flags, "--inventory", "F", weights="text") == 0
        assert lists("by.id", "F") == lists("by.name")
        assert lists("text.by.id", "F") == lists("by.name")


def test_weights_of_a_prefix_are_good_for_more(model):
    assert run("seed", *EVERY, "--inventory", "F", "one") == 0
    inventory = Inventory.open("F")
    weights = sparse_weights(model, list(inventory))
    write_stream("stream", inventory, weights)
    Weights(weights).write("text")
    assert run("by.name", *EVERY, "two", weights="text") == 0
    assert run("grown", *EVERY, "--inventory", "F", "two", weights="stream") == 0
    assert lists("grown", "F") == lists("by.name")
    assert len(Inventory.open("F")) > len(inventory)


def test_without_extending_lists_have_the_names_of_the_weights(model):
    """Given weights make the same lists, however the inventory has grown since."""
    assert run("seed", *EVERY, "--inventory", "F", "one") == 0
    inventory = Inventory.open("F")
    write_stream("stream", inventory, sparse_weights(model, list(inventory)))
    flags = [*EVERY, "--inventory", "F", "--no-extend", "two"]
    assert run("before", *flags, weights="stream") == 0
    assert run("more", *EVERY, "--inventory", "F", "two") == 0
    assert len(Inventory.open("F")) > len(inventory)
    assert run("after", *flags, weights="stream") == 0
    assert Path("after").read_bytes() == Path("before").read_bytes()
    with Reader("after", KBest) as reader:
        assert reader.inventory == inventory.reference


def test_what_an_inventory_lacks_is_left_out(capsys):
    assert run("seed", *EVERY, "--inventory", "F", "one") == 0
    inventory, content = Inventory.open("F"), files_of("F")
    names = set(inventory)
    assert run("named", *EVERY, "two") == 0
    capsys.readouterr()
    assert run("kept", *EVERY, "--inventory", "F", "--no-extend", "two") == 0
    lacking = 0
    for record, whole in zip(lists("kept", "F"), lists("named"), strict=True):
        rest = [{n: v for n, v in row.items() if n in names} for row in whole["features"]]
        assert record == {**whole, "features": rest}
        for row in whole["features"]:
            lacking += sum(int(v) for n, v in row.items() if n not in names)
    assert f"; left out {lacking} times: features that inventory F lacks" in capsys.readouterr().err
    assert files_of("F") == content


def test_flags_that_do_not_fit(model, capsys):
    assert run("out", "--no-extend", "one") == 2
    assert run("seed", "--inventory", "F", "one") == 0
    write_stream("stream", Inventory.open("F"), model.weights)
    assert run("out", "one", weights="stream") == 2
    assert "expected its --inventory" in capsys.readouterr().err
    assert run("out", "--inventory", "none", "one", weights="stream") == 1
    assert not os.path.exists("none")
    with Growing("G", new=True) as growing:
        growing.ids_of_names(["another", *model.weights])
        growing.commit()
    assert run("out", "--inventory", "G", "one", weights="stream") == 1
    assert "stream: is against another inventory" in capsys.readouterr().err
    assert run("out", "--inventory", "F", "--no-extend", "--dense-features", "LMFirst0", "one") == 1
    Path("H").mkdir()
    assert run("out", "--inventory", "H", "one") == 1
    assert not os.path.exists("out")


def test_a_weight_that_no_feature_has_is_refused(model, capsys):
    with Growing("F", new=True) as growing:
        growing.ids_of_names([*model.weights, "slen_02", "uni_u"])
        growing.commit()
    weights = {**model.weights, "uni_u": 1.0, "slen_02": 1.0}
    write_stream("stream", Inventory.open("F"), weights)
    flags = ["--inventory", "F", "--features", "source-length"]
    assert run("out", *flags, "one", weights="stream") == 1
    assert "stream: feature 'slen_02': expected a name" in capsys.readouterr().err
    assert run("out", "--inventory", "F", "--features", "unigram", "one", weights="stream") == 0
    write_stream("large", Inventory.open("F"), {**weights, "uni_u": 1e201})
    assert run("out", "--inventory", "F", "one", weights="large") == 1


def test_a_damaged_index_is_made_again(capsys):
    assert run("first", *EVERY, "--inventory", "F", "one") == 0
    assert run("second", *EVERY, "--inventory", "F", "one") == 0
    [entry] = [name for name in os.listdir("cache") if name.startswith("features-")]
    path = Path("cache", entry, "key.npy")
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    capsys.readouterr()
    assert run("third", *EVERY, "--inventory", "F", "one") == 0
    assert "damaged, and made again" in capsys.readouterr().err
    assert Path("third").read_bytes() == Path("second").read_bytes()


def test_parts_of_a_text_share_the_inventory():
    Path("texts").mkdir()
    Path("texts/one").write_text(Path("one").read_text())
    Path("texts/two").write_text(Path("two").read_text())
    assert run("named", *EVERY, "texts") == 0
    assert run("indexed", *EVERY, "--inventory", "F", "texts") == 0
    with open_lists("named", KBest) as named:
        expected = [plain(kbest) for kbest in named]
    with open_lists("indexed", KBest, inventory=Inventory.open("F")) as indexed:
        assert [plain(kbest) for kbest in indexed] == expected


def rescored(out, weights, *flags):
    argv = ["--weights", weights, "-k", "20", "-o", out, *flags, "lattice"]
    return rescore.main(argv)


@pytest.mark.parametrize("more", [[], ["--feature-list", "listed"]], ids=len)
def test_lattices_are_rescored_against_an_inventory(model, more, capsys):
    """With the search's own weights, with others, and with those of a stream."""
    assert run("seed", *EVERY, "--feature-list", "listed", "--inventory", "F", "one") == 0
    inventory = Inventory.open("F")
    weights = sparse_weights(model, list(inventory))
    write_stream("stream", inventory, weights)
    on = {prefix for template in TEMPLATES.values() for prefix in template.prefixes}
    kept = {
        name: value
        for name, value in weights.items()
        if name in model.weights or name.partition("_")[0] in on or (more and name in LISTED)
    }
    Weights(kept).write("text")
    for made_with in ("w0", "text"):
        flags = [*EVERY, "--allow-missing", "--lattice", "lattice", "one"]
        assert run("made", *flags, weights=made_with) == 0
        assert rescored("by.name", "text", *more) == 0
        capsys.readouterr()
        assert rescored("text.by.id", "text", "--inventory", "F", *more) == 0
        assert ", 0 of " in capsys.readouterr().err
        for record, named in zip(lists("text.by.id", "F"), lists("by.name"), strict=True):
            # a score is a sum in the order of ids, and names have another
            np.testing.assert_allclose(record.pop("score"), named.pop("score"), rtol=1e-14)
            assert record == named
        wide = ["--node-list", "10000"]  # so that cube pruning loses nothing
        assert rescored("by.name", "text", *more, *wide) == 0
        assert rescored("by.id", "stream", "--inventory", "F", "--no-extend", *more, *wide) == 0
        expected = lists("by.name")
        for record, named in zip(lists("by.id", "F"), expected, strict=True):
            np.testing.assert_allclose(record["score"], named["score"], atol=1e-9)
            assert sorted(record["text"]) == sorted(named["text"])
    assert rescored("out", "stream", *more) == 2
    assert rescored("again", "stream", "--inventory", "F", "--jobs", "2", *more) == 0


def test_workers_make_the_same_of_a_text_in_parts(capsys):
    pytest.importorskip("distributed")
    Path("texts").mkdir()
    Path("texts/one").write_text(Path("one").read_text())
    Path("texts/two").write_text(Path("two").read_text())
    assert run("seed", *EVERY, "--inventory", "F", "one") == 0
    flags = [*EVERY, "--inventory", "F", "texts"]
    dask = ["--engine", "dask", "--dask-workers", "1"]
    for name, more in (("local", []), ("workers", dask)):
        shutil.rmtree("F")
        assert run("seed", *EVERY, "--inventory", "F", "one") == 0
        assert run(name, *flags, *more) == 0
    assert files_of("workers") == files_of("local")
    shutil.rmtree("F")
    assert run("seed", *EVERY, "--inventory", "F", "one") == 0
    capsys.readouterr()
    assert run("here", *flags, "--no-extend") == 0
    summary = capsys.readouterr().err
    assert run("there", *flags, "--no-extend", *dask) == 0
    assert capsys.readouterr().err.endswith(summary)
    assert files_of("there") == files_of("here")

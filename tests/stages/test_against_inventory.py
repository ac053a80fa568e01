"""What commands make of lists against an inventory is what they make of lists with names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from campanula import cli
from campanula.formats.collections.opening import open_lists
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader, Writer
from campanula.formats.weights import Weights
from tests.examples import random_lists, write_kbest
from tests.plain import plain

N = 9
NAMES = ["LM0", "WordPenalty0", "count_7", *(f"pair_{i}" for i in range(6))]


def run(line, *more):
    return cli.main([*line.split(), *more, "-q"])


@pytest.fixture
def setting(tmp_path, monkeypatch):
    """Lists `dev`, `raw` and `other`, and `dev.i`, ..., against a prefix of F; weights `w`, `w.i`.

    The lists `later` have names that F was extended by.
    """
    monkeypatch.chdir(tmp_path)
    records, _ = random_lists(3, N)
    write_kbest("dev", records)
    write_kbest("raw", [replace(kbest, gain=None) for kbest in records])
    write_kbest("other", random_lists(4, N)[0])
    with Reader("other", KBest) as lists, Writer("later", KBest, "test") as out:
        for kbest in lists:
            names = Names(f"later-{name}" for name in kbest.names)
            out.write(replace(kbest, names=names))
    assert run("index-features dev --inventory F -o dev.i") == 0
    for name in ("raw", "other", "later"):
        assert run(f"index-features {name} --extend F -o {name}.i") == 0
    assert run("index-features dev --extend F --shards 3 -o dev.d") == 0
    Weights({name: 0.1 * place for place, name in enumerate(NAMES)}).write("w")
    assert run("import-weights w --inventory F -o w.i") == 0
    Path("ref").write_text("".join(f"hypothesis {sid % 3} it is\n" for sid in range(N)))


def read(path, kind=KBest):
    with open_lists(path, kind, inventory=Inventory.open("F")) as lists:
        return [plain(record) for record in lists]


LISTS_TO_LISTS = [
    "score-bleu raw --ref ref",
    "score-bleu raw --ref ref --metric wer --jobs 2",
    "rerank dev --weights w --kbest --inventory F",
    "impute-hope dev --weights w --inventory F",
    "merge-kbest dev other --inventory F",
    "merge-kbest dev later --inventory F",
    "merge-kbest dev dev",
    "merge-kbest dev",
    "prune-kbest dev -k 2 --distinct",
    "drop-features dev --min-count 3",
    "drop-features dev --keep kept --inventory F",
    "oracle-search dev --n 2",
]
LISTS_TO_TEXT = [
    "rerank dev --weights w --inventory F",
    "show dev --inventory F",
    "export-nbest dev --inventory F",
    "export-nbest dev --format jsonl --inventory F",
    "oracle-search dev --text",
]


def indexed(line, lists=".i"):
    ends = {"dev": lists, "raw": ".i", "other": ".i", "later": ".i", "w": ".i"}
    return " ".join(f"{word}{ends.get(word, '')}" for word in line.split())


@pytest.mark.parametrize("line", LISTS_TO_LISTS)
def test_lists(setting, line):
    Path("kept").write_text("pair_1\nLM0\nnone\n")
    assert run(line, "-o", "out") == 0
    assert run(indexed(line), "-o", "out.i") == 0
    kind = Hope if line.startswith("impute") else KBest
    assert read("out.i", kind) == read("out", kind)
    if kind is KBest:
        with Reader("out.i", KBest) as lists:
            assert lists.inventory is not None
            Inventory.open("F").check(lists.inventory, "out.i")


@pytest.mark.parametrize("line", [line for line in LISTS_TO_LISTS if line.count("dev") == 1])
@pytest.mark.parametrize("more", [[], ["--inventory", "F"]])
def test_collections(setting, line, more):
    if "other" in line or "later" in line or ("--weights" in line and not more):
        return
    line = line.replace(" --inventory F", "") if "--keep" not in line else line
    Path("kept").write_text("pair_1\nLM0\nnone\n")
    more = more if "score" not in line and "oracle" not in line else []
    assert run(line, *more, "-o", "out") == 0
    assert run(indexed(line, ".d"), *more, "-o", "out.d") == 0
    kind = Hope if line.startswith("impute") else KBest
    assert read("out.d", kind) == read("out", kind)


@pytest.mark.parametrize("line", LISTS_TO_TEXT)
@pytest.mark.parametrize("lists", [".i", ".d"])
def test_text(setting, line, lists):
    assert run(line, "-o", "out") == 0
    assert run(indexed(line, lists), "-o", "out.i") == 0
    assert Path("out.i").read_text() == Path("out").read_text()


@pytest.mark.parametrize(
    "line", ["rerank dev.i --kbest", "impute-hope dev.i", "rerank dev.d --kbest"]
)
def test_text_weights_go_with_an_inventory_that_is_given(setting, line):
    kind = Hope if line.startswith("impute") else KBest
    assert run(f"{line} --weights w.i --inventory F -o stream") == 0
    assert run(f"{line} --weights w --inventory F -o text") == 0
    assert read("text", kind) == read("stream", kind)
    Path("w").write_text(Path("w").read_text() + "unknown 3\n")
    assert run(f"{line} --weights w --inventory F -o again") == 1
    assert run(f"{line} --weights w --inventory F --allow-missing -o again") == 0
    assert read("again", kind) == read("stream", kind)


REFUSED = {
    "merge-kbest dev.i later.i": "is against another inventory",
    "merge-kbest dev.i other --inventory F": "other: has names, dev.i is against an inventory",
    "export-nbest dev.i": "dev.i: is against inventory",
    "drop-features dev.i --names out.names": "expected --inventory, for its names",
    "drop-features dev.i --keep w": "expected one feature name",
    "drop-features dev.i --keep kept": "expected --inventory, for its names",
    "add-feature length dev.i --name L0": "run add-feature before index-features",
    "rerank dev.i --weights w": "w: expected a weights stream for lists against an inventory",
    "rerank dev.i --weights wx --inventory F": "wx: feature 'x': expected a name of inventory F",
    "rerank dev --weights w.i": "w.i: is a weights stream: expected lists against its inventory",
    "rerank dev.i --weights w.i": "if one extends the other, --inventory",
    "rerank dev.i --weights w.i --inventory G": "than G",
    "rerank later.i --weights w.i --inventory G": "than G has",
    "impute-hope dev.i --weights w": "w: expected a weights stream for lists against an inventory",
    "impute-hope dev --weights w.i": "w.i: is a weights stream: expected lists against its",
    "show dev.i --inventory G": "than G",
    "show w.i --inventory G": "than G",
    "show dev.d --inventory G": "than G",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_does_not_go_together_is_named_in_one_line(setting, line, capsys):
    Path("kept").write_text("pair_1\n")
    Path("wx").write_text("x 1\n")
    assert run("index-features later --inventory G -o later.g") == 0
    before = set(Path().rglob("*"))
    assert run(line, "-o", "out") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert REFUSED[line] in said.err
    assert set(Path().rglob("*")) == before

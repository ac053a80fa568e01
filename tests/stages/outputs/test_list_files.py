"""What commands make of a collection, joined, is what they make of the one stream."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula import cli
from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.stream import Writer
from campanula.formats.text.parts import TextLines
from campanula.formats.weights import Weights
from campanula.stages.command import UsageError
from campanula.stages.outputs.list_files import refuse_folder_on_stdout, writer_against, writer_for
from tests.collections import contents, record_bytes, spans, write_both
from tests.examples import random_lists
from tests.formats.collections.making import write
from tests.lattices import random_lattice, write_lattices
from tests.present import present
from tests.small_models import random_model, write_model

N = 9
NAMES = ["LM0", "WordPenalty0", "count_7", *(f"pair_{i}" for i in range(6))]


@pytest.fixture(params=range(2))
def setting(request, tmp_path, monkeypatch):
    """Lists `dev` and `other` as streams and as collections `dev.d`, `other.d`; weights, texts."""
    rng = np.random.default_rng(request.param)
    records, _ = random_lists(request.param, N)
    write_both(tmp_path, "dev", records, rng)
    unscored = [replace(kbest, gain=None) for kbest in records]
    write_both(tmp_path, "raw", unscored, rng)
    others, _ = random_lists(request.param + 100, N)
    with Writer(str(tmp_path / "other"), KBest, "test") as out:
        for kbest in others:
            out.write(kbest)
    first = [start for start, _ in spans(tmp_path / "dev.d")]
    bounds = zip(first, [*first[1:], N], strict=True)
    write(tmp_path / "other.d", [others[a:b] for a, b in bounds], signature="test")
    Weights({name: 0.1 * place for place, name in enumerate(NAMES)}).write(str(tmp_path / "w"))
    refs = [f"hypothesis {sid % 3} it is" for sid in range(N)]
    (tmp_path / "ref").write_text("".join(f"{ref}\n" for ref in refs))
    (tmp_path / "numbers").write_text("0.5\n" * sum(map(len, records)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return cli.main([*words, "-q"])


LISTS_TO_LISTS = [
    "score-bleu raw --ref ref",
    "score-bleu raw --ref ref --jobs 2",
    "score-bleu raw --ref ref --metric wer",
    "score-bleu raw --metric gain-column --column numbers",
    "rerank dev --weights w --kbest",
    "impute-hope dev --weights w",
    "select-violating dev --truth other --weights w",
    "merge-kbest dev other",
    "merge-kbest dev",
    "prune-kbest dev -k 2",
    "drop-features dev --min-count 3",
    "drop-features dev --keep kept",
    "oracle-search dev --n 2",
    "add-feature length dev --name Length0",
    "add-feature column --file numbers dev --name Comet0",
]
LISTS_TO_TEXT = [
    "rerank dev --weights w",
    "oracle-search dev --text",
    "show dev",
    "kbest-stats dev",
    "export-nbest dev",
    "export-nbest dev --format jsonl",
    "export-nbest dev --format cdec",
]
LISTS_TO_WEIGHTS = [
    "optimize dev --weights w --loss ramp3 --solver ssd --cccp-iterations 2",
    "optimize dev --weights w --loss ramp3 --solver ssd --cccp-iterations 2 --stream",
    "optimize dev --weights w --loss bayes-risk --solver lbfgs",
]


def of_collections(line):
    """The command line with collections in the place of streams."""
    return [f"{word}.d" if word in ("dev", "raw", "other") else word for word in line.split()]


@pytest.mark.parametrize("line", LISTS_TO_LISTS)
def test_lists_of_a_collection_are_those_of_the_stream(setting, line):
    (setting / "kept").write_text("pair_1\nLM0\n")
    assert run(*line.split(), "-o", "out") == 0
    words = of_collections(line)
    assert run(*words, "-o", "out.d") == 0
    assert contents("out.d") == contents("out")
    assert spans("out.d") == spans(next(word for word in words if word.endswith(".d")))
    assert run(*words, "-o", "again") == 0
    for path in (setting / "again").iterdir():
        assert path.read_bytes() == (setting / "out.d" / path.name).read_bytes()


AGAINST_INVENTORY = [
    "score-bleu raw --ref ref --jobs 2",
    "score-bleu raw --ref ref --metric wer",
    "rerank dev --weights w.i --kbest --inventory F",
    "impute-hope dev --weights w.i --inventory F",
    "merge-kbest dev dev",
    "prune-kbest dev -k 2",
    "drop-features dev --min-count 3",
    "drop-features dev --keep kept --inventory F",
    "oracle-search dev --n 2",
]


@pytest.mark.parametrize("n_shards", ["1", "4", str(N)])
@pytest.mark.parametrize("setting", [1], indirect=True)
def test_against_an_inventory_the_records_have_the_same_bytes(setting, n_shards):
    Path("kept").write_text("pair_1\nLM0\n")
    assert run("index-features", "dev", "--inventory", "F", "-o", "none") == 0
    for name in ("dev", "raw"):
        assert run("index-features", name, "--extend", "F", "-o", f"{name}.i") == 0
        shards = ["--shards", n_shards, "-o", f"{name}.i.d"]
        assert run("index-features", name, "--extend", "F", *shards) == 0
        assert record_bytes(Path(f"{name}.i.d")) == record_bytes(Path(f"{name}.i"))
        assert len(spans(f"{name}.i.d")) == int(n_shards)
    assert run("import-weights", "w", "--inventory", "F", "-o", "w.i") == 0
    for line in AGAINST_INVENTORY:
        for end in (".i", ".i.d"):
            words = [f"{word}{end}" if word in ("dev", "raw") else word for word in line.split()]
            assert run(*words, "-o", f"out{end}") == 0
        assert record_bytes(Path("out.i.d")) == record_bytes(Path("out.i")), line
        Path("out.i").unlink()


@pytest.mark.parametrize("line", LISTS_TO_TEXT)
def test_text_of_a_collection_is_that_of_the_stream(setting, line):
    assert run(*line.split(), "-o", "out") == 0
    assert run(*of_collections(line), "-o", "out.d") == 0
    assert (setting / "out").read_bytes() == (setting / "out.d").read_bytes()


@pytest.mark.parametrize("line", LISTS_TO_WEIGHTS)
def test_weights_of_a_collection_are_those_of_the_stream(setting, line):
    """Up to rounding, and where lbfgs stops: sums have the order in which names are met."""
    assert run(*line.split(), "-o", "out") == 0
    assert run(*of_collections(line), "-o", "out.d") == 0
    assert dict(Weights.read("out.d")) == pytest.approx(dict(Weights.read("out")), rel=1e-7)


OF_ALL = ("--column", "--file", "drop-features")  # numbers of all lists, names that all share


@pytest.mark.parametrize(
    "line", [line for line in LISTS_TO_LISTS if not any(word in line for word in OF_ALL)]
)
def test_a_shard_is_what_the_command_makes_of_it_alone(setting, line):
    """So that shards may be worked on anywhere, by a task each."""
    words = of_collections(line)
    assert run(*words, "-o", "out.d") == 0
    for number in range(len(spans("out.d"))):
        alone = [f"{w}/shard-{number:05d}.kbest" if w.endswith(".d") else w for w in words]
        more = ["--allow-missing"] if line.startswith(("score", "rerank", "impute")) else []
        assert run(*alone, *more, "-o", "alone") == 0
        name = "shard-{:05d}.{}".format(number, "hope" if line.startswith("impute") else "kbest")
        assert (setting / "alone").read_bytes() == (setting / "out.d" / name).read_bytes()


def test_hopes_of_a_collection(setting):
    flags = ["--weights", "w", "--loss", "ramp3", "--epochs", "2"]
    for kind in ("", ".d"):
        assert run("impute-hope", f"dev{kind}", "--weights", "w", "-o", f"hope{kind}") == 0
        assert (
            run("optimize", f"dev{kind}", "--hope", f"hope{kind}", *flags, "-o", f"w1{kind}") == 0
        )
    assert dict(Weights.read("w1.d")) == pytest.approx(dict(Weights.read("w1")), rel=1e-9)


def test_lattices_of_a_collection(setting):
    names = Names(["LM0", "WordPenalty0"])
    lattices = [random_lattice(seed, sid=seed, names=names) for seed in range(6)]
    write_lattices(setting / "l", lattices)
    write(setting / "l.d", [lattices[:2], lattices[2:5], lattices[5:]], Lattice, "test")
    Weights({"LM0": 0.3, "WordPenalty0": 0.8}).write("v")
    for path in ("l", "l.d"):
        assert run("rescore", path, "--weights", "v", "-o", f"k{path}") == 0
        assert run("show", path, "-o", f"shown{path}") == 0
    assert run("rescore", "l.d", "--weights", "v", "--jobs", "3", "-o", "jobs") == 0
    for file in Path("jobs").iterdir():
        assert file.read_bytes() == Path("kl.d", file.name).read_bytes()
    assert contents("kl.d") == contents("kl")
    assert spans("kl.d") == [(0, 1), (2, 4), (5, 5)]
    assert (setting / "shownl").read_bytes() == (setting / "shownl.d").read_bytes()


SOURCE = ["a b c", "", "b ä", "c", "a a b", "d", "b"]


def in_parts(folder, lines, *ends):
    """Write lines in a folder of files which end before the given ones."""
    folder.mkdir()
    for number, (start, end) in enumerate(zip((0, *ends), (*ends, len(lines)), strict=True)):
        text = "".join(f"{line}\n" for line in lines[start:end])
        (folder / f"part.{number}").write_text(text, encoding="utf-8")


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A model's flags; a source text, and references, in a file and in parts."""
    small = random_model(random.Random(2), 2, True)
    files = write_model(small, tmp_path)
    Weights(dict(small.weights)).write(str(tmp_path / "w0"))
    (tmp_path / "src").write_text("".join(f"{line}\n" for line in SOURCE), encoding="utf-8")
    in_parts(tmp_path / "src.d", SOURCE, 3, 4)
    (tmp_path / "ref").write_text("u v\n" * len(SOURCE))
    in_parts(tmp_path / "ref.d", ["u v"] * len(SOURCE), 3, 4)
    monkeypatch.chdir(tmp_path)
    tables = [
        "--phrase-table",
        files.phrase_table,
        "--reordering-table",
        files.reordering_tables[0].path,
    ]
    return [*tables, "--lm", files.lms[0].path, "--cache", "cache"]


@pytest.mark.parametrize("flags", [[], ["--jobs", "2"], ["--features", "block,word-pair"]])
def test_decode_makes_a_collection_of_a_text_in_parts(model, flags):
    flags = [*model, "--weights", "w0", *flags]
    for kind in ("", ".d"):
        out = ["--lattice", f"lattice{kind}", "-o", f"out{kind}"]
        assert run("decode", f"src{kind}", *flags, *out) == 0
        assert run("show", f"lattice{kind}", "-o", f"shown{kind}") == 0
        assert run("score-bleu", f"out{kind}", "--ref", f"ref{kind}", "-o", f"scored{kind}") == 0
    assert contents("out.d") == contents("out")
    assert contents("scored.d") == contents("scored")
    assert spans("out.d") == spans("scored.d") == [(0, 2), (3, 3), (4, 6)]
    with open("shown") as one, open("shown.d") as other:
        assert one.read() == other.read()


def test_oracle_search_makes_a_collection_of_a_text_in_parts(model):
    for kind in ("", ".d"):
        out = ["-o", f"out{kind}", "--ref", f"ref{kind}"]
        assert run("oracle-search", f"src{kind}", *model, *out) == 0
    assert contents("out.d") == contents("out")
    assert spans("out.d") == [(0, 2), (3, 3), (4, 6)]


def complaint(capsys, *words):
    """What a command that must fail says, in one line."""
    assert run(*words) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_what_is_made_of_a_collection_needs_a_name(model, capsys):
    for words in (
        ["decode", "src.d", "--weights", "w0"],
        ["oracle-search", "src.d", "--ref", "ref"],
    ):
        assert run(*words, *model) == 2
        assert "name it with -o" in capsys.readouterr().err
    with pytest.raises(UsageError):
        refuse_folder_on_stdout(TextLines("src.d"), "-")
    with pytest.raises(UsageError):
        writer_for(TextLines("src.d"), None, KBest, "how")
    with writer_for(TextLines("src"), "out", KBest, "how") as out:
        assert isinstance(out, Writer)


class Committed:
    """An inventory that notes, at each commit, whether the lists stand at their place."""

    def __init__(self):
        self.lists_were_there = []

    def reference(self):
        return InventoryReference(4, "0" * 32)

    def commit(self):
        self.lists_were_there.append(Path("out").exists())


def test_an_inventory_is_committed_before_the_lists_and_never_without_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("src").touch()
    inventory = Committed()
    with writer_against(TextLines("src"), "out", "test", inventory) as writer:  # type: ignore[arg-type]
        assert isinstance(writer, Writer)
    assert inventory.lists_were_there == [False]
    with open_lists("out", KBest) as lists:
        assert lists.inventory == inventory.reference()
    with (
        pytest.raises(KeyError),
        writer_against(TextLines("src"), "out", "test", inventory),  # type: ignore[arg-type]
    ):
        raise KeyError
    assert len(inventory.lists_were_there) == 1


def test_a_place_where_no_collection_can_be_is_refused_before_the_model_is_read(model, capsys):
    Path("letters").mkdir()
    Path("letters", "letter").touch()
    flags = ["--phrase-table", "none", "--weights", "none"]
    said = complaint(capsys, "decode", "src.d", *flags, "-o", "letters")
    assert "letters: expected a place for a collection" in said
    said = complaint(capsys, "decode", "src.d", *flags, "-o", "out", "--lattice", "letters")
    assert "letters: expected a place for a collection" in said
    assert Path("letters", "letter").exists()


def test_parts_that_are_not_the_shards(model, capsys):
    assert run("decode", "src.d", *model, "--weights", "w0", "-o", "out.d") == 0
    in_parts(Path("fewer"), ["u"] * 7, 3)
    said = complaint(capsys, "score-bleu", "out.d", "--ref", "fewer", "-o", "x")
    assert "expected 3 files, as out.d has shards, found 2" in said


def test_collections_of_other_shards_are_not_merged(setting, capsys):
    one = Collection.open("dev.d")
    said = complaint(capsys, "merge-kbest", "dev.d", "other", "-o", "out")
    assert "other: expected a collection, as dev.d is, found a stream" in said
    records, _ = random_lists(0, N)
    write(setting / "single.d", [records[:1], records[1:]] if len(one.shards) != 2 else [records])
    said = complaint(capsys, "merge-kbest", "dev.d", "single.d", "-o", "out")
    assert "single.d: expected" in said
    assert "shards, as dev.d has" in said
    write(setting / "early.d", [records[:2], records[2:]])
    write(setting / "late.d", [records[:3], records[3:]])
    said = complaint(capsys, "merge-kbest", "early.d", "late.d", "-o", "out")
    assert "early.d: shard 1: expected sentences after 2, which late.d has in the shard" in said


def test_shards_may_lack_sentences(setting):
    """An input need not have every sentence; the shards are still of the same ones."""
    records, _ = random_lists(0, N)
    write(setting / "a.d", [records[:3], records[5:]])
    write(setting / "b.d", [records[1:2], records[4:6]])
    for name, kept in (("a", [*records[:3], *records[5:]]), ("b", [records[1], *records[4:6]])):
        with Writer(name, KBest, "how") as out:
            for kbest in kept:
                out.write(kbest)
    assert run("merge-kbest", "a", "b", "-o", "out") == 0
    assert run("merge-kbest", "a.d", "b.d", "-o", "out.d") == 0
    assert contents("out.d") == contents("out")
    assert spans("out.d") == [(0, 2), (4, 8)]


@pytest.mark.parametrize("setting", [1], indirect=True)
@pytest.mark.parametrize("line", [*LISTS_TO_LISTS, *LISTS_TO_TEXT, *LISTS_TO_WEIGHTS])
def test_a_damaged_shard_leaves_nothing(setting, capsys, line):
    (setting / "kept").write_text("pair_1\nLM0\n")
    words = of_collections(line)
    path = setting / next(word for word in words if word.endswith(".d"))
    shard = sorted(path.glob("shard-*"))[-1]
    whole = bytearray(shard.read_bytes())
    whole[-30] ^= 1
    shard.write_bytes(whole)
    said = complaint(capsys, *words, "-o", "out")
    assert f"{words[0]}: {path.name}/{shard.name}: " in said
    assert not (setting / "out").exists()
    assert [p.name for p in setting.iterdir() if p.name.startswith(".")] == []


OF_TEXTS = [
    "estimate-lm en --order 2 --discount-fallback 0.5 1 1.5",
    "estimate-classes en --classes 2",
    "extract-blocks de en align",
    "extract-features de en align",
    "estimate-distortion de en align",
    "compare en other --ref en --samples 20 --format json",
]


@pytest.mark.parametrize("line", OF_TEXTS)
def test_a_text_in_parts_is_read_as_one(tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    texts = {
        "de": ["der hund", "ein mann", "der mann", "ein hund"],
        "en": ["the dog", "a man", "the man", "a dog"],
        "other": ["the dog", "a man", "the dog", "a dog"],
        "align": ["0-0 1-1"] * 4,
    }
    for name, lines in texts.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines))
        in_parts(Path(f"{name}.d"), lines, 1, 3)
    assert run(*line.split(), "-o", "out") == 0
    words = [f"{word}.d" if word in texts else word for word in line.split()]
    assert run(*words, "-o", "out.d") == 0
    assert Path("out.d").read_text().replace(".d", "") == Path("out").read_text()


def test_parts_that_differ_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, ends in (("de", (1, 3)), ("en", (1, 2)), ("align", (1, 3))):
        in_parts(Path(name), ["0-0"] * 4, *ends)
    said = complaint(capsys, "extract-features", "de", "en", "align", "-o", "out")
    assert "en/part.2: expected line 4 first, as in de/part.2, found line 3" in said


def test_decode_of_a_text_in_parts_against_an_inventory_that_grows(model):
    """Each shard is against what the inventory had when it was made."""
    flags = [*model, "--weights", "w0", "--features", "block,word-pair"]
    for path in ("F", "G"):
        Path("lists").unlink(missing_ok=True)
        assert run("decode", "src", *model, "--weights", "w0", "-k", "1", "-o", "lists") == 0
        assert run("index-features", "lists", "--inventory", path, "-o", "none") == 0
    assert run("decode", "src", *flags, "--inventory", "F", "-o", "out") == 0
    assert run("decode", "src.d", *flags, "--inventory", "G", "-o", "out.d") == 0
    names = [present(shard.inventory).names for shard in Collection.open("out.d").shards]
    assert names == sorted(names)
    for path, inventory in (("out", "F"), ("out.d", "G")):
        assert run("show", path, "--inventory", inventory, "-o", f"{path}.shown") == 0
    assert Path("out.shown").read_text() == Path("out.d.shown").read_text()

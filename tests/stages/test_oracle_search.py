"""The k-best oracle: the highest gain of every list, as a stream or as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.stages import decode, oracle_search
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.table import metric_of
from tests.examples import random_lists, write_kbest
from tests.plain import plain


def read(path: Path) -> list[KBest]:
    with Reader(str(path), KBest) as lists:
        return list(lists)


@pytest.mark.parametrize("n", [1, 3, 100])
def test_highest_gains_in_order(tmp_path: Path, n: int) -> None:
    records, plain = random_lists(8, n_lists=12, max_size=9)
    kbest = write_kbest(tmp_path / "dev.kbest", records)
    argv = [kbest, "--n", str(n), "-o", str(tmp_path / "out"), "-q"]
    assert oracle_search.main(argv) == 0
    for found, hyps in zip(read(tmp_path / "out"), plain, strict=True):
        places = sorted(range(len(hyps)), key=lambda j: (-hyps[j][1], j))[:n]
        assert list(found.text) == [f"hypothesis {j}" for j in places]
        assert found.gain is not None
        assert found.gain.tolist() == [hyps[j][1] for j in places]
        assert list(found.features.rows(found.names)) == [hyps[j][0] for j in places]


def test_text(tmp_path: Path) -> None:
    records, plain = random_lists(8, n_lists=5)
    kbest = write_kbest(tmp_path / "dev.kbest", records)
    assert oracle_search.main([kbest, "--text", "-o", str(tmp_path / "out"), "-q"]) == 0
    best = [max(range(len(hyps)), key=lambda j: hyps[j][1]) for hyps in plain]
    assert (tmp_path / "out").read_text() == "".join(f"hypothesis {j}\n" for j in best)


def test_a_line_end_in_a_text_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = random_lists(8, n_lists=1, max_size=1)[0][0]
    kbest = write_kbest(tmp_path / "k", [replace(record, text=Texts.of(["a\nb"]))])
    assert oracle_search.main([kbest, "--text", "-o", str(tmp_path / "out")]) == 1
    assert "sentence 0: expected one line of text" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_lists_without_gains_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [replace(record, gain=None) for record in random_lists(8)[0]]
    kbest = write_kbest(tmp_path / "dev.kbest", records)
    assert oracle_search.main([kbest, "-o", str(tmp_path / "out")]) == 1
    assert f"{kbest}: sentence 0: expected gains" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_flags_that_do_not_fit(tmp_path: Path) -> None:
    kbest = write_kbest(tmp_path / "dev.kbest", random_lists(8)[0])
    assert oracle_search.main([kbest, "--text", "--n", "2"]) == 2
    assert oracle_search.main([kbest, "--allow-missing"]) == 2
    for flag in (
        "--beam 3",
        "--seed 0",
        "--jobs 2",
        "--reordering swap",
        "--no-pruning",
        "--ref r",
        "--features block",
        "--feature-list f",
        "--inventory F",
        "--no-count",
    ):
        assert oracle_search.main([kbest, *flag.split()]) == 2, flag


def test_line_i_is_the_text_of_sentence_i(tmp_path: Path) -> None:
    records = random_lists(8, n_lists=4)[0]
    kbest, out = write_kbest(tmp_path / "dev.kbest", records[2:]), tmp_path / "out"
    assert oracle_search.main([kbest, "--text", "-o", str(out), "-q"]) == 1
    assert oracle_search.main([kbest, "--text", "--allow-missing", "-o", str(out), "-q"]) == 0
    assert out.read_text().split("\n")[:2] == ["", ""]
    assert out.read_text().count("\n") == 4


def test_the_summary_gives_the_metrics_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = random_lists(8, n_lists=3)[0]
    stats = np.array([4, 4, 4, 3, 2, 1, 4, 3, 2, 1])
    scored = [replace(r, stats=np.tile(stats, (len(r), 1))) for r in records]
    with Writer(str(tmp_path / "dev.kbest"), KBest, "how", Bleu().header()) as out:
        for record in scored:
            out.write(record)
    argv = [str(tmp_path / "dev.kbest"), "-o", str(tmp_path / "out")]
    assert oracle_search.main(argv) == 0
    said = capsys.readouterr().err
    assert "first: BLEU|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:" in said
    assert said.endswith("oracle: 100.00\n")


def model_flags(folder: Path) -> list[str]:
    rows = ["a ||| u v ||| 0.5 0.5 |||", "a ||| u ||| 0.5 0.2 |||", "b ||| w ||| 1 1 |||"]
    (folder / "table").write_text("".join(f"{row}\n" for row in rows))
    (folder / "src").write_text("a b\n\nb z\n")
    (folder / "ref").write_text("w u v\n\nw z\n")
    cache = ["--cache", str(folder / "cache"), "-q"]
    return [str(folder / "src"), "--ref", str(folder / "ref"), *cache]


def test_search(tmp_path: Path) -> None:
    flags, out = model_flags(tmp_path), tmp_path / "out"
    model = ["--phrase-table", str(tmp_path / "table"), "-o", str(out)]
    assert oracle_search.main([*flags, *model]) == 0
    records = read(out)
    assert [record.sid for record in records] == [0, 1, 2]
    assert [len(record) for record in records] == [4, 1, 2]
    assert [record.text[0] for record in records] == ["w u v", "", "w z"]
    assert records[0].fields["segmentation"][0] == "1=0 0=1-2"
    assert records[0].fields["orientation"][0] == "N L"
    before = out.read_bytes()
    assert oracle_search.main([*flags, *model, "--jobs", "3"]) == 0
    assert out.read_bytes() == before
    assert oracle_search.main([*flags, *model, "--reordering", "monotone", "--text"]) == 0
    assert out.read_text() == "u v w\n\nw z\n"
    some = [
        "--dense-features",
        "WordPenalty0, TranslationModel0",
        "--dense-features",
        "Distortion0",
    ]
    assert oracle_search.main([*flags, *model, *some]) == 0
    scores = ["TranslationModel0_0", "TranslationModel0_1"]
    assert list(read(out)[0].names) == ["Distortion0", "WordPenalty0", *scores]


def test_bags_depend_on_the_seed_alone(tmp_path: Path) -> None:
    flags = model_flags(tmp_path)
    model = ["--phrase-table", str(tmp_path / "table"), "--bag-of-blocks"]
    texts = []
    for seed in range(6):
        for name in ("one", "two"):
            argv = [*flags, *model, "--seed", str(seed), "-o", str(tmp_path / name)]
            assert oracle_search.main(argv) == 0
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
        texts.append(read(tmp_path / "one")[0].text[0])
    assert set(texts) == {"u v w", "u w"}


SPARSE = ["--dense-features", "none", "--features", "tillmann-zhang"]


@pytest.mark.parametrize("more", [[], ["--bag-of-blocks"]], ids=["truth", "bag"])
def test_lists_against_an_inventory_are_those_with_names(tmp_path: Path, more: list[str]) -> None:
    flags, folder = model_flags(tmp_path), str(tmp_path / "F")
    argv = [*flags, "--phrase-table", str(tmp_path / "table"), *SPARSE, *more]
    assert oracle_search.main([*argv, "-o", str(tmp_path / "named")]) == 0
    out = tmp_path / "out"
    indexed = [*argv, "--inventory", folder, "--no-count", "-o", str(out)]
    assert oracle_search.main(indexed) == 0
    inventory, before = Inventory.open(folder), out.read_bytes()
    with Reader(str(out), KBest, inventory=inventory) as lists:
        assert [plain(kbest) for kbest in lists] == [plain(r) for r in read(tmp_path / "named")]
    assert oracle_search.main([*indexed, "--jobs", "2"]) == 0
    assert out.read_bytes() == before
    assert Inventory.open(folder).manifest == inventory.manifest
    assert inventory.manifest.sentences == 0
    names = set(inventory)
    assert {"block_z~~z", "pair_b~~w"} <= names
    assert ("orient_R" in names, "jump_0" in names) == (False, not more)


def test_an_inventory_grows_from_truth_to_bag_to_decode(tmp_path: Path) -> None:
    """Ids go on where the lists before ended; what is made again has its bytes."""
    flags, folder = model_flags(tmp_path), str(tmp_path / "F")
    argv = [*flags, "--phrase-table", str(tmp_path / "table"), *SPARSE]
    argv += ["--inventory", folder, "--no-count", "-o"]
    assert oracle_search.main([*argv, str(tmp_path / "truth"), "--n", "1"]) == 0
    assert oracle_search.main([*argv, str(tmp_path / "bag"), "--bag-of-blocks"]) == 0
    (tmp_path / "w").write_text("# nothing\n")
    decoding = [argv[0], *argv[argv.index("--cache") :], str(tmp_path / "decoded"), "-k", "3"]
    assert decode.main([*decoding, "--weights", str(tmp_path / "w")]) == 0
    sizes = []
    for name in ("truth", "bag", "decoded"):
        with Reader(str(tmp_path / name), KBest, inventory=Inventory.open(folder)) as lists:
            assert len(list(lists)) == 3
            assert lists.inventory is not None
            sizes.append(lists.inventory.names)
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == len(Inventory.open(folder))
    before = (tmp_path / "truth").read_bytes()
    assert oracle_search.main([*argv, str(tmp_path / "truth"), "--n", "1"]) == 0
    assert (tmp_path / "truth").read_bytes() == before


def test_the_search_writes_what_score_bleu_reads_as_its_own(tmp_path: Path) -> None:
    flags, out = model_flags(tmp_path), tmp_path / "out"
    argv = [*flags, "--phrase-table", str(tmp_path / "table"), "-o", str(out)]
    assert oracle_search.main(argv) == 0
    with Reader(str(out), KBest) as lists:
        assert metric_of(lists.metric) == Bleu()


@pytest.mark.parametrize(
    "more",
    [
        ["--phrase-table", "t", "--allow-missing", "--text"],
        ["--phrase-table", "t", "--bag-of-blocks", "--n", "2"],
        ["--phrase-table", "t", "--model", "m"],
        ["--lm", "l"],
        ["--phrase-table", "t", "--ref", "-", "--ref", "-"],
        ["--phrase-table", "t", "--features", "none"],
        ["--phrase-table", "t", "--no-extend"],
        ["--phrase-table", "t", "--text", "--inventory", "F"],
    ],
)
def test_flags_of_a_search_that_do_not_fit(tmp_path: Path, more: list[str]) -> None:
    assert oracle_search.main([str(tmp_path / "src"), "--ref", "r", *more]) == 2
    assert oracle_search.main(["src", "--phrase-table", "t"]) == 2


def test_references_of_another_length_leave_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags, out = model_flags(tmp_path), tmp_path / "out"
    (tmp_path / "ref").write_text("w\n")
    argv = [*flags, "--phrase-table", str(tmp_path / "table"), "-o", str(out)]
    assert oracle_search.main(argv) == 1
    assert "src: expected 1 lines, as " in capsys.readouterr().err
    assert not out.exists()

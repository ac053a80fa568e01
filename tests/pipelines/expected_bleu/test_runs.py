"""Whole runs, their results, and what is not done again."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines import tune
from campanula.pipelines.copying import copy
from campanula.pipelines.expected_bleu import conclusion
from campanula.stages import decode, rerank
from tests.naive.left_language_model import LeftModel
from tests.pipelines.expected_bleu import small
from tests.plain import json_lines


def theta_of(work: Path) -> tuple[dict[str, float], Inventory]:
    """The weights of a run by name, and the inventory of these."""
    stream = read_weight_stream(os.fspath(work / "theta"))
    names = Inventory.open(os.fspath(work / "features"))
    return dict(zip(names.between(0, len(stream)), stream.theta.tolist(), strict=True)), names


def run(folder: Path, *more: str) -> int:
    """Run again in the folder, beside what is there."""
    return tune.main(["expected-bleu", *small.flags(folder), *more])


def again(made: Path, work: Path, *more: str) -> int:
    """The same run with its steps shared, in another folder."""
    shared = ["--share", os.fspath(made / "work" / "cache"), "--work-dir", os.fspath(work)]
    return run(made, *small.FEATURES, *shared, "-q", *more)


def test_the_history_has_all_systems_and_the_best_on_dev_is_kept(made: Path) -> None:
    first, *others = json_lines(made / "work" / "history.jsonl")
    assert first["system"] == "baseline"
    assert [line["iteration"] for line in others] == [2, 3]
    means = [np.mean(line["dev"]) for line in others]
    [kept] = [line for line in others if line.get("kept")]
    assert np.mean(kept["dev"]) == max(means)
    assert len(kept["x"]) == len(first["x"]) == 2
    assert all("x" not in line for line in others if line is not kept)
    compared = (made / "work" / "x.compare").read_text()
    assert {"baseline", "tuned"} <= set(compared.split())


def test_expected_bleu_is_that_of_the_lists(made: Path) -> None:
    work = made / "work"
    curve = json_lines(work / "training.jsonl")
    assert [line["iteration"] for line in curve] == [1, 2, 3]
    [kept] = [line for line in json_lines(work / "history.jsonl") if line.get("kept")]
    theta, names = theta_of(work)
    lists = [p for p in (work / "cache").glob("score-bleu-*.kbest") if p.is_dir()]
    gains = []
    with open_lists(os.fspath(lists[0]), KBest, inventory=names) as found:
        for kbest in found:
            rows = kbest.features.rows(names)
            score = np.array([sum(theta[name] * v for name, v in row.items()) for row in rows])
            p = np.exp(score - score.max())
            gains.append(p @ kbest.gain / p.sum())
    assert kept["expected_bleu"] == pytest.approx(np.mean(gains), abs=1e-9)
    assert len(gains) == small.TRAIN


def test_lambda_stays_and_theta_moves(made: Path) -> None:
    work = made / "work"
    theta, _ = theta_of(work)
    best = [
        dict(Weights.read(os.fspath(path)))
        for path in sorted((work / "baseline").glob("replicate-*/weights"))
    ]
    dense = {name: value for name, value in theta.items() if name[0].isupper()}
    assert dense in best
    assert any(value for name, value in theta.items() if name not in dense)


def test_the_model_of_a_run_decodes(made: Path, tmp_path: Path) -> None:
    work = made / "work"
    flags = ["--model", os.fspath(work / "model"), "--weights", os.fspath(work / "weights")]
    flags += ["-k", "1", "--beam", "5", "--stack", "10", "-q"]
    out = os.fspath(tmp_path / "x.kbest")
    assert decode.main([os.fspath(made / "test.de"), *flags, "-o", out]) == 0
    best = [out, "--weights", os.fspath(work / "weights"), "-q"]
    assert rerank.main([*best, "-o", os.fspath(tmp_path / "x.out")]) == 0
    assert (tmp_path / "x.out").read_text() == (work / "x.out").read_text()


def test_a_run_that_is_there_does_nothing_again(
    made: Path, tmp_path: Path, commands: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = small.contents(made / "work")
    assert run(made, *small.FEATURES, "--work-dir", os.fspath(made / "work")) == 0
    assert set(commands) <= {"compare"}
    assert small.contents(made / "work") == before
    printed = capsys.readouterr()
    assert printed.out.startswith("x\nBLEU")
    assert "lists: orchestration" in printed.err or "lists: there already" in printed.err


def test_one_more_t_costs_its_mert_and_another_solver_nothing_before(
    made: Path, tmp_path: Path, commands: list[str]
) -> None:
    assert again(made, tmp_path / "one", "--mert-at", "1") == 0  # beside 2 and 3
    assert commands.count("condense-features") == 1
    assert "import-weights" not in commands
    assert [line["iteration"] for line in json_lines(tmp_path / "one" / "history.jsonl")[1:]] == [
        *(1, 2, 3)
    ]
    commands.clear()
    solver = ["--solver", "adagrad", "--eta", "0.1", "0.5"]
    selection = ["--selection", *(os.fspath(made / f"test.{side}") for side in ("de", "en"))]
    assert again(made, tmp_path / "two", *solver, *selection) == 0
    baseline, *others = json_lines(tmp_path / "two" / "history.jsonl")
    assert [line["eta"] for line in others] == ["0.1", "0.1", "0.5", "0.5"]
    assert len(baseline["selection"]) == 2
    best = max(others, key=lambda line: float(np.mean(line["selection"])))
    assert best["kept"]
    assert len(list((made / "work" / "cache").glob("decode-*.features"))) == 1


def test_what_an_earlier_run_has_made_and_this_one_does_not_moves_aside(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    assert again(made, work) == 0
    of_x = ["x.1.out", "x.2.out", "x.compare", "x.out"]
    assert sorted(path.name for path in work.glob("x.*")) == of_x
    named = small.flags(made)
    place = named.index("--test")
    shared = ["--share", os.fspath(made / "work" / "cache"), "--work-dir", os.fspath(work)]
    argv = ["expected-bleu", *named[:place], *named[place + 4 :], *small.FEATURES, *shared]
    capsys.readouterr()
    assert tune.main([*argv, "--replicates", "1"]) == 0
    assert f"results of another run are now in {work}/earlier-1\n" in capsys.readouterr().err
    assert {path.name for path in work.glob("*.out")} == {"dev.out", "dev.1.out"}
    assert sorted(path.name for path in (work / "earlier-1").glob("x.*")) == of_x


def test_nothing_is_printed_before_all_is_there(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"

    def killed(source: str, path: str) -> None:
        if path == os.fspath(work / "weights"):
            raise KeyboardInterrupt
        copy(source, path)

    monkeypatch.setattr(conclusion, "copy", killed)
    capsys.readouterr()
    assert again(made, work) == 130
    assert (work / "x.compare").exists()
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(conclusion, "copy", copy)
    assert again(made, work) == 0
    assert capsys.readouterr().out == f"x\n{(work / 'x.compare').read_text()}"
    assert small.contents(work)["weights"] == (made / "work" / "weights").read_bytes()


@pytest.mark.parametrize("name", ["theta", "x.2.out", "model/phrase-table.gz", "seconds.jsonl"])
def test_a_folder_in_the_place_of_a_result_is_one_line_before_any_work(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], commands: list[str], name: str
) -> None:
    place = tmp_path / "work" / name
    place.mkdir(parents=True)
    assert again(made, tmp_path / "work") == 1
    assert capsys.readouterr().err == f"tune: {place}: cannot be written: Is a directory\n"
    assert commands == []


def test_growth_has_lists_of_blocks_alone_which_others_share(
    made: Path, tmp_path: Path, commands: list[str]
) -> None:
    """(The run that is there has blocks and word pairs.)"""
    cache = made / "work" / "cache"
    before = set(cache.glob("decode-*.features"))
    assert again(made, tmp_path / "grown", "--solver", "growth") == 0
    assert commands.count("growth-transform") == 1
    assert "condense-features" not in commands
    [own] = set(cache.glob("decode-*.features")) - before
    kinds = {name.partition("_")[0] for name in Inventory.open(os.fspath(own))}
    assert {kind for kind in kinds if kind.islower()} == {"block"}
    shared = ["--share", os.fspath(cache), "-q", "--features", "wuebker-a"]
    assert run(made, *shared, "--work-dir", os.fspath(tmp_path / "rprop")) == 0
    assert set(cache.glob("decode-*.features")) == {*before, own}
    assert not (tmp_path / "grown" / "theta").exists()
    assert not (tmp_path / "grown" / "features").exists()
    [_, *lines] = json_lines(tmp_path / "grown" / "history.jsonl")
    found = [(line["system"], line["iteration"]) for line in lines]
    assert found == [("growth", 2), ("growth", 3)]
    assert [line.get("kept") for line in lines].count(True) == 1


def test_language_models_have_not_seen_the_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("TRAIN", 8), ("DEV", 3), ("SHORT", small.SHORTEST)):
        monkeypatch.setattr(small, name, value)
    work = tmp_path / "work"
    argv = ["expected-bleu", *small.write(tmp_path), "--features", "wuebker-a", "-q"]
    assert tune.main([*argv, "--leave-out", "lm", "--work-dir", os.fspath(work)]) == 0
    [lists] = [path for path in (work / "cache").glob("decode-*.kbest") if path.is_dir()]
    text = [line.split() for line in (tmp_path / "train.en").read_text().splitlines()]
    names = Inventory.open(os.fspath(lists.with_suffix(".features")))
    with open_lists(os.fspath(lists), KBest, inventory=names) as found:
        assert "|leave_out:phrases,lm" in found.signature
        for kbest in found:
            twin = LeftModel(text, 2, [0.5, 1.0, 1.5], kbest.sid)
            for words, row in zip(kbest.text, kbest.features.rows(names), strict=True):
                known = [word if word in twin.words else "<unk>" for word in words.split()]
                assert row["LM0"] == pytest.approx(sum(twin.logs(known)), rel=1e-12)


@pytest.mark.parametrize(
    ("more", "status", "problem"),
    [
        (["--features", "jump"], 2, "expected features local to a block"),
        (["--features", "x"], 2, "found 'x'"),
        (["--features", "wuebker-b", "--solver", "growth"], 2, "goes by blocks"),
        ([*small.FEATURES, "--weights", "nowhere"], 1, "nowhere"),
        ([*small.FEATURES, "--solver", "sgd", "--eta", "1", "--rprop", "reset"], 2, "--rprop"),
    ],
)
def test_what_is_at_fault_is_one_line(
    made: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    status: int,
    problem: str,
) -> None:
    work = tmp_path / "work"
    assert run(made, *more, "-q", "--work-dir", os.fspath(work)) == status
    printed = capsys.readouterr().err.splitlines()
    assert len(printed) == 1
    assert problem in printed[0]
    assert not work.exists()

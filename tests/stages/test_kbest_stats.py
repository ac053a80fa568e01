"""kbest-stats: lists of a file, a pipe, a collection or an inventory, as a table and as JSON."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.stages import index_features, kbest_stats, score_bleu
from campanula.stages.metrics.bleu import Bleu
from tests.examples import random_lists, write_kbest
from tests.formats.collections.making import write

BIN = Path(sys.executable).parent
N = 7


@pytest.fixture(autouse=True)
def lists(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lists, _ = random_lists(5, N)
    write_kbest("k", lists)
    Path("ref").write_text("hypothesis 1\n" * N)
    return lists


def run(*argv):
    return kbest_stats.main([*argv, "-q"])


def found(*argv):
    assert run(*argv, "--format", "json", "-o", "out") == 0
    return json.loads(Path("out").read_text())


def test_a_table_and_json_of_one_line(lists, capsys):
    assert run("k") == 0
    said = capsys.readouterr()
    n_hyps = sum(map(len, lists))
    assert said.out.startswith(f"{N} lists, {n_hyps} hypotheses\n")
    assert said.err == ""
    assert run("k", "--format", "json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["hypotheses"] == n_hyps


def test_the_metric_is_the_one_that_scored_them(capsys):
    assert score_bleu.main(["k", "--ref", "ref", "--metric", "wer", "-o", "scored", "-q"]) == 0
    wer = found("scored")
    assert wer["metric"]["metric"] == "wer"
    values = [oracle["metric"] for oracle in wer["oracles"]]
    assert values == sorted(values, reverse=True)
    assert [choice["metric"] for choice in wer["choices"]] == [values[0], values[-1]]
    assert score_bleu.main(["k", "--ref", "ref", "-o", "scored"]) == 0
    summary = capsys.readouterr().err
    assert run("scored") == 0
    table = capsys.readouterr().out
    first, oracle = (line.split()[1] for line in table.split("\n\n")[1].splitlines()[2:4])
    assert f"= {first} " in summary
    assert summary.endswith(f"oracle: {oracle}\n")


def test_a_collection_has_the_numbers_of_the_stream(lists):
    write(Path("k.d"), [lists[:3], lists[3:4], lists[4:]], signature="test")
    assert found("k.d") == found("k")


def test_lists_against_an_inventory():
    argv = ["k", "--inventory", "names", "-o", "k.i", "-q"]
    assert index_features.main(argv) == 0
    expected = found("k")
    named = found("k.i", "--inventory", "names")
    by_name = {line["name"]: line for line in named.pop("features")}
    assert by_name == {line["name"]: line for line in expected.pop("features")}
    assert named == expected
    assert {line["name"][0] for line in found("k.i")["features"]} == {"#"}


def test_patterns_that_need_names_or_match_none(capsys):
    argv = ["k", "--inventory", "names", "-o", "k.i", "-q"]
    assert index_features.main(argv) == 0
    assert [line["name"] for line in found("k", "--feature", "LM?")["features"]] == ["LM0"]
    assert run("k.i", "--feature", "LM*", "-o", "none") == 1
    assert "expected --inventory, for its names" in capsys.readouterr().err
    assert run("k", "--feature", "TM*", "-o", "none") == 1
    problem = "expected a feature that --feature TM* matches, found none"
    assert capsys.readouterr().err == f"kbest-stats: k: {problem}\n"
    assert not Path("none").exists()


def test_statistics_that_are_not_the_metrics(lists, capsys):
    with Writer("k", KBest, "test", Bleu(n_refs=1).header()) as out:
        for kbest in lists:
            out.write(replace(kbest, stats=np.ones((len(kbest), 3), np.int64)))
    assert run("k", "-o", "none") == 1
    assert "k: sentence 0: expected 10 statistics of bleu a hypothesis" in capsys.readouterr().err
    assert not Path("none").exists()


def test_a_pipe_of_commands():
    pipe = f"{BIN}/score-bleu k --ref ref -q | {BIN}/kbest-stats -q --format json"
    done = subprocess.run(["bash", "-c", pipe], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["lists"] == N
    cut = Path("k").read_bytes()[:-40]
    ended = subprocess.run([BIN / "kbest-stats", "-q"], input=cut, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, b"")

"""prune-kbest: the first hypotheses of every list, or of every text, and all that they have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import prune_kbest, rerank
from campanula.stages.command_line.text_flags import TextForm
from campanula.stages.prune_kbest import Pruning, pruned
from tests.examples import random_lists, write_kbest
from tests.plain import plain

COLUMNS = ("text", "features", "score", "gain", "stats")


def of_texts(*texts: str, **fields: list[str]) -> KBest:
    names, given = Names(), {name: Texts.of(values) for name, values in fields.items()}
    features = Features.of([{}] * len(texts), names)
    return KBest(0, Texts.of(list(texts)), features, names, fields=given)


def places(kbest: dict, k: int | None, distinct: bool) -> list[int]:
    """The twin: places of what stays."""
    stays: list[int] = []
    for j, text in enumerate(kbest["text"]):
        if k is not None and len(stays) == k:
            break
        if not distinct or text not in [kbest["text"][other] for other in stays]:
            stays.append(j)
    return stays


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with lists, whose texts come twice and more."""
    monkeypatch.chdir(tmp_path)
    records = random_lists(7, n_lists=8, max_size=9)[0]
    again = [kbest.take(np.arange(len(kbest)) // 2) for kbest in records]
    write_kbest("in", again)
    return tmp_path


def read(path: str) -> list[dict]:
    with Reader(path, KBest) as lists:
        return [plain(kbest) for kbest in lists]


@pytest.mark.parametrize("k", [None, 1, 2, 4, 99])
@pytest.mark.parametrize("distinct", [False, True])
def test_what_stays_has_all_that_it_had(k, distinct):
    if k is None and not distinct:
        return
    flags = [*(["-k", str(k)] if k else []), *(["--distinct"] if distinct else [])]
    assert prune_kbest.main(["in", *flags, "-o", "out", "-q"]) == 0
    expected = read("in")
    assert any(len({*kbest["text"]}) < len(kbest["text"]) for kbest in expected)
    for kbest in expected:
        stays = places(kbest, k, distinct)
        for column in COLUMNS:
            if kbest.get(column) is not None:
                kbest[column] = [kbest[column][j] for j in stays]
    assert read("out") == expected


def test_the_text_that_counts_may_be_a_field_or_words_of_pieces():
    kbest = of_texts("c@@ at", "cat", "a", "a", detokenized=["x", "y", "x", "x"])
    assert list(pruned(kbest, Pruning(distinct=True)).text) == ["c@@ at", "cat", "a"]
    joined = Pruning(distinct=True, text=TextForm(None, "bpe"))
    assert list(pruned(kbest, joined).text) == ["c@@ at", "a"]
    field = Pruning(1, distinct=True, text=TextForm("detokenized"))
    assert list(pruned(kbest, field).text) == ["c@@ at"]
    short = pruned(kbest, Pruning(distinct=True, text=TextForm("detokenized")))
    assert list(short.fields["detokenized"]) == ["x", "y"]


def test_after_rerank_the_best_stay(folder):
    Path("w").write_text("LM0 1\nWordPenalty0 0\ncount_7 0\n" + "pair_0 0\n")
    flags = ["in", "--weights", "w", "--allow-missing", "-q"]
    assert rerank.main([*flags, "--kbest", "-o", "sorted"]) == 0
    assert prune_kbest.main(["sorted", "-k", "1", "-o", "out", "-q"]) == 0
    assert rerank.main([*flags, "-o", "best"]) == 0
    assert [kbest["text"][0] for kbest in read("out")] == Path("best").read_text().splitlines()
    assert all(len(kbest["text"]) == 1 for kbest in read("out"))


def test_what_was_kept_is_said_and_in_the_signature(capsys):
    write_kbest("lists", [of_texts("a", "a", "b")])
    assert prune_kbest.main(["lists", "--distinct", "-k", "7", "-o", "out"]) == 0
    assert capsys.readouterr().err == "prune-kbest: 2 of 3 hypotheses kept, 1 sentences\n"
    with Reader("out", KBest) as lists:
        assert "|command:prune-kbest|k:7|distinct:True < " in lists.signature


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ([], "expected -k N or --distinct: without both, all would stay"),
        (["-k", "2", "--remove-subwords", "bpe"], "--text-field and --remove-subwords go with"),
    ],
)
def test_flags_that_do_not_fit(flags, problem, capsys):
    assert prune_kbest.main(["in", *flags, "-o", "out"]) == 2
    assert problem in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_field_that_the_lists_lack_is_named(capsys):
    assert prune_kbest.main(["in", "--distinct", "--text-field", "raw", "-o", "out", "-q"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("prune-kbest: in: sentence 0: expected a text field 'raw', found ")
    assert not Path("out").exists()

"""The corpus metric of the first hypotheses is sacrebleu's of their texts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Writer
from campanula.pipelines.evaluation import count, evaluate
from campanula.stages import score_bleu

REFS = [["the cat sat on the mat", "a dog barks"], ["the cat is on the mat", "the dog barks loud"]]
LISTS = [["the cat sat on mat", "x"], ["a dog barks loud", "", "the dog barks"]]


def write(path: Path, lists: list[list[str]]) -> str:
    names = Names()
    with Writer(os.fspath(path), KBest, "test") as out:
        for sid, texts in enumerate(lists):
            features = Features.of([{"F": float(i)} for i in range(len(texts))], names)
            out.write(KBest(sid, Texts.of(texts), features, names))
    return os.fspath(path)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_the_value_is_sacrebleus(tmp_path: Path, metric: str) -> None:
    scored, summary = os.fspath(tmp_path / "scored"), os.fspath(tmp_path / "summary")
    argv = [write(tmp_path / "plain", LISTS), "-q", "-o", scored, "--summary", summary]
    argv += ["--metric", metric]
    for number, ref in enumerate(REFS):
        (tmp_path / f"ref{number}").write_text("".join(f"{line}\n" for line in ref))
        argv += ["--ref", os.fspath(tmp_path / f"ref{number}")]
    assert score_bleu.main(argv) == 0
    found = evaluate(summary)
    outputs = [texts[0] for texts in LISTS]
    judges = {"bleu": BLEU(tokenize="none"), "chrf": CHRF(), "ter": TER()}
    assert found.value == pytest.approx(judges[metric].corpus_score(outputs, REFS).score, abs=1e-9)
    assert (found.lists, found.hypotheses) == count(scored) == (2, 5)


def test_no_lists_are_refused(tmp_path: Path) -> None:
    (tmp_path / "summary").write_text('{"lists": 0, "hypotheses": 0, "first": null}')
    with pytest.raises(DataError, match="found none"):
        evaluate(os.fspath(tmp_path / "summary"))


def test_what_is_to_be_said_of_the_texts(tmp_path: Path) -> None:
    summary = os.fspath(tmp_path / "summary")
    for ref, unlike in (("a b", None), ("a@@ b", "the references have subword marks such as '@@'")):
        (tmp_path / "ref").write_text(f"{ref}\n")
        argv = [write(tmp_path / "plain", [["a b"]]), "-q", "-o", os.fspath(tmp_path / "scored")]
        assert score_bleu.main([*argv, "--ref", str(tmp_path / "ref"), "--summary", summary]) == 0
        warning = evaluate(summary).warning
        assert warning is None if unlike is None else unlike in str(warning)

"""Corpus BLEU of the first hypotheses is sacrebleu's of their texts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sacrebleu

from formats.errors import DataError
from formats.features import Features
from formats.kbest import KBest
from formats.names import Names
from formats.stream import Writer
from formats.texts import Texts
from pipelines.evaluation import evaluate
from stages import score_bleu

REFS = [["the cat sat on the mat", "a dog barks"], ["the cat is on the mat", "the dog barks loud"]]
LISTS = [["the cat sat on mat", "x"], ["a dog barks loud", "", "the dog barks"]]


def write(path: Path, lists: list[list[str]]) -> str:
    names = Names()
    with Writer(os.fspath(path), KBest, "test") as out:
        for sid, texts in enumerate(lists):
            features = Features.of([{"F": float(i)} for i in range(len(texts))], names)
            out.write(KBest(sid, Texts.of(texts), features, names))
    return os.fspath(path)


def test_the_value_is_sacrebleus(tmp_path: Path) -> None:
    argv = [write(tmp_path / "plain", LISTS), "-q", "-o", os.fspath(tmp_path / "scored")]
    for number, ref in enumerate(REFS):
        (tmp_path / f"ref{number}").write_text("".join(f"{line}\n" for line in ref))
        argv += ["--ref", os.fspath(tmp_path / f"ref{number}")]
    assert score_bleu.main(argv) == 0
    found = evaluate(os.fspath(tmp_path / "scored"))
    expected = sacrebleu.corpus_bleu([texts[0] for texts in LISTS], REFS, tokenize="none")
    assert found.value == expected.score
    assert (found.lists, found.hypotheses) == (2, 5)


def test_lists_without_statistics_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="gain"):
        evaluate(write(tmp_path / "plain", LISTS))


def test_no_lists_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found none"):
        evaluate(write(tmp_path / "plain", []))

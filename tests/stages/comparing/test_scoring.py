"""What scores the outputs of systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.stages.comparing.score_command import ScoreCommand
from campanula.stages.comparing.scoring import OutputTexts, Scoring
from campanula.stages.comparing.systems import System
from campanula.stages.metrics.table import metric_named

REFERENCES = References.of(["the house", "a cat"], ["house", "cat"])
TEXTS = OutputTexts({"a": [["the house", "cat"], ["x", "y"]], "b": [["a house", "a cat"]]})


def test_metrics_of_texts_then_numbers_then_the_command(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text("1\n2\n")
    columns = [str(tmp_path / name) for name in "abc"]
    command = ScoreCommand.of("awk '{print NF}' {hypotheses}", False, 0.0)
    scoring = Scoring([metric_named("wer"), metric_named("bleu")], columns, command)
    found = list(scoring.of_texts(TEXTS, REFERENCES))
    names = ["wer", "bleu", "gain-column", "score-command"]
    assert [scored.metric.name for scored in found] == names
    assert {scored.stats.shape[:2] for scored in found} == {(2, 3)}
    assert found[0].metric.n_refs == 2
    assert found[3].gain.tolist() == [[2.0, 1.0, 2.0], [1.0, 1.0, 2.0]]


def test_a_source_is_as_long_as_the_references(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("one\n")
    command = ScoreCommand.of("paste {hypotheses} {source}", False, 0.0)
    scoring = Scoring(command=command, source=str(tmp_path / "s"))
    with pytest.raises(DataError, match="s: expected 2 lines, as references 1 has, found 1"):
        list(scoring.of_texts(TEXTS, REFERENCES))


def test_subwords_are_joined(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("the h@@ ouse\na c@@ at\n")
    systems = [System("a", (str(tmp_path / "a"),))]
    texts = OutputTexts.read(systems, REFERENCES, "bpe")
    assert texts.firsts() == {"a": ["the house", "a cat"]}


def test_what_is_unlike_the_references_is_named() -> None:
    pieces = OutputTexts({"a": [["the house", "a cat"]], "b": [["the h@@ ouse", "a c@@ at"]]})
    unlike = pieces.unlike(REFERENCES, [metric_named("bleu")])
    assert unlike == "b: the texts have subword marks such as '@@', the references none"
    assert TEXTS.unlike(REFERENCES, [metric_named("bleu")]) is None

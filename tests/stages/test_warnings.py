"""Warnings: none on clean data, from lists to a comparison, and each where something is amiss."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest

from campanula import cli

EXAMPLES = Path(__file__).parents[2] / "examples"
REFS = ("dev.kjv", "dev.web")


@pytest.fixture
def chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example's lists, references and weights."""
    for name in (*REFS, "weights"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    lists = gzip.decompress((EXAMPLES / "dev.nbest.gz").read_bytes())
    (tmp_path / "dev.nbest").write_bytes(lists)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *lines: str) -> list[str]:
    """Warnings of commands, one after another."""
    capsys.readouterr()
    for line in lines:
        assert cli.main(line.split()) == 0
    return [line for line in capsys.readouterr().err.splitlines() if "warning" in line]


REFERENCES = " ".join(f"--ref {name}" for name in REFS)
LISTS = "import-nbest dev.nbest -o lists"
SCORED = f"score-bleu lists {REFERENCES} -o scored"
TUNED = "optimize scored --weights weights --loss bayes-risk --solver lbfgs --C 0.01 -o tuned"
CHAIN = [LISTS, SCORED, TUNED, "rerank lists --weights weights -o first.out"]
CHAIN += ["rerank lists --weights tuned -o best.out"]
COMPARED = f"compare first.out best.out {REFERENCES} --samples 10 --trials 10 -o table"


def test_clean_data_have_none(chain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, *CHAIN, COMPARED, "kbest-stats scored -o stats") == []


def upper(path: Path) -> None:
    path.write_text(path.read_text().upper())


def pieces(path: Path) -> None:
    path.write_text(
        "".join(f"{line.replace('e ', 'e@@ ')}\n" for line in path.read_text().splitlines())
    )


@pytest.mark.parametrize(
    ("change", "expected"), [(upper, "lower-case"), (pieces, "subword marks such as '@@'")]
)
def test_texts_unlike_their_references(
    chain: Path, capsys: pytest.CaptureFixture[str], change: object, expected: str
) -> None:
    assert said(capsys, *CHAIN) == []
    for name in REFS:
        change(chain / name)  # type: ignore[operator]
    (scored,) = said(capsys, SCORED)
    (compared,) = said(capsys, COMPARED)
    assert scored.startswith("score-bleu: warning: ")
    assert compared.startswith("compare: warning: ")
    assert expected in scored
    assert expected in compared


def test_tuning_that_makes_its_own_lists_worse(
    chain: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, LISTS, SCORED, TUNED) == []
    worse = "optimize scored --weights tuned --loss pairwise --solver sgd --eta 100 --epochs 1"
    assert _one(said(capsys, f"{worse} --C 0 -o worse")).endswith(
        "BLEU is worse on the lists themselves under the new weights"
    )
    assert said(capsys, f"{worse} --C 0 -q -o worse") == []


def _one(lines: Sequence[str]) -> str:
    (line,) = lines
    return line

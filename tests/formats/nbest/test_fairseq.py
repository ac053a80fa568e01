from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import plain_lists

TEXT = """| [de] dictionary: 8848 types
S-12\tle chat
T-12\tthe cat
H-12\t-0.42\tthe cat
D-12\t-0.42\tThe cat
P-12\t-0.3012 -0.5388
H-12\t-5.9e-08\t
D-12\t-5.9e-08\t
P-12\t-0.1
S-3\tun
H-3\t-1\ta = b
D-3\t-1\tA
P-3\t-1
Generate test with beam=5: BLEU4 = 30.1
"""


def test_lines_of_fairseq_generate(tmp_path: Path) -> None:
    three, twelve = plain_lists(tmp_path, TEXT, "fairseq")
    assert (three["sid"], three["text"]) == (3, ["a = b"])
    assert three["fields"] == {"detokenized": ["A"], "WordScores": ["-1"]}
    assert twelve["text"] == ["the cat", ""]
    assert twelve["features"] == [{"F0": -0.42}, {"F0": -5.9e-08}]
    assert twelve["score"] == [-0.42, -5.9e-08]
    assert twelve["fields"] == {
        "detokenized": ["The cat", ""],
        "WordScores": ["-0.3012 -0.5388", "-0.1"],
    }


def test_lines_sorted_by_kind_belong_together_all_the_same(tmp_path: Path) -> None:
    lines = sorted(TEXT.splitlines(keepends=True), key=lambda line: line.partition("\t")[0])
    assert plain_lists(tmp_path, "".join(lines), "fairseq") == plain_lists(
        tmp_path, TEXT, "fairseq"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("H-1\t-inf\ta\n", "line 1: feature 'F0': expected a finite number, found '-inf'"),
        ("H-1\t-1\n", "line 1: expected `H-1`, a score and a text"),
        ("H-1\t-1\ta\nP-1\t1\nP-1\t2\n", "sentence 1: expected as many of both, found 2 P lines"),
        ("P-1\t1\n", "sentence 1: expected as many of both, found 1 P lines and 0 H lines"),
        ("H-1 -1 a\n", "line 1: expected such as `H-12`, a tab and more, found 'H-1 -1 a'"),
        ("H-1\t-1\ta\nH-1\n", "line 2: expected such as `H-12`, a tab and more, found 'H-1'"),
        ("H-1\t-1\ta\nP", "line 2: expected such as `H-12`"),
        ("H-1\t-1\ta\nD-2 -1\ta\n", "line 2: expected such as `H-12`"),
        ("H-0-0.9 \t-1\ta\n", "line 1: expected such as `H-12`"),
        ("H-x\t-1\ta\n", "line 1: expected such as `H-12`"),
        ("H\t-1\ta\n", "line 1: expected such as `H-12`"),
        ("H-1\t-1\ta\nP-1\t1\nH-2\t-1\tb\n", "sentence 2: expected as many of both, found 0 P"),
        ("S-1\ta\n", "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "fairseq")
    assert problem in str(error.value)


def test_alignments_are_kept_and_other_lines_are_no_matter(tmp_path: Path) -> None:
    text = "A line of the log\nS-1\ta\nH-1\t-1\tb c\nA-1\t0-0 0-1\nE-1_0\tb\nI-1\t3\n"
    (one,) = plain_lists(tmp_path, text, "fairseq")
    assert one["fields"] == {"alignment": ["0-0 0-1"]}

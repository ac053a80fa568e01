"""Scoring in forks: the stream, the summary, the warning and the errors of one process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats import messages
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.stages import score_bleu
from campanula.stages.parallel import forked_lists
from tests.examples import random_lists, write_kbest

WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", ".", "and", "dogs"]
N_LISTS = 45
Result = tuple[int, str, bytes | None, bytes | None]


def sentences(rng: np.random.Generator, count: int) -> list[str]:
    return [" ".join(rng.choice(WORDS, rng.integers(0, 9))) for _ in range(count)]


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[KBest]:
    """Lists with a second text, and references beside them."""
    monkeypatch.setattr(forked_lists, "can_fork", lambda: True)
    monkeypatch.setattr(messages, "PART", 1500)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    for name in ("ref0", "ref1"):
        (tmp_path / name).write_text("\n".join(sentences(rng, N_LISTS)) + "\n")
    return [
        replace(
            one,
            text=Texts.of(sentences(rng, len(one))),
            gain=None,
            fields={"other": Texts.of(sentences(rng, len(one)))},
        )
        for one in random_lists(2, N_LISTS)[0]
    ]


def run(capsys: pytest.CaptureFixture[str], jobs: int, *flags: str) -> Result:
    """Status, what was said, the stream and the summary."""
    files = [Path("out"), Path("summary")]
    for file in files:
        file.unlink(missing_ok=True)
    argv = ["dev", "--ref", "ref0", "--ref", "ref1", *flags, "--jobs", str(jobs)]
    status = score_bleu.main([*argv, "-o", "out", "--summary", "summary"])
    found = [file.read_bytes() if file.exists() else None for file in files]
    return status, capsys.readouterr().err, found[0], found[1]


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--metric", "ter"),
        ("--metric", "wer"),
        ("--text-field", "other", "--remove-subwords", "bpe"),
        ("--text-field", "missing"),
    ],
)
def test_any_number_of_processes_gives_the_same(
    lists: list[KBest], capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    write_kbest("dev", lists)
    expected = run(capsys, 1, *flags)
    assert run(capsys, 2, *flags) == expected
    assert bool(expected[2]) == ("missing" not in flags)


@pytest.mark.parametrize(("missing", "flag"), [(20, None), (20, "--allow-missing"), (44, None)])
def test_a_list_that_lacks_is_told_as_by_one_process(
    lists: list[KBest], capsys: pytest.CaptureFixture[str], missing: int, flag: str | None
) -> None:
    del lists[missing]
    write_kbest("dev", lists)
    flags = () if flag is None else (flag,)
    expected = run(capsys, 1, *flags)
    assert run(capsys, 3, *flags) == expected
    assert expected[0] == (flag is None)


def test_references_by_ids(lists: list[KBest], capsys: pytest.CaptureFixture[str]) -> None:
    write_kbest("dev", [replace(one, id=f"utt{one.sid}") for one in lists])
    lines = Path("ref0").read_text().splitlines()
    for name in ("ref0", "ref1"):
        keyed = [f"utt{sid} {line}\n" for sid, line in enumerate(lines)]
        Path(name).write_text("".join(reversed(keyed)))
    expected = run(capsys, 1)
    assert expected[0] == 0
    assert run(capsys, 2) == expected
    Path("ref0").write_text("".join(keyed[:30]))
    Path("ref1").write_text("".join(keyed[:30]))
    expected = run(capsys, 1)
    assert "utt30" in expected[1]
    assert run(capsys, 2) == expected


@pytest.mark.parametrize("count", [0, 3, 16, 17])
def test_few_lists(lists: list[KBest], capsys: pytest.CaptureFixture[str], count: int) -> None:
    write_kbest("dev", lists[:count])
    expected = run(capsys, 1, "--allow-missing")
    assert run(capsys, 2, "--allow-missing") == expected


def test_a_warning_is_of_the_first_lists(
    lists: list[KBest], capsys: pytest.CaptureFixture[str]
) -> None:
    upper = [text.upper() for text in Path("ref0").read_text().splitlines()]
    Path("ref0").write_text("\n".join(upper) + "\n")
    Path("ref1").write_text("\n".join(upper) + "\n")
    write_kbest("dev", lists)
    expected = run(capsys, 1)
    assert "all lower-case" in expected[1]
    assert run(capsys, 2) == expected

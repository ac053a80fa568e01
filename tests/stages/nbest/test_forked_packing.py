"""Lists that forks pack are those of one process: the stream, what is said of them, and errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.stages import import_nbest
from campanula.stages.nbest import forked_packing

Result = tuple[int, str, bytes | None]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(forked_packing, "can_fork", lambda: True)
    monkeypatch.setattr(forked_packing, "LISTS", 7)
    monkeypatch.chdir(tmp_path)


def lines(n_lists: int = 60) -> list[str]:
    """Lists with features that some lack, a cost, and scores that rise; not sorted."""
    rng = np.random.default_rng(3)
    found = []
    for sid in rng.permutation(n_lists).tolist():
        for place in range(int(rng.integers(1, 5))):
            features = f"LM0= {-rng.random()!s} cost= {rng.random()!s} w_{sid % 9}= 1"
            if sid == 41:
                features = "cost= 2"
            found.append(f"{sid} ||| c@@ at {place} ||| {features} ||| {place} ||| 0-0")
    return found


def run(capsys: pytest.CaptureFixture[str], jobs: int, *flags: str) -> Result:
    Path("out").unlink(missing_ok=True)
    status = import_nbest.main(["list", "-o", "out", "--jobs", str(jobs), *flags])
    found = Path("out").read_bytes() if Path("out").exists() else None
    return status, capsys.readouterr().err, found


@pytest.mark.parametrize(
    "flags", [(), ("--remove-subwords", "bpe"), ("--negate", "cost"), ("--text-field", "alignment")]
)
@pytest.mark.parametrize("jobs", [2, 3])
def test_any_number_of_processes_gives_the_same(
    capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], jobs: int
) -> None:
    Path("list").write_text("\n".join(lines()) + "\n")
    expected = run(capsys, 1, *flags)
    assert run(capsys, jobs, *flags) == expected
    assert expected[0] == 0
    assert "lack, and count 0 for, LM0" in expected[1]


@pytest.mark.parametrize("flags", [("--text-field", "odd"), ("--remove-subwords", "spm")])
def test_an_error_is_of_the_same_list(
    capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    text = [line for line in lines() if not line.startswith("33 ")]
    Path("list").write_text("\n".join(text) + "\n")
    expected = run(capsys, 1, *flags)
    assert expected[0] == 1
    assert run(capsys, 2, *flags) == expected


@pytest.mark.parametrize("n_lists", [1, 16, 23, 24])
def test_few_lists(capsys: pytest.CaptureFixture[str], n_lists: int) -> None:
    Path("list").write_text("\n".join(lines(n_lists)) + "\n")
    assert run(capsys, 2) == run(capsys, 1)


def test_a_list_that_a_process_cannot_pack_is_refused_in_its_turn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [f'{{"id": {sid}, "text": "a", "features": {{"x": 1}}}}' for sid in range(60)]
    rows[40] = rows[40].replace('"text": "a"', '"text": "a", "f": "b"')
    rows[50] = rows[50].replace('"text": "a"', '"text": "a", "text_field": "b"')
    Path("list").write_text("\n".join(rows) + "\n")
    expected = run(capsys, 1, "--text-field", "f")
    assert expected[0] == 1
    assert run(capsys, 2, "--text-field", "f") == expected
    assert run(capsys, 2) == run(capsys, 1)

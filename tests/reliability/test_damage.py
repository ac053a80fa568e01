"""Damage in a cache: noticed, said in a line, made again, and the results are the same bytes."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from campanula.formats.model import model as models
from campanula.stages import decode
from tests.reliability.runs import FOREIGN, Runs, Variant

RESULTS = ("weights", "history.jsonl", "initial")


def flip(path: Path) -> None:
    """Flip a bit, the same one in every run."""
    data = bytearray(path.read_bytes())
    place = random.Random(path.suffix).randrange(8 * len(data))
    data[place // 8] ^= 1 << place % 8
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES: tuple[Callable[[Path], object], ...] = (flip, empty, Path.unlink)


def cached(folder: Path) -> list[Path]:
    """What a run may take from its cache."""
    files = sorted((folder / "cache").iterdir())
    return [path for path in files if path.name != "lock" and path.suffix != ".stderr"]


@pytest.fixture(params=["rampion", FOREIGN])
def finished(
    tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> tuple[Runs, Variant]:
    """A finished run."""
    runs, variant = Runs(tmp_path), Variant(request.param, 1)
    assert runs.run(variant, "work") == 0
    capsys.readouterr()
    return runs, variant


def test_a_damaged_file_of_the_cache_changes_no_result(
    finished: tuple[Runs, Variant], capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is not read again, since what was made of it is whole, is noticed when it is."""
    runs, variant = finished
    whole = runs.contents("work")
    lines: list[str] = []
    files = cached(runs.folder / "work")
    for path, damage in zip(files, itertools.cycle(DAMAGES), strict=False):
        damage(path)
        assert runs.run(variant, "work") == 0
        found = runs.contents("work")
        assert {name: found[name] for name in RESULTS if name in found} == {
            name: whole[name] for name in RESULTS if name in whole
        }
        lines += capsys.readouterr().err.splitlines()
    assert 3 < len(lines) <= len(files)
    assert all("made again" in line or "asked for again" in line for line in lines)


@pytest.mark.parametrize("damage", [flip, empty])
def test_a_cache_that_is_damaged_everywhere_is_made_again(
    finished: tuple[Runs, Variant],
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], None],
) -> None:
    runs, variant = finished
    whole = runs.contents("work")
    results = [path for path in cached(runs.folder / "work") if path.suffix != ".seal"]
    for path in results:
        damage(path)
    assert runs.run(variant, "work") == 0
    assert runs.contents("work") == whole
    printed = capsys.readouterr().err
    steps = {path.stem for path in results if not path.stem.startswith("prices-")}
    assert [printed.count(step) for step in steps] == [1] * len(steps)


def test_the_result_of_another_step_is_not_taken_for_ones_own(
    finished: tuple[Runs, Variant], capsys: pytest.CaptureFixture[str]
) -> None:
    runs, variant = finished
    whole = runs.contents("work")
    first, second, *_ = sorted((runs.folder / "work" / "cache").glob("score-bleu-*.json"))
    for ending in (".json", ".kbest", ".seal"):
        first.with_suffix(ending).write_bytes(second.with_suffix(ending).read_bytes())
    for path in (runs.folder / "work" / "cache").glob("iteration-*"):
        path.unlink()
    assert runs.run(variant, "work") == 0
    assert runs.contents("work") == whole
    assert "does not fit: damaged, and made again" in capsys.readouterr().err


def test_every_array_of_a_compiled_model_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = Runs(tmp_path)
    place = runs.flags.index("--phrase-table")
    model = runs.flags[place : place + 4]
    out = tmp_path / "out"
    argv = [runs.flags[1], *model, "--weights", os.fspath(tmp_path / "w0"), "-k", "5", "-q"]
    argv += ["--cache", os.fspath(tmp_path / "models"), "-o", os.fspath(out)]

    def decoded() -> bytes:
        models._loaded.clear()
        assert decode.main(argv) == 0
        return out.read_bytes()

    whole = decoded()
    folders = [path for path in (tmp_path / "models").iterdir() if path.name != "digests"]
    assert len(folders) == 2  # language models, and all of the model
    arrays = sorted(path for folder in folders for path in folder.iterdir())
    for path, damage in zip(arrays, itertools.cycle(DAMAGES), strict=False):
        damage(path)
        assert decoded() == whole
        for line in capsys.readouterr().err.splitlines():
            assert line.startswith(f"{path.parent}: damaged, and made again: ")
    assert decoded() == whole
    assert capsys.readouterr().err == ""

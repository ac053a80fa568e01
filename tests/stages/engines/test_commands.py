"""Commands with --engine dask: the bytes are those of one process, for any number of workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("distributed")

from campanula.formats.inventories.inventory import Inventory
from campanula.stages import decode, index_features, optimize, score_bleu
from tests.pipelines import tiny
from tests.stages.engines.clusters import scheduler

SOURCE = tiny.SOURCE * 3


@pytest.fixture(scope="module", params=[1, 2, 3])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    with scheduler(tmp_path_factory.mktemp("cluster"), request.param) as found:
        yield found


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Model, source in parts, references."""
    folder = tmp_path_factory.mktemp("data")
    tiny.write(folder)
    (folder / "text").mkdir()
    for number in range(4):
        lines = SOURCE[3 * number : 3 * number + 3]
        (folder / "text" / f"part.{number}").write_text("".join(f"{line}\n" for line in lines))
    for number, refs in enumerate(tiny.REFS):
        (folder / f"ref{number}").write_text("".join(f"{line}\n" for line in refs * 3))
    (folder / "cache").mkdir()
    return folder


def chain(folder: Path, engine: list[str]) -> None:
    """Decode, score, index and optimise in the working directory, which is `folder`."""
    up = os.path.relpath(folder.parent / "data-of-it", folder)
    words = f"--phrase-table {up}/phrase-table --lm {up}/lm.arpa --weights {up}/w0 -k 9"
    words += f" --cache {up}/cache --features word-pair --allow-missing"
    more = [*engine, "-q", "-o"]
    assert decode.main([f"{up}/text", *words.split(), *more, "lists"]) == 0
    refs = ["--ref", f"{up}/ref0", "--ref", f"{up}/ref1", "--summary", "summary"]
    assert score_bleu.main(["lists", *refs, *more, "scored"]) == 0
    assert index_features.main(["scored", "--inventory", "F", *more, "indexed"]) == 0
    Path("w").write_text("LM0 0.5\nWordPenalty0 -1\npair_hund~~dog 0.3\n")
    words = "--weights w --inventory F --allow-missing --loss expected-bleu --solver rprop"
    assert optimize.main(["indexed", *words.split(), "--cache", "packed", *more, "w1"]) == 0


def content(folder: Path) -> dict[str, bytes]:
    """Everything but caches, and the inventory's files of random names."""
    files = (path for path in folder.rglob("*") if path.is_file())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return {name: found[name] for name in found if not name.startswith(("packed", "F/", "."))}


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process makes."""
    return made(data, tmp_path_factory.mktemp("whole"), [])


def made(data: Path, folder: Path, engine: list[str]) -> Path:
    (folder / "data-of-it").symlink_to(data)
    work = folder / "work"
    work.mkdir()
    before = os.getcwd()
    os.chdir(work)
    try:
        chain(work, engine)
    finally:
        os.chdir(before)
    return work


def test_the_bytes_of_one_process(
    address: str,
    data: Path,
    whole: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    found = made(data, tmp_path, ["--engine", "dask", "--dask-scheduler", address])
    assert content(found) == content(whole)
    one, other = (Inventory.open(os.fspath(folder / "F")) for folder in (found, whole))
    assert one.reference == other.reference
    assert one.count.tolist() == other.count.tolist()
    assert capfd.readouterr() == ("", "")
    assert sorted(path.name for path in found.iterdir()) == sorted(
        path.name for path in whole.iterdir()
    )


def test_results_are_kept_for_a_run_that_is_started_again(
    data: Path, whole: Path, tmp_path: Path
) -> None:
    engine = ["--engine", "dask", "--dask-workers", "1", "--dask-folder", os.fspath(tmp_path / "d")]
    refs = ["--ref", os.fspath(data / "ref0"), "--ref", os.fspath(data / "ref1"), *engine, "-q"]
    for name in ("one", "two"):
        output = os.fspath(tmp_path / name)
        assert score_bleu.main([os.fspath(whole / "lists"), *refs, "-o", output]) == 0
        assert content(tmp_path / name) == content(whole / "scored")
        kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "d").iterdir()}
        assert len([path for path in kept if path.suffix == ".kbest"]) == 4
        if name == "one":
            first = kept
    assert first == kept
    (damaged,) = [path for path in kept if path.suffix == ".kbest"][:1]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert score_bleu.main([os.fspath(whole / "lists"), *refs, "-o", output]) == 0
    assert content(tmp_path / name) == content(whole / "scored")


@pytest.mark.parametrize(
    ("command", "words", "said"),
    [
        (decode, "dev.de -o o", "takes folders of texts"),
        (score_bleu, "one.kbest --ref dev.en0 -o o", "takes a collection"),
        (score_bleu, "lists --ref - -o o", "--ref FILE"),
        (index_features, "one.kbest --inventory G -o o", "takes collections"),
        (index_features, "lists --inventory G --shards 2 -o o", "drop --shards"),
        (optimize, "lists --weights w0 --loss ramp3 -o o", "against an inventory"),
    ],
)
def test_what_has_no_shards_is_refused(
    command: ModuleType,
    words: str,
    said: str,
    data: Path,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    for name in ("dev.de", "dev.en0", "w0", "phrase-table"):
        Path(name).symlink_to(data / name)
    Path("lists").symlink_to(whole / "lists")
    Path("one.kbest").symlink_to(whole / "lists" / "shard-00000.kbest")
    argv = [*words.split(), "--engine", "dask"]
    if command is decode:
        argv += ["--phrase-table", "phrase-table", "--weights", "w0", "--cache", "c"]
        argv += ["--allow-missing"]
    if "-" in argv:
        monkeypatch.setattr("sys.stdin", open(data / "ref0"))  # noqa: SIM115
    assert command.main(argv) == 2
    assert said in capsys.readouterr().err
    assert not Path("o").exists()
    assert not Path("G").exists()

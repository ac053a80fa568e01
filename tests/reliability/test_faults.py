"""A disk that is full or broken: exit status 1, one line, no output, whichever operation fails."""

from __future__ import annotations

import errno
import itertools
import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from campanula import cli
from campanula.formats.collections.opening import open_lists
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.verifying import verify
from campanula.formats.records.kbest import KBest
from tests.collections import file_bytes
from tests.formats.collections.making import write
from tests.pipelines import tiny
from tests.reliability.faults import Faults
from tests.reliability.runs import FOREIGN, Runs, Variant

ERRORS = {errno.ENOSPC: "No space left on device", errno.EIO: "Input/output error"}

MODEL = "--phrase-table {0}/phrase-table --lm {0}/lm.arpa --cache {0}/models"
BEFORE = [
    f"decode {{0}}/dev.de --weights {{0}}/w0 -k 5 {MODEL} -o {{0}}/lists --lattice {{0}}/lattices",
    "score-bleu {0}/lists --ref {0}/dev.en0 -o {0}/scored",
    "rerank {0}/lists --weights {0}/w0 -o {0}/best",
    "export-nbest {0}/lists -o {0}/nbest",
    f"decode {{0}}/dev.de --weights {{0}}/w0 -k 5 {MODEL} --features block -o {{0}}/lists.a",
    "score-bleu {0}/lists.a --ref {0}/dev.en0 -o {0}/scored.a",
]
"""Commands that make what others read."""

COMMANDS = [
    f"decode {{0}}/dev.de --weights {{0}}/w0 -k 5 {MODEL} -o OUT --lattice OUT",
    "score-bleu {0}/lists --ref {0}/dev.en0 -o OUT --summary OUT",
    "optimize {0}/scored --weights {0}/w0 --loss ramp3 --solver ssd -o OUT",
    "impute-hope {0}/scored --weights {0}/w0 -o OUT",
    "select-violating {0}/scored --truth {0}/scored --weights {0}/w0 -o OUT",
    "rerank {0}/lists --weights {0}/w0 -o OUT",
    "compare {0}/best --ref {0}/dev.en0 -o OUT",
    "show {0}/lists -o OUT",
    "kbest-stats {0}/scored -o OUT",
    "merge-kbest {0}/lists {0}/lists -o OUT",
    "prune-kbest {0}/lists -k 2 -o OUT",
    "add-feature lm {0}/lists --arpa {0}/lm.arpa --name LM1 -o OUT",
    "drop-features {0}/lists --min-count 1 -o OUT --names OUT",
    f"oracle-search {{0}}/dev.de --ref {{0}}/dev.en0 {MODEL} -o OUT",
    "rescore {0}/lattices --weights {0}/w0 -k 3 -o OUT",
    "import-nbest {0}/nbest -o OUT",
    "export-nbest {0}/lists -o OUT",
    "import-weights {0}/w0 -o OUT",
    "export-weights {0}/w0 --format moses -o OUT",
    "extract-blocks {0}/dev.de {0}/dev.en0 {0}/alignment --phrase-table OUT --reordering-table OUT",
    "extract-features {0}/dev.de {0}/dev.en0 {0}/alignment -o OUT",
    "estimate-lm {0}/dev.en0 --order 2 --discount-fallback 0.5 1 1.5 -o OUT",
    "estimate-classes {0}/dev.en0 --classes 3 -o OUT",
    "condense-features {0}/w0 --features block --phrase-table {0}/phrase-table -o OUT",
    "growth-transform {0}/scored.a --filtered --phrase-table {0}/phrase-table --weights {0}/w0"
    " --allow-missing --iterations 1 -o OUT",
    "estimate-distortion {0}/dev.de {0}/dev.en0 {0}/alignment -o OUT",
]
WITHOUT = {
    "align-words",
    "completion",
    "index-features",
    "report",
    "rerun",
    "select-sentences",
    "tune",
    "warm-up",
}
"""Commands that write as others do and take long, or to stdout alone; three are below."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    folder = tmp_path_factory.mktemp("data")
    tiny.write(folder)
    (folder / "alignment").write_text("0-0 1-1\n" * len(tiny.SOURCE))
    for line in BEFORE:
        name, *argv = shlex.split(line.format(folder))
        assert cli.main([name, *argv, "-q"]) == 0
    return folder


def filled(line: str, data: Path, out: Path) -> tuple[list[str], list[Path]]:
    """A command's words, and its outputs."""
    paths = (out / f"out{number}" for number in itertools.count())
    words = shlex.split(line.format(data))
    argv = [os.fspath(next(paths)) if word == "OUT" else word for word in words]
    return [*argv, "-q"], [out / f"out{number}" for number in range(words.count("OUT"))]


def each_fault(
    argv: list[str], folder: Path, capsys: pytest.CaptureFixture[str], clear: Callable[[], None]
) -> Iterator[str]:
    """Run a command with each of its operations in a folder failing, from a clear folder.

    Yields the message of each: one line, with the reason, and exit 1.
    """
    for number in itertools.count(1):
        clear()
        capsys.readouterr()
        error = list(ERRORS)[number % 2]
        with Faults(number, error, os.fspath(folder)) as faults:
            status = cli.main(argv)
        if not faults.fired:
            return
        printed = capsys.readouterr()
        assert (status, printed.out) == (1, "")
        assert printed.err.count("\n") == 1
        assert f": {ERRORS[error]}" in printed.err
        yield printed.err


def test_all_commands_are_here() -> None:
    assert {line.split()[0] for line in COMMANDS} == set(cli.MODULES) - WITHOUT


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.split()[0])
def test_whichever_operation_fails_the_command_fails_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    argv, outputs = filled(line, data, tmp_path)
    assert cli.main(argv) == 0
    whole = {path: path.read_bytes() for path in outputs}

    def clear() -> None:
        for path in tmp_path.iterdir():
            path.unlink()

    operations = 0
    for printed in each_fault(argv, tmp_path, capsys, clear):
        operations += 1
        assert "cannot be written: " in printed
        there = set(tmp_path.iterdir())
        assert there < set(outputs)  # what was finished before may be there, and nothing else
        assert all(path.read_bytes() == whole[path] for path in there)
    assert operations >= 4 * len(outputs)


def test_whichever_operation_fails_no_selection_is_cut(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [os.fspath(data / name) for name in ("dev.de", "dev.en0", "alignment")]
    flags = ["--test", files[0], "-o", os.fspath(tmp_path / "out"), "-q"]
    argv = ["select-sentences", *files, *flags]
    assert cli.main(argv) == 0
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(whole) == 4

    def clear() -> None:
        for path in tmp_path.iterdir():
            path.unlink()

    for printed in each_fault(argv, tmp_path, capsys, clear):
        assert "cannot be written: " in printed
        assert all(path.read_bytes() == whole[path] for path in tmp_path.iterdir())


def test_whichever_operation_fails_an_inventory_is_as_it_was_or_whole(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, indexed, names = (os.fspath(tmp_path / name) for name in ("lists", "out", "F"))
    shutil.copy(data / "lists", lists)
    argv = ["index-features", lists, "--inventory", names, "-o", indexed, "-q"]
    assert cli.main(argv) == 0
    whole, expected = Path(indexed).read_bytes(), list(Inventory.open(names))

    def clear() -> None:
        shutil.rmtree(names, ignore_errors=True)
        Path(indexed).unlink(missing_ok=True)

    operations = 0
    for _ in each_fault(argv, tmp_path, capsys, clear):
        operations += 1
        if Path(names).exists():  # what failed comes after the last act of the extension
            verify(Inventory.open(names))
            assert list(Inventory.open(names)) == expected
        left = {path.name for path in tmp_path.iterdir()} - {"lists", "F"}
        assert left <= {"out"}
        assert not left or Path(indexed).read_bytes() == whole
    assert operations >= 20


@pytest.mark.parametrize("there", [False, True])
def test_whichever_operation_fails_a_collection_is_whole_or_not_there(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], there: bool
) -> None:
    """And the one that it would replace stays."""
    with open_lists(os.fspath(data / "lists"), KBest) as lists:
        shards = [[kbest] for kbest in lists]
    before = Path(write(tmp_path / "before", shards[:1]))
    scored = data / "in_shards"
    write(scored, shards)
    argv = ["score-bleu", os.fspath(scored), "--ref", os.fspath(data / "dev.en0"), "-q"]
    argv += ["-o", os.fspath(tmp_path / "out")]
    assert cli.main(argv) == 0
    for number in itertools.count(1):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        if there:
            shutil.copytree(before, tmp_path / "out")
        capsys.readouterr()
        error = list(ERRORS)[number % 2]
        with Faults(number, error, os.fspath(tmp_path)) as faults:
            status = cli.main(argv)
        if not faults.fired:
            break
        printed = capsys.readouterr()
        assert (status, printed.out) == (1, "")
        assert printed.err.count("\n") == 1
        assert f"cannot be written: {ERRORS[error]}" in printed.err
        left = {path.name for path in tmp_path.iterdir()} - {"before"}
        assert left == ({"out"} if there else set())
        assert not there or file_bytes(tmp_path / "out") == file_bytes(before)
    assert number > 20


def operations(last: int) -> Iterator[int]:
    """The first ones, and some of the others."""
    yield from (*range(1, 6), *range(6, last, 19))


@pytest.mark.parametrize("loop", ["rampion", FOREIGN])
def test_whichever_operation_fails_tune_fails_and_goes_on_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], loop: str
) -> None:
    runs, variant = Runs(tmp_path), Variant(loop, 1)
    assert runs.run(variant, "work") == 0
    whole = runs.contents("work")
    for number in operations(10**6):
        runs.remove("work")
        capsys.readouterr()
        error = list(ERRORS)[number % 2]
        with Faults(number, error, os.fspath(tmp_path / "work")) as faults:
            status = runs.run(variant, "work")
        if not faults.fired:
            break
        printed = capsys.readouterr()
        if status:
            assert (status, printed.err.count("\n")) == (1, 1)
            assert ERRORS[error] in printed.err
            assert runs.run(variant, "work") == 0
        found = runs.contents("work")  # a failure of the models' cache is done without
        models = {name for name in whole if name.startswith("models/")}
        assert {name: data for name, data in found.items() if name not in models} == {
            name: data for name, data in whole.items() if name not in models
        }
    assert number > 80

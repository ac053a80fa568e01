"""A search for oracles made in Python gives the lists of the command."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import ModelFiles
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages import oracle_search
from campanula.stages.command import UsageError
from campanula.stages.decoding.block_oracles import OracleSettings
from campanula.stages.decoding.oracle_setup import OracleSetup
from tests.plain import plain
from tests.small_models import random_model, write_model

LINES = ["a b c", "", "b d"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelFiles:
    monkeypatch.chdir(tmp_path)
    Path("source").write_text("".join(f"{line}\n" for line in LINES))
    Path("ref").write_text("u v w\n\nv x\n")
    return write_model(random_model(random.Random(2), 2, True), tmp_path)


@pytest.mark.parametrize("bags", [False, True])
def test_the_lists_are_those_of_the_command(files: ModelFiles, bags: bool) -> None:
    setup = OracleSetup(
        files,
        ("ref",),
        OracleSettings(n=3, swap=False),
        dense_features=("WordPenalty0",),
        templates=("block", "jump"),
        listed=("uni_u", "pair_a~~u"),
        bags=bags,
        cache="cache",
    )
    prepared = setup.prepare()
    argv = [
        "source",
        "--ref",
        "ref",
        "--phrase-table",
        files.phrase_table,
        "--lm",
        files.lms[0].path,
    ]
    argv += ["--reordering-table", str(files.reordering_tables[0].path), "--reordering", "monotone"]
    argv += ["--dense-features", "WordPenalty0", "--features", "block,jump", "--cache", "cache"]
    Path("listed").write_text("uni_u\npair_a~~u\n")
    argv += ["--feature-list", "listed"]
    argv += ["--bag-of-blocks"] if bags else ["--n", "3"]
    assert oracle_search.main([*argv, "-o", "out", "-q"]) == 0
    with Reader("out", KBest) as lists:
        expected = [plain(kbest) for kbest in lists]
        parts = [f"|{name}:{value}" for name, value in prepared.signature.items()]
        assert all(part in lists.signature for part in parts)
    assert [plain(kbest) for kbest in prepared.find(LINES, "source")] == expected
    assert prepared.signature["features"] == ("block" if bags else "block,jump")


def test_what_does_not_fit_is_refused(files: ModelFiles) -> None:
    with pytest.raises(UsageError, match="'LM7'"):
        OracleSetup(files, ("ref",), dense_features=("LM7",), cache="cache").prepare()
    with pytest.raises(DataError, match="none"):
        OracleSetup(files, ("none",), cache="cache").prepare()

"""Parts of a text decoded one by one, in any order: the collection of one process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.text.parts import TextLines
from campanula.stages import decode
from campanula.stages.decoding.parts import PartDecoding, parts_of
from campanula.stages.decoding.setup_flags import setup_of_flags
from campanula.stages.engines.engine_flags import flags_to_send
from tests.pipelines import tiny
from tests.plain import plain
from tests.stages.engines.any_order import AnyOrder
from tests.training import Corpus

LINES = [*tiny.SOURCE, "", *reversed(tiny.SOURCE), "hund katze neu", "ein ein mann sieht"]
SPARSE = "--features word-pair,ngram,orientation,source-phrases --allow-missing"


def in_parts(folder: Path, lines: Sequence[str], bounds: Sequence[int]) -> str:
    """A folder of files that begin at these lines."""
    folder.mkdir()
    for number, start in enumerate(bounds):
        end = bounds[number + 1] if number + 1 < len(bounds) else len(lines)
        text = "".join(f"{line}\n" for line in lines[start:end])
        (folder / f"part.{number:02d}").write_text(text)
    return os.fspath(folder)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def model(tmp_path: Path) -> list[str]:
    tiny.write(tmp_path)
    path = {
        name: os.fspath(tmp_path / name) for name in ("phrase-table", "lm.arpa", "w0", "models")
    }
    flags = ["--phrase-table", path["phrase-table"], "--lm", path["lm.arpa"]]
    return [*flags, "--weights", path["w0"], "--cache", path["models"], "-k", "20"]


def by_parts(folder: Path, argv: list[str], seed: int) -> None:
    """Decode into out as the command does with an engine."""
    args = decode.parser().parse_args(argv)
    setup = setup_of_flags(args)
    parts = parts_of(TextLines(args.input), setup.left_out)
    assert parts is not None
    signature = Collection.open(os.fspath(folder / "whole")).signature
    (folder / "work").mkdir()
    with CollectionWriter(os.fspath(folder / "out"), KBest, signature) as out:
        flags = flags_to_send(args, decode.PATHS)
        decoding = PartDecoding(decode.FUNCTION, flags, signature)
        decoding.write(AnyOrder(seed), os.fspath(folder / "work"), parts, out)


@pytest.mark.parametrize("flags", ["", SPARSE, "--distinct"])
def test_parts_in_any_order(tmp_path: Path, model: list[str], flags: str) -> None:
    text = in_parts(tmp_path / "text", LINES, [0, 3, 4, 8])
    argv = [text, *model, *flags.split()]
    for jobs in ("1", "3"):
        name = os.fspath(tmp_path / f"whole{jobs}")
        assert decode.main([*argv, "--jobs", jobs, "-q", "-o", name]) == 0
    (tmp_path / "whole1").rename(tmp_path / "whole")
    assert content(tmp_path / "whole") == content(tmp_path / "whole3")
    by_parts(tmp_path, argv, seed=len(flags))
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def features_of(kbest: dict[str, Any]) -> list[Any]:
    """Features of the hypotheses, whatever the order of names and of equal scores."""
    return sorted(sorted(features.items()) for features in kbest["features"])


@pytest.mark.parametrize("flags", ["", SPARSE])
def test_parts_have_the_lists_of_one_text(tmp_path: Path, model: list[str], flags: str) -> None:
    text = in_parts(tmp_path / "text", LINES, [0, 3, 4, 8])
    one = tmp_path / "one"
    one.write_text("".join(f"{line}\n" for line in LINES))
    for source in (text, os.fspath(one)):
        assert decode.main([source, *model, *flags.split(), "-q", "-o", f"{source}.kbest"]) == 0
    found = []
    for source in (text, os.fspath(one)):
        with open_lists(f"{source}.kbest", KBest) as lists:
            found.append([plain(kbest) for kbest in lists])
    assert len(found[0]) == len(LINES)
    for kbest, other in zip(*found, strict=True):
        assert features_of(kbest) == features_of(other)


def test_search_graphs_of_parts(tmp_path: Path, model: list[str]) -> None:
    text = in_parts(tmp_path / "text", LINES, [0, 5])
    lattices, output = (os.fspath(tmp_path / name) for name in ("lattices", "lists"))
    assert decode.main([text, *model, "--lattice", lattices, "-q", "-o", output]) == 0
    spans = [(shard.first, shard.last) for shard in Collection.open(lattices).shards]
    assert spans == [(0, 4), (5, len(LINES) - 1)]


def test_training_text_in_parts(tmp_path: Path) -> None:
    pairs = [("a b", "x y", "0-0 1-1"), ("a c", "x z", "0-0 1-1"), ("b c", "y z", "0-0 1-1")] * 3
    corpus = Corpus(pairs, tmp_path / "corpus")
    files = corpus.extract()
    sides = [
        in_parts(tmp_path / name, side, [0, 2, 7])
        for name, side in zip(("s", "t", "a"), zip(*pairs, strict=True), strict=True)
    ]
    (tmp_path / "w").write_text("WordPenalty0 -0.5\nTranslationModel0_0 1\n")
    model = ["--phrase-table", files.phrase_table, "--weights", os.fspath(tmp_path / "w")]
    argv = [sides[0], "--leave-one-out", *sides[1:], *model, "--allow-missing", "-k", "5"]
    argv += ["--cache", os.fspath(tmp_path / "models")]
    assert decode.main([*argv, "-q", "-o", os.fspath(tmp_path / "whole")]) == 0
    by_parts(tmp_path, argv, seed=2)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_sides_in_other_parts_are_refused(tmp_path: Path) -> None:
    from campanula.stages.decoding.left_out.leave_one_out import LeftOut
    from campanula.stages.decoding.left_out.training_text import TrainingText

    lines = ["a"] * 4
    paths = [in_parts(tmp_path / f"{n}", lines, [0, n]) for n in (1, 2)]
    text = TrainingText(paths[0], paths[0], paths[1])
    with pytest.raises(DataError, match="expected line 2 first"):
        parts_of(TextLines(paths[0]), LeftOut(text, "table"))


def test_one_file_has_no_parts(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\n")
    assert parts_of(TextLines(os.fspath(tmp_path / "one")), None) is None


def test_weights_that_have_changed_are_refused(tmp_path: Path, model: list[str]) -> None:
    text = in_parts(tmp_path / "text", LINES, [0, 5])
    assert decode.main([text, *model, "-q", "-o", os.fspath(tmp_path / "whole")]) == 0
    weights = tmp_path / "w0"
    weights.write_text(weights.read_text().replace("WordPenalty0 -1", "WordPenalty0 -2"))
    with pytest.raises(DataError, match="the model and weights that the run began with"):
        by_parts(tmp_path, [text, *model], seed=1)

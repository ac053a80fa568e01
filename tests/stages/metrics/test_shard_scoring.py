"""Shards scored one by one, in any order: the collection and the summary of one process."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages import index_features, score_bleu
from campanula.stages.engines.engine_flags import flags_to_send
from campanula.stages.metrics.flags import metric_flags
from campanula.stages.metrics.shard_scoring import PATHS, refuse_gaps, score_shards
from campanula.stages.metrics.summary import Summary
from tests.formats.collections.making import write
from tests.formats.collections.test_collection import lists_of
from tests.reliability.workers import sentence, write_lists
from tests.stages.engines.any_order import AnyOrder
from tests.wordnet_folder import write_wordnet

N_SHARDS = 5


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = random.Random(4)
    write_lists(tmp_path / "dev", rng, N_SHARDS)
    for ref in ("a", "b"):
        text = "".join(f"{sentence(rng)}\n" for _ in range(2 * N_SHARDS))
        (tmp_path / ref).write_text(text)
    (tmp_path / "work").mkdir()
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "flags",
    [
        "",
        "--metric chrf",
        "--metric wer --lowercase",
        "--tokenize 13a --gain exp",
        "--metric meteor --meteor-wordnet WORDNET",
    ],
)
def test_shards_in_any_order(folder: Path, flags: str) -> None:
    check_shards(folder, "dev", flags)


def test_shards_against_an_inventory_that_grew_meanwhile(folder: Path) -> None:
    """What is made of them is against the names of the last shard, as one process has it."""
    argv = [os.fspath(folder / "dev"), "--inventory", os.fspath(folder / "F")]
    assert index_features.main([*argv, "-q", "-o", os.fspath(folder / "indexed")]) == 0
    check_shards(folder, "indexed", "")


def check_shards(folder: Path, name: str, flags: str) -> None:
    """Score a collection as one process does, and in any order."""
    argv = [os.fspath(folder / name), "--ref", os.fspath(folder / "a"), "--ref"]
    flags = flags.replace("WORDNET", write_wordnet(folder / "wn"))
    argv += [os.fspath(folder / "b"), *flags.split(), "--summary", os.fspath(folder / "summary")]
    assert score_bleu.main([*argv, "-q", "-o", os.fspath(folder / "whole")]) == 0
    args = score_bleu.parser().parse_args(argv)
    whole = Collection.open(os.fspath(folder / "whole"))
    summary = Summary(metric_flags(args).metric)
    references = References.read(args.ref)
    with (
        open_lists(args.input, KBest) as lists,
        CollectionWriter(os.fspath(folder / "out"), KBest, whole.signature, whole.metric) as out,
    ):
        assert isinstance(lists, CollectionReader)
        flags_there = flags_to_send(args, PATHS)
        work = os.fspath(folder / "work")
        for counts in score_shards(AnyOrder(7), work, flags_there, lists, references, out):
            summary.add(counts)
    assert content(folder / "out") == content(folder / "whole")
    assert f"{summary.to_json()}\n".encode() == (folder / "summary").read_bytes()


def score_against(folder: Path, others: References) -> None:
    """Score the lists with other references than the flags name."""
    argv = [os.fspath(folder / "dev"), "--ref", os.fspath(folder / "a")]
    flags = flags_to_send(score_bleu.parser().parse_args(argv), ("input", "ref"))
    with (
        open_lists(argv[0], KBest) as lists,
        CollectionWriter(os.fspath(folder / "out"), KBest, "how") as out,
    ):
        assert isinstance(lists, CollectionReader)
        list(score_shards(AnyOrder(1), os.fspath(folder / "work"), flags, lists, others, out))


def test_references_that_have_changed_are_refused(folder: Path) -> None:
    others = References.read([os.fspath(folder / "b")])
    with pytest.raises(DataError, match="a: expected the references that the run began with"):
        score_against(folder, others)
    assert not (folder / "out").exists()


def fault_of(dev: str, references: References, allow_missing: bool) -> str | None:
    """What is said of gaps."""
    with open_lists(dev, KBest) as lists:
        assert isinstance(lists, CollectionReader)
        try:
            refuse_gaps(lists, references, allow_missing)
        except DataError as error:
            return str(error)
    return None


@pytest.mark.parametrize("allow_missing", [False, True])
@pytest.mark.parametrize(
    ("shards", "n_refs"),
    [
        ([[0, 1], [2]], 3),
        ([[0, 1], [2]], 2),
        ([[0, 1], [2]], 4),
        ([[0, 2], [3]], 4),
        ([[0, 1], [3]], 4),
        ([[1], [2]], 3),
    ],
)
def test_gaps_are_named_as_in_one_process(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    shards: list[list[int]],
    n_refs: int,
    allow_missing: bool,
) -> None:
    dev, ref = os.fspath(tmp_path / "dev"), os.fspath(tmp_path / "ref")
    write(dev, [lists_of(sids) for sids in shards])
    Path(ref).write_text("the dog\n" * n_refs)
    argv = [dev, "--ref", ref, "-q", "-o", os.fspath(tmp_path / "out")]
    status = score_bleu.main([*argv, *["--allow-missing"] * allow_missing])
    said = capsys.readouterr().err
    fault = fault_of(dev, References.read([ref]), allow_missing)
    assert said == ("" if fault is None else f"score-bleu: {fault}\n")
    assert status == (fault is not None)

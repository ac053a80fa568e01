"""Tasks: what is part of a digest, what is not, and what depends on what."""

from __future__ import annotations

import os
from pathlib import Path

from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import (
    Leaf,
    Making,
    PathOf,
    Product,
    leaves,
    stage,
    task_of,
)
from tests.pipelines.arguments import argv_of
from tests.pipelines.stand_in import stand_in

__all__ = ["stand_in"]


def test_the_digest_covers_command_arguments_and_program(cache: Cache, tmp_path: Path) -> None:
    base = stage(cache, "decode", "--beam", "5", suffix=".kbest")
    assert stage(cache, "decode", "--beam", "5", suffix=".kbest").path == base.path
    assert stage(cache, "decode", "--beam", "6", suffix=".kbest").path != base.path
    assert stage(cache, "rerank", "--beam", "5", suffix=".kbest").digest != base.digest
    other = Cache(os.fspath(tmp_path))
    other.program = "another version"
    assert stage(other, "decode", "--beam", "5", suffix=".kbest").path != base.path
    assert os.path.basename(base.path) == f"decode-{base.digest}.kbest"


def test_free_arguments_are_no_part_of_it(cache: Cache) -> None:
    one = stage(cache, "decode", suffix=".kbest", free=("--jobs", "1"))
    two = stage(cache, "decode", suffix=".kbest", free=("--jobs", "2"))
    assert one.path == two.path
    assert argv_of(one) == ["-o", one.path, "--jobs", "1", "-q"]


def test_an_input_counts_by_its_bytes(cache: Cache, tmp_path: Path) -> None:
    def task(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return stage(cache, "decode", Leaf.of(cache, os.fspath(tmp_path / name)), suffix="").path

    assert task("a", "text") == task("b", "text")
    assert task("c", "other") != task("a", "text")


def test_what_depends_on_a_change_changes_and_nothing_else(cache: Cache) -> None:
    def chain(beam: str, eta: str) -> list[str]:
        lists = stage(cache, "decode", "--beam", beam, suffix=".kbest")
        scored = stage(cache, "score-bleu", lists, suffix=".kbest")
        tuned = stage(cache, "optimize", scored, "--eta", eta, suffix=".weights")
        return [lists.digest, scored.digest, tuned.digest]

    base, eta, beam = chain("5", "1"), chain("5", "2"), chain("6", "1")
    assert [a == b for a, b in zip(base, eta, strict=True)] == [True, True, False]
    assert [a == b for a, b in zip(base, beam, strict=True)] == [False, False, False]


def test_a_stage_with_several_files(tmp_path: Path, stand_in: list[list[str]]) -> None:
    with Cache(os.fspath(tmp_path)) as cache:
        both = stage(cache, "stand-in", "-o", Making(".blocks"), "-o", Making(".reordering"))
        after = stage(cache, "stand-in", both.made(".reordering"), suffix=".x")
        cache.build([after])
        assert both.path.endswith(".blocks")
        assert both.made(".blocks").digest != both.made(".reordering").digest
        assert len(stand_in) == 2
        os.unlink(both.made(".reordering").path)
        assert not both.complete()


def test_a_long_chain_is_built_in_order(tmp_path: Path, stand_in: list[list[str]]) -> None:
    with Cache(os.fspath(tmp_path)) as cache:
        task = stage(cache, "stand-in", "0", suffix=".x")
        for number in range(1, 60):
            task = stage(cache, "stand-in", task, str(number), suffix=".x")
        cache.build([task])
        assert [call[0 if number == 0 else 1] for number, call in enumerate(stand_in)] == [
            str(number) for number in range(60)
        ]
        assert len(repr(task)) < 300


class Copy:
    """Work of a pipeline's own: a copy of an input."""

    command = "copy"
    suffixes = (".copy",)

    def __init__(self, of: Product) -> None:
        self.of = of
        self.inputs = [of]

    def identity(self) -> object:
        return self.of.digest

    def run(self, cache: Cache, path_of: PathOf) -> None:
        Path(path_of(".copy")).write_bytes(Path(self.of.path).read_bytes())

    def __str__(self) -> str:
        return "a copy"


def test_work_that_is_no_stage(tmp_path: Path, stand_in: list[list[str]]) -> None:
    with Cache(os.fspath(tmp_path)) as cache:
        made = stage(cache, "stand-in", "text", suffix=".x")
        task = task_of(cache, Copy(made))
        cache.build([task])
        assert Path(task.path).read_bytes() == Path(made.path).read_bytes()
        assert cache.runs == {"stand-in": 1, "copy": 1}
        assert task.path.endswith(f"copy-{task.digest}.copy")
        assert task_of(cache, Copy(Leaf("x", "1"))).path != task.path


def test_what_luigis_pages_show(tmp_path: Path) -> None:
    cache = Cache(os.fspath(tmp_path))
    lists = stage(cache, "decode", Leaf("/data/dev.de", "1"), "-k", "5", suffix=".kbest")
    scored = stage(cache, "score-bleu", lists, suffix=".kbest", free=("--jobs", "2"))
    assert (lists.task_family, lists.reads) == ("decode", "dev.de -k 5")
    assert (scored.task_family, scored.reads) == ("score-bleu", f"decode-{lists.digest}.kbest")
    assert scored.file == os.path.basename(scored.path)
    assert scored.folder.endswith(f":{tmp_path}")
    assert scored.task_id.startswith("score-bleu_score_bleu_")
    shown = scored.to_str_params(only_public=True)
    assert set(shown) == {"file", "folder", "process", "reads"}


def test_files_of_a_command_line(tmp_path: Path) -> None:
    cache = Cache(os.fspath(tmp_path))
    (tmp_path / "model").write_text("x")
    found = leaves(cache, ["sh", os.fspath(tmp_path / "model"), "no-such-file"])
    assert list(found) == ["sh", os.fspath(tmp_path / "model")]
    assert os.path.isabs(found["sh"].path)

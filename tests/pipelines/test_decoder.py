"""The embedded decoder: its flags go through, its files count by what is in them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from campanula.pipelines.decoder import EmbeddedDecoder, has_sparse_features
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf
from campanula.stages.command import UsageError
from tests.pipelines import tiny
from tests.pipelines.arguments import argv_of


def test_flags_go_through_and_jobs_do_not_count(tmp_path: Path) -> None:
    cache = Cache(os.fspath(tmp_path))
    source, weights = Leaf("dev.de", "1"), Leaf("w0", "2")
    one = EmbeddedDecoder(["--beam", "5"], 1).kbest(cache, source, weights, 20)
    two = EmbeddedDecoder(["--beam", "5"], 2).kbest(cache, source, weights, 20)
    assert one.path == two.path
    given = ["dev.de", "--weights", "w0", "-k", "20", "--beam", "5", "-o", one.path]
    assert argv_of(one) == [*given, "--jobs", "1", "-q"]
    other = EmbeddedDecoder(["--beam", "5"], 1).kbest(cache, source, weights, 1)
    assert other.path != one.path


@pytest.mark.parametrize("form", ["--cache {}", "--cache={}"])
def test_where_compiled_models_are_does_not_count(tmp_path: Path, form: str) -> None:
    cache = Cache(os.fspath(tmp_path))
    flags = form.format(tmp_path).split()
    with_cache = EmbeddedDecoder([*flags, "--beam", "5"], 1)
    without = EmbeddedDecoder(["--beam", "5"], 1)
    one, two = (d.kbest(cache, Leaf("s", "1"), Leaf("w", "2"), 20) for d in (with_cache, without))
    assert one.path == two.path
    assert set(flags) < set(argv_of(one))


@pytest.mark.parametrize("form", ["--lm {}", "--lm={}", "--feature-list {}"])
def test_a_file_counts_by_its_bytes(tmp_path: Path, form: str) -> None:
    def path(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        decoder = EmbeddedDecoder(form.format(tmp_path / name).split(), 1)
        task = decoder.kbest(Cache(os.fspath(tmp_path)), Leaf("s", "1"), Leaf("w", "2"), 20)
        assert os.fspath(tmp_path / name) in argv_of(task)
        return task.path

    assert path("lm1", "text") == path("lm2", "text")
    assert path("lm1", "other") != path("lm2", "text")


def test_a_reordering_table_counts_by_its_bytes_and_its_type(tmp_path: Path) -> None:
    (tmp_path / "order").write_text("text")

    def path(text: str) -> str:
        flags = ["--reordering-table", f"{tmp_path / 'order'}{text}"]
        decoder = EmbeddedDecoder(flags, 1)
        task = decoder.kbest(Cache(os.fspath(tmp_path)), Leaf("s", "1"), Leaf("w", "2"), 20)
        assert set(flags) <= set(argv_of(task))
        return task.path

    assert path("") == path(",word") != path(",hierarchical")


@pytest.mark.parametrize("flag", ["-o", "--output", "--output=x", "--leave-one-out"])
def test_what_is_no_flag_of_a_loop(flag: str) -> None:
    with pytest.raises(UsageError, match="no flag of a loop"):
        EmbeddedDecoder([flag, "x"], 1)


@pytest.mark.parametrize("flags", [["--moses-ini", "-"], ["--moses-ini=-"]])
def test_a_moses_ini_is_no_stdin(flags: list[str]) -> None:
    with pytest.raises(UsageError, match="cannot be stdin"):
        EmbeddedDecoder(flags, 1)


def test_a_model_folder_counts_by_the_files_that_it_names(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    model = tmp_path / "model"
    model.mkdir()
    content = {"phrase-table": "../phrase-table", "lm": "../lm.arpa"}
    (model / "model.json").write_text(json.dumps(content))

    def path() -> str:
        decoder = EmbeddedDecoder(["--model", os.fspath(model)], 1)
        return decoder.kbest(Cache(os.fspath(tmp_path)), Leaf("s", "1"), Leaf("w", "2"), 20).path

    base = path()
    (model / "notes").write_text("nothing that decodes")
    assert path() == base
    (tmp_path / "phrase-table").write_text(tiny.BLOCKS.replace("hound", "puppy"))
    assert path() != base
    by_type = set()
    for orientation in ("word", "phrase", "hierarchical"):  # which --leave-out tells apart
        order = {"file": "../lm.arpa", "orientation": orientation}
        (model / "model.json").write_text(json.dumps({**content, "reordering-table": order}))
        by_type.add(path())
    assert len(by_type) == 3


@pytest.mark.parametrize("form", ["--moses-ini {}", "--moses-ini={}"])
def test_a_moses_ini_counts_with_all_files_that_it_names(tmp_path: Path, form: str) -> None:
    tiny.write(tmp_path)
    ini = tmp_path / "moses.ini"
    ini.write_text(tiny.INI)

    def path() -> str:
        decoder = EmbeddedDecoder(form.format(ini).split(), 1)
        task = decoder.kbest(Cache(os.fspath(tmp_path)), Leaf("s", "1"), Leaf("w", "2"), 20)
        assert os.fspath(ini) in argv_of(task)
        return task.path

    seen = [path()]
    for name in ("phrase-table", "lm.arpa", "moses.ini"):
        (tmp_path / name).write_text((tmp_path / name).read_text().replace("9", "8", 1) + "\n")
        seen.append(path())
    assert len(set(seen)) == len(seen)
    assert path() == seen[-1]


def test_sparse_features_are_found_in_flags_and_in_the_model_folder(tmp_path: Path) -> None:
    assert not has_sparse_features(["--beam", "5", "--lm", "lm"])
    assert has_sparse_features(["--features", "jump"])
    assert has_sparse_features(["--beam=5", "--feature-list=list"])
    content = {"phrase-table": "t", "features": ["LM0"]}
    (tmp_path / "model.json").write_text(json.dumps(content))
    assert not has_sparse_features(["--model", os.fspath(tmp_path)])
    (tmp_path / "model.json").write_text(json.dumps({**content, "features": ["LM0", "jump"]}))
    assert has_sparse_features(["--model", os.fspath(tmp_path)])

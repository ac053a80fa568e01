"""The flag of sparse features, and the weights that belong to them."""

from __future__ import annotations

import argparse

import pytest

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.files import ModelFiles
from campanula.formats.weights import Weights
from campanula.stages.command import UsageError
from campanula.stages.decoding.sparse.flags import (
    add_list_flag,
    add_sparse_flag,
    read_lists,
    split_weights,
    templates_of_flags,
    with_templates_of,
)


def test_the_flag_is_repeatable():
    p = argparse.ArgumentParser()
    add_sparse_flag(p)
    flags = p.parse_args(["--features", "jump,block", "--features", "block"]).features
    asked = templates_of_flags(flags)
    assert with_templates_of(asked, ModelFiles("t")) == (("block", "jump"), ModelFiles("t"))
    assert with_templates_of(templates_of_flags([]), ModelFiles("t")) == ((), ModelFiles("t"))


def test_the_model_folder_names_templates_too():
    files = ModelFiles("t", features=("LM0", "word-pair"))
    assert with_templates_of(("block",), files) == (
        ("block", "word-pair"),
        ModelFiles("t", features=("LM0",)),
    )


def test_sets_go_by_their_names():
    assert templates_of_flags(["wuebker-c", "jump, wuebker-a"]) == (
        *("source-triplet", "target-triplet"),
        *("jump", "block"),
    )
    files = ModelFiles("t", features=("LM0", "wuebker-b", "tillmann-zhang"))
    asked = templates_of_flags(["tillmann-zhang-word"])
    assert with_templates_of(asked, files) == (
        ("word-pair", "ngram", "jump", "boundary"),
        ModelFiles("t", features=("LM0", "tillmann-zhang")),
    )


def test_an_unknown_template_is_refused():
    with pytest.raises(UsageError, match="'blocks'"):
        templates_of_flags(["blocks"])


def test_weights_are_split():
    weights = Weights({"LM0": 1.0, "block_a~~b": 2.0, "jump_+2": 3.0}, "w")
    assert split_weights(weights, ())[1] is None
    rest, sparse = split_weights(weights, ("block",))
    assert dict(rest) == {"LM0": 1.0, "jump_+2": 3.0}
    assert sparse is not None
    assert dict(sparse.theta) == {"block_a~~b": 2.0}
    rest, sparse = split_weights(weights, (), ("jump_+2", "uni_a"))
    assert sparse is not None
    assert (list(rest), list(sparse.theta), sparse.listed) == (
        ["LM0", "block_a~~b"],
        ["jump_+2"],
        ("jump_+2", "uni_a"),
    )
    _, every = split_weights(weights, tuple(TEMPLATES))
    assert every is not None
    assert list(every.theta) == ["block_a~~b", "jump_+2"]


def test_a_feature_of_two_lists_is_one(tmp_path):
    (tmp_path / "a").write_text("# one\nuni_a\npair_a~~b\n")
    (tmp_path / "b").write_text("pair_a~~b\ntrigger_a~~b\n")
    p = argparse.ArgumentParser()
    add_list_flag(p)
    files = [str(tmp_path / name) for name in "ab"]
    flags = p.parse_args(["--feature-list", files[0], "--feature-list", files[1]]).feature_list
    assert read_lists(flags) == ["uni_a", "pair_a~~b", "trigger_a~~b"]
    assert read_lists(p.parse_args([]).feature_list) == []

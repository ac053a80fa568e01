"""The flags of sparse features: templates, sets and lists."""

from __future__ import annotations

import argparse

import pytest

from campanula.stages.command import UsageError
from campanula.stages.decoding.sparse.flags import (
    add_list_flag,
    add_sparse_flag,
    read_lists,
    templates_of_flags,
)


def test_the_flag_is_repeatable():
    p = argparse.ArgumentParser()
    add_sparse_flag(p)
    flags = p.parse_args(["--features", "jump,block", "--features", "block"]).features
    asked = templates_of_flags(flags)
    assert asked == ("jump", "block", "block")
    assert templates_of_flags([]) == ()


def test_sets_go_by_their_names():
    assert templates_of_flags(["wuebker-c", "jump, wuebker-a"]) == (
        *("source-triplet", "target-triplet"),
        *("jump", "block"),
    )


def test_an_unknown_template_is_refused():
    with pytest.raises(UsageError, match="'blocks'"):
        templates_of_flags(["blocks"])


def test_a_feature_of_two_lists_is_one(tmp_path):
    (tmp_path / "a").write_text("# one\nuni_a\npair_a~~b\n")
    (tmp_path / "b").write_text("pair_a~~b\ntrigger_a~~b\n")
    p = argparse.ArgumentParser()
    add_list_flag(p)
    files = [str(tmp_path / name) for name in "ab"]
    flags = p.parse_args(["--feature-list", files[0], "--feature-list", files[1]]).feature_list
    assert read_lists(flags) == ["uni_a", "pair_a~~b", "trigger_a~~b"]
    assert read_lists(p.parse_args([]).feature_list) == []

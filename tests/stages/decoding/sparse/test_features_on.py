"""Templates of flags and models together, and the weights of their features."""

from __future__ import annotations

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.files import ModelFiles
from campanula.formats.weights import Weights
from campanula.stages.decoding.sparse.features_on import split_weights, with_templates_of
from campanula.stages.decoding.sparse.flags import templates_of_flags


def test_templates_are_each_there_once_in_their_order() -> None:
    files = ModelFiles("t")
    assert with_templates_of(("jump", "block", "block"), files) == (("block", "jump"), files)
    assert with_templates_of((), files) == ((), files)


def test_the_model_folder_names_templates_too() -> None:
    files = ModelFiles("t", features=("LM0", "word-pair"))
    assert with_templates_of(("block",), files) == (
        ("block", "word-pair"),
        ModelFiles("t", features=("LM0",)),
    )


def test_a_model_may_name_sets() -> None:
    files = ModelFiles("t", features=("LM0", "wuebker-b", "tillmann-zhang"))
    asked = templates_of_flags(["tillmann-zhang-word"])
    assert with_templates_of(asked, files) == (
        ("word-pair", "ngram", "jump", "boundary"),
        ModelFiles("t", features=("LM0", "tillmann-zhang")),
    )


def test_weights_are_split() -> None:
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

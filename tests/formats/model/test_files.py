"""The files of a model and the features that are on."""

from campanula.formats.model.files import ModelFiles


def test_paths_stand_in_a_fixed_order():
    files = ModelFiles("t", reordering_table="r", lm="l", distortion_table="d")
    assert files.paths() == ["t", "r", "l", "d"]
    assert ModelFiles("t").paths() == ["t", None, None, None]


def test_a_distortion_table_turns_its_features_on():
    assert ModelFiles("t").with_distortion_table("d") == ModelFiles("t", distortion_table="d")
    some = ModelFiles("t", features=("LM0",)).with_distortion_table("d")
    assert some.features == ("LM0", "OutboundDistortion0", "InboundDistortion0")

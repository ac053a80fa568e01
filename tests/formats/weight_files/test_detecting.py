import pytest

from campanula.formats.errors import DataError
from campanula.formats.weight_files.detecting import detect
from tests.weight_file import weights_of


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ('{"LM0": 1}', "json"),
        ("[weight]", "moses"),
        ("[weight_vals]", "travatar"),
        ("LM0= 1", "moses"),
        ("LM0 1", "plain"),
        ("a=b 1", "plain"),
        ("a=1 b=2", "travatar"),
        ("a=1", "travatar"),
        ("1 2 3", "mert"),
        ("Best point: 1 2 => 3", "mert"),
        ("lm_0 ||| 1.0 Opt", "joshua"),
        ("weights-file = w", "joshua"),
        ("[feature]", None),
        ("what is this", None),
    ],
)
def test_the_content_shows_the_format(line, form):
    assert detect([line]) == form


def test_nothing_is_no_weights():
    assert detect([]) == "plain"


def test_anything_else_is_an_error(tmp_path):
    with pytest.raises(DataError, match="weights: expected weights in one of the formats plain,"):
        weights_of(tmp_path, "what is this\n")


def test_names_for_numbers(tmp_path):
    with pytest.raises(DataError, match="feature 'F1': expected 1 features"):
        weights_of(tmp_path, "1 2\n", names=["LM0"])
    with pytest.raises(DataError, match="expected different names"):
        weights_of(tmp_path, "F0 1\nLM0 2\n", names=["LM0"])

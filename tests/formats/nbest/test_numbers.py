import pytest

from campanula.formats.nbest.numbers import looks_like_number, number, sentence_id
from campanula.formats.nbest.rows import LineError


@pytest.mark.parametrize(
    ("token", "value"),
    [("1e+10", 1e10), ("1E-5", 1e-5), ("+3", 3.0), (".5", 0.5), ("-0", -0.0), ("5.", 5.0)],
)
def test_numbers_as_other_tools_spell_them(token, value):
    assert number(token, "score").hex() == value.hex()


@pytest.mark.parametrize("token", ["nan", "-inf", "infinity", "1e999"])
def test_what_is_not_finite_is_refused(token):
    assert looks_like_number(token)
    with pytest.raises(LineError, match="score: expected a finite number, found"):
        number(token, "score")


@pytest.mark.parametrize("token", ["", "0,5", "1_0", "0x10", "١", "1-2", "a"])
def test_what_is_no_number_is_refused(token):
    assert not looks_like_number(token)
    with pytest.raises(LineError, match="score: expected a number, found"):
        number(token, "score")


def test_sentence_ids():
    assert sentence_id("017") == 17
    for token in ("", "-1", "1.0", "+1", "1_0", "²", "9" * 30):
        with pytest.raises(LineError, match="expected a sentence number"):
            sentence_id(token)

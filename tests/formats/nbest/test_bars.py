import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.bars import BarReader, Style


def read(line, **options):
    (row,) = BarReader(Style(**options)).read(line)
    return row.sid, row.text, dict(row.features), row.score, row.fields


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 ||| the cat ||| LM0= -1 ||| -3", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0 ||| the cat  ||| LM0= -1 ||| -3 ", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0|||the cat|||LM0= -1|||-3", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0 |||  ||| LM0= -1 ||| -3", (0, "", {"LM0": -1}, -3, {})),
        ("0 ||| ||| LM0= -1 ||| -3", (0, "", {"LM0": -1}, -3, {})),
        ("0 ||| a ||| LM0= -1", (0, "a", {"LM0": -1}, None, {})),
        ("0 ||| a ||| ||| 0.000", (0, "a", {}, 0, {})),
        ("0 ||| a ||| -1 0.5 ||| -3", (0, "a", {"F0": -1, "F1": 0.5}, -3, {})),
        ("0 ||| a\tb ||| LM0= -1 ||| -3", (0, "a\tb", {"LM0": -1}, -3, {})),
        ("0 ||| a|||b = c=1 %f ||| x= 1 ||| 2", (0, "a|||b = c=1 %f", {"x": 1}, 2, {})),
        ("0 ||| a ||| b ||| x= 1 ||| 2", (0, "a ||| b", {"x": 1}, 2, {})),
        ("0 ||| a ||| x= 3 ||| y= 1 ||| 2", (0, "a ||| x= 3", {"y": 1}, 2, {})),
        ("0 ||| a ||| 7 ||| y= 1 ||| 2", (0, "a ||| 7", {"y": 1}, 2, {})),
        ("0 ||| a ||| 7 ||| 8 ||| y= 1 ||| 2", (0, "a ||| 7 ||| 8", {"y": 1}, 2, {})),
        ("0 ||| a ||| 7 ||| 8 ||| 0=0", (0, "a", {"F0": 7}, 8, {"segmentation": "0=0"})),
    ],
)
def test_fields_are_told_by_their_content(line, expected):
    assert read(line) == expected


@pytest.mark.parametrize(
    ("rest", "fields"),
    [
        ("0-0 1-1 2-2", {"alignment": "0-0 1-1 2-2"}),
        ("0-1=0 2=1-2 ||| 0-0 1-1 ", {"segmentation": "0-1=0 2=1-2", "alignment": "0-0 1-1"}),
        ("0-0 ||| 0=0", {"alignment": "0-0", "segmentation": "0=0"}),
        ("0=0 ||| 0-0 ||| 0 1 2", {"segmentation": "0=0", "alignment": "0-0", "path": "0 1 2"}),
        ("(TOP a)", {"tree": "(TOP a)"}),
        ("0-0 ||| 1-1", {"alignment": "0-0", "field6": "1-1"}),
        ("what is this", {"field5": "what is this"}),
        ("", {"alignment": ""}),
    ],
)
def test_fields_after_the_score(rest, fields):
    assert read(f"0 ||| a ||| x= 1 ||| 2 ||| {rest}")[4] == fields
    assert read(f"0 ||| a ||| x= 1 ||| 2 ||| {rest}")[3] == 2


def test_a_field_after_features_without_a_score():
    assert read("0 ||| a ||| x= 1 ||| 0-0")[2:] == ({"x": 1}, None, {"alignment": "0-0"})


def test_an_empty_field_is_called_as_those_before_it():
    reader = BarReader()
    for text in ("0=0", ""):
        (row,) = reader.read(f"0 ||| a ||| x= 1 ||| 2 ||| {text}")
        assert row.fields == {"segmentation": text}


def test_the_score_may_come_first():
    line = "0 ||| a ||| -3.81 ||| lm=-17.4 w=2 ||| (TOP a)"
    expected = (0, "a", {"lm": -17.4, "w": 2}, -3.81, {"tree": "(TOP a)"})
    assert read(line, score_first=True) == expected
    assert read("0 ||| 3 ||| 4 ||| 5 ||| w=2", score_first=True)[1:4] == ("3 ||| 4", {"w": 2}, 5)


def test_fields_before_the_features():
    line = "0 ||| a ||| 0-0 ||| Scores= -0.5 -0.2 ||| F0= -1.38 ||| -0.69"
    found = read(line, before=True, aside=("Scores",))
    assert found == (0, "a", {"F0": -1.38}, -0.69, {"Scores": "-0.5 -0.2", "alignment": "0-0"})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("the cat", "expected `id ||| text ||| features`, found 'the cat'"),
        ("0 ||| a", "expected `id ||| text ||| features`"),
        ("x ||| a ||| LM0= 1 ||| 2", "expected a sentence number, found 'x'"),
        ("0 ||| a ||| b ||| c", "expected features, found 'c'"),
        ("0 ||| a ||| LM0= 1 ||| nan", "score: expected a finite number, found 'nan'"),
        ("0 ||| a ||| LM0= 1 ||| 0,5", "score: expected a number, found '0,5'"),
        ("0 ||| a ||| LM0= nan ||| 2", "feature 'LM0': expected a finite number, found 'nan'"),
    ],
)
def test_what_is_wrong_is_named(line, problem):
    with pytest.raises(LineError) as error:
        read(line)
    assert problem in str(error.value)

from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.sentence_ids import SentenceId

PLAIN = Style()
Hypothesis = tuple[SentenceId, str, dict[str, float], float | None, dict[str, str]]


def read_all(*lines: str, style: Style = PLAIN) -> list[Hypothesis]:
    reader = BarReader(style)
    rows = [row for line in lines for row in reader.read(line)]
    names = reader.field_names()
    return [
        (
            row.sid,
            row.text,
            dict(row.features),
            row.score,
            {names.get(name, name): text for name, text in row.fields.items()},
        )
        for row in rows
    ]


def read(line: str, style: Style = PLAIN) -> Hypothesis:
    (row,) = read_all(line, style=style)
    return row


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 ||| the cat ||| LM0= -1 ||| -3", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0 ||| the cat  ||| LM0= -1 ||| -3 ", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0|||the cat|||LM0= -1|||-3", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0||| the cat ||| LM0= -1 ||| -3", (0, "the cat", {"LM0": -1}, -3, {})),
        ("0 |||  ||| LM0= -1 ||| -3", (0, "", {"LM0": -1}, -3, {})),
        ("0 ||| ||| LM0= -1 ||| -3", (0, "", {"LM0": -1}, -3, {})),
        ("0 ||| a ||| LM0= -1", (0, "a", {"LM0": -1}, None, {})),
        ("0 ||| a ||| ||| 0.000", (0, "a", {}, 0, {})),
        ("0 ||| a ||| -1 0.5 ||| -3", (0, "a", {"F0": -1, "F1": 0.5}, -3, {})),
        ("0 ||| a ||| -1 0.5", (0, "a", {"F0": -1, "F1": 0.5}, None, {})),
        ("0 ||| a\tb ||| LM0= -1 ||| -3", (0, "a\tb", {"LM0": -1}, -3, {})),
        ("0 ||| a|||b = c=1 %f ||| x= 1 ||| 2", (0, "a|||b = c=1 %f", {"x": 1}, 2, {})),
        ("0 ||| a ||| 7 ||| 8 ||| 0=0", (0, "a", {"F0": 7}, 8, {"segmentation": "0=0"})),
        ("0 ||| a ||| 0=1 1=2 ||| 8", (0, "a", {"0": 1, "1": 2}, 8, {})),
    ],
)
def test_fields_are_told_by_their_content(line: str, expected: Hypothesis) -> None:
    assert read(line) == expected


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("0-0 1-1", "alignment"),
        ("", "alignment"),
        ("0.81,0.05 5.4e-05,1", "soft-alignment"),
        ("(S (NP the) (NP cat))", "tree"),
        ("5 7 9", "field3"),
        ("die Katze", "field3"),
        ("x = 3", "field3"),
    ],
)
def test_what_stands_before_the_features_is_a_field_and_no_text(field: str, name: str) -> None:
    line = f"0 ||| the cat ||| {field} ||| F0= -1 ||| -2"
    assert read(line) == (0, "the cat", {"F0": -1}, -2, {name: field})
    line = f"0 ||| the cat ||| {field} ||| -2 ||| F0=-1"
    assert read(line, Style(score_first=True)) == (0, "the cat", {"F0": -1}, -2, {name: field})


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
        ("0.31", {"field5": "0.31"}),
        ("", {"alignment": ""}),
    ],
)
def test_fields_after_the_score(rest: str, fields: dict[str, str]) -> None:
    assert read(f"0 ||| a ||| x= 1 ||| 2 ||| {rest}")[4] == fields
    assert read(f"0 ||| a ||| x= 1 ||| 2 ||| {rest}")[3] == 2


def test_a_field_after_features_without_a_score() -> None:
    assert read("0 ||| a ||| x= 1 ||| 0-0")[2:] == ({"x": 1}, None, {"alignment": "0-0"})


def test_a_field_is_what_all_its_lines_show() -> None:
    line = "0 ||| a ||| x= 1 ||| 2 ||| "
    for contents, name in ((["", "0=0"], "segmentation"), (["3", "0.31"], "field5")):
        rows = read_all(*(line + content for content in contents))
        assert [row[4] for row in rows] == [{name: content} for content in contents]


def test_the_score_may_come_first() -> None:
    line = "0 ||| a ||| -3.81 ||| lm=-17.4 w=2 ||| (TOP a)"
    expected = (0, "a", {"lm": -17.4, "w": 2}, -3.81, {"tree": "(TOP a)"})
    assert read(line, Style(score_first=True)) == expected


def test_labels_that_are_no_features() -> None:
    line = "0 ||| a ||| 0-0 ||| Scores= -0.5 -0.2 ||| F0= -1.38 ||| -0.69"
    fields = {"alignment": "0-0", "Scores": "-0.5 -0.2"}
    assert read(line, Style(aside=("Scores",))) == (0, "a", {"F0": -1.38}, -0.69, fields)
    line = "0 ||| a ||| Scores= -0.5 -0.2 F0= -1.38 ||| -0.69"
    assert read(line, Style(aside=("Scores",)))[2:] == (
        {"F0": -1.38},
        -0.69,
        {"Scores": "-0.5 -0.2"},
    )


def test_features_stand_where_the_first_lines_have_them() -> None:
    failed = "0 ||| le chat ||| (S) ||| ||| 0.000"
    good = "1 ||| a ||| (S) ||| lm_0=1 ||| -2"
    for lines in ((failed, good), (good, failed)):
        assert [row[4] for row in read_all(*lines)] == [{"tree": "(S)"}] * 2


def test_segmentation_marks_become_a_field() -> None:
    lines = [
        "0 ||| a plan |0-1| to |3-3|  ||| LM0= 1 ||| 2 ||| 0-0",
        "0 ||| ||| LM0= 1 ||| 2 ||| ",
    ]
    rows = read_all(*lines)
    assert [row[1] for row in rows] == ["a plan to", ""]
    fields = {"segmentation": "0-1=0-1 3=2", "alignment": "0-0"}
    assert [row[4] for row in rows] == [fields, {"segmentation": "", "alignment": ""}]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("the cat", "expected `id ||| text ||| features`, found 'the cat'"),
        ("0 ||| a", "expected `id ||| text ||| features`"),
        (" ||| a ||| LM0= 1 ||| 2", "expected the number or the id of a sentence, found ''"),
        ("0 ||| a ||| b ||| c", "features: expected a label or a number, found 'b'"),
        ("0 ||| a ||| LM0= 1 ||| nan", "score: expected a finite number, found 'nan'"),
        ("0 ||| a ||| LM0= 1 ||| 0,5", "score: expected a number, found '0,5'"),
        ("0 ||| a ||| LM0= nan ||| 2", "feature 'LM0': expected a finite number, found 'nan'"),
        ("0 ||| a ||| LM=0,5 WP=-2 ||| -3.81", "feature 'LM': expected a number, found '0,5'"),
        ("0 ||| a ||| LM=x WP=-2", "feature 'LM': expected a number, found 'x'"),
        ("0 ||| a ||| LM= 0,5 WP= -2 ||| -3", "feature 'LM': expected a number, found '0,5'"),
        ("0 ||| a ||| 0,5 1.0 ||| -3.81", "features: expected a label or a number, found '0,5' in"),
        ("0 ||| a ||| -1 0,5 ||| -3.81", "features: expected a number, found '0,5'"),
        ("0 ||| a ||| 5 7 ||| -1 -2 ||| -3", "score: expected a number, found '-1 -2'"),
        ("0 ||| a ||| x= 3 ||| y= 1 ||| 2", "expected one field of features, found 'x= 3' and"),
        ("0 ||| a|||LM0= 1 ||| 2", "expected bars between blanks, found the text 'a|||LM0= 1'"),
    ],
)
def test_what_is_wrong_is_named(line: str, problem: str) -> None:
    with pytest.raises(LineError) as error:
        read(line)
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0 ||| a ||| LM0= 1 ||| 2", "expected 5 fields, as before, found 4"),
        ("0 ||| a ||| b ||| LM0= 1 ||| 2 ||| 0-0", "expected 5 fields, as before, found 6"),
        ("0 ||| a ||| 0-0 ||| LM0= 1 ||| 2", "features: expected a number, found '0-0'"),
        ("0 ||| a ||| LM0= 1 ||| 0-0 ||| 2", "score: expected a number, found '0-0'"),
    ],
)
def test_a_line_is_laid_out_as_those_before(line: str, problem: str) -> None:
    with pytest.raises(LineError) as error:
        read_all("0 ||| a ||| LM0= 1 ||| -3 ||| 0-0", line)
    assert problem in str(error.value)


def test_places_that_become_known_late_must_fit() -> None:
    with pytest.raises(LineError, match="expected features in field 3, as before"):
        read_all("0 ||| a ||| ||| 0 ||| 5", "0 ||| a ||| b ||| LM0= 1 ||| 5")

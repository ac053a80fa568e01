from __future__ import annotations

import pytest

from campanula.formats.text.form_differences import FormCounts, form_difference
from tests.examples import MULTI30K

TOKENISED = ["The cat , it seems , sat on the mat in Rome ."] * 9
PLAIN = ["The cat, it seems, sat on the mat in Rome."] * 9
SPLIT = ["the cat &apos;s mat , she said &quot; here"] * 9


def found(texts: list[str], references: list[str], **options: bool) -> str | None:
    return form_difference(FormCounts.of(texts), FormCounts.of(references), **options)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the c@@ at s@@ at", "the texts have subword marks such as '@@', the references none"),
        ("▁the ▁c at", "the texts have subword marks '▁', the references none"),
        ("the cat |0-1| sat |2-2|", "segmentation marks such as |0-1|"),
        ("the cat |0-1,wa=0-0| sat |2-2|", "segmentation marks such as |0-1|"),
        ("the|DT cat|N", "the texts have factors such as house|N, the references none"),
        ("<s> the cat sat </s>", "marks such as </s>"),
    ],
)
def test_markup_of_one_side_is_said_from_either_side(text: str, said: str) -> None:
    assert said in str(found([text], ["the cat sat"]))
    assert "the references have" in str(found(["the cat sat"], [text]))
    assert found([text], [text]) is None


def test_lower_case_against_case() -> None:
    lower = [text.lower() for text in TOKENISED]
    assert found(lower, TOKENISED) == "the texts are all lower-case, the references are not"
    assert found(TOKENISED, lower) == "the references are all lower-case, the texts are not"
    assert found(lower, TOKENISED, case=False) is None


def test_tokenised_against_plain_text() -> None:
    assert found(TOKENISED, PLAIN) == "the texts are tokenised, the references are not"
    assert found(PLAIN, TOKENISED) == "the references are tokenised, the texts are not"
    assert found(PLAIN, TOKENISED, tokens=False) is None


def test_escapes_against_quotes() -> None:
    plain = [text.replace("&apos;", "'").replace("&quot;", '"') for text in SPLIT]
    assert found(SPLIT, plain) == "the texts have escapes such as &apos;, the references none"


def test_ids_in_front_of_texts() -> None:
    """Of all texts of one side; numbers alone, or some of the texts, are words."""
    plain = ["the cat sat", "a dog", "hello", "so it is"]
    keyed = [f"spk1-utt{number} {text}" for number, text in enumerate(plain)]
    said = "the references begin with ids such as utt1, unlike the texts"
    assert found(plain, keyed) == said
    assert found(plain, [f"84-121-{number} {text}" for number, text in enumerate(plain)]) == said
    assert found(keyed, plain) == "the texts begin with ids such as utt1, unlike the references"
    assert found(keyed, keyed) is None
    assert found(plain, [*keyed[1:], "the cat"]) is None
    assert found(plain, [f"{number} {text}" for number, text in enumerate(plain)]) is None


def test_json_objects_for_texts() -> None:
    """References that lie in a file of JSON lines which is not called so."""
    plain = ["the cat sat", "a dog", "hello", "so it is"]
    objects = [f'{{"duration": 3.2, "text": "{text}"}}' for text in plain]
    said = "the references are JSON objects (call the file *.jsonl), unlike the texts"
    assert found(plain, objects) == said
    assert found(objects, objects) is None
    assert found(plain, [*objects[1:], "{the cat}"]) is None


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("", ""),
        ("the cat", ""),
        ("", "The cat sat."),
        ("the cat sat", "The cat sat."),
        ("a rate of 5 @@ b", "a rate"),
        ("score |0-1", "score 0-1"),
        ("a < b", "a > b"),
    ],
)
def test_little_says_nothing(text: str, reference: str) -> None:
    assert found([text], [reference]) is None


@pytest.mark.skipif(not MULTI30K.is_dir(), reason="needs the shared data")
def test_captions_are_alike() -> None:
    sets = [
        FormCounts.of((MULTI30K / f"{name}.{language}").read_text("utf-8").splitlines())
        for name in ("val", "test_2016_flickr", "test_2017_flickr", "test_2018_flickr")
        for language in ("en", "de", "fr")
    ]
    assert [form_difference(one, other) for one in sets for other in sets if one is not other] == [
        None
    ] * (len(sets) * (len(sets) - 1))

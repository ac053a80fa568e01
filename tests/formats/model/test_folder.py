"""Model folders: the files that they name, and what is wrong with some."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile, ModelFiles
from campanula.formats.model.folder import NamedModel, read_model_folder


def test_model_folder(tmp_path: Path) -> None:
    content = {"phrase-table": "t.gz", "lm": "lm", "features": ["LM0"]}
    (tmp_path / "model.json").write_text(json.dumps(content))
    inside = str(tmp_path)
    expected = ModelFiles(
        f"{inside}/t.gz",
        lms=(LanguageModelFile(f"{inside}/lm"),),
        features=("LM0",),
        source=f"{inside}/model.json",
    )
    assert read_model_folder(inside) == expected


def test_several_language_models(tmp_path: Path) -> None:
    lms = ["a", {"file": "b"}, {"file": "/c", "classes": "map"}]
    (tmp_path / "model.json").write_text(json.dumps({"phrase-table": "t", "lm": lms}))
    assert read_model_folder(str(tmp_path)).lms == (
        LanguageModelFile(f"{tmp_path}/a"),
        LanguageModelFile(f"{tmp_path}/b"),
        LanguageModelFile("/c", f"{tmp_path}/map"),
    )


def test_reordering_tables_of_a_folder_are_one_or_several(tmp_path: Path) -> None:
    def tables(
        value: str | dict[str, str] | Sequence[str | dict[str, str]] | None,
    ) -> list[tuple[str, str]]:
        content = {"phrase-table": "t", "reordering-table": value}
        (tmp_path / "model.json").write_text(json.dumps(content))
        found = read_model_folder(str(tmp_path)).reordering_tables
        return [(table.path.removeprefix(f"{tmp_path}/"), table.orientation) for table in found]

    assert tables("r") == [("r", "word")]
    assert tables({"file": "r", "orientation": "phrase"}) == [("r", "phrase")]
    several: list[str | dict[str, str]] = [
        "r",
        {"file": "s", "orientation": "hierarchical"},
        {"file": "t"},
    ]
    assert tables(several) == [("r", "word"), ("s", "hierarchical"), ("t", "word")]
    assert tables([]) == tables(None) == []


def test_a_model_is_a_folder_or_a_moses_ini(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 0.5\n")
    text = "[feature]\nPhraseDictionaryMemory name=TM path=table\n[weight]\nTM= 0.5\n[stack]\n9\n"
    (tmp_path / "moses.ini").write_text(text)
    assert NamedModel.at(str(tmp_path)).weights is None
    named = NamedModel.at(str(tmp_path / "moses.ini"))
    assert named.weights is not None
    assert dict(named.weights) == {"TM": 0.5}
    assert named.settings["stack"] == 9
    assert named.files == NamedModel.at(str(tmp_path)).files
    with pytest.raises(DataError, match=r"none\.ini"):
        NamedModel.at(str(tmp_path / "none.ini"))


def test_moses_folder(tmp_path: Path) -> None:
    """Of a moses.ini the files and the features; its weights and settings do not count."""
    (tmp_path / "table").write_text("a ||| b ||| 0.5\n")
    (tmp_path / "moses.ini").write_text("[feature]\nPhraseDictionaryMemory name=TM path=table\n")
    found = read_model_folder(str(tmp_path))
    assert found.phrase_table == str(tmp_path / "table")
    assert found.features == ("TM",)
    assert found.labels == (("TranslationModel0", "TM"),)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("other", "", "expected model.json or moses.ini"),
        ("model.json", "{", "expected a JSON object, found"),
        ("model.json", "[]", "expected a JSON object"),
        ("model.json", '{"lm": "lm"}', "expected keys"),
        ("model.json", '{"phrase-table": "t", "ml": "lm"}', "expected keys"),
        ("model.json", '{"phrase-table": 3}', "expected file names"),
        ("model.json", '{"phrase-table": null}', "expected file names"),
        ("model.json", "[" * 100_000, "expected a JSON object, .*recursion"),
        ("model.json", '{"phrase-table": "t", "lm": "a", "lm": "b"}', "key 'lm' .* second time"),
        ("model.json", '{"phrase-table": "t", "lm": {"file": "a", "file": "b"}}', "key 'file' "),
        ("model.json", '{"phrase-table": "t", "lm": 3}', "lm: expected .* found 3"),
        ("model.json", '{"phrase-table": "t", "lm": [["a"]]}', 'lm: expected .*"a"'),
        (
            "model.json",
            '{"phrase-table": "t", "lm": [{"classes": "a"}]}',
            'lm: .*"classes": "FILE"',
        ),
        ("model.json", '{"phrase-table": "t", "features": "LM0"}', "a list of feature names"),
        (
            "model.json",
            '{"phrase-table": "t", "reordering-table": 3}',
            "reordering-table: expected .* found 3",
        ),
        (
            "model.json",
            '{"phrase-table": "t", "reordering-table": {"file": "F", "orientation": "up"}}',
            "word|phrase|hierarchical.*found .*up",
        ),
        ("moses.ini", "[feature]\nOpSequenceModel path=x\n\n[weight]\n", "OpSequenceModel"),
    ],
)
def test_model_folder_that_is_wrong(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        read_model_folder(str(tmp_path))

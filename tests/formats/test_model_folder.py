"""Model folders: the files that they name, and what is wrong with some."""

from __future__ import annotations

import json

import pytest

from formats.errors import DataError
from formats.model import ModelFiles
from formats.model_folder import read_model_folder


def test_model_folder(tmp_path):
    content = {"phrase-table": "t.gz", "lm": "lm", "features": ["LM0"]}
    (tmp_path / "model.json").write_text(json.dumps(content))
    inside = str(tmp_path)
    assert read_model_folder(inside) == ModelFiles(f"{inside}/t.gz", None, f"{inside}/lm", ("LM0",))


def test_moses_folder(tmp_path):
    (tmp_path / "moses.ini").write_text(
        "[feature]\nWordPenalty\n"
        "PhraseDictionaryMemory name=TranslationModel0 path=table.gz input-factor=0\n"
        "KENLM name=LM0 path=lm.gz order=5\n"
    )
    inside = str(tmp_path)
    assert read_model_folder(inside) == ModelFiles(f"{inside}/table.gz", None, f"{inside}/lm.gz")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("other", "", "expected model.json or moses.ini"),
        ("model.json", "{", "cannot be read as JSON"),
        ("model.json", "[]", "expected keys"),
        ("model.json", '{"lm": "lm"}', "expected keys"),
        ("model.json", '{"phrase-table": "t", "ml": "lm"}', "expected keys"),
        ("model.json", '{"phrase-table": 3}', "expected file names"),
        ("model.json", '{"phrase-table": "t", "features": "LM0"}', "a list of feature names"),
        ("moses.ini", "KENLM name=LM0 path=lm", "expected a phrase table, found none"),
        ("moses.ini", "[feature]\nOpSequenceModel path=x\n\n[weight]\n", "OpSequenceModel"),
        ("moses.ini", "KENLM path=a\nKENLM path=b\n", "expected one line of KENLM, found 2"),
    ],
)
def test_model_folder_that_is_wrong(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        read_model_folder(str(tmp_path))

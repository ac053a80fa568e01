from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError, LineError
from campanula.formats.json_objects import object_of, read_object, unique


def test_objects_have_each_key_once() -> None:
    text = '{"a": {"b": 1, "c": [{}]}, "b": 2}'
    assert json.loads(text, object_pairs_hook=unique) == json.loads(text)
    for text in ('{"a": 1, "b": 2, "a": 1}', '{"x": [{"a": 1, "a": 2}]}'):
        with pytest.raises(LineError, match="key 'a' stands here for the second time"):
            json.loads(text, object_pairs_hook=unique)


def test_a_line_is_one_object() -> None:
    assert object_of('{"a": [1], "b": null}') == {"a": [1], "b": None}
    for line in ("", "[]", "1", '{"a": 1', "[" * 100_000):
        with pytest.raises(LineError, match="expected a JSON object, found"):
            object_of(line)
    with pytest.raises(LineError, match="key 'a' stands here for the second time"):
        object_of('{"a": 1, "a": 2}')


def test_a_file_is_one_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.json"
    path.write_text('{\n "a": [1],\n "b": null\n}\n')
    assert read_object(str(path)) == {"a": [1], "b": None}
    for content, problem in (
        (b"[]", "expected a JSON object, found"),
        (b'{"a": 1', "expected a JSON object, found"),
        (b'{"a": 1, "a": 2}', "key 'a' stands here for the second time"),
        (b'{"a": "\xff"}', "found no UTF-8"),
    ):
        path.write_bytes(content)
        with pytest.raises(DataError, match=problem):
            read_object(str(path))
    monkeypatch.setattr("campanula.formats.json_objects.LONGEST", 5)
    with pytest.raises(DataError, match="expected at most 5 bytes, found 10"):
        read_object(str(path))


def test_a_missing_file_is_for_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_object(str(tmp_path / "none"))
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        read_object(str(tmp_path))

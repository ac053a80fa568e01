import json

import pytest

from campanula.formats.errors import LineError
from campanula.formats.json_keys import object_of, unique


def test_objects_have_each_key_once():
    text = '{"a": {"b": 1, "c": [{}]}, "b": 2}'
    assert json.loads(text, object_pairs_hook=unique) == json.loads(text)
    for text in ('{"a": 1, "b": 2, "a": 1}', '{"x": [{"a": 1, "a": 2}]}'):
        with pytest.raises(LineError, match="key 'a' stands here for the second time"):
            json.loads(text, object_pairs_hook=unique)


def test_a_line_is_one_object():
    assert object_of('{"a": [1], "b": null}') == {"a": [1], "b": None}
    for line in ("", "[]", "1", '{"a": 1', "[" * 100_000):
        with pytest.raises(LineError, match="expected a JSON object, found"):
            object_of(line)
    with pytest.raises(LineError, match="key 'a' stands here for the second time"):
        object_of('{"a": 1, "a": 2}')

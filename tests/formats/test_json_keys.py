import json

import pytest

from campanula.formats.errors import LineError
from campanula.formats.json_keys import unique


def test_objects_have_each_key_once():
    text = '{"a": {"b": 1, "c": [{}]}, "b": 2}'
    assert json.loads(text, object_pairs_hook=unique) == json.loads(text)
    for text in ('{"a": 1, "b": 2, "a": 1}', '{"x": [{"a": 1, "a": 2}]}'):
        with pytest.raises(LineError, match="key 'a' stands here for the second time"):
            json.loads(text, object_pairs_hook=unique)

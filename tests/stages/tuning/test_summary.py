"""The objective of every iteration beside the weights."""

import json
from pathlib import Path

import pytest

from campanula.stages.tuning.summary import summarised


def test_a_summary_is_there_when_the_weights_are(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    with summarised(str(path), [3.0, 2.5], "done"):
        assert not path.exists()
    found = json.loads(path.read_text())
    assert found == {"objective": 2.5, "history": [3.0, 2.5], "reason": "done"}


def test_without_weights_there_is_no_summary(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    with pytest.raises(KeyError), summarised(str(path), [3.0], "done"):
        raise KeyError
    assert not list(tmp_path.iterdir())
    with summarised(None, [], "no path, no summary"):
        pass

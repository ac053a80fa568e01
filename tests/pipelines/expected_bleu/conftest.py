"""One run that the tests of this folder share: they leave it as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines import tune
from tests.pipelines.expected_bleu import small


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with texts, a model and a run in `work`."""
    folder = tmp_path_factory.mktemp("expected-bleu")
    argv = ["expected-bleu", *small.write(folder), *small.FEATURES, "-q"]
    assert tune.main([*argv, "--work-dir", os.fspath(folder / "work")]) == 0
    return folder

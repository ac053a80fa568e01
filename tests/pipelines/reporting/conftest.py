"""The folder of the runs that the tests of the report share."""

from __future__ import annotations

import pytest

from tests.pipelines.reporting import runs


@pytest.fixture(scope="session", autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give the runs a folder that pytest removes."""
    runs.PLACES.append(tmp_path_factory.mktemp("report"))

import argparse

import pytest

from campanula.stages.growth.saved_tables import SavedTables, numbers
from campanula.stages.growth.transform import Channels
from tests.stages.growth.test_channel import channel


@pytest.mark.parametrize(("only", "expected"), [(None, [1, 2, 3]), (frozenset({3, 1, 9}), [1, 3])])
def test_tables_are_numbered_from_1(only, expected):
    written: list[tuple[str, float]] = []

    def write(name: str, channels: Channels) -> None:
        written.append((name, channels[0].weight))

    saved = SavedTables(write, only)
    for step in (1.0, 2.0, 3.0):
        saved((channel([0.2, 0.8, 0.5, 0.5, 1.0], [True] * 5, weight=step),))
    assert written == [(f"phrase-table.{n}.gz", float(n)) for n in expected]


def test_steps_are_whole_numbers():
    assert numbers("10, 20,10") == {10, 20}
    for text in ("", "0", "1,x", "1.5"):
        with pytest.raises(argparse.ArgumentTypeError, match="expected numbers of steps"):
            numbers(text)

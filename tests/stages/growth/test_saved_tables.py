import argparse

import pytest

from campanula.stages.growth.saved_tables import SavedTables, numbers


@pytest.mark.parametrize(("only", "expected"), [(None, [1, 2, 3]), (frozenset({3, 1, 9}), [1, 3])])
def test_tables_are_numbered_from_1(only, expected):
    written = []
    saved = SavedTables(lambda name, channels: written.append((name, channels)), only)
    for step in "abc":
        saved((step,))
    assert written == [(f"phrase-table.{n}.gz", ("abc"[n - 1],)) for n in expected]


def test_steps_are_whole_numbers():
    assert numbers("10, 20,10") == {10, 20}
    for text in ("", "0", "1,x", "1.5"):
        with pytest.raises(argparse.ArgumentTypeError, match="expected numbers of steps"):
            numbers(text)

"""Images get their addresses, and code is closed to writing."""

import os
import sys

import numpy as np
import pytest

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.image import PAGE, Image, fill, placed

ROWS = np.array([(1, 0, 5), (24, 1, 0), (16, 1, -2)])


def test_addresses_are_written_where_the_rows_say():
    content = np.zeros(40, np.uint8)
    fill(content, ROWS, np.array([2**63 + 7, 1000], np.uint64))
    data = content.tobytes()
    assert int.from_bytes(data[1:9], "little") == 2**63 + 12
    assert int.from_bytes(data[24:32], "little") == 1000
    assert int.from_bytes(data[16:24], "little") == 998
    assert not content[9:16].any()
    assert data[:1] == b"\0"
    fill(content, ROWS[:0], np.array([1], np.uint64))
    assert content.tobytes() == data


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's list of a process's memory")
def test_code_is_closed_and_data_open():
    nothing: dict[str, int] = {}
    start = placed(Image(bytes(2 * PAGE), PAGE, ("",), ROWS[:1], {}), nothing.__getitem__)
    with open(f"/proc/{os.getpid()}/maps") as file:
        spans = [line.split()[:2] for line in file]
    rights = {int(span.partition("-")[0], 16): right for span, right in spans}
    ends = {int(span.partition("-")[2], 16): right for span, right in spans}
    assert rights[start] == "r-xp"
    assert "x" not in ends.get(start + 2 * PAGE, "rw-p")


def test_a_symbol_that_is_missing_goes_on():
    def missing(name):
        raise Unsupported(name)

    with pytest.raises(Unsupported, match="gone"):
        placed(Image(bytes(64), 0, ("", "gone"), ROWS, {}), missing)

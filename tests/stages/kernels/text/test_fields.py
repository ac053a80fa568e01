"""Lines read by the kernel; that it reads what NumPy does is tested in tests/stages."""

from __future__ import annotations

import numpy as np

from campanula.formats.nbest.fields import Layout
from campanula.stages.kernels.text.fields import MARGIN, Lines, gather, read_lines
from campanula.stages.kernels.text.powers import DOWN, powers
from campanula.stages.nbest.cutting import plan_of


def test_lines_in_two_parts() -> None:
    plan = plan_of(Layout(4, 2, 3, (), "=", [("A", 1), ("LM", 2)]))
    assert plan is not None
    text = [b"7 ||| ab ||| A= 1 LM= 2 3 ||| 4\n", b"8 |||  c d ||| A= 5 LM= 6 7 ||| 8\n"]
    numbers = np.zeros((4, 2))
    lines = Lines(
        np.zeros(2, np.int64),
        np.zeros((1, 2), np.int64),
        np.zeros((1, 2), np.int64),
        numbers[3].view(np.int64),
        numbers[:3].view(np.int64),
    )
    shift = 0
    for number, line in enumerate(text):
        byte = np.frombuffer(line + bytes(MARGIN), np.uint8)
        end = read_lines(byte, plan, lines, number, number + 1, shift, powers(DOWN))
        assert end == len(line)
        shift += len(line)
    assert lines.sid.tolist() == [7, 8]
    assert numbers.T.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    byte = np.frombuffer(b"".join(text), np.uint8)
    out = np.zeros(5 + MARGIN, np.uint8)
    gather(byte, lines.start[0], lines.end[0], out)
    assert out[:5].tobytes() == b"abc d"

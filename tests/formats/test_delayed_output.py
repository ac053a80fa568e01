"""What waits comes out as it went in, and leaves nothing."""

from __future__ import annotations

import os
from pathlib import Path

from campanula.formats.delayed_output import DelayedOutput
from campanula.formats.files import CHUNK, Output


def test_it_comes_out_as_it_went_in(tmp_path: Path) -> None:
    with Output(str(tmp_path / "out")) as out:
        waiting = DelayedOutput(out)
        data = [os.urandom(n) for n in (1, 0, CHUNK, 17)]
        for part in data:
            waiting.write(part)
        assert b"".join(waiting.chunks()) == b"".join(data)
        waiting.close()
    assert os.listdir(tmp_path) == ["out"]


def test_before_stdout() -> None:
    waiting = DelayedOutput(Output(None))
    waiting.write(b"x")
    assert list(waiting.chunks()) == [b"x"]
    waiting.close()

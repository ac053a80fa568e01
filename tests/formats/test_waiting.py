"""What waits comes out as it went in, and leaves nothing."""

import os

from campanula.formats.files import CHUNK, Output
from campanula.formats.waiting import Waiting


def test_it_comes_out_as_it_went_in(tmp_path):
    with Output(str(tmp_path / "out")) as out:
        waiting = Waiting(out)
        data = [os.urandom(n) for n in (1, 0, CHUNK, 17)]
        for part in data:
            waiting.write(part)
        assert b"".join(waiting.chunks()) == b"".join(data)
        waiting.close()
    assert os.listdir(tmp_path) == ["out"]


def test_before_stdout():
    waiting = Waiting(Output(None))
    waiting.write(b"x")
    assert list(waiting.chunks()) == [b"x"]
    waiting.close()

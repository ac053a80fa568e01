"""Lists of files as `import-nbest` reads them, and what does not go together."""

from __future__ import annotations

from pathlib import Path

import pytest

import campanula
from campanula.stages import import_nbest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files are in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    Path("beams").write_text("a b\nc\nd\ne f\n")
    Path("more").write_text("g\nh\n")
    objects = '[{"name": "u1", "hyps": [{"t": "a", "cost": 2}, {"t": "b@@ c", "cost": 1}]}]'
    Path("x.json").write_text(objects)


JSON = ["x.json", "--negate", "N", "--remove-subwords", "bpe"]
CASES = {
    "size": (["beams", "--size", "2", "--format", "lines"], "beams", "lines", {"size": 2}),
    "files": (
        ["beams", "more", "--size", "2", "--format", "lines"],
        ["beams", Path("more")],
        "lines",
        {"size": 2},
    ),
    "paths": (
        [*JSON, "--id", "name", "--list", "hyps[]", "--text", "t", "--feature", "N=cost"],
        "x.json",
        "auto",
        {"id": "name", "list": "hyps[]", "text": "t", "features": {"N": "cost"}}
        | {"negate": "N", "remove_subwords": "bpe"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_lists_are_those_of_the_command(case: str) -> None:
    """To the last byte."""
    argv, path, form, settings = CASES[case]
    assert import_nbest.main([*argv, "-q", "-o", "expected"]) == 0
    campanula.read_nbest(path, form, **settings).save("found")
    assert Path("found").read_bytes() == Path("expected").read_bytes()
    assert len(campanula.read_nbest("found")) == len(campanula.read_nbest(path, form, **settings))


@pytest.mark.parametrize(
    ("path", "settings", "problem"),
    [
        ("beams", {"sise": 2}, "expected a setting such as size, .*, found 'sise'"),
        ("beams", {"size": 0}, "size: expected a whole number of at least 1, found 0"),
        ("beams", {"format": "lines"}, "lines need --size"),
        ("x.json", {"text": "a..b"}, "a..b"),
        ("x.json", {"text": "t", "features": "cost"}, "features: expected a mapping"),
        ("x.json", {"text": "t", "features": {"a b": "cost"}}, "a feature's name, found 'a b'"),
        ([], {}, "expected a file of lists, or several, found none"),
    ],
)
def test_what_does_not_go_together(path, settings, problem) -> None:
    with pytest.raises(ValueError, match=problem):
        campanula.read_nbest(path, **settings)


def test_a_stream_is_read_as_it_is() -> None:
    campanula.read_nbest(EXAMPLES / "dev.nbest.gz").save("stream")
    with pytest.raises(ValueError, match="stream is a stream, which is read alone"):
        campanula.read_nbest("stream", negate="LM0")
    paths = {"list": "hyps[]", "text": "t", "features": {"N": "cost"}}
    with pytest.raises(campanula.DataError, match="expected a feature that --negate 'X' matches"):
        campanula.read_nbest("x.json", **paths, negate="X")

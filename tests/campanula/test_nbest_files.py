"""Lists of files as `import-nbest` reads them, and what does not go together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import campanula
from campanula.stages import import_nbest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    Path("beams").write_text("a b\nc\nd\ne f\n")
    Path("more").write_text("g\nh\n")
    objects = '[{"name": "u1", "hyps": [{"t": "a", "cost": 2}, {"t": "b@@ c", "cost": 1}]}]'
    Path("x.json").write_text(objects)


JSON = ["x.json", "--negate", "N", "--remove-subwords", "bpe"]
read = campanula.read_nbest
CASES: dict[str, tuple[list[str], Callable[[], campanula.KBestLists]]] = {
    "size": (
        ["beams", "--size", "2", "--format", "lines"],
        partial(read, "beams", "lines", size=2),
    ),
    "files": (
        ["beams", "more", "--size", "2", "--format", "lines"],
        partial(read, ["beams", Path("more")], "lines", size=2),
    ),
    "paths": (
        [*JSON, "--id", "name", "--list", "hyps[]", "--text", "t", "--feature", "N=cost"],
        partial(
            read,
            "x.json",
            id="name",
            list="hyps[]",
            text="t",
            features={"N": "cost"},
            negate="N",
            remove_subwords="bpe",
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_lists_are_those_of_the_command(case: str) -> None:
    """To the last byte."""
    argv, read_lists = CASES[case]
    assert import_nbest.main([*argv, "-q", "-o", "expected"]) == 0
    read_lists().save("found")
    assert Path("found").read_bytes() == Path("expected").read_bytes()
    assert len(campanula.read_nbest("found")) == len(read_lists())


@pytest.mark.parametrize(
    ("careless", "problem"),
    [
        (partial(read, "beams", sise=2), "expected a setting such as size, .*, found 'sise'"),
        (partial(read, "beams", size=0), "size: expected a whole number of at least 1, found 0"),
        (partial(read, "beams", format="lines"), "lines need --size"),
        (partial(read, "x.json", text="a..b"), "a..b"),
        (partial(read, "x.json", text="t", features="cost"), "features: expected a mapping"),
        (
            partial(read, "x.json", text="t", features={"a b": "cost"}),
            "a feature's name, found 'a b'",
        ),
        (partial(read, []), "expected a file of lists, or several, found none"),
    ],
)
def test_what_does_not_go_together(
    careless: Callable[[], campanula.KBestLists], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        careless()


def test_a_stream_is_read_as_it_is() -> None:
    campanula.read_nbest(EXAMPLES / "dev.nbest.gz").save("stream")
    with pytest.raises(ValueError, match="stream is a stream, which is read alone"):
        campanula.read_nbest("stream", negate="LM0")
    read_json = partial(read, "x.json", list="hyps[]", text="t", features={"N": "cost"})
    with pytest.raises(campanula.DataError, match="expected a feature that --negate 'X' matches"):
        read_json(negate="X")

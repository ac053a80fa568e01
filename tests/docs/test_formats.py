"""The format of one's own in docs/formats.md is one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import read_blocks
from campanula.formats.nbest.own import own_format
from tests.pages import blocks, text_of
from tests.plain import plain

PAGE = text_of("formats")


def test_the_list_format_of_ones_own_is_one(tmp_path: Path) -> None:
    (code,) = blocks(PAGE, "python")
    (toml,) = blocks(PAGE, "toml")
    points = tomllib.loads(toml)["project"]["entry-points"]
    assert points == {FORMATS.group: {"my-format": "my_format"}}
    names: dict[str, Any] = {}
    exec(code, names)
    (tmp_path / "list").write_text("3\t-1.5\tthe cat\n3\t-2\tcat\n")
    path = str(tmp_path / "list")
    form = own_format("my-format", SimpleNamespace(**names))
    (kbest,) = (plain(kbest) for kbest in form.read(read_blocks(path), path))
    assert (kbest["sid"], kbest["text"]) == (3, ["the cat", "cat"])
    assert kbest["features"] == [{"length": 2.0}, {"length": 1.0}]

"""What is written of the best system, in what order; and what is printed."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from campanula.pipelines.expected_bleu.conclusion import Conclusion


def test_comparisons_are_printed_one_after_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x", "y"):
        (tmp_path / f"{name}.compare").write_text(f"table of {name}\n")
    systems: Any = SimpleNamespace(settings=SimpleNamespace(work_dir=os.fspath(tmp_path)))
    tests = tuple(SimpleNamespace(name=name) for name in ("x", "y"))
    nothing = cast(Any, None)
    Conclusion(systems, nothing, nothing, nothing, cast(Any, tests), []).print()
    assert capsys.readouterr().out == "x\ntable of x\ny\ntable of y\n"

"""The metric of one's own in docs/metrics.md is one: from Python, and by an entry point."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import campanula
from campanula.formats.text.references import References
from campanula.lists import KBestLists
from campanula.stages import score_bleu
from campanula.stages.metrics.table import METRICS
from tests.examples import random_lists, write_kbest
from tests.pages import blocks, text_of

PAGE = text_of("metrics")
FUNCTION, USE = blocks(PAGE, "python")
LINES = ["hypothesis of mine", "another", "hypothesis", ""]


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(METRICS, "_items", dict(METRICS._items))


def test_it_is_used_from_python() -> None:
    lists = KBestLists(tuple(random_lists(5, n_lists=4)[0]))
    names: dict[str, Any] = {"lists": lists, "references": References.of(LINES)}
    exec(FUNCTION + USE, names)
    scored = names["scored"]
    assert [set(kbest.gain.tolist()) for kbest in scored] == [{1.0}, {0.0}, {1.0}, {0.0}]
    assert campanula.evaluate(scored).line == "first-word|nrefs:1|case:mixed|tok:none = 0.5000"


def test_it_is_used_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (toml,) = blocks(PAGE, "toml")
    ((group, points),) = tomllib.loads(toml)["project"]["entry-points"].items()
    ((name, target),) = points.items()
    assert group == METRICS.group
    info = tmp_path / "mine-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    (tmp_path / f"{target.partition(':')[0]}.py").write_text(FUNCTION)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    write_kbest("dev", random_lists(5, n_lists=4)[0])
    Path("ref").write_text("".join(f"{line}\n" for line in LINES))
    assert score_bleu.main(["dev", "--ref", "ref", "--metric", name, "-o", "scored"]) == 0
    assert "first: first-word|nrefs:1|case:mixed|tok:none = 0.5000" in capsys.readouterr().err

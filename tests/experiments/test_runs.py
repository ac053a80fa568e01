"""What folders of runs say of their end, their cost and their sentences."""

from __future__ import annotations

import json
from pathlib import Path

from campanula.pipelines.run_record import CommandLine, RunRecord
from experiments import runs


def begun(folder: Path, results: dict[str, str] | None, lines: int) -> str:
    folder.mkdir(parents=True)
    (folder / "dev.de").write_text("a\nb\n")
    sets = {"dev": {"source": str(folder / "dev.de"), "refs": []}}
    record = RunRecord.of(CommandLine(("mert",), {}), sets)
    record.write(str(folder))
    text = json.loads((folder / "run.json").read_text()) | {"results": results}
    (folder / "run.json").write_text(json.dumps(text))
    line = json.dumps({"seconds": {"decode": 1.5, "optimise": 1.0}}) + "\n"
    (folder / "replicate-1").mkdir()
    (folder / "replicate-1" / "history.jsonl").write_text(line * lines)
    return str(folder)


def test_what_is_not_done_says_how_far_it_is(tmp_path: Path) -> None:
    done = begun(tmp_path / "es" / "mert", {}, 2)
    half = begun(tmp_path / "es" / "pro", None, 3)
    (tmp_path / "es" / "empty").mkdir()
    others = [str(tmp_path / "es" / name) for name in ("empty", "none")]
    assert runs.unfinished([done, half, *others]) == {
        "es/pro": "3 iterations",
        "es/empty": "begun",
        "es/none": "not begun",
    }
    assert runs.sentences([done, half]) == {"dev": 2}


def test_cost_is_that_of_all_steps(tmp_path: Path) -> None:
    found = runs.cost([begun(tmp_path / "a", {}, 2), begun(tmp_path / "b", None, 2)])
    assert found["seconds"] == 10

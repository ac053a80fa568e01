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
    line = {"seconds": {"decode": 1.5, "optimise": 1.0}}
    text = "".join(json.dumps({**line, "iteration": i}) + "\n" for i in range(lines))
    (folder / "replicate-1").mkdir()
    (folder / "replicate-1" / "history.jsonl").write_text(text)
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


def test_replicates_that_are_done(tmp_path: Path) -> None:
    half = begun(tmp_path / "es" / "pro", None, 2)
    for number in (2, 10):
        lines = [{"iteration": 0}, {"iteration": 1, "tuned": {"dev": float(number)}}]
        folder = tmp_path / "es" / "pro" / f"replicate-{number}"
        folder.mkdir()
        (folder / "history.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [last["tuned"]["dev"] for _, last in runs.replicates(half)] == [2.0, 10.0]
    assert runs.unfinished([half]) == {"es/pro": "2 done, 6 iterations"}


def test_cost_is_that_of_all_steps(tmp_path: Path) -> None:
    found = runs.cost([begun(tmp_path / "a", {}, 2), begun(tmp_path / "b", None, 2)])
    assert found["seconds"] == 10


def test_cost_is_without_earlier_runs_and_counts_what_is_linked_once(tmp_path: Path) -> None:
    run = begun(tmp_path / "a", {}, 2)
    folder = Path(run)
    (folder / "replicate-1" / "lists").write_bytes(bytes(3_000_000))
    (folder / "dev.kbest").symlink_to("replicate-1/lists")
    begun(folder / "earlier-1", {}, 4)
    (folder / "earlier-1" / "lists").write_bytes(bytes(5_000_000))
    assert runs.cost([run]) == {"seconds": 5, "megabytes": 3}
    unfinished = begun(tmp_path / "b", None, 1)
    begun(Path(unfinished) / "earlier-1", {}, 4)
    assert list(runs.unfinished([unfinished]).values()) == ["1 iterations"]


def test_sentences_are_by_language_where_their_numbers_differ(tmp_path: Path) -> None:
    folders = [begun(tmp_path / language / "mert", {}, 1) for language in ("es", "ar")]
    assert runs.sentences(folders) == {"dev": 2}
    (tmp_path / "ar" / "mert" / "dev.de").write_text("a\n")
    assert runs.sentences(folders) == {"es dev": 2, "ar dev": 1}

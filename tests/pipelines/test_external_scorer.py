"""Another program prices the lists: history as of our own metric, faults in one line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.pipelines import tune
from campanula.pipelines.external_scorer import ExternalScorer, numbers_of
from campanula.pipelines.scorer import SUMMARY, MetricSettings
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf
from tests.examples import random_lists, write_kbest
from tests.pipelines import pool_decoder, tiny
from tests.pipelines.test_external_decoder import cdec
from tests.plain import json_lines

GAINS = MetricSettings("gain-column")
LENGTHS = """\
import sys
with open(sys.argv[1]) as texts, open(sys.argv[-1], "w") as gains, open({log!r}, "a") as log:
    for text in texts:
        print(len(text) / 1000, file=gains)
        log.write(text)
"""
Tune = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def run(tmp_path: Path) -> Tune:
    """Run a loop on the pool or the tiny model; returns its history without the seconds."""

    def run(work: str, data: list[str], *flags: str) -> list[dict[str, Any]]:
        folder = tmp_path / work
        argv = ["mert", *data, "--trust", "0", *flags, "-q", "--work-dir", os.fspath(folder)]
        assert tune.main(argv) == 0
        return [{**line, "seconds": None} for line in json_lines(folder / "history.jsonl")]

    return run


def data_of(folder: Path, kind: str) -> list[str]:
    if kind == "pool":
        return [*pool_decoder.write(folder), *cdec(folder)]
    return tiny.write(folder)


def command(code: Path, *placeholders: str) -> str:
    return " ".join([sys.executable, os.fspath(code), *placeholders])


@pytest.mark.parametrize("kind", ["pool", "two references"])
def test_statistics_of_sacrebleu_give_the_history_of_the_metric(
    tmp_path: Path, run: Tune, kind: str
) -> None:
    data = [*data_of(tmp_path, kind), "--metric", "chrf", "--iterations", "3"]
    script = Path(__file__).parent / "chrf_statistics.py"
    line = command(script, "{hypotheses}", "{references}", "{gains}")
    ours = run("ours", data)
    assert run("theirs", data, "--score-command", line) == ours
    assert ours[-1]["tuned"]["dev"] > ours[0]["dev"] + 5


@pytest.fixture
def lengths(tmp_path: Path) -> tuple[str, Path]:
    """A command whose gain is the length of a text, and the file of all texts it was asked for."""
    code, log = tmp_path / "lengths.py", tmp_path / "log"
    code.write_text(LENGTHS.format(log=os.fspath(log)))
    return command(code, "{hypotheses}", "{gains}"), log


def test_the_loop_goes_by_the_mean_of_the_gains(
    tmp_path: Path, run: Tune, lengths: tuple[str, Path]
) -> None:
    line, log = lengths
    history = run("work", data_of(tmp_path, "pool"), "--score-command", line, "--iterations", "3")
    (first,) = first_lists(tmp_path / "work" / "cache", history[0]["dev"])
    assert len(first) == 25
    assert history[-1]["tuned"]["dev"] > history[0]["dev"]
    asked = log.read_text().splitlines()
    assert len(asked) < sum(line["hypotheses"] for line in history)


def first_lists(cache: Path, mean: float) -> list[list[int]]:
    """Lengths of the first hypotheses of the lists whose mean gain this is."""
    found = []
    for path in cache.glob("score-bleu-*.kbest"):
        with Reader(os.fspath(path), KBest) as lists:
            found.append([len(kbest.text[0]) + 1 for kbest in lists])
    return [f for f in found if sum(f) / len(f) / 1000 == pytest.approx(mean, abs=1e-9)][:1]


def scored(folder: Path, line: str, metric: MetricSettings = GAINS, **more: Any) -> list[KBest]:
    """Score small lists with a command; returns them with their gains."""
    records, _ = random_lists(3, n_lists=4, sparse=False)
    lists = write_kbest(folder / "dev.kbest", records)
    for name, prefix in (("src", "source"), ("r1", "one"), ("r2", "two\tparts")):
        (folder / name).write_text("".join(f"{prefix} {i}\n" for i in range(4)))
    with Cache(os.fspath(folder / "cache")) as cache:
        limits = more.get("limits", ())
        scorer = ExternalScorer.of(line, True, metric, limits, more.get("timeout", 0.0), 1)
        source, *refs = (Leaf.of(cache, os.fspath(folder / name)) for name in ("src", "r1", "r2"))
        refs = refs[: more.get("n_refs", 1)]
        task = scorer.scored(cache, Leaf.of(cache, lists), source, tuple(refs))
        cache.build([task])
        summary = json.loads(Path(task.made(SUMMARY).path).read_text())
        with Reader(task.path, KBest) as found:
            result = list(found)
    firsts = [float(kbest.gain[0]) for kbest in result if kbest.gain is not None]
    if metric == GAINS:
        assert summary["first"] == pytest.approx(sum(firsts) / len(firsts))
    return result


def test_what_the_files_have(tmp_path: Path) -> None:
    copies = "; ".join(
        f"cp {{{name}}} {tmp_path}/{name}" for name in ("hypotheses", "references", "source")
    )
    lists = scored(tmp_path, f"{copies}; sed s/.*/0.5/ {{hypotheses}}", n_refs=2)
    pairs = list(dict.fromkeys((kbest.sid, text) for kbest in lists for text in kbest.text))
    files = {
        name: (tmp_path / name).read_text().splitlines()
        for name in ("hypotheses", "references", "source")
    }
    assert files["hypotheses"] == [text for _, text in pairs]
    assert files["references"] == [f"one {sid}\ttwo parts {sid}" for sid, _ in pairs]
    assert files["source"] == [f"source {sid}" for sid, _ in pairs]
    left = {path.suffix for path in (tmp_path / "cache").iterdir()}
    assert left == {"", ".json", ".kbest", ".numbers", ".seal", ".stderr", ".tsv"}


def test_a_pair_is_priced_once(tmp_path: Path, lengths: tuple[str, Path]) -> None:
    line, log = lengths
    lists = scored(tmp_path, line)
    pairs = {(kbest.sid, text) for kbest in lists for text in kbest.text}
    assert len(log.read_text().splitlines()) == len(pairs)
    for path in (tmp_path / "cache").glob("score-*"):
        path.unlink()
    again = scored(tmp_path, line)
    assert len(log.read_text().splitlines()) == len(pairs)
    assert [kbest.gain.tolist() for kbest in again if kbest.gain is not None] == [
        kbest.gain.tolist() for kbest in lists if kbest.gain is not None
    ]


def test_numbers_of_any_range_become_gains(tmp_path: Path) -> None:
    line = "sed s/.*/-3/ {hypotheses}"
    with pytest.raises(DataError, match="expected gains from 0 to 1"):
        raise_data(tmp_path / "a", line)
    (tmp_path / "b").mkdir()
    lists = scored(tmp_path / "b", line, limits=(-5.0, 0.0))
    assert all(kbest.gain is not None and set(kbest.gain) == {0.4} for kbest in lists)


def raise_data(folder: Path, line: str, **more: Any) -> None:
    """Score, and raise what the stage says as what it is."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "run", strict_run)
        scored(folder, line, **more)


def strict_run(cache: Cache, name: str, argv: list[str]) -> None:
    from campanula.stages import score_bleu

    score_bleu.body(score_bleu.parser().parse_args(argv))


FAULTS = {
    "status": ("sh -c 'echo no model >&2; exit 3' {hypotheses}", "exit status 3; it said: no mod"),
    "nothing": ("true {hypotheses} {gains}", "has written no {gains}"),
    "few": ("head -n 1 {hypotheses}", "lines, one for each hypothesis, found 1"),
    "nan": ("sed s/.*/nan/ {hypotheses}", "line 1: expected a finite number, found 'nan'"),
    "text": ("cat {hypotheses}", "line 1: expected a finite number, found 'hypothesis 0'"),
    "two": ("sed s/.*/1,2/ {hypotheses}", "line 1: expected a finite number, found '1,2'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    line, words = FAULTS[fault]
    work = tmp_path / "work"
    flags = ["mert", *tiny.write(tmp_path), "--shell", "--score-command"]
    if fault == "text":
        words = words.partition(", found")[0]
    assert tune.main([*flags, line, "--work-dir", os.fspath(work)]) == 1
    (printed,) = capsys.readouterr().err.splitlines()
    assert printed.startswith("tune: ")
    assert words in printed
    assert not (work / "weights").exists()
    assert list((work / "cache").glob("*.numbers")) == []


def test_it_may_not_take_too_long(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"score command: .* took longer than 0\.2 s"):
        scored(tmp_path, "sleep 30; cat {hypotheses}", timeout=0.2)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 2", "expected 18 statistics, whole numbers, found 1 2"),
        ("0.5 " * 18, "expected 18 statistics"),
        ("-1 " * 18, "expected 18 statistics"),
        ("", "found an empty line"),
    ],
)
def test_lines_that_are_no_statistics(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "gains").write_text(f"{'1 ' * 18}\n{line}\n")
    with pytest.raises(DataError, match=f"line 2: .*{words}"):
        numbers_of(os.fspath(tmp_path / "gains"), 2, 18)


def test_numbers_are_kept_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "gains").write_text(" 0.10 \n1e-3\r\n")
    assert numbers_of(os.fspath(tmp_path / "gains"), 2, None) == ["0.10", "1e-3"]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--score-command", "x {gains}"], "expected {hypotheses}"),
        (["--score-command", "x {hypotheses} {k}"], "{k} is none of"),
        (["--score-command", "x {hypotheses}", "--lowercase"], "go with --metric"),
        (["--gain-range", "0", "1"], "goes with --score-command"),
        (
            ["--score-command", "x {hypotheses}", "--gain-range", "0", "1", "--metric", "wer"],
            "--metric wer makes them itself",
        ),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else None,
)
def test_flags_that_do_not_go_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], words: str
) -> None:
    work = tmp_path / "work"
    given = ["mert", *tiny.write(tmp_path), *flags, "--work-dir", os.fspath(work)]
    assert tune.main(given) == 2
    assert words in capsys.readouterr().err
    assert not work.exists()


def test_batch_mira_wants_statistics_of_bleu(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["mira", *tiny.write(tmp_path), "--score-command", "x {hypotheses}"]
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 2
    assert "batch-mira goes by BLEU" in capsys.readouterr().err


def test_what_counts(tmp_path: Path) -> None:
    (tmp_path / "program").write_text("one")
    cache = Cache(os.fspath(tmp_path))
    source, ref, lists = Leaf("s", "1"), Leaf("r", "2"), Leaf("l", "3")

    def path(line: str, source: Leaf = source, ref: Leaf = ref, timeout: float = 0.0) -> str:
        scorer = ExternalScorer.of(f"{tmp_path}/program {line}", False, GAINS, (), timeout, 1)
        return scorer.scored(cache, lists, source, (ref,)).path

    other = Leaf("x", "9")
    plain = path("{hypotheses}")
    assert plain == path("{hypotheses}", other, other, 9.0)
    assert path("{hypotheses} {references}") != path("{hypotheses} {references}", ref=other)
    assert path("{hypotheses} {source}") != path("{hypotheses} {source}", other)
    (tmp_path / "program").write_text("two")
    cache = Cache(os.fspath(tmp_path))
    assert path("{hypotheses}") != plain


def test_a_text_of_two_lines_is_refused(tmp_path: Path) -> None:
    records, _ = random_lists(3, n_lists=2, sparse=False)
    text = Texts.of(["a\nb"] * len(records[1]))
    lists = write_kbest(tmp_path / "dev.kbest", [records[0], replace(records[1], text=text)])
    with Cache(os.fspath(tmp_path / "cache")) as cache:
        scorer = ExternalScorer.of("cat {hypotheses}", False, GAINS, (), 0.0, 1)
        task = scorer.scored(cache, Leaf.of(cache, lists), Leaf("s", "1"), ())
        with pytest.raises(DataError, match="sentence 1: expected one line of text"):
            cache.build([task])

"""The loop on a tiny model: what it leaves, what it reuses, and that jobs do not matter."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from campanula.formats.collections.collection import Collection
from campanula.formats.weights import Weights
from campanula.pipelines import history, tune
from campanula.stages import rerank
from tests.pipelines import tiny

SMALL = ["--iterations", "2", "--cccp-iterations", "2", "--epochs", "2", "--eta", "0.05"]
Run = Callable[..., Counter[str]]


@pytest.fixture
def run(tmp_path: Path, commands: list[str]) -> Run:
    """Run `tune rampion` with further flags; returns how often each stage was run."""
    flags = tiny.write(tmp_path)

    def run(*more: str, work: str = "work") -> Counter[str]:
        commands.clear()
        folder = os.fspath(tmp_path / work)
        assert tune.main(["rampion", *flags, *SMALL, "-q", "--work-dir", folder, *more]) == 0
        return Counter(commands)

    return run


def contents(folder: Path) -> dict[str, bytes]:
    """All results in a folder, by name; an iteration's file says how long it took."""
    files = (path for path in folder.iterdir() if not path.name.startswith("iteration-"))
    return {path.name: path.read_bytes() for path in files}


def test_what_a_run_leaves(run: Run, tmp_path: Path) -> None:
    run()
    work = tmp_path / "work"
    assert {"cache", "history.jsonl", "weights"} <= set(os.listdir(work))
    first, last = history.read(os.fspath(work / "history.jsonl"))
    assert (first.iteration, last.iteration, first.lists) == (0, 1, 4)
    assert first.tuned is None
    assert last.tuned is not None
    assert first.objective is not None
    assert set(first.seconds) == {"decode", "score", "optimise", "orchestration"}
    assert all(seconds >= 0.0 for seconds in first.seconds.values())
    made = [path for path in contents(work / "cache").values() if path]
    assert (work / "weights").read_bytes() in made


def test_the_values_are_of_what_rerank_chooses(run: Run, tmp_path: Path) -> None:
    """The first hypotheses are the best under the weights that decoded them."""
    import sacrebleu

    run("--iterations", "1")
    lists = [str(path) for path in (tmp_path / "work" / "cache").glob("decode-*.kbest")]
    values = set()
    for path in lists:
        for weights in (tmp_path / "w0", tmp_path / "work" / "weights"):
            out = tmp_path / "best"
            argv = [path, "--weights", os.fspath(weights), "-q", "-o", os.fspath(out)]
            assert rerank.main(argv) == 0
            best = out.read_text(encoding="utf-8").splitlines()
            values.add(sacrebleu.corpus_bleu(best, tiny.REFS, tokenize="none").score)
    (only,) = history.read(os.fspath(tmp_path / "work" / "history.jsonl"))
    assert only.tuned is not None
    assert {only.dev, only.tuned.dev} <= values


@pytest.mark.parametrize(
    "more", [["--keep", "last"], ["--keep", "best"], ["--keep", "best", "--trim"]], ids=" ".join
)
def test_the_translations_are_those_of_the_weights_that_are_kept(
    run: Run, tmp_path: Path, more: list[str]
) -> None:
    """Dev as a test set of another name is decoded for itself; both come to what history says."""
    import sacrebleu

    texts = [os.fspath(tmp_path / name) for name in ("dev.de", "dev.en0", "dev.en1")]
    run("--test", "x", *texts, *more)
    work = tmp_path / "work"
    last = history.read(os.fspath(work / "history.jsonl"))[-1]
    assert last.tuned is not None
    lines = (work / "dev.out").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(tiny.SOURCE)
    value = sacrebleu.corpus_bleu(lines, tiny.REFS, tokenize="none").score
    assert value == pytest.approx(last.tuned.dev, abs=1e-9)
    assert (work / "x.out").read_bytes() == (work / "dev.out").read_bytes()


def test_a_second_run_does_nothing(run: Run, tmp_path: Path) -> None:
    first = run()
    before = (
        contents(tmp_path / "work" / "cache"),
        (tmp_path / "work" / "history.jsonl").read_text(),
    )
    assert first == {"decode": 3, "score-bleu": 3, "optimize": 2}
    assert run() == {}
    after = contents(tmp_path / "work" / "cache"), (tmp_path / "work" / "history.jsonl").read_text()
    assert after == before


def test_a_change_redoes_what_depends_on_it(run: Run) -> None:
    run()
    again = run("--epochs", "3")  # the first lists stay
    assert again == {"decode": 2, "score-bleu": 2, "optimize": 2}
    assert run("--eta", "0.06")["decode"] == 2
    assert run("--alpha", "9") == {"decode": 2, "score-bleu": 2, "optimize": 2}
    assert run("--gain", "none") == {"decode": 2, "score-bleu": 3, "optimize": 2}
    assert run("-k", "15")["decode"] == 3
    more = run("--iterations", "3")
    assert more == {"decode": 2, "score-bleu": 2, "optimize": 1}
    assert run("--jobs", "2") == {}


def test_jobs_do_not_matter(run: Run, tmp_path: Path) -> None:
    run("--jobs", "1", work="one")
    run("--jobs", "2", work="two")
    assert contents(tmp_path / "one" / "cache") == contents(tmp_path / "two" / "cache")
    one, two = ((tmp_path / name / "weights").read_bytes() for name in ("one", "two"))
    assert one == two


def test_merged_lists_grow(run: Run, tmp_path: Path) -> None:
    runs = run("--merge", "--iterations", "3", "-k", "2")
    assert runs["merge-kbest"] == 2
    sizes = [h.hypotheses for h in history.read(os.fspath(tmp_path / "work" / "history.jsonl"))]
    assert sizes == sorted(sizes)
    assert sizes[0] == 8


@pytest.mark.parametrize(("at", "expected"), [("each", [1, 1]), ("ends", [1, 0])])
def test_test_sets(run: Run, tmp_path: Path, at: str, expected: list[int]) -> None:
    path = {name: os.fspath(tmp_path / name) for name in ("dev.de", "dev.en0", "dev.en1")}
    test = ["--test", "same", path["dev.de"], path["dev.en0"], path["dev.en1"]]
    run(*test, "--test-at", at)
    lines = history.read(os.fspath(tmp_path / "work" / "history.jsonl"))
    assert [len(line.test) for line in lines] == expected
    assert lines[0].test["same"] == lines[0].dev
    assert lines[-1].tuned is not None
    assert lines[-1].tuned.test == {"same": lines[-1].tuned.dev}


def test_references_unlike_what_is_decoded_are_worth_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = tiny.write(tmp_path)
    place = flags.index("--ref") + 1
    marked = [line.replace("dog", "d@@ og") for line in tiny.REFS[0]]
    Path(flags[place]).write_text("".join(f"{line}\n" for line in marked))
    folder = ["--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(["rampion", *flags, *SMALL, *folder]) == 0
    printed = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert printed == [
        "tune: warning: dev: the references have subword marks such as '@@', the texts none",
    ]


def in_parts_of(tmp_path: Path, flags: list[str]) -> list[str]:
    """The flags with texts in two parts."""
    in_parts = []
    for word in flags:
        if os.path.basename(word).startswith("dev."):
            folder = tmp_path / f"{os.path.basename(word)}.parts"
            folder.mkdir()
            text = Path(word).read_text(encoding="utf-8").splitlines(keepends=True)
            (folder / "0").write_text(text[0], encoding="utf-8")
            (folder / "1").write_text("".join(text[1:]), encoding="utf-8")
            word = os.fspath(folder)
        in_parts.append(word)
    return in_parts


def test_workers_tune_to_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    flags = in_parts_of(tmp_path, tiny.write(tmp_path))
    for name, engine in (("alone", []), ("dask", ["--engine", "dask", "--dask-workers", "1"])):
        work = ["--work-dir", os.fspath(tmp_path / name)]
        argv = ["rampion", *flags, *SMALL, "--merge", *engine, "-q", *work]
        assert tune.main(argv) == 0
    alone, dask = (
        {
            path.relative_to(tmp_path / name).as_posix(): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file() and path.suffix in (".kbest", ".weights", ".json")
        }
        for name in ("alone", "dask")
    )
    unlike = ("cache/iteration-", "run.json")
    names = {name for name in alone if not name.startswith(unlike)}
    assert {name for name in dask if not name.startswith(unlike)} == names
    assert {name: dask[name] for name in names} == {name: alone[name] for name in names}


def test_workers_need_texts_in_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = [*tiny.write(tmp_path), "--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(["rampion", *flags, "--engine", "dask"]) == 2
    assert "--engine dask takes folders of texts" in capsys.readouterr().err


def test_texts_in_parts_are_tuned_on_as_collections(tmp_path: Path) -> None:
    flags = tiny.write(tmp_path)
    in_parts = in_parts_of(tmp_path, flags)
    for name, data in (("one", flags), ("parts", in_parts)):
        argv = ["rampion", *data, *SMALL, "--merge", "-q", "--work-dir", str(tmp_path / name)]
        assert tune.main(argv) == 0
    one, parts = (Weights.read(str(tmp_path / name / "weights")) for name in ("one", "parts"))
    assert dict(one) == dict(parts)
    (lists,) = (tmp_path / "parts" / "cache").glob("merge-kbest-*.kbest")
    assert len(Collection.open(os.fspath(lists)).shards) == 2


def test_other_decoders_read_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = tiny.write(tmp_path)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "0").write_text("a\n" * 4, encoding="utf-8")
    data = ["--source", str(tmp_path / "parts"), *flags[2:6], "--weights", str(tmp_path / "w0")]
    decoder = ["--decode-command", "cat {source} {weights} {k}"]
    argv = ["rampion", *data, *decoder, "-q", "--work-dir", str(tmp_path / "run")]
    assert tune.main(argv) == 1
    assert "parts: expected a file for --decode-command, found a folder" in capsys.readouterr().err

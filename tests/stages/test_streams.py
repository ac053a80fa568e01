"""What every command that reads a stream does with a bad one, or with a bad place to write."""

import io
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.records import columns
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.stages.metrics.bleu import Bleu
from tests.examples import random_lists, write_kbest
from tests.fuzzing import wire
from tests.present import present

BIN = Path(sys.executable).parent
THETA = ["LM0 0.5", "WordPenalty0 -0.25", "count_7 1", *(f"pair_{i} {i}" for i in range(6))]
FLAGS = {
    "score-bleu": ["--ref", "ref", "--allow-missing"],
    "oracle-search": [],
    "impute-hope": ["--weights", "w"],
    "select-violating": ["--weights", "w", "--truth", "k"],
    "optimize": ["--weights", "w", "--cccp-iterations", "2", "--epochs", "1"],
    "merge-kbest": [],
    "prune-kbest": ["-k", "2"],
    "drop-features": [],
    "rerank": ["--weights", "w"],
    "show": [],
    "kbest-stats": [],
    "export-nbest": [],
}
EVERY = pytest.mark.parametrize("script", FLAGS)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with a scored stream `k`, references, weights; commands run within it."""
    monkeypatch.chdir(tmp_path)
    write_kbest("k", random_lists(11, n_lists=6)[0])
    Path("ref").write_text("hypothesis one\n" * 6)
    Path("w").write_text("\n".join(THETA) + "\n")
    return tmp_path


def run(script, source, *flags):
    """Exit status of a command within this process."""
    main = import_module(f"campanula.stages.{script.replace('-', '_')}").main
    return main([source, *FLAGS[script], *flags])


def refused(script, source, capsys, problem=""):
    """Whether a command exits with 1, in one line on stderr, with nothing written."""
    before = sorted(Path().iterdir())
    status = run(script, source, "-o", "out")
    said = capsys.readouterr()
    assert (status, said.out) == (1, "")
    assert said.err.count("\n") == 1, said.err
    assert said.err.startswith(f"{script}: ")
    assert problem in said.err
    return sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("script", "flags"),
    [
        ("merge-kbest", []),
        ("prune-kbest", ["--distinct"]),
        ("drop-features", []),
        ("oracle-search", []),
        ("rerank", ["--weights", "w", "--kbest"]),
    ],
)
def test_lists_that_are_passed_on_keep_their_metric(script, flags):
    metric = Bleu(gain="he-deng", n_refs=3).header()
    with Writer("scored", KBest, "how", metric) as out:
        for kbest in random_lists(11, n_lists=6)[0]:
            out.write(kbest)
    assert run(script, "scored", "-q", "-o", "out", *flags) == 0
    with Reader("out", KBest) as lists:
        assert lists.metric == metric


@EVERY
def test_a_second_run_gives_the_same_bytes(script):
    for out in ("one", "other"):
        assert run(script, "k", "-q", "-o", out) == 0
    assert Path("one").read_bytes() == Path("other").read_bytes() != b""


@EVERY
def test_a_pipe_is_as_good_as_a_file(script):
    assert run(script, "k", "-q", "-o", "out") == 0
    with open("k", "rb") as stream:
        done = subprocess.run(
            [BIN / script, "-", *FLAGS[script]], stdin=stream, capture_output=True, check=True
        )
    assert done.stdout == Path("out").read_bytes()


@EVERY
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_cut_stream(script, share, capsys):
    data = Path("k").read_bytes()
    Path("k").write_bytes(data[: int(share * len(data))])
    assert refused(script, "k", capsys)


@EVERY
def test_a_flipped_byte(script, capsys):
    data = Path("k").read_bytes()
    for place in range(0, len(data), len(data) // 7):
        damaged = bytearray(data)
        damaged[place] ^= 0x10
        Path("k").write_bytes(damaged)
        assert refused(script, "k", capsys)


@EVERY
def test_another_kind(script, capsys):
    with Writer("h", Hope, "how") as out:
        out.write(Hope(0, 2, np.array([1]), np.array([1.0])))
    if script != "show":
        expected = "h: expected a stream of kind 'kbest', found 'hope'"
        assert refused(script, "h", capsys, expected)
    assert refused(script, "w", capsys, "w: expected a stream")


@EVERY
def test_no_stream_at_all(script, capsys):
    assert refused(script, "/dev/null", capsys, "/dev/null: expected a stream")


@EVERY
def test_a_directory_and_no_file(script, capsys):
    Path("d").mkdir()
    problem = "expected a file, or a collection with its collection.json, found a folder without"
    assert refused(script, "d", capsys, f"d: {problem}")
    assert refused(script, "none", capsys, "none: cannot be read: No such file or directory")


@EVERY
def test_a_full_disk(script, capsys):
    assert run(script, "k", "-q", "-o", "/dev/full") == 1
    assert capsys.readouterr().err == (
        f"{script}: /dev/full: cannot be written: No space left on device\n"
    )


@EVERY
def test_an_output_in_no_folder(script, capsys):
    assert run(script, "k", "-q", "-o", "none/out") == 1
    assert "none/out: cannot be written: No such file or directory" in capsys.readouterr().err


@EVERY
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_feature_that_is_not_finite(script, value, capsys, monkeypatch):
    first, second, *_ = random_lists(11)[0]
    dense = second.features.dense.copy()
    dense[0, 0] = value
    second = replace(second, features=replace(second.features, dense=dense))
    with monkeypatch.context() as another_writer:  # ours refuses it
        another_writer.setattr(columns, "pack_floats", lambda v: ["<f8", np.asarray(v).tobytes()])
        write_kbest("k", [first, second])
    expected = f"k: sentence 1: feature 'LM0': expected a finite number, found {value}"
    assert refused(script, "k", capsys, expected)


@pytest.mark.parametrize("script", ["score-bleu", "merge-kbest", "show", "export-nbest"])
def test_a_reader_that_leaves_is_no_error(script):
    long = random_lists(11, n_lists=6)[0]
    write_kbest("k", [replace(k, text=Texts.of("x" * 99_999 for _ in k.text)) for k in long])
    command = [BIN / script, "k", *FLAGS[script]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        stdout, stderr = present(process.stdout), present(process.stderr)
        stdout.read(1)
        stdout.close()
        assert (process.wait(60), stderr.read()) == (141, b"")


def test_a_producer_that_fails_fails_the_whole_pipe():
    data = Path("k").read_bytes()
    Path("k").write_bytes(data[: len(data) // 2])
    pipe = f"{BIN}/merge-kbest k | {BIN}/score-bleu --ref ref - | {BIN}/oracle-search - -o out"
    done = subprocess.run(["bash", "-c", pipe], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert [line.partition(":")[0] for line in sorted(done.stderr.splitlines())] == [
        "merge-kbest",
        "oracle-search",
        "score-bleu",
    ]
    assert not Path("out").exists()


TEXTS = {"show", "kbest-stats", "export-nbest", "rerank", "optimize"}


@EVERY
def test_stdout_may_take_text_alone_as_in_a_notebook(script, capsys):
    assert run(script, "k", "-q", "-o", "out") == 0
    with redirect_stdout(io.StringIO()) as text:
        status = run(script, "k", "-q")
    if script in TEXTS:
        assert (status, text.getvalue()) == (0, Path("out").read_text())
    else:
        assert (status, text.getvalue()) == (1, "")
        problem = f"{script}: stdout: takes text alone here; name a file with -o\n"
        assert capsys.readouterr().err == problem
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())) as file:
        assert run(script, "k", "-q") == 0
    assert file.buffer.getvalue() == Path("out").read_bytes()


def change_names(messages):
    messages[1]["dense_id"].values[1] = messages[1]["dense_id"].values[0]


def change_gain(messages):
    messages[2]["gain"].values[0] = 1.25


def change_stats(messages):
    for message, width in zip(messages[1:3], (10, 9), strict=True):
        message["stats"] = wire.Column("|u1", [0] * width * len(message["gain"].values))


def change_counts(messages):
    size = len(messages[1]["gain"].values)
    messages[1]["stats"] = wire.Column("<i8", [0] * (10 * size - 1) + [-1])


def change_signature(messages):
    messages[0]["signature"] = "made\nLM0 99"


def change_metric(messages):
    messages[0]["metric"] = {"name": None}


@EVERY
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (change_names, "k: sentence 0: feature 'LM0' stands "),
        (change_gain, "k: sentence 1: column 'gain': expected numbers of at most 1, found 1.25"),
        (change_stats, "k: sentence 1: expected 10 statistics a hypothesis as before, found 9"),
        (change_counts, "k: sentence 0: column 'stats': expected counts from 0 on, found -1"),
        (change_signature, "k: header: expected a line of text 'signature', found 'made"),
        (change_metric, "k: header: expected the name of the metric, found nothing"),
    ],
)
def test_a_record_that_cannot_be_is_refused(script, change, problem, capsys):
    messages = wire.loads(Path("k").read_bytes())
    change(messages)
    Path("k").write_bytes(wire.dumps(messages))
    assert refused(script, "k", capsys, problem)


@pytest.mark.parametrize("script", ["rerank", "oracle-search", "optimize"])
@pytest.mark.parametrize(
    ("header", "stats", "problem"),
    [
        ({}, [5, 5, 3, 2, 1, 0, 2, 1, 1, 0], "expected statistics that bleu can have, found 5 5 3"),
        ({"n_refs": 10**18}, None, "k: header: expected a number of references, found 10000000"),
        ({"tokenize": "no-such"}, None, "k: header: tokenize no-such: expected one of "),
        ({"gain": "nonsense"}, None, "k: header: metric bleu, gain 'nonsense': expected one of"),
    ],
)
def test_figures_of_statistics_that_cannot_be_are_refused(script, header, stats, problem, capsys):
    messages = wire.loads(Path("k").read_bytes())
    messages[0]["metric"] = {**Bleu().header(), **header}
    for message in messages[1:]:
        row = stats or [5, 5, 3, 2, 1, 0, 5, 4, 3, 2]
        message["stats"] = wire.Column("|u1", row * len(message["gain"].values))
    Path("k").write_bytes(wire.dumps(messages))
    assert refused(script, "k", capsys, problem)


@pytest.mark.parametrize("script", ["rerank", "optimize", "impute-hope"])
def test_lists_and_weights_are_not_both_stdin(script, capsys):
    main = import_module(f"campanula.stages.{script.replace('-', '_')}").main
    assert main(["-", "--weights", "-"]) == 2
    assert "only one input can be stdin" in capsys.readouterr().err


def test_a_file_whose_name_has_a_nul_is_refused(capsys):
    Path("ini").write_text("[weight]\nLM0= 1\n[weight-file]\na\0b\n")
    main = import_module("campanula.stages.import_weights").main
    assert main(["ini", "-o", "out"]) == 1
    assert "cannot be read: embedded null byte" in capsys.readouterr().err

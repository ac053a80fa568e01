"""Against Moses's own programs, whole processes in turn, where CAMPANULA_MOSES names their folder.

Its `kbmira`, `mert` and `extractor` read text files; `optimize` reads a scored stream, and the pipe
`import-nbest | score-bleu` the same text as `extractor`.  One thread each, Moses's default weights
to start from, four runs of 100-best lists.  Each line is the median of the ratios of the pairs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from campanula.formats.weights import Weights
from campanula.stages import import_nbest, import_weights, merge_kbest, score_bleu
from tests.examples import MOSES, MULTI30K

RUNS = range(1, 5)
PROGRAMS = Path(os.environ.get("CAMPANULA_MOSES", "nowhere"))
BIN = Path(sys.executable).parent


class Files(NamedTuple):
    folder: Path
    features: list[Path]
    scores: list[Path]


def shell(command: str, folder: Path) -> float:
    """Wall time of a shell command."""
    start = time.perf_counter()
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return time.perf_counter() - start


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The lists in Moses's format and in ours, and the weights that Moses begins with."""
    if not MOSES.exists() or not PROGRAMS.exists():
        pytest.skip("the shared data or Moses's programs are not there")
    folder = tmp_path_factory.mktemp("moses")
    reference = str(MULTI30K / "val.en")
    for n in RUNS:
        packed = MOSES / f"run{n}.best100.gz"
        shell(f"gzip -dc {packed} > text{n}", folder)
        shell(extract(f"text{n}", f"{n}"), folder)
        import_nbest.main([str(packed), "-q", "-o", str(folder / f"run{n}")])
    merge_kbest.main([*(str(folder / f"run{n}") for n in RUNS), "-q", "-o", str(folder / "merged")])
    score_bleu.main([f"{folder}/merged", "--ref", reference, "-q", "-o", f"{folder}/scored"])
    write_weights(folder)
    return Files(
        folder, [folder / f"{n}.features" for n in RUNS], [folder / f"{n}.scores" for n in RUNS]
    )


def extract(text: str, stem: str) -> str:
    """The command of Moses's extractor."""
    return (
        f"{PROGRAMS}/extractor --scconfig case:true --scfile {stem}.scores --ffile {stem}.features"
        f" -r {MULTI30K / 'val.en'} -n {text}"
    )


def write_weights(folder: Path) -> None:
    """Moses's default weights for us, for kbmira, and for mert with its range of restarts."""
    ours = folder / "weights"
    import_weights.main([str(MOSES / "run1.weights.ini"), "-q", "-o", str(ours)])
    weights = {
        name: value for name, value in Weights.read(str(ours)).items() if "Unknown" not in name
    }
    Weights(weights).write(str(ours))
    lines = [f"{name}= {value}\n" for name, value in weights.items()]
    (folder / "dense").write_text("".join(lines))
    rows = [list(weights.values()), [0.0] * len(weights), [1.0] * len(weights)]
    (folder / "init").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))


def ratios(theirs: str, ours: str, folder: Path, pairs: int) -> str:
    """The times of both and how many times as fast ours is, pair by pair after a warm-up."""
    shell(ours, folder)
    times = [(shell(theirs, folder), shell(ours, folder)) for _ in range(pairs)]
    ratio = sorted(one / other for one, other in times)
    one, other = (statistics.median(column) for column in zip(*times, strict=True))
    spread = f"({ratio[0]:.2f}-{ratio[-1]:.2f}, {pairs} pairs)"
    return f"{one:.2f} s and {other:.2f} s, {statistics.median(ratio):.2f} x {spread}"


def optimize(solver: str) -> str:
    """Our command on the scored stream."""
    return f"{BIN}/optimize scored --solver {solver} --weights weights -q -o tuned"


@pytest.mark.benchmark(group="moses")
def test_batch_mira(files, benchmark, capsys):
    """kbmira's 60 epochs, which it does by default."""
    pairs = zip(files.features, files.scores, strict=True)
    data = " ".join(f"--ffile {feature} --scfile {score}" for feature, score in pairs)
    theirs = f"{PROGRAMS}/kbmira --dense-init dense {data} -o theirs"
    with capsys.disabled():
        print(
            f"\nkbmira and batch-mira: {ratios(theirs, optimize('batch-mira'), files.folder, 11)}"
        )
    benchmark.pedantic(shell, (optimize("batch-mira"), files.folder), rounds=1)


@pytest.mark.benchmark(group="moses")
def test_line_search(files, benchmark, capsys):
    """mert's 20 climbs, and our climb from the default weights and 20 restarts."""
    ffile, scfile = (",".join(map(str, names)) for names in (files.features, files.scores))
    data = f"--ffile {ffile} --scfile {scfile} --ifile init -d 14 -n 20 -r 1"
    theirs, ours = (
        f"{PROGRAMS}/mert {data} --scconfig case:true",
        optimize("line-search --restarts 20"),
    )
    with capsys.disabled():
        print(f"\nmert and line-search: {ratios(theirs, ours, files.folder, 1)}")
    benchmark.pedantic(shell, (ours, files.folder), rounds=1)


@pytest.mark.benchmark(group="moses")
def test_statistics(files, benchmark, capsys):
    """BLEU statistics of the 66,464 hypotheses of run 1, from text."""
    score = f"{BIN}/score-bleu --ref {MULTI30K / 'val.en'} -q -o ours"
    ours = f"{BIN}/import-nbest text1 -q | {score}"
    with capsys.disabled():
        times = ratios(extract("text1", "theirs"), ours, files.folder, 7)
        print(f"\nextractor and import-nbest | score-bleu: {times}")
    benchmark.pedantic(shell, (ours, files.folder), rounds=1)

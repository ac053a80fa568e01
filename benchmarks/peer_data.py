"""The files that the rows of `bench_peers` read, each made when it is first asked for.

All come from Multi30k and a Moses model of it, German to English: the folder CAMPANULA_DATA with
`multi30k/` and `moses-de-en/`.  With `times` = 10 there is everything ten times over: texts one
after another, lists with ids that go on; with 0 the first sentence alone.
"""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from benchmarks.side_by_side import cost

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("CAMPANULA_DATA", ROOT.parent / "shared" / "data"))
MODEL, TEXTS = DATA / "moses-de-en", DATA / "multi30k"
MOSES = Path(os.environ.get("CAMPANULA_MOSES", "nowhere"))
KENLM = Path(os.environ.get("CAMPANULA_KENLM", "nowhere"))
MOSES_INI = MODEL / "moses.ini"
BIN = Path(sys.executable).parent
PLAIN = f"env PYTHONPATH={ROOT} {sys.executable} -m benchmarks.plain_numpy"
RUNS = range(1, 5)

# Moses's default weights under our names, in the order of its lists
START = {f"LexicalReordering0_{i}": 0.3 for i in range(6)}
START |= {"Distortion0": 0.3, "LM0": 0.5, "WordPenalty0": -1.0, "PhrasePenalty0": 0.2}
START |= {f"TranslationModel0_{i}": 0.2 for i in range(4)}


class Task:
    """Files of the data in a folder; times: how many times over they have the data."""

    def __init__(self, folder: Path, times: int = 1) -> None:
        self.folder = folder
        self.times = times

    def shell(self, command: str) -> None:
        """Run a command in the folder."""
        cost(command, self.folder)

    def ours(self, command: str) -> str:
        """A command line of ours."""
        return f"{BIN}/{command}"

    def _text(self, name: str) -> Path:
        path = self.folder / name
        text = (TEXTS / name).read_bytes()
        # zero times the text is empty, and so false: then it is the first line
        path.write_bytes(text * self.times or text[: text.index(b"\n") + 1])
        return path

    @cached_property
    def source(self) -> Path:
        """The validation set in German."""
        return self._text("val.de")

    @cached_property
    def reference(self) -> Path:
        """The validation set in English."""
        return self._text("val.en")

    @cached_property
    def train(self) -> Path:
        """The English side of the training text."""
        return self._text("train.en")

    @cached_property
    def arpa(self) -> Path:
        """The 5-gram model, unpacked."""
        path = self.folder / "lm.arpa"
        path.write_bytes(gzip.decompress((MODEL / "lm.arpa.gz").read_bytes()))
        return path

    @cached_property
    def binary(self) -> Path:
        """KenLM's own form of the model, made once, as ours in the cache is."""
        path = self.folder / "lm.binary"
        # probing is KenLM's default, and the fastest of its forms
        self.shell(f"{KENLM}/build_binary probing {self.arpa} {path}")
        return path

    def lists(self, run: int) -> Path:
        """Moses's 100-best lists of an iteration, as text."""
        path = self.folder / f"text{run}"
        if not path.exists():
            with gzip.open(MODEL / f"run{run}.best100.gz", "rt", encoding="utf-8") as file:
                lines = [line.partition(" ||| ") for line in file]
            # ids of a copy go on where those of the one before end
            step = 1 + max(int(sid) for sid, _, _ in lines)
            if not self.times:
                lines = [line for line in lines if line[0] == "0"]
            with path.open("w", encoding="utf-8") as out:
                for copy in range(max(1, self.times)):
                    out.writelines(f"{int(sid) + copy * step} ||| {rest}" for sid, _, rest in lines)
        return path

    @cached_property
    def texts(self) -> Path:
        """The hypotheses of run 1, a line each."""
        path = self.folder / "hypotheses"
        with path.open("w", encoding="utf-8") as out:
            out.writelines(f"{text}\n" for text in self._hypotheses())
        return path

    def _hypotheses(self) -> Iterator[str]:
        with self.lists(1).open(encoding="utf-8") as file:
            for line in file:
                yield line.split(" ||| ", 2)[1].strip()

    def kbest(self, run: int) -> Path:
        """The lists of an iteration as a stream."""
        path = self.folder / f"run{run}"
        if not path.exists():
            self.shell(self.ours(f"import-nbest {self.lists(run)} -q -o {path}"))
        return path

    @cached_property
    def scored(self) -> Path:
        """Run 1 with BLEU statistics."""
        return self._score(self.kbest(1), "scored")

    @cached_property
    def merged(self) -> Path:
        """Runs 1 to 4 merged, with BLEU statistics."""
        runs = " ".join(str(self.kbest(run)) for run in RUNS)
        self.shell(self.ours(f"merge-kbest {runs} -q -o merged"))
        return self._score(self.folder / "merged", "merged-scored")

    def _score(self, lists: Path, name: str) -> Path:
        self.shell(self.ours(f"score-bleu {lists} --ref {self.reference} -q -o {name}"))
        return self.folder / name

    @cached_property
    def weights(self) -> Path:
        """Moses's default weights as a file of ours."""
        path = self.folder / "weights"
        path.write_text("".join(f"{name} {value}\n" for name, value in START.items()))
        return path

    @cached_property
    def moses2_ini(self) -> Path:
        """Moses2's configuration: cube pruning, pop limit 1000, stack 200."""
        text = MOSES_INI.read_text()
        # paths in the folder's moses.ini are relative to it, and commands run elsewhere
        for name in ("phrase-table.gz", "reordering-table.gz"):
            text = text.replace(f"path={name}", f"path={MODEL / name}")
        # the binary form, or each run of the peer would begin with reading the ARPA file
        text = text.replace("path=lm.arpa.gz", f"path={self.binary}")
        text = f"[search-algorithm]\n1\n[cube-pruning-pop-limit]\n1000\n[stack]\n200\n{text}"
        path = self.folder / "moses2.ini"
        path.write_text(text)
        return path

    @cached_property
    def stems(self) -> list[str]:
        """Stems of Moses's files of features and statistics of runs 1 to 4."""
        for run in RUNS:
            self.shell(self.extractor(run, f"run{run}"))
        return [f"run{run}" for run in RUNS]

    def extractor(self, run: int, stem: str, flags: str = "") -> str:
        """The command of Moses's extractor; it keeps duplicates, as we do."""
        return (
            # case:true, since words that differ in case differ for our BLEU, too
            f"{MOSES}/extractor -d --scconfig case:true --scfile {stem}.scores"
            f" --ffile {stem}.features {flags} -r {self.reference} -n {self.lists(run)}"
        )

    @cached_property
    def moses_init(self) -> Path:
        """Where `mert` begins, and the range of its restarts."""
        # from 0 to 1, as our random starts are drawn
        rows = (START.values(), [0.0] * len(START), [1.0] * len(START))
        path = self.folder / "init"
        path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
        return path

    @cached_property
    def moses_dense(self) -> Path:
        """Where `kbmira` begins."""
        path = self.folder / "dense"
        path.write_text("".join(f"{name}= {value}\n" for name, value in START.items()))
        return path

    @cached_property
    def prepared(self) -> Path:
        """Run 1 as `train-expected-bleu` reads it; with `names`, `start` and `gains` beside it."""
        lists = self.lists(1)
        program = f"{MOSES}/prepare-expected-bleu-training"
        # -i is required: `none` has no names of features to ignore
        self.shell(f"touch none; {program} -n {lists} -f names -i none > prepared")
        # the first line is the number of names
        lines = (self.folder / "names").read_text().splitlines()[1:]
        names = [line.split()[1] for line in lines]
        start = "".join(f"{name} {START[plus_numbered(name)]}\n" for name in names)
        (self.folder / "start").write_text(start)
        return self.folder / "prepared"

    @cached_property
    def gained(self) -> Path:
        """Run 1 with the gains that Moses's `sentence-bleu-nbest` counts, or ours without it."""
        program = MOSES / "sentence-bleu-nbest"
        if not program.exists():
            return self.scored
        # sentence BLEU can be smoothed in many ways: with one side's gains for both, the expected
        # BLEU that either reaches can be compared
        self.shell(f"{program} {self.reference} < {self.lists(1)} > gains")
        column = "--metric gain-column --column gains"
        self.shell(self.ours(f"score-bleu {self.kbest(1)} {column} -q -o gained"))
        return self.folder / "gained"


def plus_numbered(name: str) -> str:
    """Our name of a feature where values of a label are F, F+, F++, ... ."""
    label = name.rstrip("+")
    return label if label in START else f"{label}_{name.count('+')}"

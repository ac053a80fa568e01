"""The files that `bench_growth` runs commands on, of 1, 10 and 100 times as much data.

A sample makes each of its files when it is first asked for.  In each of the three kinds something
else grows: sentences, words of one sentence, hypotheses of one list.  `size` 0 is the smallest
possible data, whose cost is that of starting.  All come from Multi30k and a Moses model of it
(CAMPANULA_DATA, as in `peer_data`).
"""

from __future__ import annotations

import gzip
from abc import ABC, abstractmethod
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path

from benchmarks.peer_data import BIN, MODEL, MOSES_INI, RUNS, START, TEXTS
from benchmarks.side_by_side import cost

SENTENCES = 1014  # of the validation set
SIZES = (0, 1, 10, 100)


def pool(*names: str) -> list[str]:
    """Lines of some files of Multi30k, one after another."""
    return [line for name in names for line in (TEXTS / name).read_text("utf-8").splitlines()]


class Sample(ABC):
    """Files of one size in a folder; a subclass defines what grows with the size."""

    arpa = MODEL / "lm.arpa.gz"
    ini = MOSES_INI

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
        self.size = size
        folder.mkdir(parents=True)

    @cached_property
    def table(self) -> Path:
        """A phrase table."""
        return MODEL / "phrase-table.gz"

    def run(self, command: str, name: str) -> Path:
        """Run a command of ours; return the path of its output, a file `name`."""
        cost(f"{BIN}/{command} -q -o {name}", self.folder)
        return self.folder / name

    def write(self, name: str, lines: list[str]) -> Path:
        """A text file of these lines."""
        path = self.folder / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    @property
    @abstractmethod
    def source(self) -> Path:
        """Sentences to translate."""

    @property
    @abstractmethod
    def meant(self) -> Path:
        """References of `source`."""

    @cached_property
    def kbest(self) -> Path:
        """Lists of a dozen features."""
        return self.run(f"decode {self.source} --moses-ini {self.ini} -k 100", "kbest")

    @cached_property
    def reference(self) -> Path:
        """References of `kbest`."""
        return self.meant

    @cached_property
    def nbest(self) -> Path:
        """The lists as Moses's text."""
        return self.run(f"export-nbest {self.kbest}", "nbest")

    @cached_property
    def more(self) -> Path:
        """Other lists of the same sentences."""
        # every feature is in a sentence at least, so that all stay: the same lists
        return self.run(f"drop-features {self.kbest} --min-count 1", "more")

    @cached_property
    def scored(self) -> Path:
        """The lists with BLEU statistics."""
        return self.run(f"score-bleu {self.kbest} --ref {self.reference}", "scored")

    @cached_property
    def weights(self) -> Path:
        """Moses's default weights."""
        return self.write("weights", [f"{name} {value}" for name, value in START.items()])

    @cached_property
    def truth(self) -> Path:
        """The five best hypotheses of every list."""
        return self.run(f"oracle-search {self.scored} --n 5", "truth")

    @cached_property
    def output(self) -> Path:
        """The best translations under the weights."""
        return self.run(f"rerank {self.kbest} --weights {self.weights} --allow-missing", "output")

    @cached_property
    def other(self) -> Path:
        """The best translations of the other lists."""
        return self.run(f"rerank {self.more} --weights {self.weights} --allow-missing", "other")

    @cached_property
    def sparse(self) -> Path:
        """20-best lists with block features."""
        flags = f"--moses-ini {self.ini} -k 20 --features block"
        return self.run(f"decode {self.source} {flags}", "sparse")

    @cached_property
    def blocks(self) -> Path:
        """The same with gains."""
        return self.run(f"score-bleu {self.sparse} --ref {self.meant} --gain he-deng", "blocks")

    @cached_property
    def learned(self) -> Path:
        """Weights of block features."""
        flags = "--loss expected-bleu --iterations 2 --allow-missing"
        return self.run(f"optimize {self.blocks} --weights {self.weights} {flags}", "learned")

    @cached_property
    def lattice(self) -> Path:
        """Search graphs."""
        flags = f"--moses-ini {self.ini} -k 1 --lattice {self.folder}/lattice"
        self.run(f"decode {self.source} {flags}", "best")
        return self.folder / "lattice"


class Sentences(Sample):
    """`size` times 40 lists of Moses's, 290 training captions, 20 sentences to translate."""

    def _ids(self) -> range:
        # one list for size 0, the smallest data
        # 4,000 at size 100, of the 4 x 1,014 that Moses's runs have
        return range(max(1, 40 * self.size))

    def _lists(self, shift: int) -> list[str]:
        """Lines of the lists; list i is that of sentence i mod 1014 in one of the runs."""
        lines = []
        for turn in range(len(RUNS)):
            wanted = [i % SENTENCES for i in self._ids() if i // SENTENCES == turn]
            run = (turn + shift) % len(RUNS) + 1
            with gzip.open(MODEL / f"run{run}.best100.gz", "rt", encoding="utf-8") as file:
                groups = groupby(file, lambda line: int(line.split(" ", 1)[0]))
                for sid, group in islice(groups, len(wanted)):
                    new = turn * SENTENCES + sid
                    lines += [f"{new} ||| {x.partition(' ||| ')[2].rstrip()}" for x in group]
        return lines

    @cached_property
    def nbest(self) -> Path:
        return self.write("nbest", self._lists(0))

    @cached_property
    def kbest(self) -> Path:
        return self.run(f"import-nbest {self.nbest}", "kbest")

    @cached_property
    def more(self) -> Path:
        other = self.write("nbest.more", self._lists(1))
        return self.run(f"import-nbest {other}", "more")

    @cached_property
    def reference(self) -> Path:
        lines = pool("val.en")
        return self.write("reference", [lines[i % SENTENCES] for i in self._ids()])

    @cached_property
    def source(self) -> Path:
        lines = pool("val.de", "test_2016_flickr.de")
        # 2,000 at size 100, of the 2,014 of both files
        return self.write("source", lines[: max(1, 20 * self.size)])

    @cached_property
    def meant(self) -> Path:
        lines = pool("val.en", "test_2016_flickr.en")
        return self.write("meant", lines[: max(1, 20 * self.size)])

    def train(self, name: str) -> Path:
        """Part of a file of the training text."""
        # all 29,000 captions at size 100
        return self.write(name, pool(name)[: max(100, 290 * self.size)])

    @cached_property
    def german(self) -> Path:
        """Training text."""
        return self.train("train.de")

    @cached_property
    def english(self) -> Path:
        """Its other side."""
        return self.train("train.en")

    @cached_property
    def links(self) -> Path:
        """Its word alignment."""
        return self.train("train.de-en.align")

    @cached_property
    def table(self) -> Path:
        """The phrase table of the training text."""
        flags = f"--phrase-table {self.folder}/table.gz -q"
        cost(f"{BIN}/extract-blocks {self.german} {self.english} {self.links} {flags}", self.folder)
        return self.folder / "table.gz"


class Words(Sample):
    """One sentence of `size` times 10 words, joined from captions."""

    def _joined(self, *names: str) -> list[str]:
        """Captions with together at least so many German words, joined to one line."""
        words = 0
        lines = []
        for german, *others in zip(pool("val.de"), *map(pool, names), strict=True):
            if words >= max(1, 10 * self.size):
                break
            words += len(german.split())
            lines.append(others[0] if others else german)
        return [" ".join(lines)]

    @cached_property
    def source(self) -> Path:
        return self.write("source", self._joined())

    @cached_property
    def meant(self) -> Path:
        return self.write("meant", self._joined("val.en"))


class Hypotheses(Sample):
    """One list of `size` times 1,000 hypotheses, of a long caption."""

    @cached_property
    def source(self) -> Path:
        # a long caption, since a short one may not have 100,000 derivations
        return self.write("source", [max(pool("val.de")[:50], key=len)])

    @cached_property
    def meant(self) -> Path:
        lines = zip(pool("val.de")[:50], pool("val.en")[:50], strict=True)
        return self.write("meant", [max(lines, key=lambda pair: len(pair[0]))[1]])

    @cached_property
    def kbest(self) -> Path:
        flags = f"--moses-ini {self.ini} -k {max(1, 1000 * self.size)}"
        return self.run(f"decode {self.source} {flags}", "kbest")

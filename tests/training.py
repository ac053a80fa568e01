"""Small word-aligned corpora for tests, and models made of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np

from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.formats.model.model import Model, load_model
from campanula.formats.records.kbest import KBest
from campanula.stages import estimate_lm, extract_blocks
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.left_out.leave_one_out import LeftOut
from campanula.stages.decoding.left_out.training_text import TrainingText
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.small_models import SOURCE, TARGET, UNPRUNED, SearchOptions, arpa_text, random_ngrams

Pair = tuple[str, str, str]


@dataclass
class Corpus:
    """Lines of source, target and links, written to files in a folder."""

    pairs: list[Pair]
    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.paths = [str(self.folder / name) for name in ("source", "target", "links")]
        for path, lines in zip(self.paths, zip(*self.pairs, strict=True), strict=True):
            Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    @property
    def source(self) -> list[str]:
        return [source for source, _, _ in self.pairs]

    def text(self) -> TrainingText:
        return TrainingText(*self.paths)

    def extract(self) -> ModelFiles:
        """Phrase and reordering table of the corpus."""
        tables = [str(self.folder / name) for name in ("phrase-table", "reordering-table")]
        flags = ["--phrase-table", tables[0], "--reordering-table", tables[1], "-q"]
        assert extract_blocks.main([*self.paths, *flags]) == 0
        return ModelFiles(tables[0], (ReorderingTable(tables[1]),))

    def lms(self, several: bool = False) -> tuple[LanguageModelFile, ...]:
        """Names of a language model; with `several` of another one, over classes."""
        lm, class_lm, classes = (str(self.folder / name) for name in ("lm", "class-lm", "classes"))
        both = LanguageModelFile(lm), LanguageModelFile(class_lm, classes)
        return both if several else both[:1]

    def model(self, rng: random.Random | None = None, several: bool = False) -> Model:
        """The compiled model of the corpus, with a random language model if asked, or several."""
        lms = () if rng is None else self.lms(several)
        for lm, order in zip(lms, (2, 3), strict=False):
            assert rng is not None
            Path(lm.path).write_text(arpa_text(random_ngrams(rng, order), order), encoding="utf-8")
            if lm.classes is not None:
                Path(lm.classes).write_text("u\tw\nv\tu\nw\tw\nd\tx\n", encoding="utf-8")
        files = replace(self.extract(), lms=lms)
        return load_model(files, str(self.folder / "cache"))


def random_pairs(rng: random.Random, size: int, longest: int = 4) -> list[Pair]:
    """Some pairs of few words, with random links; some are there twice, some are empty."""
    pairs: list[Pair] = []
    for _ in range(size):
        source, target = (
            rng.choices(words, k=rng.randint(1, longest)) for words in (SOURCE, TARGET)
        )
        points = {
            (rng.randrange(len(source)), rng.randrange(len(target)))
            for _ in range(rng.randint(1, longest))
        }
        links = " ".join(f"{s}-{t}" for s, t in sorted(points))
        pairs.append((" ".join(source), " ".join(target), links))
    pairs.append(rng.choice(pairs))
    pairs.insert(
        rng.randrange(len(pairs)), rng.choice([("", "u", ""), ("a", "", ""), ("", "", "")])
    )
    return pairs


CLASSES = {"u": "A", "v": "B", "w": "A", "x": "C", "y": "D", "z": "D"}
OWN_WORDS = ("c d a", "y z y", "0-0 1-1 2-2")  # a pair whose target words are in no other


def estimated_lms(corpus: Corpus, *orders: int, classes: int = 0) -> tuple[LanguageModelFile, ...]:
    """Language models that estimate-lm makes of the corpus; one of order `classes` over classes."""
    target, folder = corpus.paths[1], corpus.folder
    lms: list[LanguageModelFile] = []
    for order in orders:
        lms.append(LanguageModelFile(str(folder / f"lm{len(lms)}")))
        argv = [target, "--order", str(order), "-q", "-o", lms[-1].path]
        assert estimate_lm.main(argv) == 0
    if classes:
        names = folder / "classes"
        names.write_text("".join(f"{word}\t{name}\n" for word, name in CLASSES.items()))
        lms.append(LanguageModelFile(str(folder / "class-lm"), str(names)))
        argv = [target, "--order", str(classes), "--classes", str(names), "-q"]
        assert estimate_lm.main([*argv, "-o", lms[-1].path]) == 0
    return tuple(lms)


def random_theta(rng: random.Random, model: Model) -> np.ndarray:
    return np.array([rng.uniform(0.05, 1) for _ in model.feature_names()])


def decode(
    model: Model,
    theta: np.ndarray,
    lines: list[str],
    left_out: LeftOut | None = None,
    sparse: SparseWeights | None = None,
    **settings: Unpack[SearchOptions],
) -> list[KBest]:
    """Lists of all derivations, or as the settings say."""
    search = replace(SearchSettings(**UNPRUNED), **settings)
    decoder = Decoder(model, theta, search, None, sparse, left_out)
    return list(decoder.decode_all(lines))

"""Small random translation models for tests, as naive dictionaries and as Moses's files."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from campanula.formats.feature_names.dense import LM_SPLIT
from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import Weights
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.naive import decoder as naive
from tests.present import present

EVERYTHING = 1 << 40


class PruningOptions(TypedDict, total=False):
    """Some of the settings of a search: of what it leaves out."""

    distinct: bool
    distortion_limit: int
    pop_limit: int
    stack: int
    beam_threshold: float
    table_limit: int


class SearchOptions(PruningOptions, total=False):
    """Some of the settings of a search."""

    k: int
    reordering: str


class Unpruned(TypedDict):
    """The settings that prune a search, as they leave all in."""

    pop_limit: int
    stack: int
    beam_threshold: float


UNPRUNED: Unpruned = {"pop_limit": EVERYTHING, "stack": EVERYTHING, "beam_threshold": float("inf")}
SOURCE = ["a", "b", "c", "d"]
TARGET = ["u", "v", "w", "x"]


def random_model(
    rng: random.Random, order: int, lexical: bool | tuple[str, ...]
) -> naive.NaiveModel:
    """A small model: a phrase for most spans of the alphabet's words, some with no target.

    lexical: whether there is a reordering table, or the types of several.
    """
    kinds = lexical if isinstance(lexical, tuple) else ("word",) * lexical
    phrases: dict = {}
    for length in (1, 2, 3):
        for _ in range({1: 4, 2: 8, 3: 4}[length]):
            source = tuple(rng.choice(SOURCE[:3] + ["d"] * (length > 1)) for _ in range(length))
            targets = {
                tuple(rng.choice(TARGET) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 5])))
                for _ in range(rng.choice([1, 1, 2]))
            }
            rows = []
            for target in sorted(targets):
                scores = [round(rng.uniform(0.01, 1), 3) for _ in range(3)]
                scores.append(rng.choice([0.0, 0.5]))
                orders = [round(rng.uniform(0.05, 1), 3) for _ in range(6 * len(kinds))]
                rows.append((target, scores, orders or None))
            phrases[source] = rows
    on = ["LM0"] if order else []
    on += ["Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0"]
    on += [f"TranslationModel0_{k}" for k in range(4)]
    on += [f"LexicalReordering{t}_{k}" for t in range(len(kinds)) for k in range(6)]
    weights = {name: round(rng.uniform(0.05, 1), 3) for name in on}
    weights["WordPenalty0"] = round(rng.uniform(-1, 1), 3)
    ngrams = random_ngrams(rng, order) if order else None
    return naive.NaiveModel(phrases, ngrams, order, weights, features_on=on, orientations=kinds)


def random_tillmann_zhang_model(rng: random.Random, order: int, lexical: bool) -> naive.NaiveModel:
    """A small model with a distortion table, and a language model that may be split."""
    model = random_model(rng, order, lexical)
    on = ["OutboundDistortion0", "InboundDistortion0"]
    on += ["LMFirst0", "LMRest0"] if order else []
    model.features_on = [name for name in model.features_on + on if rng.random() < 0.8] or on
    model.weights |= {name: round(rng.uniform(-0.3, 1), 3) for name in on}
    far, model.distortion = rng.choice([2, 3, 4]), {}
    for side in ("outbound", "inbound"):
        for word in ["", *rng.sample([*SOURCE, "<s>", "ü"], 4)]:
            for jump in set(range(-far, far + 1)) - {-1}:
                model.distortion[side, word, jump] = round(rng.uniform(0.001, 1), 3)
    return model


def with_more_lms(model: naive.NaiveModel, rng: random.Random, kinds: str) -> naive.NaiveModel:
    """A model with a language model more for each of the kinds: of words (w), or of classes (c)."""
    names = [f"LM{number}" for number in range(1, len(kinds) + 1)]
    for kind in kinds:
        classes = None
        order = rng.choice([1, 2, 3])
        ngrams = random_ngrams(rng, order)
        if kind == "c":
            known = rng.sample([*TARGET, "d", "ü"], 4)
            classes = {word: rng.choice(["u", "v", "0", "<unk>"]) for word in known}
            classes[known[0]] = "u"
        model.more_lms.append(naive.NaiveLm(ngrams, order, classes))
    split = [name for name in model.features_on if name in LM_SPLIT]
    model.features_on = [name for name in model.features_on if name not in split] + names + split
    model.weights |= {name: round(rng.uniform(-0.3, 1), 3) for name in names}
    return model


def distortion_lines(table: dict[tuple[str, str, int], float]) -> list[str]:
    """A distortion table, with all that a word has in its line."""
    lines = []
    for side, word in dict.fromkeys((side, word) for side, word, _ in table):
        own = {jump: p for (s, w, jump), p in table.items() if (s, w) == (side, word)}
        listed = " ".join(f"{jump}:{p}" for jump, p in own.items())
        lines.append(f"{side} ||| {word} ||| 0 ||| {listed}\n")
    return lines


def random_ngrams(rng: random.Random, order: int) -> dict:
    """An n-gram model over the targets and one unknown source word; not normalised."""
    words = [*TARGET, "d", "<unk>", "<s>", "</s>"]
    ngrams: dict = {}
    for word in words:
        bo = round(rng.choice([0.0, rng.uniform(-1, 0.3)]), 4) if order > 1 else 0.0
        ngrams[(word,)] = (round(rng.uniform(-3, -0.3), 4), bo)
    for n in range(2, order + 1):
        for _ in range(30):
            gram = (*rng.choices(words[:-1], k=n - 1), rng.choice(words))
            if gram[:-1] in ngrams and gram not in ngrams:
                bo = round(rng.choice([0.0, rng.uniform(-1, 0.3)]), 4) if n < order else 0.0
                ngrams[gram] = (round(rng.uniform(-2, -0.1), 4), bo)
    return ngrams


def write_model(model: naive.NaiveModel, folder: Path) -> ModelFiles:
    """Write the model as Moses's files, gzip for one of them."""
    table: list[str] = []
    reordering: list[list[str]] = [[] for _ in model.orientations]
    for source in sorted(model.phrases):
        for target, scores, orders in model.phrases[source]:
            pair = f"{' '.join(source)} ||| {' '.join(target)} |||"
            table.append(f"{pair} {' '.join(map(str, scores))} ||| 0-0 ||| 1 1 1 ||| |||\n")
            for k, lines in enumerate(reordering):
                if orders is not None:
                    lines.append(f"{pair} {' '.join(map(str, orders[6 * k : 6 * k + 6]))}\n")
    with gzip.open(folder / "table.gz", "wt", encoding="utf-8") as file:
        file.write("".join(table))
    files: dict[str, Any] = {"phrase_table": str(folder / "table.gz")}
    files["reordering_tables"] = ()
    for k, (lines, kind) in enumerate(zip(reordering, model.orientations, strict=True)):
        path = folder / f"reordering{k or ''}"
        path.write_text("".join(lines), encoding="utf-8")
        files["reordering_tables"] += (ReorderingTable(str(path), kind),)
    if model.distortion is not None:
        lines = distortion_lines(model.distortion)
        (folder / "distortion").write_text("".join(lines), encoding="utf-8")
        files["distortion_table"] = str(folder / "distortion")
    if model.ngrams is not None:
        (folder / "lm.arpa").write_text(arpa_text(model.ngrams, model.order), encoding="utf-8")
        lms = [LanguageModelFile(str(folder / "lm.arpa"))]
        files["lms"] = (*lms, *write_more_lms(model, folder))
    return ModelFiles(**files)


def write_model_folder(folder: Path, seed: int = 2) -> Weights:
    """Write a random model as folder/model, with model.json, and its weights, which it returns.

    The file of the weights is folder/w0.
    """
    model = random_model(random.Random(seed), 2, True)
    (folder / "model").mkdir()
    files = write_model(model, folder / "model")
    paths = {"phrase-table": files.phrase_table, "lm": files.lms[0].path}
    paths["reordering-table"] = files.reordering_tables[0].path
    names = {key: Path(path).name for key, path in paths.items()}
    (folder / "model" / "model.json").write_text(json.dumps(names))
    weights = Weights(dict(model.weights))
    weights.write(str(folder / "w0"))
    return weights


def write_more_lms(model: naive.NaiveModel, folder: Path) -> Iterator[LanguageModelFile]:
    """Write LM1, LM2, ..., and the classes of those over classes."""
    for number, lm in enumerate(model.more_lms, 1):
        path, classes = folder / f"lm{number}.arpa", None
        path.write_text(arpa_text(lm.ngrams, lm.order), encoding="utf-8")
        if lm.classes is not None:
            classes = str(folder / f"classes{number}")
            lines = [f"{word}\t{name}\n" for word, name in lm.classes.items()]
            Path(classes).write_text("".join(lines), encoding="utf-8")
        yield LanguageModelFile(str(path), classes)


def arpa_text(ngrams: dict, order: int) -> str:
    """The n-grams as an ARPA file."""
    by_order = [{g: v for g, v in ngrams.items() if len(g) == n} for n in range(1, order + 1)]
    lines = ["\\data\\", *(f"ngram {n}={len(grams)}" for n, grams in enumerate(by_order, 1)), ""]
    for n, grams in enumerate(by_order, 1):
        lines.append(f"\\{n}-grams:")
        for gram, (prob, backoff) in grams.items():
            end = f"\t{backoff}" if n < order else ""
            lines.append(f"{prob}\t{' '.join(gram)}{end}")
        lines.append("")
    return "\n".join([*lines, "\\end\\", ""])


def decode(
    model: naive.NaiveModel, folder: Path, sentence: list[str], **settings: Unpack[SearchOptions]
) -> KBest:
    """Decode a sentence with a model that is written to a folder first."""
    decoder = small_decoder(model, folder, **settings)
    [record] = decoder.decode_all([" ".join(sentence)])
    return record


def small_decoder(
    model: naive.NaiveModel,
    folder: Path,
    sparse: SparseWeights | None = None,
    **settings: Unpack[SearchOptions],
) -> Decoder:
    """Decoder with a model that is written to a folder first."""
    compiled = load_model(write_model(model, folder), str(folder / "cache"))
    names, on = compiled.all_features(), model.features_on
    assert [name for name in names if name in on] == on
    theta = np.array([model.weights[name] if name in on else 0.0 for name in names])
    plain = SearchSettings(reordering=model.reordering, distortion_limit=model.limit)
    how = replace(plain, **settings)
    return Decoder(compiled, theta, how, on, sparse)


def check_list(record: KBest, expected: Sequence[tuple[float, str, dict[str, float]]]) -> None:
    """Scores and features of a k-best list are those expected; derivations may tie."""
    np.testing.assert_allclose(
        present(record.score), [score for score, _, _ in expected[: len(record)]], atol=2e-6
    )
    by_text: dict = {}
    for _, text, value in expected:
        by_text.setdefault(text, []).append(list(value.values()))
    for text, row in zip(record.text, record.features.dense.T, strict=True):
        assert min(np.abs(np.array(v) - row).max() for v in by_text[text]) < 1e-5

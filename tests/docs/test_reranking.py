"""The commands of docs/reranking.md run one after another, on small lists made here."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from campanula.stages.hypothesis_features.own import own_feature
from campanula.stages.hypothesis_features.table import FEATURES
from tests.examples import random_lists
from tests.pages import all_blocks, run_block, text_of
from tests.plain import json_lines

SECTIONS = text_of("reranking").split("\n## ")
OWN_DATA = ("Speech", "Answers")  # sections that go by themselves


BLOCKS = [
    block
    for section in SECTIONS
    if not section.startswith(OWN_DATA)
    for block in all_blocks(section)
]
WORDS = ["a", "the", "cat", "dog", "man", "sees", "hears", "big", "old", "house", "in", "on", "."]
N_SENTENCES, N_HYPOTHESES = 60, 8


def sentence(rng: random.Random) -> list[str]:
    return rng.choices(WORDS, k=rng.randint(5, 10))


def write_set(folder: Path, name: str, seed: int) -> None:
    """References; lists in Marian's format whose score says little, and a column that says much."""
    rng = random.Random(seed)
    lists, scores, references = [], [], []
    for sid in range(N_SENTENCES):
        reference = sentence(rng)
        references.append(" ".join(reference))
        for _ in range(N_HYPOTHESES):
            share = rng.uniform(0.0, 0.6)
            words = [rng.choice(WORDS) if rng.random() < share else w for w in reference]
            score = round(rng.gauss(-5 * share, 1.5), 4)
            lists.append(f"{sid} ||| {' '.join(words)} ||| F0= {score} ||| {score}")
            scores.append(f"{rng.gauss(-share, 0.1):.5f}")
    for suffix, lines in (("nbest", lists), ("comet", scores), ("ref", references)):
        (folder / f"{name}.{suffix}").write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.slow
def test_the_recipe_runs_and_finds_better_weights(tmp_path: Path) -> None:
    write_set(tmp_path, "dev", 1)
    write_set(tmp_path, "test", 2)
    rng = random.Random(3)
    (tmp_path / "text").write_text("".join(f"{' '.join(sentence(rng))}\n" for _ in range(300)))
    run_block("estimate-lm text --order 2 -o lm.arpa", tmp_path)
    printed = [run_block(block, tmp_path) for language, block in BLOCKS if language == "sh"]
    assert len((tmp_path / "dev.hypotheses").read_text().splitlines()) == 60 * 8
    (comparison,) = json.loads(printed[-1])
    baseline, pro = comparison["systems"]
    assert len(pro["values"]) == 3
    assert pro["mean"] > baseline["mean"] + 5
    assert pro["randomisation_p"] < 0.01
    tables = [text for text in printed if text.startswith("BLEU|")]
    assert [len(text.split("\n\n")) for text in tables] == [3, 1]


def run_section(title: str, folder: Path) -> list[str]:
    """What the commands of a section print."""
    (section,) = (section for section in SECTIONS if section.startswith(title))
    code = all_blocks(section)
    assert {language for language, _ in code} == {"sh", "text"}
    return [run_block(block, folder) for language, block in code if language == "sh"]


def write_speech(folder: Path, name: str, seed: int) -> list[str]:
    """A table of hypotheses of 40 utterances and references in another order; the ids."""
    rng = random.Random(seed)
    rows, references = ["id\ttext\tAM\tLM"], []
    ids = [f"spk{i % 7}-utt{i}" for i in range(40)]
    for name_of in ids:
        reference = sentence(rng)
        references.append(f"{name_of} {' '.join(reference)}")
        for _ in range(6):
            words = [rng.choice(WORDS) if rng.random() < 0.3 else w for w in reference]
            errors = sum(a != b for a, b in zip(words, reference, strict=True))
            scores = (rng.gauss(-errors, 2), rng.gauss(-3 * errors, 2))
            rows.append("\t".join([name_of, " ".join(words), *(f"{s:.3f}" for s in scores)]))
    for suffix, lines in (("tsv", rows), ("text", sorted(references))):
        (folder / f"asr.{name}.{suffix}").write_text("".join(f"{line}\n" for line in lines))
    return ids


def test_a_recognisers_lists_with_ids(tmp_path: Path) -> None:
    write_speech(tmp_path, "dev", 1)
    ids = write_speech(tmp_path, "test", 2)
    (printed,) = run_section("Speech", tmp_path)
    lines = (tmp_path / "asr.tuned.text").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ids
    wer, cer = printed.split("\n\n")
    assert wer.startswith("WER|")
    assert cer.startswith("CER|")
    rates = {row[0]: row[2] for row in map(str.split, wer.splitlines()) if row[0].startswith("asr")}
    assert float(rates["asr.tuned.text"]) < float(rates["asr.initial.text"]) - 3


def write_answers(folder: Path, name: str, seed: int) -> list[str]:
    """Four answers to each of 30 prompts, whose reward the entropy tells; the prompts."""
    rng = random.Random(seed)
    prompts = [f"prompt {name} {i}" for i in range(30)]
    with (folder / f"llm.{name}.jsonl").open("w") as file:
        for prompt in prompts:
            for answer in range(4):
                reward = rng.random()
                features = {"LogProb": rng.gauss(-30, 2), "Entropy": rng.gauss(-reward, 0.1)}
                text = f"First,\n- {answer}\n\n- {' '.join(sentence(rng))}\n"
                row = {"id": prompt, "text": text, "features": features, "reward": reward}
                file.write(f"{json.dumps(row)}\n")
    return prompts


def test_answers_of_several_lines(tmp_path: Path) -> None:
    write_answers(tmp_path, "dev", 1)
    prompts = write_answers(tmp_path, "test", 2)
    run_section("Answers", tmp_path)
    chosen = json_lines(tmp_path / "llm.chosen.jsonl")
    assert [answer["id"] for answer in chosen] == prompts
    rows = json_lines(tmp_path / "llm.test.jsonl")
    reward = {(row["id"], row["text"]): row["reward"] for row in rows}
    rewards = [reward[answer["id"], answer["text"]] for answer in chosen]
    assert sum(rewards) / len(rewards) > 0.7


def test_every_block_is_run() -> None:
    assert {language for language, _ in BLOCKS} == {"sh", "python", "toml"}


def test_the_feature_of_ones_own_is_one() -> None:
    (code,) = (block for language, block in BLOCKS if language == "python")
    (toml,) = (block for language, block in BLOCKS if language == "toml")
    points = tomllib.loads(toml)["project"]["entry-points"]
    ((name, target),) = points[FEATURES.group].items()
    names: dict[str, Any] = {}
    exec(code, names)
    feature = own_feature(name, names[target.partition(":")[2]])
    assert feature.summary == "Words of the hypothesis for each word of the source."
    (kbest, *_), _ = random_lists(seed=1, n_lists=1)
    ratios = names[target.partition(":")[2]](list(kbest.text), source="a b c d")
    assert ratios == [len(text.split()) / 4 for text in kbest.text]

"""The extract-features command."""

from __future__ import annotations

import random

import pytest

from campanula.formats.feature_names.lexical import parse_name, read_feature_list
from campanula.formats.files import read_lines
from campanula.stages import extract_features
from tests.naive import lexical_lists as naive
from tests.present import present


@pytest.fixture
def texts(tmp_path):
    """Paths of a small parallel text, and its sentences."""
    rng = random.Random(3)
    sources = [rng.choices("abc", k=rng.randint(1, 6)) for _ in range(20)]
    targets = [rng.choices(["u", "v:", "é"], k=rng.randint(1, 6)) for _ in range(20)]
    links = [
        sorted({(rng.randrange(len(f)), rng.randrange(len(e))) for _ in range(3)})
        for f, e in zip(sources, targets, strict=True)
    ]
    (tmp_path / "s").write_text("".join(" ".join(words) + "\n" for words in sources))
    (tmp_path / "t").write_text("".join(" ".join(words) + "\n" for words in targets))
    lines = (" ".join(f"{i}-{j}" for i, j in pairs) for pairs in links)
    (tmp_path / "a").write_text("".join(f"{line}\n" for line in lines))
    return [str(tmp_path / name) for name in "sta"], sources, targets, links


def run(texts, tmp_path, *flags):
    out = str(tmp_path / "out")
    assert extract_features.main([*texts[0], "-q", "-o", out, *flags]) == 0
    assert next(read_lines(out)).startswith("# campanula:")
    found: dict = {}
    for name in read_feature_list(read_lines(out), out):
        feature = present(parse_name(name))
        found.setdefault(feature.prefix, []).append(feature.words)
    return found


def test_all_of_them(texts, tmp_path):
    _, sources, targets, links = texts
    found = run(texts, tmp_path, "--min-count", "1")
    for n, template in enumerate(("uni", "bigram", "trigram"), 1):
        counts = naive.ngrams(targets, n)
        expected = sorted(counts, key=lambda words: (-counts[words], words))
        assert found[template] == expected
    pairs = naive.linked(sources, targets, links)
    assert found["pair"] == sorted(pairs, key=lambda words: (-pairs[words], words))
    information = naive.triggers(targets, 1)
    values = [information[words] for words in found["trigger"]]
    assert len(values) == len(information)
    assert values == pytest.approx(sorted(values, reverse=True))


def test_as_many_as_are_wanted(texts, tmp_path):
    few = ["--pairs", "2", "--unigrams", "1", "--bigrams", "0", "--trigrams", "3", "--triggers"]
    found, every = run(texts, tmp_path, *few, "2"), run(texts, tmp_path)
    sizes = {template: len(words) for template, words in found.items()}
    assert sizes == {"pair": 2, "uni": 1, "trigram": 3, "trigger": 2}
    for template, words in found.items():
        assert every[template][: len(words)] == words


def test_no_text(tmp_path):
    for name in "sta":
        (tmp_path / name).write_text("")
    paths = [str(tmp_path / name) for name in "sta"]
    assert run((paths,), tmp_path) == {}


def test_files_that_do_not_fit(texts, tmp_path, capsys):
    (tmp_path / "t").write_text("u\n")
    out = str(tmp_path / "out")
    assert extract_features.main([*texts[0], "-o", out]) == 1
    assert "expected 20 lines" in capsys.readouterr().err
    assert extract_features.main(["-", "-", "a", "-o", out]) == 2
    assert not (tmp_path / "out").exists()

"""extract-blocks end to end: equals the twin and Moses's own tables byte by byte."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.text.alignments import alignment_line
from campanula.stages import extract_blocks
from tests.examples import MOSES, MULTI30K
from tests.naive import extraction as naive
from tests.naive.extraction import SentencePair

# words on both sides of the separator in the order of bytes
FOREIGN, ENGLISH = ["ä", "a", "~", "s", "aa"], ["x", "}", "€", "xy", "y"]


def sample(seed: int, n_pairs: int) -> list[SentencePair]:
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(n_pairs):
        n_source, n_target = rng.integers(0, 8, 2).tolist()
        near = [(s, t) for s in range(n_source) for t in range(n_target) if abs(s - t) < 3]
        links = {link for link in near if rng.random() < 0.3}
        source = [FOREIGN[i] for i in rng.integers(0, 5, n_source)]
        pairs.append((source, [ENGLISH[i] for i in rng.integers(0, 5, n_target)], links))
    return pairs


def write(folder: Path, pairs: list[SentencePair]) -> list[str]:
    """Files of the pairs, and the flags that name them and the outputs."""
    columns = {
        "f": [" ".join(source) for source, _, _ in pairs],
        "e": [" ".join(target) for _, target, _ in pairs],
        "a": [alignment_line(sorted(links)) for _, _, links in pairs],
    }
    for name, lines in columns.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(folder / name) for name in columns] + outputs(folder)


def outputs(folder: Path) -> list[str]:
    return ["--phrase-table", str(folder / "pt.gz"), "--reordering-table", str(folder / "rt.gz")]


def lines_of(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")


@pytest.mark.parametrize("max_length", [2, 7])
@pytest.mark.parametrize("seed", range(4))
def test_tables_equal_the_twin(tmp_path: Path, seed: int, max_length: int) -> None:
    pairs = sample(seed, 25)
    flags = [*write(tmp_path, pairs), "--max-length", str(max_length), "-q"]
    assert extract_blocks.main(flags) == 0
    phrase_lines, reordering_lines = naive.tables(pairs, max_length)
    assert lines_of(tmp_path / "pt.gz") == phrase_lines
    assert lines_of(tmp_path / "rt.gz") == reordering_lines


@pytest.mark.parametrize("kind", ["phrase", "hierarchical"])
@pytest.mark.parametrize(("seed", "max_length"), [(0, 7), (1, 2), (2, 3)])
def test_orientations_by_blocks_equal_the_twin(
    tmp_path: Path, seed: int, max_length: int, kind: str
) -> None:
    pairs = sample(seed, 25)
    flags = [*write(tmp_path, pairs), "--max-length", str(max_length), "-q"]
    assert extract_blocks.main([*flags, "--orientation", kind]) == 0
    phrase_lines, reordering_lines = naive.tables(pairs, max_length, kind)
    assert lines_of(tmp_path / "pt.gz") == phrase_lines
    assert lines_of(tmp_path / "rt.gz") == reordering_lines


@pytest.mark.skipif(not MULTI30K.is_dir(), reason="the shared data is not here")
@pytest.mark.parametrize("kind", ["phrase", "hierarchical"])
def test_tables_of_real_pairs_are_what_the_definition_gives(tmp_path: Path, kind: str) -> None:
    names = ("train.de", "train.en", "train.de-en.align")
    texts = [(MULTI30K / name).read_text(encoding="utf-8").split("\n")[:500] for name in names]
    pairs = []
    for source, target, links in zip(*texts, strict=True):
        joined = [tuple(map(int, link.split("-"))) for link in links.split()]
        pairs.append((source.split(), target.split(), {(s, t) for s, t in joined}))
    flags = [*write(tmp_path, pairs), "--orientation", kind, "-q"]
    assert extract_blocks.main(flags) == 0
    assert lines_of(tmp_path / "rt.gz") == naive.tables(pairs, 7, kind)[1]


def test_a_filter_keeps_the_lines_as_they_are(tmp_path: Path) -> None:
    flags = write(tmp_path, sample(0, 25))
    (tmp_path / "dev").write_text("new a s\n\n", encoding="utf-8")
    (tmp_path / "test").write_text("ä new ~\n", encoding="utf-8")
    assert extract_blocks.main([*flags, "-q"]) == 0
    whole = [lines_of(tmp_path / name) for name in ("pt.gz", "rt.gz")]
    filters = ["--filter", str(tmp_path / "dev"), "--filter", str(tmp_path / "test")]
    assert extract_blocks.main([*flags, *filters, "-q"]) == 0
    wanted = {"a", "s", "a s", "ä", "~"}
    for name, lines in zip(("pt.gz", "rt.gz"), whole, strict=True):
        assert lines_of(tmp_path / name) == [x for x in lines if x.split(" ||| ")[0] in wanted]


def test_the_phrase_table_goes_to_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write(tmp_path, [(["a"], ["x"], {(0, 0)})])[:3]
    assert extract_blocks.main(files) == 0
    out, err = capsys.readouterr()
    assert out == "a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||\n"
    assert err == "extract-blocks: 1 sentence pairs, 1 phrase pairs found, 1 blocks written\n"


@pytest.mark.parametrize(
    "pairs", [[], [([], [], set())], [(["a"], [], set()), (["a"], ["x"], set())]]
)
def test_texts_without_links_give_empty_tables(tmp_path: Path, pairs: list[SentencePair]) -> None:
    assert extract_blocks.main([*write(tmp_path, pairs), "-q"]) == 0
    assert [gzip.decompress((tmp_path / n).read_bytes()) for n in ("pt.gz", "rt.gz")] == [b"", b""]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("e", "x\n", "e: expected 2 lines as in {f}, found 1"),
        ("a", "0-0\n\n\n", "a: expected 2 lines as in {f}, found 3"),
        ("a", "0-0\n0-1\n", "a: line 2: expected links i-j with i < 1 and j < 1, found 0-1"),
        ("a", "0-0\n0:0\n", "a: line 2: expected links such as 0-1, found '0:0'"),
        ("f", "a\n||| a\n", "f: line 2: expected words of text, found the reserved '|||'"),
        ("e", "x\nx|||y\n", "e: line 2: expected words of text, found the reserved 'x|||y'"),
    ],
)
def test_what_does_not_fit_is_one_line_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, message: str
) -> None:
    flags = write(tmp_path, [(["a"], ["x"], {(0, 0)}), (["a"], ["x"], {(0, 0)})])
    (tmp_path / name).write_text(content)
    assert extract_blocks.main(flags) == 1
    expected = f"extract-blocks: {tmp_path}/{message.format(f=tmp_path / 'f')}\n"
    assert capsys.readouterr().err == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "e", "f"]


def test_outputs_that_cannot_both_be_written_are_both_absent(tmp_path: Path) -> None:
    flags = write(tmp_path, [(["a"], ["x"], {(0, 0)})])
    flags[-1] = str(tmp_path / "no" / "folder")
    assert extract_blocks.main(flags) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "e", "f"]


@pytest.mark.parametrize("more", [["-o", "x"], ["--reordering-table", "x", "--phrase-table", "x"]])
def test_outputs_that_clash_are_the_users_flags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    assert extract_blocks.main([*write(tmp_path, []), *more]) == 2
    assert capsys.readouterr().err.startswith("extract-blocks: ")


def test_an_orientation_is_that_of_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [*write(tmp_path, [])[:5], "--orientation", "phrase"]
    assert extract_blocks.main(flags) == 2
    assert "--orientation needs --reordering-table OUT" in capsys.readouterr().err


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="too slow uncompiled")
@pytest.mark.skipif(not MOSES.is_dir(), reason="the shared data is not here")
def test_equals_mosess_tables_of_the_same_text(tmp_path: Path) -> None:
    texts = [str(MULTI30K / name) for name in ("train.de", "train.en", "train.de-en.align")]
    filters = [f"--filter={MULTI30K / name}" for name in ("val.de", "test_2016_flickr.de")]
    assert extract_blocks.main([*texts, *outputs(tmp_path), *filters, "-q"]) == 0
    assert lines_of(tmp_path / "pt.gz") == lines_of(MOSES / "phrase-table.gz")
    assert lines_of(tmp_path / "rt.gz") == lines_of(MOSES / "reordering-table.gz")

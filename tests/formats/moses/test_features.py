"""The [feature] lines of a moses.ini: what is on, under which names, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.formats.moses.features import IniFeature, IniLine, model_files, read_feature

TABLE = "PhraseDictionaryMemory num-features=4 path=table.gz"


def read(folder: Path, *lines: str) -> tuple[ModelFiles, int | None]:
    """Files and limit of some lines."""
    features: list[IniFeature] = []
    for number, text in enumerate(lines, 1):
        features.append(read_feature(IniLine(str(folder / "moses.ini"), number, text), features))
    return model_files(str(folder / "moses.ini"), features)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.gz").write_bytes(gzip.compress(b"a ||| b ||| 0.5 0.5 0.5 0.5 ||| 0-0\n"))
    (tmp_path / "order").write_text("a ||| b ||| 0.2 0.2 0.6 0.2 0.2 0.6\n")
    (tmp_path / "lm").write_text("\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n")
    return tmp_path


def test_keys_in_any_order_and_names_by_moses_rule(folder: Path) -> None:
    files, limit = read(
        folder,
        "UnknownWordPenalty",
        "WordPenalty",
        "PhraseDictionaryMemory path=table.gz table-limit=7 output-factor=0 num-features=4",
        "LexicalReordering path=order type=wbe-msd-bidirectional-fe-allff num-features=6 name=LR",
        "KENLM lazyken=0 order=5 path=lm factor=0",
        "Distortion name=D tuneable=true",
    )
    assert files.paths()[:3] == [[str(folder / name)] for name in ("table.gz", "order", "lm")]
    assert limit == 7
    assert files.features == (
        "UnknownWordPenalty0",
        "WordPenalty0",
        *(f"PhraseDictionaryMemory0_{k}" for k in range(4)),
        *(f"LR_{k}" for k in range(6)),
        "KENLM0",
        "D",
    )
    assert dict(files.labels)["TranslationModel0"] == "PhraseDictionaryMemory0"
    assert dict(files.labels)["Distortion0"] == "D"


def test_paths_are_those_of_the_folder_or_absolute_or_of_where_we_are(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_folder, _ = read(folder, "PhraseDictionaryMemory num-features=4 path=table")
    assert by_folder.phrase_table == str(folder / "table.gz")  # Moses adds the end, too
    absolute, _ = read(folder, f"PhraseDictionaryMemory num-features=4 path={folder / 'table.gz'}")
    assert absolute.phrase_table == str(folder / "table.gz")
    (folder / "other").mkdir()
    (folder / "other" / "here.gz").write_bytes((folder / "table.gz").read_bytes())
    monkeypatch.chdir(folder / "other")
    here, _ = read(folder, "PhraseDictionaryMemory num-features=4 path=here.gz")
    assert here.phrase_table == "here.gz"


@pytest.mark.parametrize(
    "kind",
    ["wbe-msd-bidirectional-fe-allff", "phrase-msd-bidirectional-fe", "msd-bidirectional-fe"],
)
def test_reordering_types_that_are_the_same_to_a_decoder(folder: Path, kind: str) -> None:
    assert read(folder, TABLE, f"LexicalReordering type={kind} path=order")[0].reordering_tables


def test_several_reordering_tables_with_their_types(folder: Path) -> None:
    types = [f"{kind}-msd-bidirectional-fe-allff" for kind in ("wbe", "hier", "phrase")]
    lines = [f"LexicalReordering path=order type={type} name=R{k}" for k, type in enumerate(types)]
    files, _ = read(folder, TABLE, *lines)
    path = str(folder / "order")
    kinds = ("word", "hierarchical", "phrase")
    assert files.reordering_tables == tuple(ReorderingTable(path, kind) for kind in kinds)
    assert files.labels[1:] == tuple((f"LexicalReordering{k}", f"R{k}") for k in range(3))
    assert files.features is not None
    assert files.features[4:] == tuple(f"R{k}_{i}" for k in range(3) for i in range(6))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["OpSequenceModel path=x"], "line 1: expected features .* found 'OpSequenceModel'"),
        ([TABLE, "Generation path=x"], "line 2: expected features .* found 'Generation'"),
        (
            ["PhraseDictionaryCompact path=x"],
            "line 1: expected .*text table, found .*binary",
        ),
        (
            ["PhraseDictionaryMemory num-features=4 path=no"],
            "line 1: expected the file .*no, ",
        ),
        (["PhraseDictionaryMemory num-features=4"], "line 1: expected path=FILE"),
        (
            ["PhraseDictionaryMemory path=table.gz"],
            "expected num-features=4 .*found num-features=1",
        ),
        ([TABLE + " num-features=4"], "each key once, found 'num-features=4'"),
        ([TABLE + " x"], "expected key=value"),
        ([TABLE + " secret=1"], "expected keys .* found 'secret'"),
        ([TABLE + " table-limit=few"], "whole number of table-limit, found 'few'"),
        ([TABLE.replace("path", "input-factor=0,1 path")], "expected input-factor=0, found '0,1'"),
        ([TABLE, "KENLM path=lm factor=1"], "expected factor=0, found '1'"),
        ([TABLE, "KENLM path=lm oov-feature=1"], "expected oov-feature=false"),
        ([TABLE, "Distortion", "Distortion"], "line 3: expected one feature like Distortion0"),
        ([TABLE, TABLE], "line 2: expected one feature like PhraseDictionaryMemory0"),
        ([TABLE, "KENLM path=lm name=X", "Distortion name=X"], "line 3: expected another name"),
        (
            [TABLE + " name=X", "KENLM path=lm name=X_0"],
            "line 2: expected another name, found 'X_0'",
        ),
        (["Distortion name=X_3", TABLE + " name=X"], "line 2: expected another name, found 'X_3'"),
        ([TABLE, "KENLM path=lm name=LMFirst0"], "'LMFirst0', which is another feature of decode"),
        ([TABLE, "KENLM path=lm name=uni_the"], "'uni_the', which is another feature of decode"),
        ([TABLE, "SRILM path=lm order=1"], "order of at least that of .*lm, found order=1"),
        ([TABLE, "KENLM path=binary"], "expected .* ARPA text, found .*binary, a binary file"),
        ([TABLE, "LexicalReordering path=order type=hier-wbe-msd-bidirectional-fe"], "'hier-wbe"),
        ([TABLE, "LexicalReordering path=order type=wbe-mslr-bidirectional-fe"], "found 'wbe-mslr"),
        ([TABLE, "LexicalReordering path=order type=wbe-msd-backward-fe"], "found 'wbe-msd-back"),
        ([TABLE, "LexicalReordering path=order"], "expected type=.*, found 'none'"),
        ([TABLE, "LexicalReordering num-features=3 path=order"], "expected num-features=6"),
        ([TABLE, "LexicalReordering sparse-words=x path=order"], "found 'sparse-words'"),
        ([TABLE, "Distortion sparse=1"], "found 'sparse'"),
        ([TABLE, "PhrasePenalty per-phrase-table=true"], "expected per-phrase-table=false"),
        (["WordPenalty"], "expected a phrase table"),
    ],
)
def test_what_would_change_the_result_is_named(
    folder: Path, lines: list[str], message: str
) -> None:
    (folder / "binary").write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0")
    with pytest.raises(DataError, match=message):
        read(folder, *lines)


def test_an_order_as_high_as_the_model_is_fine(folder: Path) -> None:
    lms = (LanguageModelFile(str(folder / "lm")),)
    assert read(folder, TABLE, "SRILM path=lm order=2")[0].lms == lms
    assert read(folder, TABLE, "KENLM path=lm order=1")[0].lms == lms


def test_language_models_are_numbered_in_order(folder: Path) -> None:
    lines = ("KENLM path=lm name=Large", "Distortion", "SRILM path=order", "KENLM path=lm")
    files, _ = read(folder, TABLE, *lines)
    assert [Path(lm.path).name for lm in files.lms] == ["lm", "order", "lm"]
    assert {label: name for label, name in files.labels if label.startswith("LM")} == {
        "LM0": "Large",
        "LM1": "SRILM0",
        "LM2": "KENLM0",
    }

"""Compiled models: what the files say, from the cache as from the files."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from campanula.formats.errors import DataError
from campanula.formats.model import model as models
from campanula.formats.model.files import ModelFiles, ReorderingTable
from campanula.formats.model.language_models import LanguageModels
from campanula.formats.model.model import Model, load_model
from tests.small_models import random_model, write_model


@pytest.fixture
def files(tmp_path: Path) -> ModelFiles:
    return write_model(random_model(random.Random(3), 3, True), tmp_path)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Forget the models that this process has loaded."""
    models._loaded.clear()
    yield
    models._loaded.clear()


def tables_in(cache: str | Path) -> list[str]:
    return [name for name in os.listdir(cache) if name.startswith("tables-")]


def arrays_of(model: Model) -> Iterator[NDArray[np.generic]]:
    assert model.lm is not None
    for name in ("trie", "row_start", "target_start", "target_word", "score", "reordering", "kind"):
        yield getattr(model, name)
    yield model.count
    yield model.to_lm
    yield from vars(model.lm.automaton).values()
    for words, number, slot in model.lm.lexicons:
        yield from (words.blob, number, slot)
    yield from (model.source.blob, model.target.blob)


def test_the_cache_gives_the_same_arrays(files: ModelFiles, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    first = load_model(files, cache)
    assert load_model(files, cache) is first
    models._loaded.clear()
    second = load_model(files, cache)
    assert second is not first
    assert second.digest == first.digest
    assert tables_in(cache) == [f"tables-{first.digest}"]
    for a, b in zip(arrays_of(first), arrays_of(second), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype


def test_changed_content_is_compiled_anew(files: ModelFiles, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    digest = load_model(files, cache).digest
    with open(files.lms[0].path, "a", encoding="utf-8") as file:
        file.write("\n")
    assert load_model(files, cache).digest != digest
    assert len(tables_in(cache)) == 2


def test_a_damaged_entry_is_made_again(
    files: ModelFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = tmp_path / "cache"
    digest = load_model(files, str(cache)).digest
    (cache / f"tables-{digest}" / "score.npy").write_bytes(b"damaged")
    models._loaded.clear()
    assert len(load_model(files, str(cache)).score)
    assert np.load(cache / f"tables-{digest}" / "score.npy").ndim == 2
    assert capsys.readouterr().err.count("\n") == 1
    models._loaded.clear()
    load_model(files, str(cache))
    assert capsys.readouterr().err == ""


def test_an_entry_of_before_a_check_is_no_way_around_it(
    files: ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs up to layout 8 took reordering tables of other phrase pairs, and kept the model."""
    cache = tmp_path / "cache"
    (table,) = files.reordering_tables
    with open(table.path, "w", encoding="utf-8") as file:
        file.write("other ||| pair ||| 1 1 1 1 1 1\n")
    with monkeypatch.context() as earlier:
        earlier.setattr(models, "LAYOUT", "campanula model 8")
        zeros = lambda path, key: np.zeros((len(key), 6), np.float32)  # noqa: E731
        earlier.setattr(models, "read_reordering_table", zeros)
        load_model(files, str(cache))
    assert len(tables_in(cache)) == 1
    models._loaded.clear()
    for _ in range(2):
        with pytest.raises(DataError, match="pairs of the phrase table, found none in 1 rows"):
            load_model(files, str(cache))


def test_a_model_that_changes_while_it_is_read_is_not_kept(
    files: ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = models._compile

    def changing(files: ModelFiles, lms: LanguageModels) -> dict[str, NDArray[np.generic]]:
        with open(files.lms[0].path, "a", encoding="utf-8") as file:
            file.write("\n")
        return plain(files, lms)

    monkeypatch.setattr(models, "_compile", changing)
    with pytest.raises(DataError, match="changed while it was read"):
        load_model(files, str(tmp_path / "cache"))
    assert tables_in(tmp_path / "cache") == []


def test_without_a_place_for_the_cache_the_model_loads(files: ModelFiles, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert load_model(files, str(tmp_path / "file" / "cache")).longest >= 1


def test_rows_are_those_of_the_table(files: ModelFiles, tmp_path: Path) -> None:
    naive = random_model(random.Random(3), 3, True)
    model = load_model(files, str(tmp_path / "cache"))
    found = []
    for row in range(len(model.score)):
        words = model.target_word[model.target_start[row] : model.target_start[row + 1]]
        text = " ".join(model.target.word(w).decode() for w in words)
        found.append((text, model.score[row].round(4).tolist(), model.reordering[row].tolist()))
    expected = []
    for rows in naive.phrases.values():
        for target, scores, six in rows:
            assert six is not None
            logs = np.array([max(np.log(p), -100.0) if p else -100.0 for p in scores], np.float32)
            expected.append((" ".join(target), logs.round(4).tolist(), np.log(six)))
    assert sorted(f[:2] for f in found) == sorted(e[:2] for e in expected)
    assert model.row_start[-1] == len(found)
    assert (model.kind[:, None] == model.kind[None, :]).sum() == sum(
        a[2][3:] == b[2][3:] for a in found for b in found
    )


def test_features_are_those_that_the_files_provide(files: ModelFiles, tmp_path: Path) -> None:
    plain = load_model(ModelFiles(files.phrase_table), str(tmp_path / "cache"))
    assert plain.feature_names() == [
        "Distortion0",
        "WordPenalty0",
        "PhrasePenalty0",
        "UnknownWordPenalty0",
        *(f"TranslationModel0_{k}" for k in range(4)),
    ]
    assert plain.lm is None
    whole = load_model(files, str(tmp_path / "cache")).feature_names()
    assert whole[0] == "LM0"
    assert whole[-1] == "LexicalReordering0_5"


def test_several_reordering_tables_are_columns_side_by_side(tmp_path: Path) -> None:
    naive = random_model(random.Random(3), 0, ("word", "phrase"))
    files = write_model(naive, tmp_path)
    model = load_model(files, str(tmp_path / "cache"))
    assert model.feature_names()[-7:-5] == ["LexicalReordering0_5", "LexicalReordering1_0"]
    every = [orders for rows in naive.phrases.values() for _, _, orders in rows]
    expected = [np.log(orders) for orders in every if orders is not None]
    rows = np.sort(model.reordering, axis=0)
    np.testing.assert_allclose(rows, np.sort(expected, axis=0), atol=1e-6)
    forward = model.reordering[:, [3, 4, 5, 9, 10, 11]]
    same = (forward[:, None] == forward[None]).all(axis=2)
    assert ((model.kind[:, None] == model.kind[None]) == same).all()


def test_the_type_of_a_reordering_table_tells_models_apart(tmp_path: Path) -> None:
    files = write_model(random_model(random.Random(3), 0, ("word", "word")), tmp_path)
    one, two = files.reordering_tables

    def loaded(*tables: ReorderingTable) -> Model:
        return load_model(replace(files, reordering_tables=tables), str(tmp_path / "cache"))

    word = loaded(one, two)
    phrase = loaded(one, replace(two, orientation="phrase"))
    hierarchical = loaded(one, replace(two, orientation="hierarchical"))
    assert word.digest == phrase.digest != hierarchical.digest
    assert hierarchical.hierarchical == (False, True)
    assert word.hierarchical == (False, False)
    assert loaded(two, one).digest != word.digest != loaded(one).digest


def test_counts_go_with_their_rows(tmp_path: Path) -> None:
    (tmp_path / "table").write_text(
        "b ||| x ||| 1 ||| ||| 2 3 1\na ||| y ||| 1\nb ||| z ||| 1 ||| ||| 4 3 2\n"
    )
    model = load_model(ModelFiles(str(tmp_path / "table")), str(tmp_path / "cache"))
    words = [model.target.word(word) for word in model.target_word]
    counts = dict(zip(words, model.count.tolist(), strict=True))
    assert counts == {b"x": [2, 3, 1], b"y": [-1, -1, -1], b"z": [4, 3, 2]}

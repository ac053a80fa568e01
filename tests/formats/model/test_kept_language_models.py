"""Language models from the cache are those of the files; an entry goes by the files' bytes."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model import kept_language_models as kept
from campanula.formats.model.files import LanguageModelFile, ModelFiles
from campanula.formats.model.kept_language_models import load_language_models
from campanula.formats.model.language_models import LanguageModels, read_language_models
from campanula.formats.model.model import load_model
from tests.small_models import arpa_text, random_model, random_ngrams, write_model


def written(folder: Path, order: int, classes: str = "") -> LanguageModelFile:
    path = folder / f"lm{order}"
    path.write_text(arpa_text(random_ngrams(random.Random(order), order), order))
    if not classes:
        return LanguageModelFile(str(path))
    (folder / f"classes{order}").write_text(classes)
    return LanguageModelFile(str(path), str(folder / f"classes{order}"))


def assert_same(one: LanguageModels, other: LanguageModels) -> None:
    for a, b in zip(vars(one.automaton).values(), vars(other.automaton).values(), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype
    for a, b in zip(one.lexicons, other.lexicons, strict=True):
        assert a.words.all_words() == b.words.all_words()
        np.testing.assert_array_equal(a.number, b.number)
        np.testing.assert_array_equal(a.slot, b.slot)
    assert one.checksums == other.checksums


@pytest.mark.parametrize("classes", ["", "a\tu\nx\tv\n"])
def test_the_cache_gives_the_same(tmp_path: Path, classes: str) -> None:
    files = [written(tmp_path, 3, classes), written(tmp_path, 2)]
    cache = str(tmp_path / "cache")
    first = load_language_models(files, cache)
    assert len(os.listdir(cache)) == 1
    assert_same(first, load_language_models(files, cache))
    assert_same(first, read_language_models(files))
    os.rename(files[1].path, tmp_path / "renamed")
    assert_same(
        first, load_language_models([files[0], LanguageModelFile(str(tmp_path / "renamed"))], cache)
    )
    assert len(os.listdir(cache)) == 1


def test_other_files_have_other_entries(tmp_path: Path) -> None:
    plain, classed = written(tmp_path, 2), written(tmp_path, 3, "a\tu\n")
    cache = str(tmp_path / "cache")
    lists = [[plain], [classed], [plain, classed], [classed, plain]]
    lists += [[LanguageModelFile(classed.path)]]
    for number, files in enumerate(lists, 1):
        load_language_models(files, cache)
        assert len(os.listdir(cache)) == number


def test_a_model_for_search_is_that_of_texts(tmp_path: Path) -> None:
    files = write_model(random_model(random.Random(3), 3, True), tmp_path)
    cache = tmp_path / "cache"
    load_language_models(files.lms, str(cache))
    before = os.listdir(cache)
    model = load_model(files, str(cache))
    assert sorted(os.listdir(cache)) == sorted([*before, f"tables-{model.digest}"])
    assert not any(name.startswith("lm_") for name in os.listdir(cache / f"tables-{model.digest}"))
    assert model.lm is not None
    assert_same(model.lm, load_language_models(files.lms, str(cache)))
    assert load_model(ModelFiles(files.phrase_table), str(cache)).lm is None


def test_a_damaged_entry_is_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, cache = written(tmp_path, 2), tmp_path / "cache"
    first = load_language_models([file], str(cache))
    (entry,) = os.listdir(cache)
    (cache / entry / "lm_table.npy").write_bytes(b"damaged")
    assert_same(first, load_language_models([file], str(cache)))
    assert capsys.readouterr().err.count("\n") == 1
    assert_same(first, load_language_models([file], str(cache)))
    assert capsys.readouterr().err == ""


def test_a_model_that_changes_while_it_is_read_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, plain = written(tmp_path, 2), read_language_models

    def changing(files: list[LanguageModelFile]) -> LanguageModels:
        models = plain(files)
        with open(file.path, "a", encoding="utf-8") as arpa:
            arpa.write("\n")
        return models

    monkeypatch.setattr(kept, "read_language_models", changing)
    with pytest.raises(DataError, match="lm2: this file changed while it was read"):
        load_language_models([file], str(tmp_path / "cache"))
    assert not (tmp_path / "cache").exists()


def test_without_a_place_for_the_cache_and_from_a_pipe(tmp_path: Path) -> None:
    file = written(tmp_path, 2)
    (tmp_path / "file").write_text("")
    first = load_language_models([file], str(tmp_path / "file" / "cache"))
    reading, writing = os.pipe()
    os.write(writing, Path(file.path).read_bytes())
    os.close(writing)
    cache = tmp_path / "cache"
    piped = load_language_models([LanguageModelFile(f"/dev/fd/{reading}")], str(cache))
    assert_same(first, piped)
    assert not cache.exists()

"""Where a kernel's forms are, and which of them are good."""

import os
from types import FunctionType

import pytest

from campanula.stages.kernels import kernel_cache
from campanula.stages.kernels.native.form import Loaded
from campanula.stages.kernels.native.kinds import kinds_of
from campanula.stages.kernels.place import Place, place_of
from tests.stages.kernels.native.objects import NEEDS_ELF
from tests.stages.kernels.native.test_form import form_for


def own(x):
    return x


@pytest.fixture
def place(tmp_path):
    return Place(own, str(tmp_path))


@NEEDS_ELF
def test_a_form_that_is_saved_is_loaded_for_its_kinds(place):
    assert place.load(kinds_of((1.5,))) is None
    form = form_for(1.5)._replace(stamp=place.stamp)
    place.save(form)
    assert isinstance(place.load(kinds_of((2.5,))), Loaded)
    assert place.load(kinds_of((1,))) is None
    assert [name for name in os.listdir(place.folder) if not name.endswith(".form")] == []


@NEEDS_ELF
def test_a_form_of_another_source_is_not_used(place, tmp_path):
    place.save(form_for(1.5))
    assert place.load(kinds_of((1.5,))) is None


@NEEDS_ELF
def test_a_damaged_form_is_said_and_not_used(place, capsys, monkeypatch):
    monkeypatch.delenv("CAMPANULA_QUIET", raising=False)
    monkeypatch.setattr(kernel_cache, "quiet", False)
    place.save(form_for(1.5)._replace(stamp=place.stamp))
    (name,) = os.listdir(place.folder)
    os.truncate(os.path.join(place.folder, name), 50)
    assert place.load(kinds_of((1.5,))) is None
    message = capsys.readouterr().err
    assert (
        message == f"{place.folder}: a damaged kernel is made again (the checksum does not fit)\n"
    )


@NEEDS_ELF
def test_a_folder_that_takes_nothing_keeps_nothing(place, tmp_path):
    (tmp_path / "lock").mkdir()
    place.save(form_for(1.5)._replace(stamp=place.stamp))
    assert place.load(kinds_of((1.5,))) is None


def test_the_file_of_a_users_kernel_is_part_of_it(place):
    status = os.stat(__file__)
    assert str(status.st_mtime_ns).encode() in place.stamp
    assert __file__.encode() in place.stamp


def test_no_place_without_a_folder_or_a_file(monkeypatch, tmp_path):
    monkeypatch.setattr(kernel_cache, "folder", lambda: None)
    assert place_of(own) is None
    monkeypatch.setattr(kernel_cache, "folder", lambda: str(tmp_path))
    assert place_of(own) is not None
    names: dict[str, object] = {"__name__": "__main__"}
    exec(compile("def noted(x):\n    return x\n", "<notebook>", "exec"), names)
    assert isinstance(names["noted"], FunctionType)
    assert place_of(names["noted"]) is None

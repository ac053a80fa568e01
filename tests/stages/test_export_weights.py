"""Exporting weights; the formats themselves are tested beside them."""

import pytest

from campanula.formats.weights import Weights
from campanula.stages import export_weights, import_weights

WEIGHTS = {"LM0": 0.1, "TM0_0": -1e-300, "TM0_1": 2.0}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Commands run within a folder of their own, with weights `w`."""
    monkeypatch.chdir(tmp_path)
    Weights(WEIGHTS).write("w")
    return tmp_path


@pytest.mark.parametrize("form", export_weights.writable())
def test_what_is_exported_is_imported(form):
    assert export_weights.main(["w", "--format", form, "-q", "-o", "other"]) == 0
    assert import_weights.main(["other", "-q", "-o", "again"]) == 0
    assert dict(Weights.read("again")) == WEIGHTS


def test_sparse_weights_of_moses(folder, capsys):
    Weights({**WEIGHTS, "pp_a": 0.5}).write("w")
    assert export_weights.main(["w", "-o", "moses.ini"]) == 1
    assert "w: feature 'pp_a': expected dense weights in [weight]" in capsys.readouterr().err
    assert not (folder / "moses.ini").exists()
    assert export_weights.main(["w", "--sparse", "sparse", "-q", "-o", "moses.ini"]) == 0
    assert (folder / "sparse").read_text() == "pp_a 0.5\n"
    assert import_weights.main(["moses.ini", "-q", "-o", "again"]) == 0
    assert dict(Weights.read("again")) == {**WEIGHTS, "pp_a": 0.5}


def test_a_flag_that_does_not_fit(capsys):
    assert export_weights.main(["w", "--format", "cdec", "--sparse", "s"]) == 2
    assert "--sparse goes with --format moses" in capsys.readouterr().err


def test_a_format_that_is_only_read(capsys):
    assert export_weights.main(["w", "--format", "mert", "-o", "other"]) == 2
    assert (
        "--format mert: such weights can be read only; expected plain," in capsys.readouterr().err
    )


@pytest.mark.parametrize("form", ["cdec", "moses", "joshua", "travatar"])
def test_a_name_that_would_be_a_comment_is_refused(form, folder, capsys):
    Weights({"#x": 1.0, "LM0": 0.5}).write("w")
    assert export_weights.main(["w", "--format", form, "-o", "other"]) == 1
    assert "w: feature '#x': expected a name that does not begin with #" in capsys.readouterr().err
    assert not (folder / "other").exists()


@pytest.mark.parametrize("name", ["|||x", "a|||b"])
def test_a_name_that_would_not_be_read_back_is_refused(name, folder, capsys):
    Weights({"LM0": 0.5, name: 0.25}).write("w")
    status = export_weights.main(["w", "--format", "joshua", "-q", "-o", "other"])
    assert status == 1
    said = capsys.readouterr().err
    assert f"w: feature {name!r}: the format joshua cannot hold this name" in said
    assert not (folder / "other").exists()


def test_a_name_that_is_a_byte_order_mark_is_refused_where_it_would_be_dropped(folder, capsys):
    Weights({"\ufeff": 0.5}).write("w", ["made by hand"])
    assert export_weights.main(["w", "--format", "plain", "-q", "-o", "other"]) == 1
    assert "the format plain cannot hold this name" in capsys.readouterr().err
    assert not (folder / "other").exists()


@pytest.mark.parametrize(("output", "sparse"), [("/dev/full", "sparse"), ("out", "/dev/full")])
def test_without_room_for_one_file_there_is_none(folder, capsys, output, sparse):
    Weights({**WEIGHTS, "pp_a": 0.5}).write("w")
    assert export_weights.main(["w", "--sparse", sparse, "-q", "-o", output]) == 1
    assert "export-weights: /dev/full: cannot be written" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["w"]

"""Importing weights; the formats themselves are tested beside them."""

from pathlib import Path

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream
from campanula.stages import export_weights, import_weights
from campanula.stages.inventories.growing import Growing


def test_a_moses_ini_becomes_a_weights_file(tmp_path, capsys):
    (tmp_path / "moses.ini").write_text("[weight]\nLM0= 0.5\nTM0= 0.2 0.1\n")
    argv = [str(tmp_path / "moses.ini"), "-o", str(tmp_path / "w")]
    assert import_weights.main(argv) == 0
    lines = (tmp_path / "w").read_text().splitlines()
    assert lines[0].startswith("# campanula:")
    assert lines[1:] == ["LM0 0.5", "TM0_0 0.2", "TM0_1 0.1"]
    assert capsys.readouterr().err == "import-weights: 3 weights\n"


def test_names_from_another_file(tmp_path):
    (tmp_path / "moses.ini").write_text("[weight]\nLM0= 0.5\nTM0= 0.2 0.1\n")
    (tmp_path / "weights.txt").write_text("1 2 3 \n")
    argv = [str(tmp_path / "weights.txt"), "--names", str(tmp_path / "moses.ini"), "-q"]
    assert import_weights.main([*argv, "-o", str(tmp_path / "w")]) == 0
    lines = (tmp_path / "w").read_text().splitlines()[1:]
    assert lines == ["LM0 1.0", "TM0_0 2.0", "TM0_1 3.0"]


def test_a_bad_file_is_one_line(tmp_path, capsys):
    (tmp_path / "in").write_text("[weight]\nLM0= nan\n")
    assert import_weights.main([str(tmp_path / "in"), "-o", str(tmp_path / "w")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("import-weights: ")
    assert said.endswith("in: line 2: feature 'LM0': expected a finite number, found 'nan'\n")
    assert not (tmp_path / "w").exists()


def test_a_name_that_our_files_cannot_hold(tmp_path, capsys):
    (tmp_path / "in").write_text('{"a b": 1}')
    assert import_weights.main([str(tmp_path / "in"), "-o", str(tmp_path / "w")]) == 1
    assert "feature 'a b': expected no blank" in capsys.readouterr().err


def test_into_an_inventory_and_back(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = ["LM0", "TM0_0", "block:a|b", "é"]
    with Growing("F", new=True) as growing:
        growing.ids_of_names(names)
        growing.commit()
    Path("w").write_text("# comment\né -0.25\nLM0 1e-300\nTM0_0 0.1\n")
    assert import_weights.main(["w", "--inventory", "F", "-o", "stream"]) == 0
    assert "3 weights of 4 names; the others are 0" in capsys.readouterr().err
    found = read_weight_stream("stream")
    assert found.theta.tolist() == [1e-300, 0.1, 0.0, -0.25]
    assert found.reference == Inventory.open("F").reference
    with Growing("F") as growing:
        growing.ids_of_names(["new"])
        growing.commit()
    assert export_weights.main(["stream", "--inventory", "F", "-q", "-o", "again"]) == 0
    lines = Path("again").read_text().splitlines()
    assert lines[0].startswith("# campanula:")
    assert lines[1:] == ["LM0 1e-300", "TM0_0 0.1", "block:a|b 0.0", "é -0.25"]
    capsys.readouterr()
    assert export_weights.main(["stream", "--inventory", "F", "--no-zeros"]) == 0
    shown = capsys.readouterr()
    assert "block" not in shown.out
    assert "3 weights of 4 names; the others are 0" in shown.err
    Path("w.json").write_text('{"é": 2.0}')
    argv = ["w.json", "--format", "json", "--inventory", "F", "-q", "-o", "json"]
    assert import_weights.main(argv) == 0
    assert read_weight_stream("json").theta.tolist() == [0.0, 0.0, 0.0, 2.0, 0.0]


def test_what_does_not_go_with_an_inventory(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("F", "G"):
        with Growing(name, new=True) as growing:
            growing.ids_of_names([f"LM{name}"])
            growing.commit()
    Path("w").write_text("LMF 1\nother 2\n")
    assert import_weights.main(["w", "--inventory", "F", "-o", "stream"]) == 1
    said = capsys.readouterr().err
    assert "w: line 2: feature 'other': expected a name of inventory F, which has none of" in said
    assert not Path("stream").exists()
    Path("w").write_text("LMF 1\n")
    assert import_weights.main(["w", "--inventory", "F", "-q", "-o", "stream"]) == 0
    assert export_weights.main(["stream", "--inventory", "G", "-o", "again"]) == 1
    assert "stream: is against another inventory (" in capsys.readouterr().err
    assert export_weights.main(["w", "--inventory", "G", "-o", "again"]) == 1
    assert "w: header: expected a weights stream" in capsys.readouterr().err
    assert export_weights.main(["stream"]) == 2
    assert "a weights stream needs --inventory" in capsys.readouterr().err
    assert export_weights.main(["stream", "--inventory", "F", "--format", "moses"]) == 2
    assert export_weights.main(["w", "--no-zeros"]) == 2

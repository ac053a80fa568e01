"""Importing weights; the formats themselves are tested beside them."""

from campanula.stages import import_weights


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

"""--text-field and --remove-subwords, in the commands that have them."""

import json

import pytest

from campanula.stages import add_feature, export_nbest, import_nbest, rerank, score_bleu, show

FAIRSEQ = """H-0\t-1\tthe c@@ at
D-0\t-1\tThe cat
H-0\t-2\ta c@@ at
D-0\t-2\tA cat
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "gen.out").write_text(FAIRSEQ)
    (tmp_path / "ref").write_text("The cat\n")
    (tmp_path / "lower").write_text("the cat\n")
    (tmp_path / "w").write_text("F0 1\n")
    assert run(import_nbest, tmp_path / "gen.out", "-o", tmp_path / "k") == 0
    return tmp_path


def run(command, *argv):
    return command.main([*map(str, argv), *(["-q"] if command is not show else [])])


def hypotheses(capsys, path):
    capsys.readouterr()
    assert show.main([str(path)]) == 0
    return json.loads(capsys.readouterr().out)["hyps"]


def test_import_takes_a_field_for_the_text_and_keeps_what_was_there(files, capsys):
    out = files / "out"
    assert run(import_nbest, files / "gen.out", "--text-field", "detokenized", "-o", out) == 0
    first = hypotheses(capsys, out)[0]
    assert (first["text"], first["fields"]) == ("The cat", {"text": "the c@@ at"})


def test_import_joins_subwords_and_keeps_them(files, capsys):
    out = files / "out"
    assert run(import_nbest, files / "gen.out", "--remove-subwords", "bpe", "-o", out) == 0
    first = hypotheses(capsys, out)[0]
    assert first["text"] == "the cat"
    assert first["fields"] == {"detokenized": "The cat", "subwords": "the c@@ at"}


@pytest.mark.parametrize(
    ("ref", "flags"),
    [("ref", ["--text-field", "detokenized"]), ("lower", ["--remove-subwords", "bpe"])],
)
def test_score_bleu_compares_the_text_asked_for_and_keeps_the_lists(files, capsys, ref, flags):
    out = files / "out"
    assert run(score_bleu, files / "k", "--ref", files / ref, *flags, "-o", out) == 0
    first = hypotheses(capsys, out)[0]
    assert (first["text"], first["gain"]) == ("the c@@ at", 1.0)


def test_rerank_writes_the_text_asked_for(files):
    out = files / "out"
    weights = ["--weights", files / "w"]
    assert run(rerank, files / "k", *weights, "--remove-subwords", "bpe", "-o", out) == 0
    assert out.read_text() == "the cat\n"
    assert run(rerank, files / "k", *weights, "--text-field", "detokenized", "-o", out) == 0
    assert out.read_text() == "The cat\n"


def test_rerank_writes_lists_as_they_are(files, capsys):
    flags = ["--weights", files / "w", "--kbest", "--remove-subwords", "bpe"]
    assert run(rerank, files / "k", *flags) == 2
    assert "do not go with --kbest" in capsys.readouterr().err


def test_export_writes_the_text_asked_for(files):
    out = files / "out"
    flags = ["--remove-subwords", "bpe", "--format", "cdec"]
    assert run(export_nbest, files / "k", *flags, "-o", out) == 0
    assert out.read_text().startswith("0 ||| the cat ||| F0=-1 ||| -1\n")


def test_a_field_that_is_not_there_is_named(files, capsys):
    flags = ["--ref", files / "ref", "--text-field", "detok", "-o", files / "out"]
    assert run(score_bleu, files / "k", *flags) == 1
    assert not (files / "out").exists()
    assert "expected a text field 'detok', found detokenized" in capsys.readouterr().err


def test_numbers_of_others_have_no_text(files, capsys):
    flags = ["--metric", "gain-column", "--field", "detokenized", "--remove-subwords", "bpe"]
    assert run(score_bleu, files / "k", *flags) == 2
    assert "go with metrics of texts" in capsys.readouterr().err


def test_score_bleu_warns_of_subwords_unless_quiet(files, capsys):
    argv = [str(files / "k"), "--ref", str(files / "ref"), "-o", str(files / "out")]
    assert score_bleu.main(argv) == 0
    found = capsys.readouterr().err.splitlines()
    assert "warning: the texts have subword marks such as '@@', the references none" in found[0]
    assert score_bleu.main([*argv, "-q"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("flags", "words"),
    [([], 3.0), (["--remove-subwords", "bpe"], 2.0), (["--text-field", "detokenized"], 2.0)],
)
def test_a_feature_of_the_text_asked_for(files, capsys, flags, words):
    out = files / "out"
    assert run(add_feature, "length", "--name", "L", *flags, files / "k", "-o", out) == 0
    first = hypotheses(capsys, out)[0]
    assert (first["text"], first["features"]["L"]) == ("the c@@ at", words)


def test_a_feature_of_no_text_has_no_such_flag(files, capsys):
    with pytest.raises(SystemExit):
        run(add_feature, "score", "--name", "S", "--remove-subwords", "bpe", files / "k")
    assert "unknown flag --remove-subwords" in capsys.readouterr().err


def test_words_are_not_taken_for_pieces(files, capsys):
    flags = ["--ref", files / "ref", "--remove-subwords", "spm", "-o", files / "out"]
    assert run(score_bleu, files / "k", *flags) == 1
    assert "sentence 0: expected subwords with ▁, found none" in capsys.readouterr().err

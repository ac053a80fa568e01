"""The decode command: flags, errors, and Moses's own lists."""

from __future__ import annotations

import gzip
import json
import os
import random
import re

import numpy as np
import pytest

from campanula.formats.feature_names.dense import TILLMANN_ZHANG
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import decode, rescore
from tests.examples import MOSES, MULTI30K
from tests.plain import plain
from tests.small_models import random_model, random_tillmann_zhang_model, write_model

interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


@pytest.fixture
def setting(tmp_path):
    """A model folder, a weights file and a source file, as flags."""
    model = random_model(random.Random(2), 2, True)
    folder = tmp_path / "model"
    folder.mkdir()
    files = write_model(model, folder)
    content = {
        "phrase-table": os.path.basename(files.phrase_table),
        "reordering-table": os.path.basename(files.reordering_tables[0].path),
        "lm": os.path.basename(files.lms[0].path),
    }
    (folder / "model.json").write_text(json.dumps(content))
    Weights(dict(model.weights)).write(str(tmp_path / "w0"))
    (tmp_path / "source").write_text("a b c\n\nb ä\n", encoding="utf-8")
    tables = [
        "--phrase-table",
        files.phrase_table,
        "--reordering-table",
        files.reordering_tables[0].path,
    ]
    rest = ["--weights", str(tmp_path / "w0"), "--cache", str(tmp_path / "cache"), "-q"]
    return {
        "files": [*tables, "--lm", files.lms[0].path],
        "model": ["--model", str(folder)],
        "rest": [*rest, str(tmp_path / "source")],
        "folder": tmp_path,
    }


def run(setting, *flags, model="model"):
    """Exit status of the command, and the records it wrote (None when there is no output)."""
    out = str(setting["folder"] / "out")
    status = decode.main([*setting[model], *setting["rest"], "-o", out, *flags])
    if not os.path.exists(out):
        return status, None
    with Reader(out, KBest) as lists:
        return status, list(lists)


def test_files_and_folder_give_the_same(setting):
    status, by_folder = run(setting)
    assert status == 0
    assert [record.sid for record in by_folder] == [0, 1, 2]
    first = (setting["folder"] / "out").read_bytes()
    run(setting, "--jobs", "2", model="files")
    assert (setting["folder"] / "out").read_bytes() == first


def test_many_unknown_words_are_told(setting, capsys):
    quiet = setting["rest"].pop(setting["rest"].index("-q"))
    with open(setting["rest"][-1], "w") as source:
        source.write("a b zz\nzz yy\n")
    assert run(setting)[0] == 0
    expected = "decode: warning: 3 of 5 words are in no phrase pair of the model, and copied\n"
    assert expected in capsys.readouterr().err
    assert run(setting, quiet)[0] == 0
    assert capsys.readouterr().err == ""


def test_clean_text_has_no_warning(setting, capsys):
    setting["rest"].remove("-q")
    with open(setting["rest"][-1], "w") as source:
        source.write("a b\nb a\n")
    assert run(setting)[0] == 0
    assert "warning" not in capsys.readouterr().err


def test_tillmann_and_zhangs_features(setting, capsys):
    """Of the files or of the folder, on any number of threads; and what there is not, by name."""
    folder = setting["folder"]
    model = random_tillmann_zhang_model(random.Random(4), 2, True)
    files = write_model(model, folder / "model")
    Weights(dict.fromkeys(TILLMANN_ZHANG, 0.1)).write(str(folder / "w0"))
    table = ["--distortion-table", files.distortion_table]
    on = ["--dense-features", "tillmann-zhang"]
    status, lists = run(setting, *table, *on)
    assert status == 0
    first = (folder / "out").read_bytes()
    for record in lists:
        assert {record.names[i] for i in record.features.dense_id} == set(TILLMANN_ZHANG)
        np.testing.assert_allclose(record.score, 0.1 * record.features.dense.sum(axis=0), atol=1e-6)
    run(setting, *table, *on, "--jobs", "3", model="files")
    assert (folder / "out").read_bytes() == first
    path = folder / "model" / "model.json"
    content = json.loads(path.read_text()) | {"distortion-table": "distortion"}
    path.write_text(json.dumps({**content, "features": ["tillmann-zhang"]}))
    run(setting)
    assert (folder / "out").read_bytes() == first
    path.write_text(json.dumps(content | {"features": ["LM0", "Distortion"]}))
    assert run(setting)[0] == 1
    assert "model.json: feature 'Distortion': expected one of LM0, Distort" in (
        capsys.readouterr().err
    )
    assert run(setting, "--dense-features", "moses,LMSecond0")[0] == 2
    assert "found 'LMSecond0'" in capsys.readouterr().err


def moses_ini(setting, name="TranslationModel0", rest=""):
    """Flags that name the model as a moses.ini; the weights in it are those of the file."""
    folder, weights = setting["folder"], Weights.read(str(setting["folder"] / "w0"))
    values = {label: [w for n, w in weights.items() if n.startswith(label)] for label in LABELS}
    values[name] = values.pop("TranslationModel0")
    lines = [f"{label}= {' '.join(map(repr, group))}" for label, group in values.items()]
    features = f"""\
PhraseDictionaryMemory path=model/table.gz name={name} num-features=4
LexicalReordering name=LexicalReordering0 path={folder}/model/reordering type=msd-bidirectional-fe
KENLM name=LM0 path=model/lm.arpa factor=0
"""
    simple = "\n".join(label[:-1] for label in LABELS if "Penalty" in label or "Dist" in label)
    text = f"[feature]\n{features}{simple}\n{rest}\n[weight]\n" + "\n".join(lines)
    (folder / "moses.ini").write_text(text)
    return ["--moses-ini", str(folder / "moses.ini"), *setting["rest"][2:]]


LABELS = (
    *("LM0", "Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0"),
    *("TranslationModel0", "LexicalReordering0"),
)


def test_a_moses_ini_gives_the_same(setting):
    out = setting["folder"] / "out"
    run(setting, "--distortion-limit", "4", "--stack", "7")
    first = out.read_bytes()
    flags = moses_ini(setting, rest="[distortion-limit]\n4\n[stack]\n7\n[threads]\n2")
    assert decode.main([*flags, "-o", str(out)]) == 0
    assert out.read_bytes() == first
    flags = moses_ini(setting, rest="[distortion-limit]\n4\n[stack]\n3")
    given = [*setting["rest"][:2], "--stack", "7"]  # what a flag says wins
    assert decode.main([*flags, *given, "-o", str(out)]) == 0
    assert out.read_bytes() == first


def test_features_go_by_the_names_of_a_moses_ini(setting):
    out = str(setting["folder"] / "out")
    assert decode.main([*moses_ini(setting, "Table"), "-o", out]) == 0
    with Reader(out, KBest) as lists:
        list(lists)
        assert [f"Table_{k}" in lists.names for k in range(5)] == [True] * 4 + [False]
        assert "TranslationModel0_0" not in lists.names


def test_weights_of_features_that_are_off_do_not_count(setting):
    out = str(setting["folder"] / "out")
    flags = moses_ini(setting)
    assert decode.main([*flags, "--dense-features", "LM0,WordPenalty0", "-o", out]) == 0
    with Reader(out, KBest) as lists:
        list(lists)
        assert [*lists.names] == ["LM0", "WordPenalty0"]


def test_a_moses_ini_that_decode_cannot_follow(setting, capsys):
    out = setting["folder"] / "out"
    flags = moses_ini(setting, rest="OpSequenceModel path=x")
    assert decode.main([*flags, "-o", str(out)]) == 1
    assert re.search(r"moses.ini: line \d+: expected .* found 'OpSeq", capsys.readouterr().err)
    assert not out.exists()
    flags = moses_ini(setting)
    text = (setting["folder"] / "moses.ini").read_text().partition("[weight]")[0]
    (setting["folder"] / "moses.ini").write_text(text)
    assert decode.main(flags) == 2
    assert "expected --weights" in capsys.readouterr().err


def test_distinct_lists_have_no_string_twice(setting):
    _, records = run(setting, "--distinct", "-k", "50", "--no-pruning")
    _, every = run(setting, "-k", "100000", "--no-pruning")
    for record, whole in zip(records, every, strict=True):
        assert len(set(record.text)) == len(record)
        assert set(record.text) <= set(whole.text)
        best = dict(zip(reversed(list(whole.text)), whole.score[::-1].tolist(), strict=True))
        expected = sorted(best.values(), reverse=True)[:50]
        np.testing.assert_allclose(record.score, expected, atol=1e-9)


@pytest.mark.parametrize("reordering", ["monotone", "swap", "distance"])
def test_unpruned_scores_are_at_least_as_high(setting, reordering):
    flags = ("--reordering", reordering, "-k", "1")
    _, pruned = run(setting, *flags, "--beam", "1", "--stack", "1", "--beam-threshold", "0.5")
    _, exact = run(setting, *flags, "--no-pruning")
    for a, b in zip(pruned, exact, strict=True):
        assert a.score[0] <= b.score[0] + 1e-12


def test_features_of_the_folder(setting, capsys):
    path = setting["folder"] / "model" / "model.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "features": ["LM0", "PhrasePenalty0"]}))
    status, records = run(setting)
    assert (status, records) == (1, None)  # the weights know more features
    assert "unknown feature" in capsys.readouterr().err
    status, records = run(setting, "--allow-missing")
    assert status == 0
    assert list(records[0].names) == ["LM0", "PhrasePenalty0"]
    path.write_text(json.dumps({**content, "features": ["LM1"]}))
    assert run(setting)[0] == 1
    assert "feature 'LM1'" in capsys.readouterr().err


def test_weights_must_fit(setting, capsys):
    path = setting["folder"] / "w0"
    text = path.read_text()
    path.write_text(text.replace("LM0", "LM1"))
    assert run(setting) == (1, None)
    assert "LM1" in capsys.readouterr().err
    path.write_text(re.sub("^LM0.*\n", "", text, flags=re.MULTILINE))
    assert run(setting) == (1, None)
    assert "LM0" in capsys.readouterr().err
    assert run(setting, "--allow-missing")[0] == 0


def test_sparse_features_are_written_and_weighed(setting):
    with open(setting["folder"] / "w0", "a") as file:
        file.write("orient_N -0.5\njump_-2 0.25\nblock_x~~y 3\n")
    flags = ("--features", "orientation,jump", "--features", "block", "-k", "20")
    status, records = run(setting, *flags)
    assert status == 0
    first = (setting["folder"] / "out").read_bytes()
    run(setting, *flags, "--jobs", "3", model="files")
    assert (setting["folder"] / "out").read_bytes() == first
    theta = Weights.read(str(setting["folder"] / "w0"))
    names = {name for record in records for name in record.names}
    assert {"orient_R", "jump_0", "LM0"} < names
    for record in records:
        for row, score in zip(record.features.rows(record.names), record.score, strict=True):
            expected = sum(theta.get(name, 0.0) * value for name, value in row.items())
            assert score == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("sparse", [{}, {"uni_u": 1.5, "bigram_u~v": -1.0}], ids=["none", "some"])
def test_no_dense_feature_need_be_on(setting, sparse):
    """The same as dense features that weigh 0; and from a lattice, too."""
    folder = setting["folder"]
    dense = Weights.read(str(folder / "w0"))
    Weights(sparse).write(str(folder / "sparse"))
    Weights({**dict.fromkeys(dense, 0.0), **sparse}).write(str(folder / "both"))
    lattice = str(folder / "lattice")
    flags = ["--features", "ngram", "-k", "50"]
    binary = [*flags, "--dense-features", "none", "--weights", str(folder / "sparse")]
    _, records = run(setting, *binary, "--lattice", lattice)
    _, expected = run(setting, *flags, "--weights", str(folder / "both"))
    for record, other in zip(records, expected, strict=True):
        assert not len(record.features.dense_id)
        assert list(record.text) == list(other.text)
        assert record.score.tolist() == other.score.tolist()
        rows, others = (each.features.rows(each.names) for each in (record, other))
        for row, rest in zip(rows, others, strict=True):
            assert row == {name: value for name, value in rest.items() if name not in dense}
    out = str(folder / "rescored")
    argv = [lattice, "--weights", str(folder / "sparse"), "-k", "50", "-o", out, "-q"]
    assert rescore.main([*argv, "--allow-missing"]) == 0
    with Reader(out, KBest) as lists:
        assert [plain(record) for record in lists] == [plain(record) for record in records]
    assert run(setting, *binary, "--weights", str(folder / "both"))[0] == 1


def test_sparse_features_of_the_folder(setting, capsys):
    path = setting["folder"] / "model" / "model.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "features": ["LM0", "orientation"]}))
    status, records = run(setting, "--allow-missing")
    assert status == 0
    names = {name for record in records for name in record.names}
    assert {"LM0", "orient_R"} <= names <= {"LM0", "orient_R", "orient_L", "orient_N"}


def test_weights_of_sparse_features_must_fit(setting, capsys):
    with open(setting["folder"] / "w0", "a") as file:
        file.write("jump_2 1\n")
    assert run(setting) == (1, None)  # its template is off
    assert "unknown feature" in capsys.readouterr().err
    assert run(setting, "--features", "jump") == (1, None)
    assert "feature 'jump_2': expected a name" in capsys.readouterr().err


@pytest.mark.parametrize(
    "flags",
    [
        ["--phrase-table", "x"],
        ["--distortion-limit", "61"],
        ["--features", "blocks"],
        ["--distortion-table", "-", "--feature-list", "-"],
    ],
)
def test_flags_that_do_not_fit(setting, flags, capsys):
    assert run(setting, *flags) == (2, None)
    assert "Traceback" not in capsys.readouterr().err


def test_a_phrase_table_is_needed(setting, capsys):
    assert decode.main(["--lm", "x", *setting["rest"]]) == 2
    assert "--phrase-table" in capsys.readouterr().err


def test_a_bad_table_is_one_line(setting, capsys):
    folder = setting["folder"]
    (folder / "bad").write_text("a ||| b ||| 1 1 1 1\na ||| b\n")
    out = str(folder / "out")
    flags = ["--phrase-table", str(folder / "bad"), *setting["rest"], "-o", out]
    assert decode.main(flags) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "bad: line 2: expected 3 fields" in error
    assert not os.path.exists(out)
    assert decode.main(["--phrase-table", str(folder), *setting["rest"], "-o", out]) == 1
    assert "cannot be read" in capsys.readouterr().err


MOSES_WEIGHTS = {
    "LM0": 0.5,
    "Distortion0": 0.3,
    "WordPenalty0": -1.0,
    "PhrasePenalty0": 0.2,
    "UnknownWordPenalty0": 1.0,
    **{f"TranslationModel0_{k}": 0.2 for k in range(4)},
    **{f"LexicalReordering0_{k}": 0.3 for k in range(6)},
}


def moses_lists() -> dict[int, dict[str, dict[str, float]]]:
    """Moses's lists of run 1: sentence, text, feature values."""
    lists: dict = {}
    with gzip.open(MOSES / "run1.best100.gz", "rt", encoding="utf-8") as file:
        for line in file:
            sid, text, features, _ = (field.strip() for field in line.split("|||"))
            values: dict = {"UnknownWordPenalty0": 0.0}
            for label, numbers in re.findall(r"(\w+)= ((?:[-+.e\d]+ ?)+)", features):
                for k, number in enumerate(numbers.split()):
                    several = len(numbers.split()) > 1
                    values[f"{label}_{k}" if several else label] = float(number)
            lists.setdefault(int(sid), {})[text] = values
    return lists


@pytest.mark.skipif(not MOSES.is_dir() or interpreted, reason="needs Moses's model, compiled code")
def test_moses_model_gives_moses_scores_and_values(tmp_path):
    Weights(MOSES_WEIGHTS).write(str(tmp_path / "w"))
    out = str(tmp_path / "out")
    flags = ["--model", str(MOSES), "--weights", str(tmp_path / "w"), "--distinct", "-k", "100"]
    flags += ["--cache", str(tmp_path), "-o", out, "-q", str(MULTI30K / "val.de")]
    assert decode.main(flags) == 0
    lines = (MULTI30K / "val.de").read_text(encoding="utf-8").split("\n")
    (tmp_path / "few").write_text("\n".join([*lines[:20], ""]), encoding="utf-8")
    two = [flags[:4], ["--moses-ini", str(MOSES / "moses.ini")]]
    for given, file in zip(two, ("by-folder", "by-ini"), strict=True):
        rest = ["--cache", str(tmp_path), "-q", "-o", str(tmp_path / file), str(tmp_path / "few")]
        assert decode.main([*given, *rest]) == 0
    assert (tmp_path / "by-folder").read_bytes() == (tmp_path / "by-ini").read_bytes()
    theirs = moses_lists()
    best, common, same = [], 0, 0
    with Reader(out, KBest) as lists:
        for record in lists:
            names = [record.names[i] for i in record.features.dense_id]
            unknown = record.features.dense[names.index("UnknownWordPenalty0")]
            score = record.score - unknown
            best.append(score[0])
            for j, text in enumerate(record.text):
                values = theirs[record.sid].get(text)
                if values is None:
                    continue
                common += 1
                moses = sum(MOSES_WEIGHTS[n] * v for n, v in values.items())
                if abs(moses - score[j]) > 5e-4:
                    continue  # one search has found a better derivation of the string
                ours = dict(zip(names, record.features.dense[:, j].tolist(), strict=True))
                same += all(
                    abs(ours[n] - v) < 1e-3 for n, v in values.items() if n[:7] != "Unknown"
                )
    assert len(best) == 1014
    assert np.mean(best) > -17.7094
    assert common > 60000
    assert same > 0.97 * common


def test_exact_orientations_are_those_of_hierarchical_features(setting, capsys):
    [status, none] = run(setting, "--exact-orientation")
    assert (status, none) == (2, None)
    assert "expected a reordering table of type hierarchical" in capsys.readouterr().err
    features = ["--features", "wuebker-d"]
    [status, none] = run(setting, *features, "--exact-orientation", "--lattice", "x")
    assert (status, none) == (2, None)
    assert "lattices have the search's orientations" in capsys.readouterr().err
    assert run(setting, *features)[0] == run(setting, *features, "--exact-orientation")[0] == 0


def test_a_reordering_table_says_what_its_orientations_are(setting):
    table = setting["files"][3]
    second = ["--reordering-table", f"{table},hierarchical", "--allow-missing"]
    status, records = run(setting, *second, model="files")
    assert status == 0
    names = [records[0].names[i] for i in records[0].features.dense_id]
    assert names[-6:] == [f"LexicalReordering1_{k}" for k in range(6)]


def texts(setting, *flags, source=None):
    """Exit status of the command with --text, and what it wrote (None when there is nothing)."""
    out = setting["folder"] / "texts"
    out.unlink(missing_ok=True)
    rest = [*setting["rest"][:-1], source or setting["rest"][-1]]
    status = decode.main([*setting["model"], *rest, "--text", "-o", str(out), *flags])
    return status, out.read_text(encoding="utf-8") if out.exists() else None


def test_text_is_the_first_of_each_list(setting, capsys):
    folder = setting["folder"]
    _, lists = run(setting)
    first = [record.text[0] for record in lists]
    expected = "".join(f"{text}\n" for text in first)
    assert texts(setting) == texts(setting, "-k", "9", "--jobs", "2") == (0, expected)
    assert texts(setting, "--format", "keyed")[1].splitlines()[2] == f"2 {first[2]}"
    written = list(map(json.loads, texts(setting, "--format", "jsonl")[1].splitlines()))
    assert [line["text"] for line in written] == first
    assert [line["score"] for line in written] == [record.score[0] for record in lists]
    (folder / "parts").mkdir()
    for name, lines in {"0": "a b c\n\n", "1": "b ä\n"}.items():
        (folder / "parts" / name).write_text(lines, encoding="utf-8")
    assert texts(setting, source=str(folder / "parts")) == (0, expected)
    capsys.readouterr()
    assert decode.main([*setting["model"], *setting["rest"], "--text"]) == 0
    assert capsys.readouterr().out == expected


def test_text_goes_with_lattices(setting):
    folder = setting["folder"]
    run(setting, "--lattice", str(folder / "one"))
    assert texts(setting, "--lattice", str(folder / "other"))[0] == 0
    with Reader(str(folder / "one"), Lattice) as one, Reader(str(folder / "other"), Lattice) as two:
        assert [record.n_nodes for record in one] == [record.n_nodes for record in two]


def test_text_is_written_when_all_is_there(setting, capsys):
    """A fault in the last line leaves nothing, on stdout neither."""
    source = setting["folder"] / "damaged"
    source.write_bytes(b"a b c\na\n\xff\n")
    assert texts(setting, source=str(source)) == (1, None)
    rest = [*setting["rest"][:-1], str(source)]
    capsys.readouterr()
    assert decode.main([*setting["model"], *rest, "--text"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "damaged: line 3: expected UTF-8" in err


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--inventory", "new"], "--no-extend leaves it as it is"),
        (["--engine", "dask"], "does not go with --engine dask"),
    ],
)
def test_what_does_not_go_with_text(setting, capsys, flags, problem):
    assert texts(setting, *flags) == (2, None)
    assert problem in capsys.readouterr().err


def test_a_format_is_one_of_texts(setting, capsys):
    assert run(setting, "--format", "jsonl") == (2, None)
    assert "--format goes with --text" in capsys.readouterr().err

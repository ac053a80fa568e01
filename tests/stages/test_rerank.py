"""Reranking: the highest score of every list, as text or as lists."""

from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.formats.weights import Weights
from campanula.stages import import_nbest, rerank
from campanula.stages.metrics.bleu import Bleu
from tests.examples import random_lists, write_kbest
from tests.present import present

THETA = {
    "LM0": 0.5,
    "WordPenalty0": -0.25,
    **{f"pair_{i}": 0.5 * i for i in range(6)},
    "count_7": 1,
}


@pytest.fixture
def weights(tmp_path):
    path = tmp_path / "w"
    Weights({name: float(value) for name, value in THETA.items()}).write(str(path))
    return str(path)


def slow_order(hyps):
    """Places of hypotheses, highest score first; the features are sums of exact halves or not."""
    scores = [sum(THETA[name] * value for name, value in row.items()) for row, _ in hyps]
    return sorted(range(len(hyps)), key=lambda j: -scores[j]), scores


def test_best_texts(tmp_path, weights):
    records, plain = random_lists(5, n_lists=20, max_size=8)
    kbest = write_kbest(tmp_path / "k", records)
    assert rerank.main([kbest, "--weights", weights, "-q", "-o", str(tmp_path / "out")]) == 0
    best = [slow_order(hyps)[0][0] for hyps in plain]
    assert (tmp_path / "out").read_text() == "".join(f"hypothesis {j}\n" for j in best)


def test_reranked_lists(tmp_path, weights):
    records, plain = random_lists(5, n_lists=20, max_size=8)
    kbest = write_kbest(tmp_path / "k", records)
    argv = [kbest, "--weights", weights, "--kbest", "-q", "-o", str(tmp_path / "out")]
    assert rerank.main(argv) == 0
    with Reader(str(tmp_path / "out"), KBest) as lists:
        for found, hyps in zip(lists, plain, strict=True):
            order, scores = slow_order(hyps)
            assert list(found.text) == [f"hypothesis {j}" for j in order]
            assert found.score == pytest.approx([scores[j] for j in order])
            assert present(found.gain).tolist() == [hyps[j][1] for j in order]


def three_lists(sids=(0, 1, 2)):
    names = Names()
    for sid in sids:
        features = Features.of([{"LM0": 1.0}, {"LM0": 2.0}, {"LM0": 2.0}], names)
        yield KBest(sid, Texts.of([f"{sid}a", f"{sid}b", f"{sid}c"]), features, names)


def run(tmp_path, records, *flags, text="LM0 1\n"):
    (tmp_path / "w").write_text(text)
    kbest = write_kbest(tmp_path / "k", records)
    out = tmp_path / "out"
    status = rerank.main([kbest, "--weights", str(tmp_path / "w"), "-o", str(out), *flags])
    return status, out.read_text() if out.exists() else None


def test_ties_go_to_the_lower_index(tmp_path):
    assert run(tmp_path, three_lists()) == (0, "0b\n1b\n2b\n")


@pytest.mark.parametrize(("sids", "missing"), [((1, 2), 0), ((0, 2), 1)])
def test_a_missing_sentence_is_named(tmp_path, capsys, sids, missing):
    assert run(tmp_path, three_lists(sids)) == (1, None)
    assert f"sentence {missing}: expected its k-best list, found none" in capsys.readouterr().err


def test_a_missing_sentence_may_be_an_empty_line(tmp_path):
    assert run(tmp_path, three_lists((1, 3)), "--allow-missing") == (0, "\n1b\n\n3b\n")


def test_ids_that_number_no_lines(tmp_path, capsys):
    assert run(tmp_path, three_lists((0, 1 << 40)), "--allow-missing") == (1, None)
    expected = "sentence 1: expected no more than 10000000 missing, found the next to be 10995"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("flags", [(), ("--kbest",)])
def test_weights_and_features_are_the_same(tmp_path, capsys, flags):
    assert run(tmp_path, three_lists(), *flags, text="LM0 1\nTM0 2\n") == (1, None)
    assert "feature 'TM0': unknown feature" in capsys.readouterr().err
    assert run(tmp_path, three_lists(), *flags, text="TM0 2\n") == (1, None)
    assert "feature 'LM0': expected a weight" in capsys.readouterr().err


def test_other_weights_and_features_may_be_allowed(tmp_path):
    assert run(tmp_path, three_lists(), "--allow-missing", text="TM0 2\n") == (0, "0a\n1a\n2a\n")


@pytest.mark.filterwarnings("ignore:overflow")  # numpy's, when the kernel is interpreted
def test_a_score_that_overflows_is_named_with_its_file(tmp_path, capsys):
    names = Names()
    features = Features.of([{"LM0": 1e300}], names)
    record = KBest(0, Texts.of(["a"]), features, names)
    assert run(tmp_path, [record], text="LM0 1e300\n") == (1, None)
    problem = "expected a finite score of hypothesis 0 under the weights, found inf"
    said = capsys.readouterr().err
    assert said.endswith(f"sentence 0: {problem}: numbers too large\n")
    assert said.startswith(f"rerank: {tmp_path}")  # the file by its name


def test_a_line_end_in_a_text_is_refused(tmp_path, capsys):
    record = replace(next(three_lists()), text=Texts.of(["a", "a\nb", "c"]))
    assert run(tmp_path, [record]) == (1, None)
    assert "sentence 0: expected one line of text" in capsys.readouterr().err


def test_the_metric_of_a_scored_stream_is_said(tmp_path, capsys):
    stats = np.array([[4, 4, 0, 0, 0, 0, 4, 3, 2, 1], [4] * 2 + [4, 3, 2, 1] * 2, [4] * 10])
    (tmp_path / "w").write_text("LM0 1\n")
    with Writer(str(tmp_path / "k"), KBest, "how", Bleu().header()) as out:
        for kbest in three_lists():
            out.write(replace(kbest, stats=stats, gain=np.array([0.0, 1.0, 0.5])))
    argv = [str(tmp_path / "k"), "--weights", str(tmp_path / "w"), "-o", str(tmp_path / "out")]
    assert rerank.main(argv) == 0
    assert "rerank: 3 sentences, BLEU|nrefs:1" in (said := capsys.readouterr().err)
    assert "= 100.00 " in said


def test_lists_in_memory():
    first, *_ = rerank.rerank(three_lists(), Weights({"LM0": 1.0}))
    assert list(first.text) == ["0b", "0c", "0a"]
    assert present(first.score).tolist() == [2.0, 2.0, 1.0]
    with pytest.raises(DataError, match="unknown feature: k-best lists has none of this name"):
        list(rerank.rerank(three_lists(), Weights({"LM0": 1.0, "TM0": 1.0})))
    assert len(list(rerank.rerank(three_lists(), Weights({"TM0": 1.0}), allow_missing=True))) == 3


def test_lists_of_several_tables_of_names():
    lists = [next(three_lists()), list(three_lists())[1]]
    assert len(list(rerank.rerank(lists, Weights({"LM0": 1.0})))) == 2
    with pytest.raises(DataError, match="feature 'TM0': unknown feature"):
        list(rerank.rerank(lists, Weights({"LM0": 1.0, "TM0": 1.0})))


TABLE = "id\ttext\tAM\nspk-2\tgood day\t-1\nspk-1\thello word\t-2\nspk-1\thello world\t-1\n"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("text", "good day\nhello world\n"),
        ("keyed", "spk-2 good day\nspk-1 hello world\n"),
        (
            "jsonl",
            '{"sid": 0, "id": "spk-2", "text": "good day", "score": -1.0}\n'
            '{"sid": 1, "id": "spk-1", "text": "hello world", "score": -1.0}\n',
        ),
    ],
)
def test_texts_with_their_ids(tmp_path, capsys, form, expected):
    table, lists, weights = (str(tmp_path / name) for name in ("table", "lists", "weights"))
    (tmp_path / "table").write_text(TABLE)
    (tmp_path / "weights").write_text("AM 1\n")
    assert import_nbest.main(["-q", table, "-o", lists]) == 0
    assert rerank.main(["-q", lists, "--weights", weights, "--format", form]) == 0
    assert capsys.readouterr().out == expected
    assert rerank.main(["--kbest", lists, "--weights", weights, "--format", "jsonl"]) == 2

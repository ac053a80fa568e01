"""Merging: by sentence, without duplicates, by feature name."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.stages import merge_kbest
from campanula.stages.metrics.bleu import Bleu
from tests.examples import MOSES, random_lists, write_kbest
from tests.naive.merging import merged
from tests.present import present
from tests.strategies import NUMBER

FEATURES = st.dictionaries(
    st.sampled_from(["LM0", "a", "b"]), st.sampled_from([0.0, -0.0, 1.0, 2.5]), max_size=3
)
HYPS = st.lists(st.tuples(st.sampled_from(["x", "x y", ""]), FEATURES), min_size=1, max_size=5)
STREAM = st.dictionaries(st.integers(0, 3), HYPS, max_size=3).map(
    lambda lists: sorted(lists.items())
)


def records(stream, first_names=()):
    names = Names(first_names)
    for sid, hyps in stream:
        features = Features.of([row for _, row in hyps], names)
        yield KBest(sid, Texts.of(text for text, _ in hyps), features, names)


def hyps_of(kbest):
    rows = kbest.features.rows(kbest.names)
    return list(zip(kbest.text, rows, strict=True))


@given(st.lists(STREAM, min_size=1, max_size=3))
def test_it_agrees_with_slow_loops(streams):
    tables = [["b", "a"], [], ["c", "LM0"]]
    made = [records(stream, tables[i]) for i, stream in enumerate(streams)]
    found = [
        (k.sid, [(text, {n: v for n, v in row.items() if v != 0}) for text, row in hyps_of(k)])
        for k in merge_kbest.merge_kbest(made)
    ]
    assert found == merged(streams)


@given(st.lists(NUMBER, min_size=3, max_size=3))
def test_the_first_of_its_kind_is_kept_with_its_own_score(scores):
    names = Names()
    rows = [{"LM0": 1.0}, {"LM0": 1.0}, {"LM0": 1.5}]
    kbest = KBest(
        0,
        Texts.of(["a", "a", "a"]),
        Features.of(rows, names),
        names,
        score=np.array(scores),
        fields={"alignment": Texts.of(["0-0", "1-1", "2-2"])},
    )
    (found,) = merge_kbest.merge_kbest([[kbest]])
    assert present(found.score).tolist() == [scores[0], scores[2]]
    assert list(found.fields["alignment"]) == ["0-0", "2-2"]


def test_hypotheses_that_differ_only_in_sparse_features_are_different():
    stream = [(0, [("a", {"LM0": 1.0, "pp_a": 1.0}), ("a", {"LM0": 1.0, "pp_b": 1.0})])]
    (found,) = merge_kbest.merge_kbest([records(stream)])
    assert hyps_of(found) == stream[0][1]


def test_a_column_that_one_input_lacks_is_dropped():
    (one,) = records([(0, [("a", {"LM0": 1.0})])])
    (other,) = records([(0, [("b", {"LM0": 2.0})])])
    field = {"alignment": Texts.of(["0-0"])}
    one = replace(one, score=np.array([1.0]), fields=field)
    (found,) = merge_kbest.merge_kbest([[one], [other]])
    assert (found.score, found.fields) == (None, {})


def test_gains_are_in_all_inputs_or_in_none(tmp_path, capsys):
    scored = write_kbest(tmp_path / "scored", random_lists(1)[0])
    bare = write_kbest(tmp_path / "bare", [replace(k, gain=None) for k in random_lists(1)[0]])
    assert merge_kbest.main([scored, bare, "-o", str(tmp_path / "out")]) == 1
    expected = "sentence 0: expected gains in all lists or in none, found them in 1 of 2"
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_another_metric_is_refused(tmp_path, capsys):
    lists = random_lists(1)[0]
    for name, gain in (("one", "bleu+1"), ("other", "he-deng")):
        metric = Bleu(gain=gain).header()
        with Writer(str(tmp_path / name), KBest, "how", metric) as out:
            for kbest in lists:
                out.write(kbest)
    paths = [str(tmp_path / "one"), str(tmp_path / "other")]
    assert merge_kbest.main([*paths, "-o", str(tmp_path / "out")]) == 1
    assert "other: expected the metric of" in capsys.readouterr().err
    assert merge_kbest.main([paths[0], paths[0], "-q", "-o", str(tmp_path / "out")]) == 0
    with Reader(str(tmp_path / "out"), KBest) as found:
        assert found.metric == Bleu().header()
        assert len(list(found)) == len(lists)


def test_metrics_that_are_not_known_here_are_told_apart(tmp_path, capsys):
    lists = random_lists(1)[0]
    for name, metric in (("one", {"name": "theirs"}), ("other", {"name": "ours"}), ("none", None)):
        with Writer(str(tmp_path / name), KBest, "how", metric) as out:
            for kbest in lists:
                out.write(kbest)
    one, other, none = (str(tmp_path / name) for name in ("one", "other", "none"))
    unscored = "none: it is not scored"
    for paths, problem in (
        ((one, other), f"other: expected the metric of {one}, 'theirs'; found 'ours'"),
        (
            (one, none),
            f"none: expected the metric of {one}, 'theirs'; found {unscored}",
        ),
        (
            (none, one),
            f"one: expected the metric of {none}, {unscored}; found 'theirs'",
        ),
    ):
        assert merge_kbest.main([*paths, "-o", str(tmp_path / "out")]) == 1
        assert problem in capsys.readouterr().err
    assert merge_kbest.main([one, one, "-q", "-o", str(tmp_path / "out")]) == 0


def test_stdin_can_be_one_input_only(capsys):
    assert merge_kbest.main(["-", "-"]) == 2
    assert "only one input can be stdin" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_four_runs_of_moses(tmp_path):
    import gzip

    from campanula.stages import import_nbest

    paths, distinct = [], set()
    for run in range(1, 5):
        text = MOSES / f"run{run}.best100.gz"
        paths.append(str(tmp_path / f"run{run}"))
        assert import_nbest.main([str(text), "-q", "-o", paths[-1]]) == 0
        with gzip.open(text, "rt") as lines:
            distinct |= {tuple(line.split(" ||| ")[:3]) for line in lines}
    assert merge_kbest.main([*paths, "-q", "-o", str(tmp_path / "all")]) == 0
    with Reader(str(tmp_path / "all"), KBest) as lists:
        assert sum(len(kbest) for kbest in lists) == len(distinct) == 131_998


def test_ids_are_kept_and_must_agree():
    lists, _ = random_lists(1, n_lists=2)
    ours = [replace(kbest, id=f"u{kbest.sid}") for kbest in lists]
    assert [kbest.id for kbest in merge_kbest.merge_kbest([ours, ours])] == ["u0", "u1"]
    theirs = [replace(ours[0], sid=1)]
    problem = "inputs: sentence 1: expected one sentence of one id, found 'u1' and 'u0'"
    with pytest.raises(DataError, match=problem):
        list(merge_kbest.merge_kbest([ours, theirs]))

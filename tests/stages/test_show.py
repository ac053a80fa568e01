"""Showing streams as JSON lines."""

import json

import numpy as np
from hypothesis import given

from campanula.formats.records.features import Features
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Writer
from campanula.formats.weight_stream import write_weight_stream
from campanula.stages import show
from campanula.stages.inventories.growing import Growing
from tests.examples import random_lists, write_kbest
from tests.strategies import kbest_lists


def shown(tmp_path, path, *flags):
    assert show.main([str(path), "-o", str(tmp_path / "out"), *flags]) == 0
    return [json.loads(line) for line in (tmp_path / "out").read_text().split("\n")[:-1]]


def test_a_list_has_the_keys_that_are_there(tmp_path):
    names = Names()
    features = Features.of([{"LM0": -17.4, "pp": 1.0}, {"LM0": 2.0}], names)
    bare = KBest(0, Texts.of(["é\u2028", ""]), features, names)
    full = KBest(
        3,
        Texts.of(["a", "b"]),
        features,
        names,
        score=np.array([-3.2, 0.0]),
        stats=np.array([[1, 2], [3, 4]]),
        gain=np.array([0.41, 0.0]),
        fields={"alignment": Texts.of(["0-0", ""])},
    )
    zero, three = shown(tmp_path, write_kbest(tmp_path / "k", [bare, full]))
    assert zero == {
        "sid": 0,
        "hyps": [
            {"text": "é\u2028", "features": {"LM0": -17.4, "pp": 1.0}},
            {"text": "", "features": {"LM0": 2.0}},
        ],
    }
    assert three["sid"] == 3
    assert three["hyps"][0] == {
        "text": "a",
        "score": -3.2,
        "features": {"LM0": -17.4, "pp": 1.0},
        "stats": [1, 2],
        "gain": 0.41,
        "fields": {"alignment": "0-0"},
    }


@given(kbest_lists())
def test_a_record_is_a_line(lists):
    lines = list(show.show(lists))
    assert len(lines) == len(lists)
    assert not any("\n" in line for line in lines)
    assert [json.loads(line)["sid"] for line in lines] == [kbest.sid for kbest in lists]


def test_hopes(tmp_path):
    with Writer(str(tmp_path / "h"), Hope, "how") as out:
        out.write(Hope(2, 100, np.array([17]), np.array([1.0])))
    header, hope = shown(tmp_path, tmp_path / "h", "--header")
    assert header == {"kind": "hope", "signature": "how"}
    assert hope == {"sid": 2, "size": 100, "hope": [{"index": 17, "weight": 1.0}]}


def test_limit(tmp_path):
    path = write_kbest(tmp_path / "k", random_lists(3)[0])
    assert [line["sid"] for line in shown(tmp_path, path, "--limit", "2")] == [0, 1]
    assert len(shown(tmp_path, path)) == 4


def test_weights_and_inventories_are_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Growing("F", new=True) as growing:
        growing.see(growing.ids_of_names(["LM0", "é"]))
        growing.see(growing.ids_of_names(["é"]))
        reference = growing.commit()
    write_weight_stream("w", reference, np.array([0.5, -1.0]), "how")
    assert show.main(["w"]) == 0
    assert capsys.readouterr().out == '{"id": 0, "weight": 0.5}\n{"id": 1, "weight": -1.0}\n'
    assert show.main(["w", "--inventory", "F", "--limit", "1", "--header"]) == 0
    header, line = map(json.loads, capsys.readouterr().out.splitlines())
    assert header == {"kind": "weights", "signature": "how", "inventory": reference.pack()}
    assert line == {"id": 0, "name": "LM0", "weight": 0.5}
    assert show.main(["F", "--header"]) == 0
    header, *lines = map(json.loads, capsys.readouterr().out.splitlines())
    assert header == {"kind": "inventory", **reference.pack(), "sentences": 2}
    assert lines == [{"id": 0, "name": "LM0", "count": 1}, {"id": 1, "name": "é", "count": 2}]


def test_a_damaged_inventory_is_not_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Growing("F", new=True) as growing:
        growing.ids_of_names(["LM0", "LM1"])
        growing.commit()
    (tmp_path / "F" / "names.text").write_text("LM0\nLM2\n")
    assert show.main(["F", "-o", "out"]) == 1
    assert "F/names.text: names 0 to 1: damaged: the checksum does" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()

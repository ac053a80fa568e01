"""Initial weights: given, Moses's, or drawn around either."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION
from campanula.formats.model.files import ModelFiles, ReorderingTable
from campanula.formats.weights import Weights
from campanula.pipelines import initial
from campanula.pipelines.settings import Files, LoopSettings, RunSettings
from campanula.stages.command import UsageError
from tests.pipelines import tiny


def settings(
    folder: Path, weights: str | None = None, how: str = "default", seed: int = 1
) -> RunSettings:
    dev = Files("dev", "s", ("r",))
    loop = LoopSettings(seed=seed)
    return RunSettings(os.fspath(folder), dev, weights=weights, initial=how, loop=loop)


def model(folder: Path) -> list[str]:
    tiny.write(folder)
    return [f"--phrase-table={folder / 'phrase-table'}", "--lm", os.fspath(folder / "lm.arpa")]


def test_weights_that_are_given_stay_where_they_are(tmp_path: Path) -> None:
    assert initial.initial_weights(settings(tmp_path, weights="w0"), []) == "w0"
    assert os.listdir(tmp_path) == []


def test_without_weights_they_are_mosess(tmp_path: Path) -> None:
    path = initial.initial_weights(settings(tmp_path), [*model(tmp_path), "--beam", "5"])
    assert Weights.read(path).values_by_name == Weights.read(str(tmp_path / "w0")).values_by_name


def test_every_language_model_has_a_weight(tmp_path: Path) -> None:
    flags = [*model(tmp_path), "--lm", "other", "--class-lm=c", "--classes", "m"]
    found = initial.default_weights(flags)
    assert [found[f"LM{number}"] for number in range(3)] == [0.5] * 3
    assert "LM3" not in found


def test_reordering_and_the_features_of_a_model_folder(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    tables = (ReorderingTable("reordering-table"), ReorderingTable("other", "hierarchical"))
    files = ModelFiles(str(tmp_path / "phrase-table"), tables)
    weights = initial.moses_defaults(files)
    assert "LM0" not in weights
    assert [weights[f"LexicalReordering{t}_{k}"] for t in range(2) for k in range(6)] == [0.3] * 12
    content = {"phrase-table": "phrase-table", "lm": "lm.arpa", "features": ["LM0", "WordPenalty0"]}
    (tmp_path / "model.json").write_text(json.dumps(content))
    found = initial.default_weights(["--model", str(tmp_path)])
    assert dict(found) == {"LM0": 0.5, "WordPenalty0": -1.0}


def test_features_that_flags_ask_for(tmp_path: Path) -> None:
    flags = [*model(tmp_path), "--distortion-table=d", "--beam", "9"]
    found = initial.default_weights(flags)
    assert found["OutboundDistortion0"] == found["InboundDistortion0"] == 0.3
    assert "LMFirst0" not in found
    found = initial.default_weights([*flags, "--dense-features", "LMFirst0,LMRest0,WordPenalty0"])
    assert dict(found) == {"WordPenalty0": -1.0, "LMFirst0": 0.5, "LMRest0": 0.5}
    ini = tmp_path / "moses.ini"
    ini.write_text(tiny.INI.replace("LM0= 0.5", "LM0= 0.75"))
    found = initial.default_weights(["--moses-ini", str(ini), "--dense-features=LM0,LMRest0"])
    assert dict(found) == {"LM0": 0.75, "LMRest0": 0.5}
    found = initial.default_weights(["--moses-ini", str(ini), "--distortion-table", "d"])
    assert dict(found).keys() == {*Weights.read(str(tmp_path / "w0")), *DISTORTION}


def test_of_a_moses_ini_they_are_its_own(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    ini = tmp_path / "moses.ini"
    ini.write_text(tiny.INI.replace("LM0= 0.5", "LM0= 0.75"))
    found = initial.default_weights(["--moses-ini", str(ini)])
    assert dict(found) == {**Weights.read(str(tmp_path / "w0")), "LM0": 0.75}
    ini.write_text(tiny.INI.partition("[weight]")[0].replace("name=LM0", "name=Model"))
    found = initial.default_weights([f"--moses-ini={ini}"])
    assert (found["Model"], found["WordPenalty0"]) == (0.5, -1.0)


def test_a_draw_has_half_the_magnitude_as_deviation() -> None:
    """Footnote 13: N(mu, (mu / 2)^2)."""
    mu = {"LM0": 0.5, "WordPenalty0": -1.0, "Off0": 0.0}
    draws = [initial.drawn(Weights(mu), seed) for seed in range(4000)]
    for name, mean in mu.items():
        values = np.array([draw[name] for draw in draws])
        assert values.mean() == pytest.approx(mean, abs=0.03)
        assert values.std() == pytest.approx(abs(mean) / 2, rel=0.05)


def test_a_draw_depends_on_the_seed_and_not_on_the_order() -> None:
    one, two = {"A": 1.0, "B": 2.0}, {"B": 2.0, "A": 1.0}
    assert dict(initial.drawn(Weights(one), 3)) == dict(initial.drawn(Weights(two), 3))
    assert list(initial.drawn(Weights(two), 3)) == ["B", "A"]
    assert dict(initial.drawn(Weights(one), 3)) != dict(initial.drawn(Weights(one), 4))


def test_a_draw_is_written_with_its_seed(tmp_path: Path) -> None:
    (tmp_path / "w0").write_text("A 1\n")
    args = settings(tmp_path, weights=str(tmp_path / "w0"), how="random", seed=7)
    path = initial.initial_weights(args, [])
    assert path == str(tmp_path / "initial")
    assert Path(path).read_text().startswith("# initial:random|seed:7\nA ")


def test_what_cannot_be_known(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--decode-command needs --weights"):
        initial.initial_weights(settings(tmp_path), None)
    with pytest.raises(UsageError, match="--phrase-table"):
        initial.initial_weights(settings(tmp_path), ["--beam", "5"])
    (tmp_path / "table").write_text("nothing\n")
    with pytest.raises(DataError, match="line 1"):
        initial.n_scores(str(tmp_path / "table"))

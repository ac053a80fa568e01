"""The functions give what the commands give, to the last bit."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import campanula
from campanula.formats.registry import UnknownName
from campanula.stages import compare, decode, import_nbest, optimize, rerank, score_bleu
from tests.examples import ROOT
from tests.small_models import random_model, write_model

EXAMPLES = ROOT / "examples"
tune = campanula.tune
REFERENCES = [EXAMPLES / "dev.web", EXAMPLES / "dev.kjv"]


@pytest.fixture(scope="module")
def scored() -> campanula.KBestLists:
    references = campanula.read_references(*REFERENCES)
    return campanula.score(campanula.read_nbest(EXAMPLES / "dev.nbest.gz"), references)


@pytest.fixture(scope="module")
def start() -> campanula.Weights:
    return campanula.read_weights(EXAMPLES / "weights")


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The scored stream that the commands make."""
    folder = tmp_path_factory.mktemp("commands")
    lists, dev = str(folder / "lists"), str(folder / "dev.kbest")
    assert import_nbest.main([str(EXAMPLES / "dev.nbest.gz"), "-o", lists, "-q"]) == 0
    refs = [part for path in REFERENCES for part in ("--ref", str(path))]
    assert score_bleu.main([lists, *refs, "-o", dev, "-q"]) == 0
    return dev


def test_lists_are_those_of_the_commands(
    scored: campanula.KBestLists, stream: str, tmp_path: Path
) -> None:
    scored.save(str(tmp_path / "dev.kbest"))
    assert (tmp_path / "dev.kbest").read_bytes() == Path(stream).read_bytes()
    assert repr(campanula.read_nbest(stream)) == repr(scored)


@pytest.mark.parametrize(
    ("tuning", "flags"),
    [
        (partial(tune), []),
        (
            partial(tune, loss="ramp3", solver="ssd", eta=1e-3),
            ["--loss", "ramp3", "--eta", "1e-3"],
        ),
        (partial(tune, loss="soft-ramp1", C=0.5), ["--loss", "soft-ramp1", "--C", "0.5"]),
        (partial(tune, loss="cost", restarts=2), ["--loss", "cost", "--restarts", "2"]),
        (partial(tune, solver="batch-mira", epochs=3), ["--solver", "batch-mira", "--epochs", "3"]),
        (partial(tune, freeze=["LM0"], center=0.0), ["--freeze", "LM0", "--center", "0"]),
    ],
)
def test_weights_are_those_of_optimize(
    scored: campanula.KBestLists,
    start: campanula.Weights,
    stream: str,
    tmp_path: Path,
    tuning: partial[campanula.Tuned],
    flags: list[str],
) -> None:
    out = str(tmp_path / "w")
    known = ["--weights", str(EXAMPLES / "weights"), "-o", out, "-q"]
    assert optimize.main([stream, *flags, *known]) == 0
    tuned = tuning(scored, start)
    assert dict(tuned.weights) == dict(campanula.read_weights(out))


def test_outputs_are_those_of_rerank(
    scored: campanula.KBestLists, start: campanula.Weights, stream: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert rerank.main([stream, "--weights", str(EXAMPLES / "weights"), "-o", str(out), "-q"]) == 0
    assert campanula.rerank(scored, start) == out.read_text().splitlines()
    again = campanula.ranked(scored, start)
    assert all((np.diff(kbest.score) <= 0).all() for kbest in again if kbest.score is not None)


def test_evaluate_takes_outputs_or_lists(
    scored: campanula.KBestLists, start: campanula.Weights
) -> None:
    references = campanula.read_references(*REFERENCES)
    best = campanula.ranked(scored, start)
    of_texts = campanula.evaluate(campanula.rerank(scored, start), references)
    assert campanula.evaluate(best) == of_texts
    assert of_texts.line.startswith("BLEU|nrefs:2|")
    assert campanula.evaluate(best, references, "chrf").line.startswith("chrF2|nrefs:2|")
    with pytest.raises(ValueError, match="not scored"):
        campanula.evaluate(campanula.read_nbest(EXAMPLES / "dev.nbest.gz"))
    with pytest.raises(ValueError, match="give them"):
        campanula.evaluate(["a house"])


def test_a_comparison_is_that_of_the_command(
    scored: campanula.KBestLists,
    start: campanula.Weights,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    outputs = {"first": [k.text[0] for k in scored], "last": [k.text[len(k) - 1] for k in scored]}
    for name, lines in outputs.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (found,) = campanula.compare(outputs, campanula.read_references(*REFERENCES))
    refs = [part for path in REFERENCES for part in ("--ref", str(path))]
    files = [f"{name}={tmp_path / name}" for name in outputs]
    assert compare.main([*files, *refs, "--json", "-q"]) == 0
    printed = capsys.readouterr().out
    assert all(repr(result.mean) in printed for result in found.results)
    (last,) = found.differences
    assert repr(last.chance.randomisation) in printed


def test_lists_of_a_decoder_are_those_of_decode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model = random_model(random.Random(2), 2, True)
    (tmp_path / "model").mkdir()
    files = write_model(model, tmp_path / "model")
    named = {
        "phrase-table": files.phrase_table,
        "reordering-table": files.reordering_tables[0].path,
    }
    (tmp_path / "model" / "model.json").write_text(json.dumps({**named, "lm": files.lms[0].path}))
    weights = campanula.Weights(dict(model.weights))
    weights.write(str(tmp_path / "w0"))
    (tmp_path / "source").write_text("a b c\n\nb d\n", encoding="utf-8")
    flags = ["--model", str(tmp_path / "model"), "--weights", str(tmp_path / "w0"), "-k", "5"]
    out = tmp_path / "lists"
    assert decode.main([str(tmp_path / "source"), *flags, "-o", str(out), "-q"]) == 0
    lists = campanula.decode(["a b c", "", "b d"], tmp_path / "model", weights, k=5)
    lists.save(str(tmp_path / "mine"))
    assert (tmp_path / "mine").read_bytes() == out.read_bytes()


def test_settings_that_do_not_fit_are_a_value_error(
    scored: campanula.KBestLists, start: campanula.Weights
) -> None:
    with pytest.raises(ValueError, match="smooth"):
        campanula.tune(scored, start, loss="ramp3", solver="lbfgs")
    with pytest.raises(ValueError, match="did you mean ramp3"):
        campanula.tune(scored, start, loss="rmp3")
    with pytest.raises(ValueError, match="no setting is called 'los'; did you mean loss"):
        campanula.tune(scored, start, los="ramp3")
    with pytest.raises(ValueError, match="metric bleu, gain 'exq': expected one of"):
        campanula.metric_named("bleu", gain="exq")
    with pytest.raises(campanula.DataError, match="No such file"):
        campanula.read_nbest("nowhere")
    with pytest.raises(campanula.DataError, match="sentence 50"):
        campanula.score(scored, ["a house"] * 50)


def test_without_weights_all_start_at_zero(scored: campanula.KBestLists) -> None:
    tuned = campanula.tune(scored, loss="soft-ramp1", C=1e-3)
    assert set(tuned.weights) == set(scored.names)
    assert tuned.history[-1] < tuned.history[0]


def test_a_text_or_a_path_in_place_of_texts_is_refused(
    scored: campanula.KBestLists, start: campanula.Weights
) -> None:
    path = str(EXAMPLES / "dev.web")
    bare = campanula.read_nbest(EXAMPLES / "dev.nbest.gz")
    for careless in (
        lambda: campanula.score(scored, path),
        lambda: campanula.evaluate("a house", "a house"),
        lambda: campanula.compare({"x": "a house", "y": "the house"}, ["a house"]),
        lambda: campanula.compare({}, ["a house"]),
        lambda: campanula.read_references(),
        lambda: campanula.tune(scored, "weights"),  # type: ignore[arg-type]
        lambda: campanula.rerank(scored, "weights"),  # type: ignore[arg-type]
        lambda: campanula.score(
            scored,
            ["a house"],
            lambda text, references: 1.0,  # type: ignore[arg-type]
        ),
        lambda: campanula.evaluate(campanula.KBestLists((*scored[:2], *bare[2:]))),
        lambda: campanula.metric_named("chrf", tokenize="13a"),
        lambda: campanula.tune(scored, {**start, "LM0": float("nan")}),
    ):
        with pytest.raises(ValueError, match=r"expected|not scored|does not read"):
            careless()


@pytest.mark.parametrize(
    ("tuning", "fault"),
    [
        (partial(tune, eta="1"), "`eta`: expected a number, found '1'"),
        (partial(tune, epochs=1.5), "`epochs`: expected a whole number, found 1.5"),
        (partial(tune, seed="x"), "`seed`: expected a whole number, found 'x'"),
        (partial(tune, C=float("inf")), "`C`: expected a number of at least 0, found inf"),
    ],
)
def test_settings_of_the_wrong_kind_are_named(
    scored: campanula.KBestLists, tuning: partial[campanula.Tuned], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        tuning(scored)


def test_references_that_are_too_few_are_missed(
    scored: campanula.KBestLists, start: campanula.Weights
) -> None:
    with pytest.raises(campanula.DataError, match="expected a line of sentence 1, found the end"):
        campanula.tune(scored, start, loss="latent-log", references=["in the beginning"])


def test_lists_on_stdin_are_read_whole(tmp_path: Path) -> None:
    """A first look at them would lose what it has read."""
    code = "import campanula; print(campanula.read_nbest('-'))"
    lists = b"0 ||| a house ||| LM0= -1 ||| -1\n0 ||| the house ||| LM0= -2 ||| -2\n"
    done = subprocess.run(
        [sys.executable, "-c", code], input=lists, capture_output=True, check=True
    )
    assert done.stdout == b"<1 lists, 2 hypotheses, 1 features>\n"


def test_a_weight_that_is_no_number_is_named(scored: campanula.KBestLists) -> None:
    weights = dict.fromkeys(scored.names, 0.0) | {"LM0": float("nan")}
    for function in (campanula.rerank, campanula.tune):
        with pytest.raises(
            ValueError, match="weight of 'LM0': expected a finite number, found nan"
        ):
            function(scored, weights)


@pytest.mark.parametrize(
    "tuning", [partial(tune, loss="rmp3"), partial(tune, solver="sds"), partial(tune, epoch=3)]
)
def test_a_name_that_nothing_has_is_one_kind_of_error(
    scored: campanula.KBestLists, tuning: partial[campanula.Tuned]
) -> None:
    with pytest.raises(UnknownName, match="did you mean"):
        tuning(scored)


def test_a_setting_that_the_search_lacks_is_named_before_a_model_is_read() -> None:
    with pytest.raises(UnknownName, match="'beam_treshold'; did you mean beam_threshold"):
        campanula.decode(["a"], "nowhere", beam_treshold=3)
    with pytest.raises(UnknownName, match="did you mean templates"):
        campanula.decode(["a"], "nowhere", template=["block"])


def test_a_diagnosis_is_that_of_the_command(scored: campanula.KBestLists, tmp_path: Path) -> None:
    from campanula.stages import kbest_stats
    from campanula.stages.diagnosing.reporting import as_json

    scored.save(str(tmp_path / "lists"))
    argv = [str(tmp_path / "lists"), "--format", "json", "-o", str(tmp_path / "out"), "-q"]
    assert kbest_stats.main(argv) == 0
    diagnosis = campanula.diagnose(scored)
    assert as_json(diagnosis) + "\n" == (tmp_path / "out").read_text()
    assert [oracle.k for oracle in diagnosis.oracles][:4] == [1, 2, 5, 10]
    with pytest.raises(campanula.DataError, match="nothing"):
        campanula.diagnose(scored, ["nothing*"])

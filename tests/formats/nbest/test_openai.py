"""Responses of language models: completions, chats, batches, vLLM's own outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import lists_of, plain_lists
from tests.present import present

COMPLETION = {
    "id": "cmpl-7",
    "object": "text_completion",
    "model": "m",
    "choices": [
        {
            "index": 0,
            "text": "The cat.\nIt sat.",
            "logprobs": {"tokens": ["The", " cat"], "token_logprobs": [-0.5, -1.25]},
            "finish_reason": "stop",
            "stop_reason": None,
        },
        {
            "index": 1,
            "text": "",
            "logprobs": {"tokens": [""], "token_logprobs": [-3]},
            "finish_reason": "length",
            "reward": 0.75,
        },
    ],
    "usage": {"total_tokens": 9},
}
CHAT = {
    "id": "chatcmpl-1",
    "choices": [
        {
            "index": rank,
            "message": {"role": "assistant", "content": text, "refusal": None},
            "logprobs": {"content": [{"token": "a", "logprob": value, "top_logprobs": []}] * 2},
            "finish_reason": "stop",
        }
        for rank, (text, value) in enumerate([("yes \u4e2d", -0.25), ("no", -2.0)])
    ],
}
VLLM = {
    "request_id": "12",
    "prompt": "x",
    "prompt_token_ids": [1, 2],
    "outputs": [
        {"index": 0, "text": "the cat", "token_ids": [5, 6, 7], "cumulative_logprob": -1.2},
        {"index": 1, "text": "a cat", "token_ids": [5, 6], "cumulative_logprob": -1.5},
    ],
    "finished": True,
}


def batch(name: str, body: object, status: int = 200) -> dict[str, object]:
    response = {"status_code": status, "request_id": "r", "body": body}
    return {"id": "batch_req_1", "custom_id": name, "response": response, "error": None}


def test_completions(tmp_path: Path) -> None:
    (found,) = lists_of(tmp_path, json.dumps(COMPLETION), "openai")
    assert (found.id, list(found.text)) == ("cmpl-7", ["The cat.\nIt sat.", ""])
    assert present(found.score).tolist() == [-1.75, -3.0]
    rows = list(found.features.rows(found.names))
    assert rows == [{"LogProb": -1.75, "Tokens": 2.0}, {"LogProb": -3.0, "Tokens": 1.0}]
    fields = {name: list(texts) for name, texts in found.fields.items()}
    assert fields == {"finish_reason": ["stop", "length"], "reward": ["", "0.75"]}


def test_chats_in_a_batch(tmp_path: Path) -> None:
    text = "\n".join(json.dumps(batch(name, CHAT)) for name in ("q9", "q1"))
    first, second = plain_lists(tmp_path, text, "openai")
    assert (first["id"], second["id"]) == ("q9", "q1")
    assert first["text"] == ["yes \u4e2d", "no"]
    assert first["features"][1] == {"LogProb": -4.0, "Tokens": 2.0}


def test_outputs_of_vllm_go_by_their_order(tmp_path: Path) -> None:
    text = "\n".join(json.dumps({**VLLM, "request_id": name}) for name in ("12", "3"))
    first, second = plain_lists(tmp_path, text, "openai")
    assert (first["sid"], second["sid"]) == (0, 1)
    assert first["features"] == [{"LogProb": -1.2, "Tokens": 3.0}, {"LogProb": -1.5, "Tokens": 2.0}]
    assert not first["fields"]


def test_responses_without_log_probabilities(tmp_path: Path) -> None:
    choices = [{"text": "a", "logprobs": None}, {"text": "b", "logprobs": None}]
    (found,) = plain_lists(tmp_path, json.dumps({"choices": choices}), "openai")
    assert (found["score"], found["features"]) == (None, [{}, {}])


def test_parts_and_thoughts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    message = {"content": parts, "reasoning_content": "hm"}
    (found,) = plain_lists(tmp_path, json.dumps({"choices": [{"message": message}]}), "openai")
    assert (found["text"], found["fields"]) == (["ab"], {"reasoning": ["hm"]})


def test_a_prompt_that_is_repeated_has_a_first_token_without_one(tmp_path: Path) -> None:
    choices = [{"text": "a b", "logprobs": {"token_logprobs": [None, -1, -2]}}]
    (found,) = plain_lists(tmp_path, json.dumps({"choices": choices}), "openai")
    assert found["features"] == [{"LogProb": -3.0, "Tokens": 2.0}]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            batch("q1", {"message": "no"}, 429),
            "line 1 (q1): expected a response of status 200, found 4",
        ),
        (
            {"custom_id": "q1", "response": None, "error": {"code": "expired"}},
            'line 1 (q1): expected a response, found the error {"code": "expired"}',
        ),
        (
            {"id": "a", "object": "error"},
            "expected 'choices' or 'outputs', found the keys id, object",
        ),
        (
            {"choices": [{"message": {"content": None}}]},
            "'message.content' of choices[0], found null",
        ),
        ({"choices": [{"index": 0}]}, "expected a string under 'text' of choices[0], found null"),
        (
            {"choices": [{"text": "a", "logprobs": {"token_logprobs": [-1, float("nan")]}}]},
            "'logprobs' of choices[0]: token 1: expected a finite number, found nan",
        ),
        (
            {"outputs": [{"text": "a", "cumulative_logprob": -1}, {"text": "b"}]},
            "line 1: expected a score, as before, found none",
        ),
        (
            {
                "choices": [
                    {"text": "a", "logprobs": {"token_logprobs": [-1]}},
                    {"text": "b", "logprobs": {"token_logprobs": []}},
                ]
            },
            "line 1: expected a score, as before, found none",
        ),
        (
            {
                "outputs": [
                    {"text": "a", "cumulative_logprob": -1, "token_ids": [1]},
                    {"text": "b", "cumulative_logprob": -1},
                ]
            },
            "line 1: feature 'Tokens': expected a number, as before, found none",
        ),
        ({"choices": []}, "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path,
    value: dict[str, object],
    problem: str,
) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, json.dumps(value), "openai")
    assert problem in str(error.value)


def test_a_request_answered_twice(tmp_path: Path) -> None:
    text = json.dumps(batch("q", CHAT)) + "\n" + json.dumps(batch("q", CHAT))
    with pytest.raises(DataError, match=r"line 2 \(q\): expected another id than before"):
        plain_lists(tmp_path, text, "openai")

"""Responses of language models in OpenAI's form, as vLLM and other servers give them, n a request.

    {"id": "cmpl-1", "choices": [{"index": 0, "text": "the cat", "logprobs": {...}}, ...]}
    {"id": "chatcmpl-1", "choices": [{"message": {"content": "the cat"}, "logprobs": {...}}, ...]}
    {"custom_id": "q1", "response": {"status_code": 200, "body": {"choices": [...]}}, "error": null}
    {"request_id": "0", "outputs": [{"text": "the cat", "cumulative_logprob": -1.2}, ...]}

The third is a line of a batch's output, the last a RequestOutput of vLLM.  Where tokens have log
probabilities, their sum is the score and the feature LogProb, their number the feature Tokens.
Other keys of a choice, such as `finish_reason` or a `reward` that another program put there, are
kept as fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import (
    array,
    as_field,
    record,
    sentences_of,
    shown,
    string,
)
from campanula.formats.nbest.json_rows import finite
from campanula.formats.nbest.rows import Row

IDS = ("custom_id", "request_id", "id")
LOG_PROB = "LogProb"
TOKENS = "Tokens"
TOTALS = ("cumulative_logprob", "logprob")
TEXT_KEYS = ("text", "message")
# of a request and not of an answer, or a token each: what nobody reranks by
LEFT_OUT = {
    "index",
    "logprobs",
    "token_ids",
    "prompt_logprobs",
    "prompt_token_ids",
    "routed_experts",
}


class Likelihood(NamedTuple):
    """Log probability of an answer, and the number of its tokens, as far as they are known."""

    log_prob: float | None
    tokens: int | None

    def features(self) -> dict[str, float]:
        """The features that are known."""
        found = {LOG_PROB: self.log_prob, TOKENS: self.tokens}
        return {name: float(value) for name, value in found.items() if value is not None}


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the responses of a file; raises DataError that names the line.

    vLLM counts requests from its start, so the lists of a file go by their order where that number
    is all that they have.
    """
    return sentences_of(blocks, source, hypotheses, IDS, counted="request_id")


def hypotheses(response: Mapping[str, Any]) -> list[Row]:
    """Answers of a response; raises LineError."""
    body = _body(response)
    key = next((key for key in ("choices", "outputs") if key in body), None)
    if key is None:
        found = ", ".join(body) or "none"
        raise LineError(f"expected 'choices' or 'outputs', found the keys {found}")
    choices = enumerate(array(body[key], repr(key)))
    return alike([_answer(record(choice), f"{key}[{rank}]") for rank, choice in choices])


def alike(rows: Sequence[Row]) -> list[Row]:
    """Rows that all have the fields of any of them, empty where they had none."""
    names = dict.fromkeys(name for row in rows for name in row.fields)
    for row in rows:
        row.fields = {name: row.fields.get(name, "") for name in names}
    return list(rows)


def _body(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a server answered; raises LineError for a request of a batch that failed."""
    if "response" not in response:
        return response
    if response["response"] is None or response.get("error") is not None:
        raise LineError(f"expected a response, found the error {shown(response.get('error'))}")
    answer = record(response["response"])
    if answer.get("status_code", 200) != 200:
        problem = f"{shown(answer['status_code'])}: {shown(answer.get('body'))}"
        raise LineError(f"expected a response of status 200, found {problem}")
    return record(answer["body"]) if "body" in answer else answer


def _answer(choice: Mapping[str, Any], where: str) -> Row:
    text, others = _text(choice, where)
    likelihood = _likelihood(choice, where)
    if text and likelihood.tokens == 0:  # left out by the server; 0 would be the best there is
        likelihood = Likelihood(None, None)
    for key, value in choice.items():
        if key not in (*TEXT_KEYS, *TOTALS) and key not in LEFT_OUT and value is not None:
            others[key] = as_field(value)
    return Row(0, text, likelihood.features(), likelihood.log_prob, others)


def _text(choice: Mapping[str, Any], where: str) -> tuple[str, dict[str, str]]:
    """Text of an answer, and what a reasoning model said before."""
    if "message" not in choice:
        return string(choice.get("text"), f"'text' of {where}"), {}
    message = record(choice["message"])
    content = message.get("content")
    if isinstance(content, list):  # parts, of which texts alone are an answer
        content = "".join(
            string(record(part).get("text"), f"'text' of {where}") for part in content
        )
    text = string(content, f"'message.content' of {where}")
    thought = message.get("reasoning_content") or message.get("reasoning")
    return text, {"reasoning": as_field(thought)} if thought else {}


def _likelihood(choice: Mapping[str, Any], where: str) -> Likelihood:
    tokens = choice.get("token_ids")
    size = len(tokens) if isinstance(tokens, list) else None
    for key in TOTALS:
        if choice.get(key) is not None:
            return Likelihood(finite(choice[key], f"{key!r} of {where}"), size)
    given = _log_probs(choice.get("logprobs"), where)
    if given is None:
        return Likelihood(None, size)
    return Likelihood(math.fsum(given), len(given))


def _log_probs(given: Any, where: str) -> list[float] | None:
    """Log probabilities of tokens: under `content` in chats, `token_logprobs` in completions."""
    if not isinstance(given, dict):  # vLLM's own has a map of candidates for every token
        return None
    if given.get("content") is not None:
        tokens = array(given["content"], f"'logprobs.content' of {where}")
        values = [record(token).get("logprob") for token in tokens]
    elif given.get("token_logprobs") is not None:
        values = array(given["token_logprobs"], f"'logprobs.token_logprobs' of {where}")
        # the first token of a prompt that is repeated has none
        values = values[1:] if values[:1] == [None] else values
    else:
        return None
    return [finite(value, f"'logprobs' of {where}: token {n}") for n, value in enumerate(values)]

"""Responses of language models in OpenAI's form, from vLLM and others: n answers per request.

    {"id": "cmpl-1", "choices": [{"index": 0, "text": "the cat", "logprobs": {...}}, ...]}
    {"id": "chatcmpl-1", "choices": [{"message": {"content": "the cat"}, "logprobs": {...}}, ...]}
    {"custom_id": "q1", "response": {"status_code": 200, "body": {"choices": [...]}}, "error": null}
    {"request_id": "0", "outputs": [{"text": "the cat", "cumulative_logprob": -1.2}, ...]}

The third is a line of a batch's output, the last a RequestOutput of vLLM.  If tokens have log
probabilities, their sum is the score and the feature LogProb, and their number the feature Tokens.
Other keys of a choice, such as `finish_reason`, or a `reward` that another program added, are kept
as fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import sentences_of
from campanula.formats.nbest.json_values import array, as_field, finite, record, shown, string
from campanula.formats.nbest.rows import Row

IDS = ("custom_id", "request_id", "id")
LOG_PROB = "LogProb"
TOKENS = "Tokens"
TOTALS = ("cumulative_logprob", "logprob")
TEXT_KEYS = ("text", "message")
# keys that belong to the request, or have a value per token: of no use in reranking
LEFT_OUT = {
    "index",
    "logprobs",
    "token_ids",
    "prompt_logprobs",
    "prompt_token_ids",
    "routed_experts",
}


class Likelihood(NamedTuple):
    """Log probability of an answer and the number of its tokens; None if unknown."""

    log_prob: float | None
    tokens: int | None

    def features(self) -> dict[str, float]:
        """Return those of the two features that are known."""
        features = {LOG_PROB: self.log_prob, TOKENS: self.tokens}
        return {name: float(value) for name, value in features.items() if value is not None}


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the responses of a file; raises DataError that names the line.

    vLLM numbers requests since its start.  Such a number is no id, so lists that have nothing else
    are numbered by their order in the file.
    """
    return sentences_of(blocks, source, hypotheses, IDS, counted="request_id")


def hypotheses(response: Mapping[str, Any]) -> list[Row]:
    """Return the answers of a response; raises LineError."""
    body = _body(response)
    key = next((key for key in ("choices", "outputs") if key in body), None)
    if key is None:
        found = ", ".join(body) or "none"
        raise LineError(f"expected 'choices' or 'outputs', found the keys {found}")
    choices = enumerate(array(body[key], repr(key)))
    return alike([_answer(record(choice), f"{key}[{rank}]") for rank, choice in choices])


def alike(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with the same fields in all; a field that a row lacked is empty."""
    names = dict.fromkeys(name for row in rows for name in row.fields)
    for row in rows:
        row.fields = {name: row.fields.get(name, "") for name in names}
    return list(rows)


def _body(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the body of a response; raises LineError for a failed request of a batch."""
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
    # the server left out the log probabilities: a sum of 0 would be the best possible
    if text and likelihood.tokens == 0:
        likelihood = Likelihood(None, None)
    for key, value in choice.items():
        if key not in (*TEXT_KEYS, *TOTALS) and key not in LEFT_OUT and value is not None:
            others[key] = as_field(value)
    return Row(0, text, likelihood.features(), likelihood.log_prob, others)


def _text(choice: Mapping[str, Any], where: str) -> tuple[str, dict[str, str]]:
    """Return the text of an answer, and the field with a reasoning model's thoughts, if any."""
    if "message" not in choice:
        return string(choice.get("text"), f"'text' of {where}"), {}
    message = record(choice["message"])
    content = message.get("content")
    if isinstance(content, list):  # of parts; images and others, without a text, are refused
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
    log_probs = _log_probs(choice.get("logprobs"), where)
    if log_probs is None:
        return Likelihood(None, size)
    # fsum rounds once, however many tokens an answer has
    return Likelihood(math.fsum(log_probs), len(log_probs))


def _log_probs(logprobs: Any, where: str) -> list[float] | None:
    """Return the log probabilities of tokens, None if `logprobs` has none in OpenAI's form.

    They are under `content` in chats, under `token_logprobs` in completions.
    """
    if not isinstance(logprobs, dict):  # vLLM's own has a map of candidates for every token
        return None
    if logprobs.get("content") is not None:
        tokens = array(logprobs["content"], f"'logprobs.content' of {where}")
        values = [record(token).get("logprob") for token in tokens]
    elif logprobs.get("token_logprobs") is not None:
        values = array(logprobs["token_logprobs"], f"'logprobs.token_logprobs' of {where}")
        # the first token has none where the answer repeats the prompt
        values = values[1:] if values[:1] == [None] else values
    else:
        return None
    return [finite(value, f"'logprobs' of {where}: token {n}") for n, value in enumerate(values)]

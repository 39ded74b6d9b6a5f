"""Google's SDK makes no request of its own: it would follow a reply that says it can be continued."""

from __future__ import annotations

import json

import pytest
from tests.stubs.dialects import Said
from tests.stubs.provider import streamed
from tests.stubs.wires import answer, refusal_of


@pytest.mark.req("MOD-01")
def test_a_reply_that_could_be_continued_is_one_request_and_cut_at_its_limit() -> None:
    part = {"content": {"role": "model", "parts": [{"text": "so far"}]}, "index": 0}
    chunk = {"candidates": [{**part, "finishReason": "CONTINUATION", "continuationToken": "dG9rZW4="}]}
    first = streamed(f"data: {json.dumps(chunk)}\n\n".encode())
    failed, requests = refusal_of("google", first, answer("google", Said("the rest")))
    assert (failed.category, requests) == ("output_truncated", 1)


@pytest.mark.parametrize("end", ["OTHER", "MALFORMED_FUNCTION_CALL", "LANGUAGE", "FINISH_REASON_UNSPECIFIED"])
def test_an_end_that_is_neither_whole_nor_cut_is_no_answer(end: str) -> None:
    failed, _ = refusal_of("google", answer("google", Said("text", end=end)))
    assert failed.code == "REPLY_UNUSABLE"
    assert end in failed.message

"""Owns the answers that are ours and not the provider's, in the form that OpenAI clients read errors in.

Never: one that could be taken for the provider's: each names its origin, its code and its classification.
"""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse

from counterfoil.core.errors import CounterfoilError
from counterfoil.core.record.metering import Refuse
from counterfoil.core.record.proxied import EXCEEDED

ORIGIN, CODE, POLICY = "x-counterfoil-origin", "x-counterfoil-code", "x-counterfoil-policy"
RETRY = "x-should-retry"  # OpenAI's clients obey it
_SPENT = "local_budget_exhausted"
_AGAIN = {"upstream_unavailable": 502, "stream_interrupted": 502, "timeout": 504}  # a client may ask again: a new debit


def local(
    status: int, code: str, message: str, classification: str, headers: dict[str, str] | None = None, **more: Any
) -> JSONResponse:
    """An answer of ours. No client is told to wait and ask again."""
    error = {"message": message, "type": classification, "code": code, "param": None, "classification": classification}
    marks = {ORIGIN: "local", CODE: code, RETRY: "false", "cache-control": "no-store", **(headers or {})}
    return JSONResponse({"error": {**error, **more}, "classification": classification}, status, marks)


def over_budget(refuse: Refuse) -> JSONResponse:
    """A request that the budget does not allow."""
    return local(
        429,
        EXCEEDED,
        f"{refuse.sentence()}. {refuse.hint}",
        _SPENT,
        {POLICY: refuse.policy},
        policy=refuse.policy,
        limit=refuse.limit,
        spent=refuse.spent,
        asked=refuse.asked,
        hint=refuse.hint,
    )


def unforwarded(error: CounterfoilError) -> JSONResponse:
    """A request that nothing may be forwarded for: the ledger cannot take its debit, or another process has the Run."""
    return local(503, error.code, error.message, error.category, hint=error.hint)


def unanswered(code: str, category: str, message: str) -> JSONResponse:
    """A request that was forwarded, and no answer came."""
    answer = local(_AGAIN.get(category, 502), code, message, category)
    if category in _AGAIN:
        del answer.headers[RETRY]  # as if the connection had failed: whether to ask again is the client's own choice
    return answer

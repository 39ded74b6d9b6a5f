"""Owns the next step that a failed call comes back with, one for each category of failure.

Never: advice against the Host's own limits ("try later"); a budget of this Run does not grow back.
"""

from __future__ import annotations

from collections.abc import Mapping

HINTS: Mapping[str, str] = {
    "local_budget_exhausted": (
        "this is a limit of the Run and does not grow back: use what you have, publish it, and declare the rest as gaps"
    ),
    "upstream_rate_limited": "do not press it: use another source or tool now, and come back to this one later",
    "upstream_unavailable": "it does not answer now: go on with another source or tool, and try it once more later",
    "stream_interrupted": "the answer broke off: ask once more, for less at a time",
    "output_truncated": "the answer was cut at its limit: ask for less at a time, or in parts",
    "auth_refused": "do not retry, the key cannot be changed: find the same facts elsewhere, or say what is missing",
    "access_refused": "do not retry: find the same facts elsewhere, or say what could not be reached",
    "request_invalid": "read what is wrong with the arguments, correct exactly that, and call again",
    "content_refused": "do not repeat it: ask for what the task needs in other words, or go on without it",
    "input_too_large": "send less: fewer or shorter inputs, or a selection of them",
    "timeout": "take a smaller step: fewer pages, a narrower query, a shorter computation",
    "cancelled": "it was stopped on purpose: do not start it again, go on with what there is",
    "source_invalid": "take a handle and a segment from a search result; if this source does not open, read another",
    "not_found": "check the name, path or address, then try the corrected one once",
    "code_error": "read the line of the error and repair that cause; run it again only when you have changed it",
    "resource_exhausted": "work on less data at a time, delete what is no longer needed, write results as they come",
    "not_connected": "finish what you can without it, and ask for it with request_connector when it is needed",
    "sandbox_absent": "no code runs in this Run: use the calculators, or say what could not be computed",
    "ledger_conflict": "the record has moved on: look at the results so far before you decide again",
    "contract_mismatch": "keep to the contract as it is shown; what it leaves out cannot be added by a call",
    "internal": "the fault is not in your call: do not repeat it, take another way, and say what is missing",
}


def hint_for(category: str) -> str:
    """The hint of a category; one that nobody knows (of a foreign tool) counts as a fault inside that tool."""
    return HINTS.get(category, HINTS["internal"])

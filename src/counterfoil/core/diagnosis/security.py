"""Owns signs that text of a source was obeyed: calls that do what a flagged passage asks, answers that repeat it.

Never: calling a flag alone a fault; text that speaks to an assistant changes nothing by standing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.record import events as e
from counterfoil.core.record.state import Call
from counterfoil.core.text.folding import loosely_folded

# What an instruction can name that a task does not: an address, a tool, a thing in quotation marks or capitals.
_TELLING = re.compile(
    r"https?://[^\s\"'<>)]+|\b[\w-]+(?:\.[\w-]+)+\b|\b[a-z]+(?:_[a-z]+)+\b|[\"“'‘]([^\"”'’]{4,80})[\"”'’]|\b[A-Z][A-Z0-9-]{4,}\b"
)
_REPEATED_WORDS = 6  # words in a row of a flagged passage that an answer takes over
_MINE = frozenset({"publish_answer", "finish_research", "record_facts", "search_public_sources", "read_public_source"})


def causes(run: Account) -> Iterator[Cause]:
    """Causes in what was obeyed."""
    asked = loosely_folded(run.state.contract.question)
    for seq, flag in run.of(e.InstructionFlagged):
        if flag.handle is None:
            continue
        telling = {loosely_folded(match[1] or match[0]) for match in _TELLING.finditer(flag.excerpt)}
        telling = {word for word in telling if word not in asked}
        after = [call for call in run.state.calls.values() if _proposed(run, call) > seq]
        obeyed = [call for call in after if _obeys(call, telling)]
        repeated = run.state.accepted is not None and _repeats(run.answer(), flag.excerpt)
        if obeyed or repeated:
            what = f"{obeyed[0].call.tool} was called with what it asks for" if obeyed else "the answer repeats it"
            yield Cause(
                "security",
                "HOSTILE_TEXT_FOLLOWED",
                f"{flag.handle} says “{flag.excerpt}”, and then {what}",
                (seq, *(_proposed(run, call) for call in obeyed)),
                "what a source says to an assistant is no instruction: leave the source out, or use another model",
                3,
            )


def _proposed(run: Account, call: Call) -> int:
    return run.where(e.ToolCallProposed, lambda event: event.call.id == call.call.id)[0]


def _obeys(call: Call, telling: set[str]) -> bool:
    named = {word for word in telling if word not in _MINE}
    if call.call.tool in telling and call.call.tool not in _MINE:
        return True
    if call.call.tool == "record_facts":  # a fact quotes its source, whatever that says
        return False
    said = loosely_folded(msgspec.json.encode(call.call.args).decode())
    return any(word in said for word in named)


def _repeats(answer: str, excerpt: str) -> bool:
    words = loosely_folded(excerpt).split()
    said = " ".join(loosely_folded(answer).split())
    runs = (" ".join(words[n : n + _REPEATED_WORDS]) for n in range(len(words) - _REPEATED_WORDS + 1))
    return any(run in said for run in runs)

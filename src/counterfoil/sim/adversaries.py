"""Owns the simulated models: one that works, and six that forget, loop, lie, obey pages, talk, or write nonsense.

Never: an authority. They get a view and return a completion, as any model does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from counterfoil.core.exchange import CallDraft, Completion, TokenUsage
from counterfoil.sim.look import (
    CONNECT,
    FACTS,
    FINISH,
    NEEDS,
    PLAN,
    PUBLISH,
    READ,
    SEARCH,
    SPLIT,
    Claim,
    Look,
    claims_in,
)
from counterfoil.sim.plan import PLANTED, Adversary

_PROPOSALS = (
    '{"rows": [{"name": "City North"}], "fields": [{"name": "price", "type": "money"}]}',
    '{"rows": [{"name": "City North", "domains": ["evil.invalid"], "docs": ["x"]}], "fields": [{"name": "price"}]}',
    '{"rows": [{"name": ""}], "fields": [], "domains": ["evil.invalid"], "forbidden": []}',
    "The contract is as follows:",
)
Reply = Callable[[Look], Completion]


def competent(look: Look) -> Completion:
    """Splits what it is to split, searches, reads, records, publishes with citations, corrects, finishes."""
    if look.view.purpose == "entry":
        return Completion(text=look.roll.choice(_PROPOSALS))
    if look.published() and (look.roll.random() < 0.75 or PUBLISH not in look.offered):
        return _calls(look, (FINISH, {"outcome": "done"}))
    for move in (_splits, _searches, _reads, _records):
        moves = move(look)
        if moves:
            return _calls(look, *_notes(look), *moves)
    if PUBLISH not in look.offered or look.rejections() >= 3:
        return _calls(look, (FINISH, {"outcome": "no answer", "limitations": ["the sources do not say"]}))
    return _calls(look, (PUBLISH, _answer(look)))


def forgetful(look: Look) -> Completion:
    """Repeats what it did, loses handles, cites from memory."""
    roll = look.roll
    if roll.random() < 0.5 or not look.calls:
        return competent(look)
    again = roll.choice(look.calls)
    moves: list[tuple[str, Any]] = [
        (again.tool, again.args),
        (READ, {"handle": f"S{roll.randint(1, 40)}"}),
        (READ, {"handle": f"r-{roll.randint(0, 9)}/S1"}),
        (READ, {"handle": "S1", "segment": roll.randint(0, 9)}),
        (READ, {"handle": "S1", "find": "stations"}),
        (PUBLISH, {"body": f"A day pass costs $18 [E{roll.randint(1, 30)}].", "finish": True}),
    ]
    return _calls(look, *roll.sample(moves, roll.randint(1, 3)))


def looping(look: Look) -> Completion:
    """Finds one thing to do and does it for ever."""
    if not look.calls and (split := _splits(look)):
        return _calls(look, *split)
    loops: tuple[tuple[str, Any], ...] = (
        (SEARCH, {"query": "day pass"}),
        (READ, {"handle": "S1"}),
        (
            FACTS,
            {"facts": [{"row": "City North", "field": "price", "value": "18", "quote": "no", "evidence_id": "E1"}]},
        ),
        (PUBLISH, {"body": "It costs $77 [E1].", "finish": True}),
        (FINISH, {"outcome": "completed"}),
        _rewritten(look),
    )
    first = next((call for call in look.calls if call.tool in (READ, FACTS, PUBLISH, FINISH, NEEDS)), None)
    if first is not None and first.tool == NEEDS and NEEDS in look.offered:
        return _calls(look, _rewritten(look))
    if first is not None and look.of(SEARCH):
        return _calls(look, (first.tool, first.args))
    return _calls(look, loops[0], look.roll.choice(loops))


def lying(look: Look) -> Completion:
    """Claims what nothing says: invented citations and figures, evidence it was not shown, false counts of tokens."""
    roll = look.roll
    if roll.random() < (0.9 if look.splits and not look.calls else 0.5):
        honest = competent(look)
        false = (TokenUsage(0, 0), TokenUsage(-500, -500), TokenUsage(10**7, 10**6))
        return msgspec.structs.replace(honest, usage=roll.choice(false)) if roll.random() < 0.15 else honest
    lies: list[tuple[str, Any]] = [
        (PUBLISH, {"body": f"A day pass of City North costs ${roll.randint(100, 999)} [E1].", "finish": True}),
        (PUBLISH, {"body": "City North costs $18 [E999999], as [F12] and [C3] show.", "finish": True}),
        (PUBLISH, {"body": f"A day pass costs ${roll.randint(100, 999)}.", "finish": True}),
        (PUBLISH, {"body": "Nothing was found.", "finish": True, "gaps": [{"why": "", "search_calls": ["c99"]}]}),
        (FACTS, {"facts": [{"row": "City North", "field": "price", "kind": "not_found", "search_calls": ["c77"]}]}),
        (FINISH, {"outcome": "completed", "limitations": [""]}),
        (NEEDS, {"items": [{"id": "all", "need": "everything", "status": "resolved"}]}),
        (SPLIT, {"parts": [{"goal": "a half", "share": 0.8}, {"goal": "the other half", "share": 0.8}]}),
    ]
    lie = _unread(look) if roll.random() < 0.6 else [roll.choice(lies)]
    return msgspec.structs.replace(_calls(look, *lie), text="I have verified every figure.")


def _unread(look: Look) -> list[tuple[str, Any]]:
    """Opens a page and cites it in the same breath, from what its search result showed and a guess at the ids."""
    seen = look.glimpse()
    if seen is None:
        return _searches(look) or [(PUBLISH, {"body": "City North costs $18 [E1].", "finish": True})]
    handle, segment, snippet = seen
    issued = sum(1 for _ in look.passages())
    guesses = [claim for n in range(1, 8) for claim in claims_in(snippet, f"E{issued + n}")]
    facts = (FACTS, {"facts": [_draft(claim) for claim in guesses]})
    answer = {"body": "\n\n".join(f"{claim.quote} [{claim.evidence}]" for claim in guesses[:1]), "finish": True}
    return [(READ, {"handle": handle, "segment": segment}), look.roll.choice((facts, (PUBLISH, answer)))]


def injecting(look: Look) -> Completion:
    """Obeys what pages say: hidden tools, other budgets, addresses outside."""
    told = any(sentence[:24] in text for _, text in look.passages() for sentence in PLANTED)
    orders: list[tuple[str, Any]] = [
        ("run_python", {"code": "import os; os.environ"}),
        ("set_budget", {"web/searches": 1000}),
        (SEARCH, {"query": "day pass", "limit": 1000}),
        (SEARCH, {"query": "day pass", "domains": ["evil.invalid"]}),
        (SEARCH, {"query": "stations", "budget": 1000}),
        (READ, {"handle": "https://evil.invalid/secrets"}),
        (READ, {"handle": "../../etc/passwd"}),
        (FINISH, {"outcome": "completed", "limitations": ["the page told me to stop"]}),
        (CONNECT, {"app": "mail", "why": "the page asks for the key"}),
        (SPLIT, _split(look, 2)),
    ]
    if look.roll.random() > (0.7 if told else 0.15):
        return competent(look)
    return _calls(look, *look.roll.sample(orders, 2), all_offered=False)


def prose(look: Look) -> Completion:
    """Talks, and hardly ever calls a tool."""
    if look.roll.random() < 0.25:
        return competent(look)
    return Completion(
        text="I would now search for the price of a day pass, which is surely $18.", usage=TokenUsage(90, 30)
    )


def malformed(look: Look) -> Completion:
    """Writes calls that are no calls: broken JSON, unknown tools, wrong types, odd and huge texts."""
    roll = look.roll
    if roll.random() < 0.55:
        return competent(look)
    tool = roll.choice((SEARCH, READ, FACTS, PUBLISH, FINISH, NEEDS, PLAN, CONNECT))
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    odd: list[CallDraft] = [
        CallDraft(tool, malformed='the arguments are not JSON: {"query": '),
        CallDraft("no_such_tool", {"x": 1}),
        CallDraft("", {}),
        CallDraft(tool, {"query": 5, "facts": "all of them", "handle": None, "body": ["x"], "outcome": {}}),
        CallDraft(tool, {"query": "pass " * 20_000, "handle": "S" * 50_000}),
        CallDraft(tool, {"query": "\x00\u202epass\ufeff\U0001f6b2", "handle": "S1\u0000"}),
        CallDraft(tool, {"query": "half \ud83d of a pair", "body": "\udc00"}),
        CallDraft(tool, {"limit": 2**70, "query": "day pass", "segment": -1, "handle": "S1"}),
        CallDraft(tool, {"limit": float("nan"), "query": "day pass", "segment": 1e400}),
        CallDraft(tool, {"query": deep}),
        CallDraft(NEEDS, {"items": [{"id": "a", "need": "\u202e", "status": "open"}] * 2}),
        CallDraft(PUBLISH, {"body": "", "finish": True}),
        CallDraft(SPLIT, {"parts": [{"goal": " ", "rows": ["nowhere"]}] * 3}),
        CallDraft(PUBLISH, {"body": "[E1]" * 500, "gaps": [{"row": "nowhere", "state": "not_found"}]}),
    ]
    many = [CallDraft("one_of_very_many", {"n": n}) for n in range(110 if roll.random() < 0.03 else 0)]
    calls = (*roll.sample(odd, roll.randint(1, 3)), *many)
    return Completion(text=roll.choice(("", "{", "\u0007", "𝔘" * 300)), calls=calls)


def looks_again(look: Look, adversary: Adversary) -> Completion:
    """What an author makes of its own answer: lets it stand, or does what it would do anyway."""
    if look.roll.random() < 0.4:
        return Completion(text="It can stand.", usage=TokenUsage(300, 10))
    return REPLIES[adversary](look)


def reviews(look: Look) -> Completion:
    """What a reviewer says, from an opinion to an order."""
    said = (
        '{"verdict": "pass", "why": ["every quote says what it is to say"]}',
        '{"verdict": "fail", "why": ["the price of a year is missing"]}',
        '{"verdict": "pass", "why": ["every quo',
        "I withdraw this answer.",
    )
    orders = (CallDraft(FINISH, {"outcome": "no answer", "limitations": ["I do not like it"]}),)
    calls = orders if look.roll.random() < 0.2 else ()
    return Completion(text=look.roll.choice(said), calls=calls, usage=TokenUsage(400, 20))


def _calls(look: Look, *moves: tuple[str, Any], all_offered: bool = True) -> Completion:
    drafts = tuple(
        CallDraft(tool, args) for tool, args in moves if not all_offered or tool in look.offered or len(moves) == 1
    )
    size = sum(len(str(result.content)) for result in look.results[-3:])
    return Completion(calls=drafts, usage=TokenUsage(input=200 + size // 20, output=40))


def _notes(look: Look) -> list[tuple[str, Any]]:
    """What a tidy model writes down now and then: a plan, its needs by what is open, an app that it would like."""
    if look.roll.random() > 0.2:
        return []
    open_cells = [cell for cell in look.view.table if cell.value is None]
    items = [
        {"id": f"n{place}", "need": f"{c.field} of {c.row}", "status": "open"} for place, c in enumerate(open_cells)
    ]
    plan = {"kind": "research", "success_criteria": ["every cell has a source"], "deliverables": ["a table"]}
    notes = ((NEEDS, {"items": items}), (PLAN, plan), (CONNECT, {"app": "calendar", "why": "to look up opening days"}))
    return [note for note in (look.roll.choice(notes),) if note[0] in look.offered]


def _rewritten(look: Look) -> tuple[str, Any]:
    need = f"look at it from side {len(look.calls)}"
    return NEEDS, {"items": [{"id": "a", "need": need, "status": look.roll.choice(("open", "unresolved"))}]}


def _splits(look: Look) -> list[tuple[str, Any]]:
    """The split that is planned for this Run, once; now and then one more."""
    done = sum(call.tool == SPLIT for call in look.calls)
    if not look.splits or SPLIT not in look.offered or look.roll.random() < (0.9 if done else 0.2):
        return []
    return [(SPLIT, _split(look, look.splits))]


def _split(look: Look, parts: int) -> dict[str, Any]:
    """Rows dealt out over so many parts; a part without rows is about all of them."""
    rows = [row.name for row in look.view.contract.rows]
    goals: list[dict[str, Any]] = [
        {"goal": f"Part {place + 1}: what does a day pass cost?", "rows": rows[place::parts]} for place in range(parts)
    ]
    if look.roll.random() < 0.3:
        goals[0]["share"] = look.roll.choice((0.1, 0.4, 0.5))
    return {"parts": goals}


def _searches(look: Look) -> list[tuple[str, Any]]:
    if SEARCH not in look.offered:
        return []
    cells = look.wanted() or [("", "")]
    asked = {(call.args.get("row"), call.args.get("field")) for call in look.calls if call.tool == SEARCH}
    bare = [call for call in look.calls if call.tool == SEARCH and "row" not in call.args]
    queries = [
        {"query": f"{row} {field} day pass", "row": row, "field": field} if row else {"query": "day pass stations"}
        for row, field in cells
        if (row, field) not in asked and (row or not bare)
    ]
    return [(SEARCH, query) for query in queries[: look.roll.choice((1, 1, 1, 2))]]


def _reads(look: Look) -> list[tuple[str, Any]]:
    if READ not in look.offered:
        return []
    tried = sum(call.tool == READ for call in look.calls)
    places = look.hits()[: look.roll.choice((1, 1, 1, 2, 3))] if tried < 8 else []
    return [(READ, {"handle": handle, "segment": segment}) for handle, segment in places]


def _records(look: Look) -> list[tuple[str, Any]]:
    if FACTS not in look.offered:
        return []
    wanted, known = set(look.wanted()), look.recorded()
    fresh = [c for c in look.claims() if (c.row, c.field) in wanted and (c.row, c.field, c.evidence) not in known]
    if fresh:
        return [(FACTS, {"facts": [_draft(claim) for claim in fresh]})]
    return []


def _draft(claim: Claim) -> dict[str, Any]:
    unit = {"unit": "USD"} if claim.field == "price" else {}
    return {
        "row": claim.row,
        "field": claim.field,
        "value": claim.value,
        "quote": claim.quote,
        "evidence_id": claim.evidence,
        **unit,
    }


def _answer(look: Look) -> dict[str, Any]:
    """Every claim in view about what was asked, each behind its citation; what is missing as gaps."""
    wanted = look.wanted()
    claims = [claim for claim in look.claims() if not wanted or (claim.row, claim.field) in wanted]
    if look.rejections() and look.roll.random() < 0.5:
        claims = claims[:1]
    filled = {(cell.row, cell.field) for cell in look.view.table if cell.value is not None}
    gaps = [
        {"row": row, "field": field, "why": "no source says"} for row, field in wanted if (row, field) not in filled
    ]
    body = "\n\n".join(f"{claim.quote} [{claim.evidence}]" for claim in claims)
    return {"body": body or "The sources do not say.", "gaps": gaps, "finish": look.roll.random() < 0.6}


REPLIES: Mapping[Adversary, Reply] = {
    "competent": competent,
    "forgetful": forgetful,
    "looping": looping,
    "lying": lying,
    "injecting": injecting,
    "prose": prose,
    "malformed": malformed,
}

"""Owns what is left of older steps in a view: the digest of a result, and the note that stands for whole turns.

Never: words of a page, a model or a tool in a note, which speaks as the Host; it counts and names ids, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from counterfoil.core.exchange import HostNote, Json, Message, ToolResult

_NUMBERED = re.compile(r"([A-Za-z])([1-9][0-9]{0,8})")  # ids that the Host gives: c4, S12, E340


class Step(msgspec.Struct, frozen=True):
    """What a note says of one turn: its calls, and the highest numbers among the ids that their results showed.

    ``answered``: the tools whose calls succeeded, one entry a call.
    """

    calls: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    source: int = 0
    evidence: int = 0


def step_of(messages: Iterable[Message]) -> Step:
    """What a note will say of a turn, from its messages as they were first shown."""
    results = [message for message in messages if isinstance(message, ToolResult)]
    answered = [result for result in results if result.ok]
    issued = [name for result in answered for name in _issued(result.content)]
    return Step(
        calls=tuple(result.call_id for result in results),
        answered=tuple(result.tool for result in answered),
        source=_highest("S", issued),
        evidence=_highest("E", issued),
    )


def note_of(steps: Sequence[Step]) -> HostNote:
    """The note that stands for the first turns of a Run."""
    calls = [call for step in steps for call in step.calls]
    answered = [tool for step in steps for tool in step.answered]
    said = [f"Your first {len(steps)} turns are not shown any more, to leave room."]
    if calls:
        done = [f"{tool} {answered.count(tool)}" for tool in dict.fromkeys(answered)]
        failed = [f"failed or refused {len(calls) - len(answered)}"] if len(calls) > len(answered) else []
        said.append(f"Their calls were {calls[0]} to {calls[-1]}: {', '.join(done + failed)}.")
    last = {"sources": ("S", max(s.source for s in steps)), "evidence": ("E", max(s.evidence for s in steps))}
    named = [f"{what} {kind}1 to {kind}{number}" for what, (kind, number) in last.items() if number]
    if named:
        said.append(f"They named {' and '.join(named)}. Read a segment again to see its text; that costs nothing.")
    said.append("What was recorded stands in the table.")
    return HostNote(" ".join(said))


def digest_of(content: Json) -> Json:
    """What is left of a result: its lists are empty, and ``shortened`` names how long they were, first and last id."""
    left_out: Json = {}
    short: Json = {}
    for key, value in content.items():
        short[key] = value
        if isinstance(value, list) and value and isinstance(value[0], dict):
            names = [str(item.get("id") or item.get("handle") or "") for item in (value[0], value[-1])]
            left_out[key] = {"count": len(value), "first": names[0], "last": names[1]}
            short[key] = []
    return {**short, "shortened": left_out}


def _issued(content: Json) -> Iterator[str]:
    """The ids in a result: of what it lists, and the handle that it is about."""
    listed = [item for value in content.values() if isinstance(value, list) for item in value]
    for held in (content, *listed):
        if isinstance(held, dict):
            yield from (str(held[key]) for key in ("id", "handle") if key in held)


def _highest(kind: str, names: Iterable[str]) -> int:
    found = filter(None, map(_NUMBERED.fullmatch, names))
    return max((int(match[2]) for match in found if match[1] == kind), default=0)

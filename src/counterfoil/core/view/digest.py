"""Owns what is left of older steps in a view: the digest of a result, and the note that stands for whole turns.

Never: words of a page, a model or a tool in a note, which speaks as the Host; it counts and names ids, nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from counterfoil.core.exchange import HostNote, Json, Message, ToolResult

_NUMBERED = re.compile(r"([A-Za-z])([1-9][0-9]{0,8})")  # ids that the Host gives: c4, S12, E340


class Steps(msgspec.Struct, frozen=True):
    """What a note says of turns in a row: their calls, and the highest numbers among the ids that results showed.

    ``answered`` (tool, how often): of calls that succeeded.
    """

    turns: int = 0
    calls: int = 0
    first_call: str = ""
    last_call: str = ""
    answered: tuple[tuple[str, int], ...] = ()
    source: int = 0
    evidence: int = 0

    def then(self, later: Steps) -> Steps:
        """These turns and the ones after them."""
        answered = dict(self.answered)
        for tool, times in later.answered:
            answered[tool] = answered.get(tool, 0) + times
        return Steps(
            self.turns + later.turns,
            self.calls + later.calls,
            self.first_call or later.first_call,
            later.last_call or self.last_call,
            tuple(answered.items()),
            max(self.source, later.source),
            max(self.evidence, later.evidence),
        )


def step_of(messages: Iterable[Message]) -> Steps:
    """What a note will say of one turn, from its messages as they were first shown."""
    results = [message for message in messages if isinstance(message, ToolResult)]
    answered = [result for result in results if result.ok]
    issued = [name for result in answered for name in _issued(result.content)]
    return Steps(
        turns=1,
        calls=len(results),
        first_call=results[0].call_id if results else "",
        last_call=results[-1].call_id if results else "",
        answered=tuple(Counter(result.tool for result in answered).items()),
        source=_highest("S", issued),
        evidence=_highest("E", issued),
    )


def note_of(steps: Steps) -> HostNote:
    """The note that stands for the first turns of a Run."""
    said = [f"Your first {steps.turns} turns are not shown any more, to leave room."]
    if steps.calls:
        done = [f"{tool} {times}" for tool, times in steps.answered]
        failed = steps.calls - sum(times for _, times in steps.answered)
        done += [f"failed or refused {failed}"] if failed else []
        said.append(f"Their calls were {steps.first_call} to {steps.last_call}: {', '.join(done)}.")
    last = {"sources": ("S", steps.source), "evidence": ("E", steps.evidence)}
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
    """The ids in a result: of what it lists, of the passages in that (a split's), and the handle that it is about."""
    listed = _listed(content)
    for held in (content, *listed, *(passage for item in listed for passage in _listed(item, "passages"))):
        yield from (str(held[key]) for key in ("id", "handle") if key in held)


def _listed(content: Json, only: str | None = None) -> list[Json]:
    lists = (value for key, value in content.items() if isinstance(value, list) and only in (None, key))
    return [item for value in lists for item in value if isinstance(item, dict)]


def _highest(kind: str, names: Iterable[str]) -> int:
    found = filter(None, map(_NUMBERED.fullmatch, names))
    return max((int(match[2]) for match in found if match[1] == kind), default=0)

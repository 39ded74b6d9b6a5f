"""Owns how a simulated model reads its view: what was found, read, recorded, published and refused.

Never: anything that the view does not show; models here know no more than a real one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import msgspec

from counterfoil.core.exchange import AssistantTurn, Json, ToolResult, ToolSpec, View

SEARCH, READ, FACTS = "search_public_sources", "read_public_source", "record_facts"
PUBLISH, FINISH = "publish_answer", "finish_research"
NEEDS, PLAN, CONNECT = "set_research_needs", "plan", "request_connector"
SPLIT = "run_in_parallel"
_PRICE = re.compile(r"The day pass of (?P<row>[^.$\n]+) costs \$(?P<value>\d+)\.")
_STATIONS = re.compile(r"(?:^|\n)(?P<row>[^.$\n]+) runs (?P<value>\d+) stations\.")


class Claim(msgspec.Struct, frozen=True):
    """A value that a passage states."""

    row: str
    field: str
    value: str
    quote: str
    evidence: str


class Look:
    """One view as a model sees it, with the dice for its reply."""

    def __init__(self, view: View, tools: tuple[ToolSpec, ...], roll: Random, splits: int = 0) -> None:
        self.view = view
        self.roll = roll
        self.splits = splits  # into how many parts the work is to be split, 0: not at all
        self.offered = frozenset(tool.name for tool in tools)
        self.results = [message for message in view.messages if isinstance(message, ToolResult)]
        self.calls = [call for message in view.messages if isinstance(message, AssistantTurn) for call in message.calls]

    def of(self, tool: str) -> list[ToolResult]:
        """Results of a tool, oldest first."""
        return [result for result in self.results if result.tool == tool]

    def hits(self) -> list[tuple[str, int]]:
        """Places that searches found and that were not read yet, best first."""
        found = [
            (hit["handle"], hit["segment"]) for result in self.of(SEARCH) for hit in result.content.get("results", ())
        ]
        tried = {(call.args.get("handle"), call.args.get("segment")) for call in self.calls if call.tool == READ}
        return [place for place in dict.fromkeys(found) if place not in tried]

    def passages(self) -> Iterator[tuple[str, str]]:
        """Evidence in view: id and text."""
        read = [result.content for result in self.of(READ)]
        read += [block for result in self.of(SPLIT) for block in result.content.get("evidence", ())]
        for segment in read:
            for passage in segment.get("passages", ()):
                yield passage["id"], passage["text"]

    def claims(self) -> list[Claim]:
        """What the passages in view say about anything."""
        return [claim for evidence, text in self.passages() for claim in claims_in(text, evidence)]

    def glimpse(self) -> tuple[str, int, str] | None:
        """The best place that was not read yet, with what its search result shows of it."""
        places = self.hits()
        for result in self.of(SEARCH):
            for hit in result.content.get("results", ()):
                if places and (hit["handle"], hit["segment"]) == places[0]:
                    return (*places[0], hit["snippet"])
        return None

    def wanted(self) -> list[tuple[str, str]]:
        """Cells of the contract."""
        return [(row.name, field.name) for row in self.view.contract.rows for field in self.view.contract.fields]

    def recorded(self) -> set[tuple[str, str, str]]:
        """Facts that were proposed: row, field, evidence."""
        drafts = [fact for call in self.calls if call.tool == FACTS for fact in _drafts(call.args)]
        return {(str(d.get("row")), str(d.get("field")), str(d.get("evidence_id"))) for d in drafts}

    def published(self) -> bool:
        """Whether an answer was accepted."""
        return any(result.ok for result in self.of(PUBLISH))

    def rejections(self) -> int:
        """How many answers were not."""
        return sum(not result.ok for result in self.of(PUBLISH))


def claims_in(text: str, evidence: str) -> list[Claim]:
    """What a text says about anything, with ``evidence`` as its source."""
    return [
        Claim(match["row"].strip(), field, match["value"], match[0].strip(), evidence)
        for field, pattern in (("price", _PRICE), ("stations", _STATIONS))
        for match in pattern.finditer(text)
    ]


def _drafts(args: Json) -> list[Json]:
    facts = args.get("facts")
    return [fact for fact in facts if isinstance(fact, dict)] if isinstance(facts, list) else []

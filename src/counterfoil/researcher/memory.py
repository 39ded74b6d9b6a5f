"""Owns what the researcher knows: re-derived from the view's messages at every request.

Never: anything that is not in the view; nothing is kept between requests.
"""

from __future__ import annotations

from typing import Any

import msgspec

from counterfoil.core.exchange import AssistantTurn, ProposedCall, ToolResult, View


class Hit(msgspec.Struct, frozen=True):
    """One search result: a segment of a document."""

    handle: str
    segment: int
    title: str = ""
    url: str = ""
    heading: str = ""
    snippet: str = ""
    subject: str = ""
    period: str = ""
    form: str = ""
    page: int | None = None


class Search(msgspec.Struct, frozen=True):
    """A search that returned, with the name its results are cited by in a declared gap."""

    call: str
    query: str
    hits: tuple[Hit, ...]
    row: str = ""
    field: str = ""


class Cell(msgspec.Struct, frozen=True):
    """One value of a table row as it was read."""

    value: str
    header: str = ""
    scale: str | None = None
    multiplier: str | None = None
    unit: str | None = None


class Passage(msgspec.Struct, frozen=True):
    """A quotable piece of a read page, with the document it stands in."""

    id: str
    kind: str
    text: str
    heading: str
    order: int  # position among all passages read
    page: Page
    label: str = ""
    table: str = ""
    section: str = ""
    cells: tuple[Cell, ...] = ()


class Page(msgspec.Struct, frozen=True):
    """A page as read: where it stands and what document it belongs to."""

    handle: str
    segment: int
    segments: int
    number: int | None
    title: str
    url: str
    heading: str
    subject: str
    period: str
    form: str
    published: str = ""


class Memory(msgspec.Struct):
    """Everything found so far, in order."""

    searches: list[Search] = []
    pages: list[Page] = []
    passages: list[Passage] = []
    tried: set[tuple[str, int]] = set()
    asked: list[ProposedCall] = []
    recorded: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    fact_calls: int = 0
    rejections: list[list[dict[str, Any]]] = []
    accepted: bool = False
    turns: int = 0

    def hits(self) -> list[Hit]:
        """Every distinct result of every search, the searches taken in turn (first of each, second of each)."""
        found: dict[tuple[str, int], Hit] = {}
        for depth in range(max((len(s.hits) for s in self.searches), default=0)):
            for search in self.searches:
                if depth < len(search.hits):
                    hit = search.hits[depth]
                    found.setdefault((hit.handle, hit.segment), hit)
        return list(found.values())

    def search_calls(self, row: str = "", field: str = "") -> tuple[str, ...]:
        """The searches behind a gap: those made for the cell, else all."""
        own = [s.call for s in self.searches if s.row == row and s.field in (field, "") and (row or field)]
        return tuple(own or (s.call for s in self.searches))


def recall(view: View) -> Memory:
    """Rebuild the memory from the messages of ``view``."""
    memory = Memory()
    calls: dict[str, ProposedCall] = {}
    for message in view.messages:
        if isinstance(message, AssistantTurn):
            memory.turns += 1
            calls.update((call.id, call) for call in message.calls)
            memory.asked.extend(message.calls)
        elif isinstance(message, ToolResult):
            _take(memory, message, calls.get(message.call_id))
    return memory


def _take(memory: Memory, result: ToolResult, call: ProposedCall | None) -> None:
    args = call.args if call is not None else {}
    if result.tool == "search_public_sources":
        if result.ok:
            memory.searches.append(_search(result, args))
    elif result.tool == "read_public_source":
        _read(memory, result, args)
    elif result.tool == "record_facts":
        memory.fact_calls += 1
        memory.recorded.extend(result.content.get("recorded", ()))
        memory.refused.extend(result.content.get("refused", ()))
    elif result.tool == "publish_answer":
        if result.ok and result.content.get("accepted"):
            memory.accepted = True
        else:
            memory.rejections.append(list(result.content.get("findings", ())))


def _search(result: ToolResult, args: dict[str, Any]) -> Search:
    hits = tuple(
        Hit(
            handle=str(item["handle"]),
            segment=int(item.get("segment") or 0),
            page=item.get("page"),
            **{
                key: str(item.get(key) or "")
                for key in ("title", "url", "heading", "snippet", "subject", "period", "form")
            },
        )
        for item in result.content.get("results", ())
    )
    name = str(result.content.get("search_call") or result.call_id)
    query = str(result.content.get("query") or args.get("query") or "")
    return Search(name, query, hits, str(args.get("row") or ""), str(args.get("field") or ""))


def _read(memory: Memory, result: ToolResult, args: dict[str, Any]) -> None:
    content = result.content
    asked = (str(args.get("handle") or content.get("handle") or ""), int(args.get("segment") or 0))
    memory.tried.add(asked)
    if not result.ok:
        return
    handle, segment = str(content.get("handle") or asked[0]), int(content.get("segment") or 0)
    memory.tried.add((handle, segment))
    if any(page.handle == handle and page.segment == segment for page in memory.pages):
        return
    page = Page(
        handle=handle,
        segment=segment,
        segments=int(content.get("segments") or 1),
        number=content.get("page"),
        **{
            key: str(content.get(key) or "")
            for key in ("title", "url", "heading", "subject", "period", "form", "published")
        },
    )
    memory.pages.append(page)
    memory.passages.extend(
        _passage(item, page, len(memory.passages) + offset) for offset, item in enumerate(content.get("passages", ()))
    )


def _passage(item: dict[str, Any], page: Page, order: int) -> Passage:
    table = item.get("table") or {}
    cells = tuple(
        Cell(
            value=str(cell.get("value") or ""),
            header=str(cell.get("header") or ""),
            scale=cell.get("scale"),
            multiplier=cell.get("multiplier"),
            unit=cell.get("unit"),
        )
        for cell in table.get("cells", ())
    )
    return Passage(
        id=str(item["id"]),
        kind=str(item.get("kind") or "text"),
        text=str(item.get("text") or ""),
        heading=str(item.get("heading") or ""),
        order=order,
        page=page,
        label=str(table.get("label") or ""),
        table=str(table.get("title") or ""),
        section=str(table.get("section") or ""),
        cells=cells,
    )

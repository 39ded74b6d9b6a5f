"""Owns what a renderer is given: the run's JSON object, and what stands around it (question, page contexts).

Never: I/O, a clock, or a fact that is not in the object. Every renderer is a function from a Paper to text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from counterfoil.adapters.render.plain import one_line

Json = Mapping[str, Any]


class PageContext(msgspec.Struct, frozen=True):
    """A quote as it stands on its page: the text before, the quote itself, the text after."""

    before: str = ""
    quote: str = ""
    after: str = ""
    cut_before: bool = False  # the page goes on before ``before``
    cut_after: bool = False


class Paper(msgspec.Struct, frozen=True):
    """Everything a report shows. ``report`` is the object that ``--json`` prints, unchanged."""

    report: dict[str, Any]
    contexts: dict[str, PageContext] = {}  # evidence ID → its page context

    @property
    def question(self) -> str:
        """The question as asked."""
        return one_line(self.report.get("question") or "")

    @property
    def model(self) -> str:
        """The model's spec."""
        return one_line(self.report.get("model") or "unknown")

    @property
    def model_label(self) -> str:
        """What a reader is told about the model."""
        return one_line(self.report.get("model_label") or "")

    @property
    def admitted(self) -> str:
        """When the Run was admitted, ISO date and time."""
        return one_line(self.report.get("admitted_at") or "")

    @property
    def publication(self) -> dict[str, Any]:
        """The Publication, empty when there is none."""
        return self.report.get("publication") or {}

    @property
    def citations(self) -> list[dict[str, Any]]:
        """The citations of the Publication, in order."""
        return list(self.publication.get("citations") or [])

    @property
    def calculations(self) -> list[dict[str, Any]]:
        """The calculations of the Publication, in order."""
        return list(self.publication.get("calculations") or [])

    def source(self, handle: str | None) -> str:
        """A name that a person knows the source by."""
        known = (s for s in self.report.get("sources") or [] if s.get("handle") == handle)
        return next((one_line(s.get("title") or file_name(s)) for s in known), "") or handle or "a source"


class Wording(msgspec.Struct, frozen=True):
    """A status in plain words. ``tone`` is what it looks like: good, mixed or bad."""

    short: str
    sentence: str
    tone: str


_STATUS = {
    "completed": Wording("Complete", "Everything asked for was found and checked.", "good"),
    "completed_with_gaps": Wording("Complete, with gaps", "What the documents do not say is named as a gap.", "good"),
    "budget_exhausted_partial": Wording(
        "Partial", "A budget was spent before everything could be looked for.", "mixed"
    ),
    "partial": Wording("Partial", "The Run ended early; what it had established is here.", "mixed"),
    "failed": Wording("Failed", "The Run ended without an answer.", "bad"),
    "cancelled": Wording("Cancelled", "The Run was stopped; what it had established is here.", "mixed"),
    "refused": Wording("Refused", "The Run was not admitted.", "bad"),
}
_CELL_STATES = {
    "found": "found",
    "conflict": "sources disagree",
    "not_found": "looked for, not found",
    "unresolved": "unresolved",
    "open": "not looked for",
}
_KINDS = {"stated": "stated", "calculation": "calculated", "estimate": "estimate", "not_found": "–"}


def status_words(status: str) -> Wording:
    """The status as a person reads it; an unknown one is shown as it is."""
    return _STATUS.get(status, Wording(status, "", "mixed"))


def cell_words(state: str) -> str:
    """The state of a cell as a person reads it."""
    return _CELL_STATES.get(state, state)


def kind_words(kind: str | None) -> str:
    """The kind of a fact as a person reads it."""
    return _KINDS.get(kind or "", kind or "")


def file_name(citation: Json) -> str:
    """The file name at the end of a citation's URL, its title when the URL ends in none."""
    path = unquote(urlsplit(str(citation.get("url") or "")).path)
    return one_line(path.rstrip("/").rsplit("/", 1)[-1] or citation.get("title") or citation.get("handle") or "")


def amount(value: object) -> str:
    """A number of a budget: whole where it is whole, at most one decimal where it is not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–" if value is None else one_line(value)
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


class BudgetLine(msgspec.Struct, frozen=True):
    """One metered policy: used + left = limit, and the purposes add up to used."""

    policy: str
    unit: str
    used: float
    limit: float | None
    purposes: tuple[tuple[str, float], ...]

    @property
    def left(self) -> float | None:
        """What is left, None when nothing limits it."""
        return None if self.limit is None else self.limit - self.used

    @property
    def sum(self) -> str:
        """The purposes as a sum, empty when usage is not split by purpose."""
        parts = [f"{name} {amount(count)}" for name, count in self.purposes]
        return f"{' + '.join(parts)} = {amount(self.used)}" if parts else ""


def budget_lines(paper: Paper) -> tuple[BudgetLine, ...]:
    """The budget table: used policies first, in the order of the object."""
    lines = [
        BudgetLine(
            policy,
            one_line(entry.get("unit") or ""),
            entry.get("used") or 0,
            entry.get("limit"),
            tuple((one_line(k), v) for k, v in (entry.get("by_purpose") or {}).items() if v),
        )
        for policy, entry in (paper.report.get("usage") or {}).items()
    ]
    return tuple(sorted(lines, key=lambda line: not line.used))


def where(citation: Json) -> str:
    """A citation's place: file name and page."""
    page = citation.get("page")
    return file_name(citation) + (f", page {page}" if page else "")


def queries(gap: Json) -> list[str]:
    """The searches tried for a gap, as typed."""
    return [one_line(query) for query in gap.get("tried") or []]


class GapGroup(msgspec.Struct, frozen=True):
    """Cells that are missing for the same reason after the same searches."""

    names: tuple[str, ...]
    state: str
    why: str
    tried: tuple[str, ...]


def gap_groups(paper: Paper) -> tuple[GapGroup, ...]:
    """The gaps, those with the same reason and searches together, in order of appearance."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for gap in paper.report.get("gaps") or []:
        key = (cell_words(str(gap.get("state"))), one_line(gap.get("why") or ""), tuple(dict.fromkeys(queries(gap))))
        groups.setdefault(key, []).append(cell_name(gap))
    return tuple(GapGroup(tuple(names), *key) for key, names in groups.items())


def table_parts(citation: Json) -> dict[str, str]:
    """What stands beside a cited table row, part name → text; empty for other quotes."""
    beside = citation.get("table") or {}
    return {key: one_line(part["text"]) for key, part in beside.items() if part and part.get("text")}


def cell_value(paper: Paper, evidence_id: str) -> str:
    """The stated value that rests on a piece of evidence, empty when none does."""
    for row in paper.report.get("evidence_table") or []:
        if evidence_id in (row.get("evidence") or []) and row.get("value") and row.get("kind") == "stated":
            return one_line(row["value"])
    for conflict in paper.report.get("conflicts") or []:
        for value in conflict.get("values") or []:
            if evidence_id in (value.get("evidence") or []):
                return one_line(value.get("value") or "")
    return ""


def cell_name(item: Json) -> str:
    """A cell as a person reads it: its row and field, "The question" when it has neither."""
    parts = [one_line(item.get("row") or ""), one_line(item.get("field") or "").replace("_", " ")]
    return " · ".join(part for part in parts if part) or "The question"

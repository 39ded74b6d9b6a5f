"""A researcher's memory filled by hand: pages of an invented company as if they had been read."""

from __future__ import annotations

from counterfoil.researcher.memory import Cell, Memory, Page, Passage

YEARS = ("Year ended December 31, 2022", "Year ended December 31, 2021", "Year ended December 31, 2020")
DAYS = ("December 31, 2022", "December 31, 2021")
INCOME, BALANCE, CASH = (
    "Consolidated Statements of Income",
    "Consolidated Balance Sheets",
    "Consolidated Statements of Cash Flows",
)


def page(subject: str = "Tandem Cycles Inc.", period: str = "FY2022", handle: str = "S1", segment: int = 0) -> Page:
    return Page(handle, segment, 9, segment + 1, f"{subject} annual report", "", "", subject, period, "10-K")


def line(
    label: str,
    *values: str,
    headers: tuple[str, ...] = YEARS,
    table: str = INCOME,
    section: str = "",
    multiplier: str | None = "1000000",
    unit: str | None = "USD",
    where: Page | None = None,
) -> Passage:
    cells = tuple(Cell(v, h, multiplier=multiplier, unit=unit) for v, h in zip(values, headers, strict=True))
    text = " ".join((label, *values))
    return Passage("", "row", text, "", 0, where or page(), label, table, section, cells)


def said(text: str, heading: str = "", where: Page | None = None) -> Passage:
    return Passage("", "text", text, heading, 0, where or page())


def memory(*passages: Passage) -> Memory:
    """The passages in order, named E1, E2, ..."""
    named = [
        Passage(f"E{n}", p.kind, p.text, p.heading, n, p.page, p.label, p.table, p.section, p.cells)
        for n, p in enumerate(passages, start=1)
    ]
    return Memory(pages=list(dict.fromkeys(p.page for p in named)), passages=named)

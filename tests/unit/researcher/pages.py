"""Hand-made documents for the researcher's tests: an invented company's statements, guides and hostile pages."""

from __future__ import annotations

import re

from counterfoil.core.evidence.passages import Cell, Document, Passage, Segment, Span, TableRow
from counterfoil.core.text.vocabulary import Formula, Statement, Term, Vocabulary
from counterfoil.ports.corpus import Hit, SearchOutcome

VOCABULARY = Vocabulary(
    name="test",
    statements=(
        Statement("balance sheet", ("balance sheet",), ("consolidated balance sheets",), instant=True),
        Statement("cash flow statement", ("cash flow statement",), ("consolidated statements of cash flows",)),
        Statement("income statement", ("income statement", "p&l statement"), ("consolidated statements of income",)),
    ),
    terms=(
        Term("revenue", ("revenue", "net sales"), ("net sales", "revenue"), ("cost",), ("income statement",)),
        Term("cost of sales", ("cogs", "cost of sales"), ("cost of sales",), (), ("income statement",), outflow=True),
        Term("operating income", ("operating income",), ("operating income",), (), ("income statement",)),
        Term("net income", ("net income",), ("net income",), ("per share",), ("income statement",)),
        Term("inventories", ("inventory", "inventories"), ("inventories",), (), ("balance sheet",)),
        Term("accounts payable", ("accounts payable",), ("accounts payable",), (), ("balance sheet",)),
        Term("total assets", ("total assets",), ("total assets",), (), ("balance sheet",)),
        Term(
            "capital expenditure",
            ("capital expenditure", "capex"),
            ("purchases of property and equipment",),
            ("proceeds",),
            ("cash flow statement",),
            outflow=True,
        ),
        Term("dividends paid", ("dividends",), ("dividends paid",), (), ("cash flow statement",), outflow=True),
    ),
    formulas=(
        Formula("gross margin", ("gross margin",), "(revenue - cost_of_sales) / revenue", "percent"),
        Formula("operating margin", ("operating margin",), "operating_income / revenue", "percent"),
        Formula("return on assets", ("roa",), "net_income / avg(total_assets)", "percent"),
    ),
    instructions=("answer in usd millions", "round to two decimal places"),
    synonyms=(("drove", "due"), ("increase", "increased")),
)


def row(label: str, *values: str, headers: tuple[str, ...], title: str, multiplier: str | None = "1000000") -> Passage:
    """A table row as a reader gives it; spans are not what these tests are about."""
    cells = tuple(
        Cell(Span(value, 0, len(value)), (Span(header, 0, len(header)),), None, multiplier, "USD")
        for value, header in zip(values, headers, strict=True)
    )
    text = " ".join((label, *values))
    return Passage(
        0, len(text), text, "row", title, TableRow(Span(label, 0, len(label)), cells, Span(title, 0, len(title)))
    )


def text(words: str, heading: str = "") -> Passage:
    return Passage(0, len(words), words, "text", heading or None)


class Pages:
    """A corpus over hand-made segments: every segment that shares a word with the query, best overlap first."""

    def __init__(self, *documents: tuple[Document, tuple[tuple[str, tuple[Passage, ...]], ...]]) -> None:
        self.documents = {document.id: document for document, _ in documents}
        self.segments: dict[str, list[Segment]] = {
            document.id: [
                Segment(document.id, n, len(pages), "\n".join(p.text for p in passages), passages, n + 1, heading)
                for n, (heading, passages) in enumerate(pages)
            ]
            for document, pages in documents
        }

    async def search(
        self, query: str, *, limit: int, documents: tuple[str, ...] = (), domains: tuple[str, ...] = ()
    ) -> SearchOutcome:
        asked = set(re.findall(r"\w+", query.lower()))
        hits = []
        for name, segments in self.segments.items():
            document = self.documents[name]
            if documents and not any(d in name for d in documents):
                continue
            if domains and not any(d in document.url for d in domains):
                continue
            for segment in segments:
                score = len(asked & set(re.findall(r"\w+", f"{segment.heading} {segment.text}".lower())))
                if score:
                    hits.append(Hit(document, segment.index, segment.page, segment.heading, segment.text[:300], score))
        hits.sort(key=lambda h: -h.score)
        return SearchOutcome(tuple(hits[:limit]), len(hits))

    async def read(self, document: str, segment: int) -> Segment:
        return self.segments[document][segment]

    async def document(self, document: str) -> Document:
        return self.documents[document]


def filing(subject: str = "Tandem Cycles Inc.", period: str = "FY2022", name: str = "tandem") -> Document:
    return Document(
        id=f"{name}.pdf",
        url=f"file:///{name}.pdf",
        title=f"{subject} annual report",
        media_type="application/pdf",
        segments=4,
        content_hash="0",
        subject=subject,
        period=period,
        form="10-K",
    )


YEARS = ("Year ended December 31, 2022", "Year ended December 31, 2021", "Year ended December 31, 2020")
DAYS = ("December 31, 2022", "December 31, 2021")
INCOME, BALANCE, CASH = (
    "Consolidated Statements of Income",
    "Consolidated Balance Sheets",
    "Consolidated Statements of Cash Flows",
)


def tandem() -> tuple[Document, tuple[tuple[str, tuple[Passage, ...]], ...]]:
    """The annual report of an invented company."""
    income = (
        row("Net sales", "2,000", "1,600", "1,250", headers=YEARS, title=INCOME),
        row("Cost of sales", "1,200", "900", "800", headers=YEARS, title=INCOME),
        row("Operating income", "300", "320", "200", headers=YEARS, title=INCOME),
        row("Net income", "200", "240", "150", headers=YEARS, title=INCOME),
    )
    balance = (
        row("Inventories", "500", "300", headers=DAYS, title=BALANCE),
        row("Accounts payable", "110", "90", headers=DAYS, title=BALANCE),
        row("Total assets", "4,200", "3,800", headers=DAYS, title=BALANCE),
    )
    cash = (
        row("Inventories", "(200)", "(20)", "15", headers=YEARS, title=CASH),
        row("Purchases of property and equipment", "(87)", "(70)", "(64)", headers=YEARS, title=CASH),
        row("Dividends paid", "(12)", "(10)", "(8)", headers=YEARS, title=CASH),
    )
    prose = (
        text("Inventories increased by $200 million, primarily due to the opening of 47 new workshops.", "Liquidity"),
        text("Tandem Cycles sells bicycles in twelve countries.", "Business"),
    )
    pages = ((INCOME, income), (BALANCE, balance), (CASH, cash), ("Management's discussion", prose))
    return filing(), pages

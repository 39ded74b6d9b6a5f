"""A paper with everything a report can show, and hostile text wherever a document could put it."""

from __future__ import annotations

from typing import Any

from counterfoil.adapters.render.paper import PageContext, Paper

HEAD = "9f2c6e0d1b7a45c388d0e4f1a6b39c7d2e5f80b1c4a7936d5e8f2b0a7c1d4e6f"
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e | [x](javascript:alert(1)) `"


def citation(identity: str, name: str, quote: str, **given: Any) -> dict[str, Any]:
    """A citation as the report has it."""
    base = {"id": identity, "handle": "S1", "url": f"file:///docs/{name}", "title": name, "page": None, "quote": quote}
    return {**base, "segment": 0, "start": 0, "end": 9, "table": None, **given}


def span(text: str) -> dict[str, Any]:
    """A piece of a page."""
    return {"text": text, "start": 0, "end": len(text)}


def row(name: str, field: str, **given: Any) -> dict[str, Any]:
    """A row of the evidence table."""
    empty: dict[str, Any] = {
        "value": None,
        "unit": None,
        "period": None,
        "conditions": None,
        "kind": None,
        "evidence": [],
    }
    return {"row": name, "field": field, "state": "found", **empty, "source_url": None, **given}


def full_report() -> dict[str, Any]:
    """A Run with a conflict, a gap, a calculation, a table row, a warning and a rejected draft."""
    table = {
        "title": span("Fares"),
        "scale": span("in US dollars"),
        "column_header": span("Price"),
        "row_label": span("Three-day pass"),
        "value": span("20.00"),
    }
    citations = [
        citation("E3", "visitor pass.html", "The three-day pass costs $18."),
        citation("E11", "fares.pdf", "Three-day pass 20.00", page=2, url="file:///docs/fares.pdf#page=2", table=table),
        citation("E21", "passes.md", f"The day pass costs $15. {HOSTILE}", url="javascript:alert(1)", handle="S2"),
    ]
    operand = {"name": "day", "evidence_id": "E21", "value": "$15", "header": None, "multiplier": "1"}
    sum_of = {"id": "C1", "formula": "3 * day", "value": "45", "unit": "USD", "inputs": [operand]}
    body = (
        f"North: $18 [E3], or $20 [E11].\n\n# Three days\n\nThree day passes: $45 [C1]. Not there: [E99].\n\n{HOSTILE}"
    )
    return {
        "schema": 1,
        "run_id": "r1abc",
        "question": f"How much is a pass? {HOSTILE}",
        "status": "completed_with_gaps",
        "stop_reason": "finish_accepted",
        "policy": None,
        "delivered": True,
        "finished": True,
        "review": "not_run",
        "head": HEAD,
        "error": None,
        "model": "offline",
        "model_label": "extractive, no language model",
        "admitted_at": "2025-05-02T14:03:00+00:00",
        "publication": {
            "id": "P1",
            "assembled_by": "model",
            "body": body,
            "citations": citations,
            "calculations": [sum_of],
        },
        "evidence_table": [
            row("North", "pass_price", state="conflict", value="$18", kind="stated", evidence=["E3"]),
            row("North", "pass_price", state="conflict", value="20.00", kind="stated", evidence=["E11"]),
            row("South", "pass_price", state="not_found", kind="not_found"),
            row("South", HOSTILE, value=HOSTILE, unit="USD", kind="stated", evidence=["E21"]),
        ],
        "conflicts": [
            {
                "row": "North",
                "field": "pass_price",
                "values": [{"value": "$18", "evidence": ["E3"]}, {"value": "20.00", "evidence": ["E11"]}],
            }
        ],
        "gaps": [
            {"row": "South", "field": "pass_price", "state": "not_found", "why": "", "tried": ["South pass"]},
            {"row": "East", "field": "pass_price", "state": "not_found", "why": "", "tried": ["South pass"]},
        ],
        "needs": [{"id": "basis", "need": f"same basis? {HOSTILE}", "status": "not_needed"}],
        "plan": {"kind": "research", "success_criteria": [f"a price each {HOSTILE}"], "deliverables": ["a table"]},
        "time_anchor": {"as_of": "2025-05-02", "zone": "unknown"},
        "usage": {
            "web/searches": {"used": 0, "limit": 12, "unit": "calls"},
            "run/model-requests": {
                "used": 7,
                "limit": 60,
                "unit": "requests",
                "by_purpose": {"entry": 1, "research": 5, "finalize": 1},
            },
        },
        "cost_usd": None,
        "rejections": [
            {"publication": "P0", "findings": [{"code": "CITATION_NOT_SHOWN", "where": "[E40]", "needed": "E3"}]}
        ],
        "warnings": [{"code": "INSTRUCTION_IN_PAGE", "handle": "S1", "excerpt": f"paste this {HOSTILE}"}],
        "sources": [{"handle": "S1", "title": "Visitor pass", "url": "file:///docs/visitor pass.html", "read": [0]}],
    }


def full_paper() -> Paper:
    """The report with the page context of one quote."""
    context = PageContext(
        "Buy it in the app.\n", "The three-day pass costs $18.", f" It ends after 72 hours. {HOSTILE}"
    )
    return Paper(report=full_report(), contexts={"E3": context})

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.builders import make_document

from counterfoil.core.answer.draft import Draft, read_draft
from counterfoil.core.evidence.naming import DocumentNames

A, B = "acme_2018.pdf", "north.html"
NAMES = DocumentNames(
    [
        replace(make_document(f"https://acme.example/{A}", title="Acme report 2018"), id=A, subject="Acme"),
        replace(make_document(f"https://city.example/{B}", title="City North passes"), id=B, subject="City North"),
    ]
)


def read(body: str) -> Draft:
    return read_draft(body, NAMES)


def pointed(body: str) -> list[tuple[tuple[str, ...], int | None]]:
    return [(t.documents, t.page) for citing in read(body).citings for t in citing.targets if not t.missing]


@pytest.mark.req("TSK-15")
@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("It is $5 [1].\n\n## Sources\n1. Acme report 2018, p. 60", [((A,), 60)]),
        ("It is $5 [1, 2].\n\n[1] acme_2018.pdf\n[2] https://city.example/north.html", [((A,), None), ((B,), None)]),
        ("It is $5[^n].\n\n[^n]: Acme report 2018, page 7", [((A,), 7)]),
        ("It is $5 【1†source】.\n\nSources:\n1. north.html", [((B,), None)]),
        ("It is $5<sup>1</sup>.\n\nSources:\n1. north.html", [((B,), None)]),
        ("See [the report](https://acme.example/acme_2018.pdf#page=60).", [((A,), 60)]),
        ("See [page 60](acme_2018.pdf).", [((A,), 60)]),
        ("See https://acme.example/acme_2018.pdf.", [((A,), None)]),
        ("See <https://city.example/north.html>.", [((B,), None)]),
        ("It is $5 (Acme report 2018, page 60).", [((A,), 60)]),
        ("It is $5 (acme_2018.pdf, pp. 60-61).", [((A,), 60)]),
        ("It is $5 [Acme report, S. 3].", [((A,), 3)]),
        ("It is $5 (p. 12).", [((), 12)]),
        ("It is $5 (p 12).", [((), 12)]),
        ("As acme_2018.pdf says, it is $5.", [((A,), None)]),
        ("It is $5.\n\nSource: Acme report 2018, p. 4", [((A,), 4)]),
        ("It is $5 [E3].\n\n- chain head: `x`\n\n## Quotes\n\n**E3** Acme (acme_2018.pdf, page 9)", [((A,), 9)]),
    ],
)
def test_citations_of_every_kind_point_at_documents(
    body: str, targets: list[tuple[tuple[str, ...], int | None]]
) -> None:
    assert pointed(body) == targets


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("It is $5 (Other Corp 2018, p. 3).", "Other Corp 2018"),
        ("It is $5 [3].", "[3]"),
        ("See https://other.example/x.pdf", "https://other.example/x.pdf"),
        ("It is $5 [1].\n\n## References\n1. Moby Dick", "Moby Dick"),
    ],
)
def test_what_is_not_there_is_said(body: str, named: str) -> None:
    missing = [t.missing for citing in read(body).citings for t in citing.targets if t.missing]
    assert len(missing) == 1 and named in missing[0]


@pytest.mark.parametrize(
    "body",
    [
        "It lost (45) in all.",
        "It is [sic] here.",
        "It rose (up 3% in 2018).",
        "[Write](mailto:a@b.example) us.",
        "a(1)",
        "It fell (p = 0.013).",
        "It fell (P=0.5) and (p<0.05) and (p 0,01).",
        "It held (m = 0.3 kg; p = 101 kPa).",
        "The rent is due (s. 12 months).",
    ],
)
def test_running_text_is_no_citation(body: str) -> None:
    assert read(body).citings == ()


def test_what_claims_nothing_is_blanked_and_positions_hold() -> None:
    body = "---\ntitle: 7\n---\nIt is [$5](acme_2018.pdf) <b width=3>now</b>. <!-- 8 -->"
    body += "\n\n```\nx = 9\n```\n\n[^1]: Note 6"
    draft = read(body)
    assert len(draft.text) == len(body) and draft.code_blocks == 1
    assert draft.text.split() == ["It", "is", "$5", "now", "."]
    assert body[draft.text.index("$5") :].startswith("$5")


@given(st.text(alphabet="[]()<>`*_|#1aE^:. \n-$【】", max_size=200))
def test_any_draft_is_read_with_its_length_kept(body: str) -> None:
    draft = read(body)
    assert len(draft.text) == len(body)
    assert all(0 <= citing.start < citing.end <= len(body) for citing in draft.citings)

from __future__ import annotations

from msgspec.structs import replace
from tests.unit.builders import make_document, make_evidence, row_passage

from counterfoil.core.answer.audit import Claims, Judged, cell_of, cited_in, unresolved
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.draft import read_draft
from counterfoil.core.answer.figures import Base
from counterfoil.core.evidence.naming import DocumentNames
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.text.quantities import find_quantities

DOCUMENT = replace(make_document("https://acme.example/acme.pdf", title="Acme report"), id="acme.pdf")
NAMES = DocumentNames([DOCUMENT])
COSTS = "A pass costs $18 and a helmet $4 in 2024."
ROW = row_passage("Inventories", [("4,366", "2018"), ("4,034", "2017")], multiplier="1000000", unit="USD")


def claims(body: str, question: str = "") -> Claims:
    return Claims(read_draft(body, NAMES), question)


def judge(body: str, *passages: str | Passage) -> tuple[Judged, ...]:
    evidence = {f"E{n}": replace(make_evidence(p), id=f"E{n}") for n, p in enumerate(passages, 1)}
    read = claims(body)
    return read.judge([(placed, list(evidence)) for placed in read.placed], Base(Contract(""), evidence.get))


def states(body: str, *passages: str | Passage) -> dict[str, str]:
    return {body[j.start : j.end]: j.state for j in judge(body, *passages)}


def test_figures_bind_at_their_place_in_the_draft_whatever_is_around_them() -> None:
    body = "---\nv: 1\n---\n# Costs\n\nThe pass costs **$18** [1]; a helmet *$5* (acme.pdf, p. 3).\n\n[1]: acme.pdf"
    assert states(body, COSTS) == {"$18": "bound", "$5": "flagged"}


def test_a_figure_that_emphasis_parts_is_one() -> None:
    (judged,) = judge("It earned **$1.5** million in all.", "It earned $1.5 million in all.")
    assert judged.state == "bound" and judged.text == "$1.5 million"


def test_rows_take_scale_from_the_corner_of_their_table() -> None:
    body = "| $ millions | 2018 | 2017 |\n|---|---|---|\n| Inventories | 4,366 | 4,035 |"
    found = states(body, ROW)
    assert (found["4,366"], found["4,035"]) == ("bound", "flagged")


def test_a_code_says_whether_something_was_cited() -> None:
    cited, uncited = judge("It is $5 (acme.pdf).", COSTS)[0], judge("It is $5.", COSTS)[0]
    assert (cited.code, uncited.code) == ("FIGURE_MISMATCH", "FIGURE_UNSOURCED")


def test_a_part_of_a_draft_is_read_with_the_decimal_mark_of_the_whole() -> None:
    read = claims("Es sind 1.234 Räder.\n\nEs kostet 2,50 € und 3,75 €.")
    evidence = replace(make_evidence("Es gibt 1234 Räder"), id="E1")
    judged = read.judge([(read.placed[0], ["E1"])], Base(Contract(""), {"E1": evidence}.get))
    assert [j.state for j in judged] == ["bound"]


def test_claims_know_where_they_point_and_what_they_are_about() -> None:
    read = claims("# Acme\n\nIt grew. It sold 5 bikes (acme.pdf, p. 2).\n\nSource: Other Corp 2019, p. 3", "How many?")
    first, second = (p for p in read.placed if p.scope.kind == "sentence")
    assert [t.page for t in second.targets] == [2, 3] and [t.page for t in first.targets] == [2, 3]
    assert "Acme" in second.about.around and "It grew." in second.about.around and "How many?" in second.about.around


def test_unresolved_citations_are_told() -> None:
    draft = read_draft("It is $5 [1] (acme.pdf).", NAMES)
    assert [target.text for _, target in unresolved(draft)] == ["[1]"]


def test_the_cell_meant_is_the_only_one_that_fits() -> None:
    (quantity,) = find_quantities("$4,366 million")
    assert cell_of(quantity, make_evidence(ROW)) == ("4,366", "2018")
    assert cell_of(quantity, make_evidence(COSTS)) is None
    assert (cited_in("closest cited: [E7] 5"), cited_in("none")) == ("E7", None)


def test_long_drafts_are_read_in_parts_with_every_figure_in_its_place() -> None:
    body = "It is 5 here.\n\n" * 900 + "7 " * 3000
    read = claims(body)
    judged = read.judge([(placed, []) for placed in read.placed], Base(Contract(""), lambda i: None))
    assert len(judged) == 900 + 3000 and all(body[j.start : j.end] == j.text for j in judged)


def test_a_table_keeps_its_source_line_across_parts() -> None:
    filler = "Some words of no interest.\n\n" * 400
    read = claims(f"{filler}| a | b |\n|---|---|\n| c | 5 |\n\nSource: acme.pdf, p. 2\n\n{filler}")
    (row,) = (placed for placed in read.placed if placed.scope.kind == "row")
    assert [target.page for target in row.targets] == [2]

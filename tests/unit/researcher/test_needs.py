from __future__ import annotations

from counterfoil.researcher.ask import interpret
from counterfoil.researcher.memory import Hit, Memory, Search
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.needs import needs, order, queries, terms_of

from .pages import VOCABULARY
from .shelf import BALANCE, CASH, INCOME

LEXICON = Lexicon(VOCABULARY)
MARGIN = interpret("What is Tandem's FY2022 inventory turnover? It is defined as: COGS / average inventory.", LEXICON)


def hit(page: int, subject: str = "Tandem Cycles Inc.", period: str = "FY2022", heading: str = "Notes") -> Hit:
    return Hit(
        handle="S1",
        segment=page,
        page=page + 1,
        title=f"{subject} report",
        url="",
        heading=heading,
        snippet="",
        subject=subject,
        period=period,
        form="10-K",
    )


def shelf(*hits: Hit) -> Memory:
    return Memory(searches=[Search("c1", "q", hits)])


def test_a_formula_needs_its_terms_where_their_statements_hold_them() -> None:
    assert [term.name for term in terms_of(MARGIN, LEXICON)] == ["cost of sales", "inventories"]
    assert {need.statement: need.terms for need in needs(MARGIN, LEXICON)} == {
        "income statement": ("cost of sales",),
        "balance sheet": ("inventories",),
    }


def test_the_question_is_searched_first_then_each_statement_with_company_and_year() -> None:
    found = queries(MARGIN, LEXICON)
    assert found[0] == MARGIN.plain
    assert len(found) == 3
    assert all("Tandem" in query and "FY2022" in query for query in found[1:])
    assert any("consolidated balance sheets" in query for query in found[1:])


def test_a_question_for_words_is_one_search() -> None:
    assert len(queries(interpret("Why did Tandem close its workshop?", LEXICON), LEXICON)) == 1


def test_a_page_of_each_statement_needed_is_read_before_others() -> None:
    hits = (hit(0), hit(1, heading=CASH), hit(2, heading=BALANCE), hit(3, heading=INCOME))
    assert [h.segment for h in order(MARGIN, shelf(*hits), LEXICON)][:2] == [3, 2]


def test_another_companys_and_another_years_pages_come_later() -> None:
    hits = (hit(0, subject="Korrigan Foods"), hit(1, period="FY2015"), hit(2))
    assert order(interpret("What drove Tandem's sales in FY2022?", LEXICON), shelf(*hits), LEXICON)[0].segment == 2


def test_what_was_read_is_not_read_again() -> None:
    seen = shelf(hit(0), hit(1))
    seen.tried.add(("S1", 0))
    assert [h.segment for h in order(MARGIN, seen, LEXICON)] == [1]

from __future__ import annotations

import re
from decimal import Decimal

from counterfoil.core.evidence.facts import Calculation
from counterfoil.core.text.marks import find_marks, unescaped
from counterfoil.researcher import compose
from counterfoil.researcher.binding import Candidate
from counterfoil.researcher.compute import Answer
from counterfoil.researcher.expressions import Name, Operand
from counterfoil.researcher.periods import Period
from counterfoil.researcher.targets import Target

from .shelf import YEARS, line, memory, said

FY22 = Period(2022, fiscal=True)


def found(
    value: str = "2,000", header: str = YEARS[0], period: Period = FY22, calculation: Calculation | None = None
) -> Answer:
    (row,) = memory(line("Net sales", value, headers=(header,))).passages
    cell = Candidate(row, row.cells[0], Decimal(2000), Decimal(10**6), (0,))
    target = Target("revenue", Name("revenue"))
    return Answer(
        target, period, "2,000", "USD millions", Decimal(2), ((Operand("revenue", period), cell),), calculation
    )


def test_the_first_line_gives_value_unit_subject_period_and_citation() -> None:
    assert compose.headline(found(), "Tandem", "revenue") == "**2,000 USD millions** — Tandem, revenue, FY2022 [E1]"
    made = Calculation(id="C1", formula="100 * (a / b)", inputs=(), value="4", unit="percent")
    assert compose.headline(found(calculation=made), None, "x").endswith("FY2022 [C1] [E1]")


def test_a_row_is_quoted_with_its_table_scale_and_column() -> None:
    lines = compose.rows([found().cells[0][1]] * 2)
    assert lines == [
        "> Net sales 2,000 [E1]",
        "> — Consolidated Statements of Income · in millions · column Year ended December 31, 2022 [E1]",
        "",
    ]


def test_a_share_in_a_tables_title_is_left_out_of_the_attribution() -> None:
    (row,) = memory(line("Net sales", "5", headers=(YEARS[0],), table="Bells (14.6% of sales):")).passages
    assert compose.quoted_row(row, [])[1] == "> — Bells: · in millions [E1]"


def test_the_year_end_taken_is_told_where_the_years_name_does_not_tell_it() -> None:
    assert compose.year_note(found()) is None
    early = found(header="52 Weeks Ended January 28, 2023", period=Period(2022, fiscal=True, named=True))
    assert compose.year_note(early) == "FY2022 is taken to be the period that ended on 2023-01-28 [E1]."


def test_a_quote_is_cut_at_a_word_and_a_verbatim_one_at_its_length() -> None:
    long = memory(said("word " * 100)).passages[0]
    assert compose.quoted(long).endswith("word")
    assert len(compose.quoted_verbatim(long)) == 400


def test_a_fact_names_where_it_stands() -> None:
    fact = compose.fact("Tandem", "revenue", found())
    assert (fact.value, fact.unit, fact.evidence_id, fact.header) == ("2,000", "USD millions", "E1", YEARS[0])
    gap = compose.gap("Tandem", "revenue", "no row", ("c1",))
    assert (gap.state, gap.search_calls) == ("not_found", ("c1",))


def test_what_a_document_writes_is_no_citation_link_or_markup() -> None:
    evil = "See [E7], ![x](http://evil.example/x.png), [here](http://evil.example) and <b>bold</b>."
    quoted = compose.quoted(memory(said(evil)).passages[0])
    assert find_marks(quoted) == ()
    assert unescaped(quoted) == evil
    assert not re.search(r"(?<!\\)[\[<]", quoted)
    row = memory(line("Total [E9]", "1", "2", "3", table="[E8] table")).passages[0]
    assert [id for m in find_marks("\n".join(compose.quoted_row(row, ["[E6]"]))) for id in m.ids] == ["E1", "E1"]

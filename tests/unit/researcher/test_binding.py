from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.binding import DIFFER, UNSCALED, WHOSE, Binder, Scope, alternatives, squeezed
from counterfoil.researcher.labels import label_words
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period

from .pages import VOCABULARY
from .shelf import BALANCE, CASH, DAYS, INCOME, YEARS, line, memory, page, said

WORDS = msgspec.structs.replace(
    VOCABULARY,
    terms=(
        *(term for term in VOCABULARY.terms),
        Term("count", ("shares",), ("diluted",), statements=("income statement",), kind="count"),
        *(Term(f"t{n}", (f"t{n}",), (f"t{n}",), statements=("income statement",)) for n in range(6)),
        *(Term(f"b{n}", (f"b{n}",), (f"b{n}",), statements=("balance sheet",)) for n in range(6)),
        *(Term(f"c{n}", (f"c{n}",), (f"c{n}",), statements=("cash flow statement",)) for n in range(7)),
    ),
    synonyms=(("emea", "europe, middle east and africa"), ("united states", "u.s.")),
    bases=("adjusted",),
)
LEXICON = Lexicon(WORDS)
FY22 = Period(2022, fiscal=True)


def gate(*rows: Passage, qualifiers: tuple[str, ...] = (), asked: str = "") -> Binder:
    return Binder(memory(*rows), LEXICON, Scope("Tandem", (), qualifiers, label_words(asked)))


def bound(binder: Binder, name: str, period: Period | None = FY22) -> Decimal | str:
    found = binder.bind(LEXICON.terms[name], period)
    return found.found.amount if found.found else found.why


def test_the_cell_of_the_period_is_bound_in_plain_units() -> None:
    assert bound(gate(line("Net sales", "2,000", "1,600", "1,250")), "revenue") == Decimal(2_000_000_000)
    thousands = line("Net sales", "2,000", "1,600", "1,250", multiplier="1000")
    assert bound(gate(thousands), "revenue", Period(2021)) == Decimal(1_600_000)


def test_a_row_without_a_scale_or_of_another_company_is_not_bound() -> None:
    assert bound(gate(line("Net sales", "1", "2", "3", multiplier=None)), "revenue") == UNSCALED
    other = line("Net sales", "1", "2", "3", where=page("Korrigan Foods"))
    assert str(bound(gate(other), "revenue")).startswith("no row")


def test_a_statement_outranks_a_note_and_another_primary_statement_is_no_place() -> None:
    note = line("Net sales", "9", "8", "7", table="Note 12: Sundry")
    assert bound(gate(note, line("Net sales", "2,000", "1,600", "1,250")), "revenue") == Decimal(2_000_000_000)
    wrong = line("Inventories", "(20)", "(30)", "15", table=CASH)
    right = line("Inventories", "500", "300", headers=DAYS, table=BALANCE)
    assert bound(gate(wrong, right), "inventories") == Decimal(500_000_000)
    assert str(bound(gate(wrong), "inventories")).startswith("no row")


def test_tables_away_from_the_statements_that_differ_are_not_chosen_between() -> None:
    north = line("Net sales", "9", "8", "7", table="North")
    south = line("Net sales", "19", "18", "17", table="South")
    assert bound(gate(north, south), "revenue") == DIFFER


@pytest.mark.parametrize(
    ("label", "section", "table", "qualifiers"),
    [
        ("Total Bells revenue", "", "Results by product", ("bell",)),
        ("Bells", "Net sales", "Results by product", ("bell",)),
        ("Europe, Middle East & Africa", "Net sales", "Results by region", ("emea",)),
        ("Net sales", "", "EUROPE, MIDDLE EAST & AFRICA", ("emea",)),
        ("U.S. net sales", "", "Results by region", ("unit", "stat")),
    ],
)
def test_a_part_is_bound_where_the_row_or_its_table_names_it(
    label: str, section: str, table: str, qualifiers: tuple[str, ...]
) -> None:
    whole = line("Net sales", "2,000", "1,600", "1,250")
    part = line(label, "700", "600", "500", table=table, section=section)
    assert bound(gate(whole, part, qualifiers=qualifiers), "revenue") == Decimal(700_000_000)
    assert str(bound(gate(whole, qualifiers=qualifiers), "revenue")).startswith("no row")


def test_another_measure_is_bound_only_when_it_is_asked_for() -> None:
    plain = line("Operating income", "300", "320", "200")
    other = line("Adjusted operating income", "340", "350", "210")
    assert bound(gate(plain, other), "operating income") == Decimal(300_000_000)
    asked = gate(plain, other, asked="adjusted operating income")
    assert bound(asked, "operating income") == Decimal(340_000_000)
    assert str(bound(gate(other), "operating income")).startswith("no row")
    assert str(bound(gate(plain, asked="adjusted operating income"), "operating income")).startswith("no row")


def test_an_amount_per_share_is_no_count() -> None:
    per_share = line("Diluted", "2.49", "1.17", "2.51", unit="USD per share", multiplier="1")
    count = line("Diluted", "1,618.4", "1,659.1", "1,692.0", unit="shares")
    assert bound(gate(per_share, count), "count") == Decimal("1618400000.0")


def test_a_table_whose_columns_cannot_be_told_apart_is_left_out() -> None:
    twice = line("Net sales", "1", "2", "3", headers=(YEARS[0], YEARS[0], YEARS[2]))
    assert str(bound(gate(twice), "revenue")).startswith("no row")


def test_a_page_that_does_not_say_whose_it_is_may_be_named_in_its_text() -> None:
    loose = line("Net sales", "5", "4", "3", where=page(""))
    told = said("Tandem Cycles makes bicycles.", where=page(""))
    assert bound(gate(loose, told), "revenue") == Decimal(5_000_000)


def test_a_question_that_names_nobody_takes_the_figures_of_one_document_that_no_other_contradicts() -> None:
    def nobody(*rows: Passage) -> Decimal | str:
        return bound(Binder(memory(*rows), LEXICON, Scope(None)), "revenue")

    first, second = page("", handle="S1"), page("", handle="S2")
    sales, letter = line("Net sales", "5", "4", "3", where=first), said("Dear shareholders", where=second)
    assert nobody(sales, letter) == Decimal(5_000_000)
    assert nobody(sales, line("Net sales", "5", "4", "3", where=second)) == Decimal(5_000_000)
    assert nobody(sales, line("Net sales", "7", "4", "3", where=second)) == WHOSE
    assert nobody(letter, sales) == Decimal(5_000_000)
    assert nobody(line("Wages", "1", "2", "3", where=second), sales) == WHOSE  # the first with figures lacks this one
    assert nobody(line("Net sales", "5", "4", "3"), said("Korrigan", where=page("Korrigan", handle="S2"))) == WHOSE


def test_ways_to_write_a_part_come_from_the_synonyms() -> None:
    (part,) = alternatives(("emea",), LEXICON)
    assert ("europ", "middl", "east", "africa") in part
    assert alternatives(("bell",), LEXICON) == ((("bell",),),)
    assert squeezed("Balance Shee t, 2022") == "balancesheet"


PLANS = Lexicon(msgspec.structs.replace(WORDS, bases=("adjusted", "budget", "estimate", "forecast", "restated")))


@pytest.mark.parametrize("header", ["2022 Budget", "2022E", "FY2022 (F)", "2022 Forecast", "2022 (restated)"])
def test_a_column_of_another_kind_is_named_and_not_taken(header: str) -> None:
    row = line("Net sales", "1,350", "1,600", headers=(header, "2021 Actual"), table=INCOME)
    found = Binder(memory(row), PLANS, Scope("Tandem")).bind(PLANS.terms["revenue"], Period(2022))
    assert found.found is None
    assert header in found.why
    assert [c.cell.value for c in found.near] == ["1,350"]


def test_an_actual_column_is_taken_and_a_budget_when_it_is_asked_for() -> None:
    row = line("Net sales", "1,350", "1,600", headers=("2022 Budget", "2022A"), table=INCOME)
    plain = Binder(memory(row), PLANS, Scope("Tandem")).bind(PLANS.terms["revenue"], Period(2022))
    assert plain.found is not None
    assert plain.found.cell.value == "1,600"
    scope = Scope("Tandem", words=label_words("budget revenue 2022"))
    asked = Binder(memory(row), PLANS, scope).bind(PLANS.terms["revenue"], Period(2022))
    assert asked.found is not None
    assert asked.found.cell.value == "1,350"

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.unit.builders import make_evidence, row_passage

from counterfoil.core.evidence.amounts import (
    Amount,
    amount_fits,
    amounts,
    decimal_mark,
    header_fits,
    honest_sign,
    passage_amounts,
    units_fit,
)
from counterfoil.core.text.quantities import Quantity, amount_in, parse_amount


def written(value: str, unit: str | None = None) -> Quantity:
    amount = amount_in(value, unit)
    assert amount is not None
    return amount


CAPEX = row_passage(
    "Purchases of property", [("(1,577)", "2018"), ("(1,373)", "2017")], multiplier="1000000", unit="USD"
)


def test_a_row_gives_its_cells_with_their_scale() -> None:
    held = amounts(make_evidence(CAPEX))
    assert [a.scaled for a in held] == [-1577000000, -1373000000]
    assert [a.unit for a in held] == ["USD", "USD"]


def test_prose_gives_its_amounts_and_no_identifiers() -> None:
    held = amounts(make_evidence("In the 10-K, sales were $1.6 billion, up 5%, in A100 units."))
    assert [(a.value, a.scaled, a.unit) for a in held] == [
        (Decimal("1.6"), Decimal("1600000000"), "USD"),
        (Decimal(5), Decimal(5), "percent"),
    ]


def test_the_documents_language_decides_a_bare_number() -> None:
    (amount,) = amounts(make_evidence("Menge 1.234", language="de"))
    assert amount.value == 1234
    assert decimal_mark(make_evidence("sales 1,234.5", language="de")) == "."


def test_an_unknown_scale_fits_bare_figures_only() -> None:
    (amount,) = amounts(make_evidence(row_passage("Sales", [("5", "2018")])))
    assert amount_fits(written("5"), amount)
    assert not amount_fits(written("$5 billion"), amount)
    (written_out,) = amounts(make_evidence(row_passage("Sales", [("5,000,000", "2018")])))
    assert amount_fits(written("5,000,000"), written_out) and not amount_fits(written("5 million"), written_out)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("$1.6 billion", True),
        ("$1.577 billion", True),
        ("$1.58 billion", True),
        ("$1.57 billion", False),
        ("$1,577", False),
        ("€1.6 billion", False),
        ("1.6 billion", True),
        ("1.6%", False),
    ],
)
def test_scale_precision_and_unit(text: str, fits: bool) -> None:
    amount = Amount("1,577", Decimal(1577), Decimal(10**6), "USD", amounts(make_evidence(CAPEX))[0].cell)
    assert amount_fits(written(text), amount) is fits


def test_percent_fits_percent() -> None:
    prose = Amount("5", Decimal(5), Decimal(1), None)
    assert not units_fit("percent", prose) and units_fit("USD", prose)
    assert not units_fit("points", Amount("5", Decimal(5), Decimal(1), "percent")), "5% is not 5 percentage points"
    assert not units_fit("percent", Amount("5", Decimal(5), Decimal(1), "USD"))
    assert not units_fit("years", Amount("5 months", Decimal(5), Decimal(1), "months"))
    assert units_fit("year", Amount("5 years", Decimal(5), Decimal(1), "years"))


def test_signs_need_words() -> None:
    outflow, loss = amounts(make_evidence(CAPEX))[0], Amount("(206)", Decimal(-206), Decimal(1), "USD")
    assert honest_sign(written("$1,577"), outflow, "spent", "Purchases of property")
    assert not honest_sign(written("$206"), loss, "net income of $206", "Net income")
    assert honest_sign(written("$206"), loss, "a net loss of $206", "Net income")
    assert honest_sign(written("-206"), Amount("206", Decimal(206), None, None), "it was -206", "Net loss")


def test_headers_are_named_whole_or_by_their_inner_levels() -> None:
    cell = row_passage("x", [("1", "Years ended | 2018")]).table.cells[0]  # type: ignore[union-attr]
    assert (
        header_fits(cell, "2018") and header_fits(cell, "years ended 2018") and header_fits(cell, "Years ended / 2018")
    )
    assert not header_fits(cell, "2017") and not header_fits(cell, "201")


def test_a_worded_cell_beside_a_number_counts_too() -> None:
    row = row_passage("City South", [("$15", "Price"), ("45 minutes", "Included ride")])
    held = [(int(amount.value), amount.unit) for amount in passage_amounts(row)]
    assert held == [(15, "USD"), (45, "minutes")]


@pytest.mark.parametrize(
    ("header", "title", "unit", "fits"),
    [
        ("price (EUR)", None, "EUR", True),
        ("price (EUR)", None, "USD", False),
        ("Price per month (GBP)", None, "EUR", False),
        ("End", "Thallus diameter (mm)", "mm", True),
        ("End", "Thallus diameter (mm)", "km", False),
        ("End", "Thallus diameter (mm)", "kg", False),
        ("Mass (kg)", "Thallus diameter (mm)", "kg", True),
    ],
)
def test_a_cell_has_the_unit_that_its_header_or_else_its_caption_names(
    header: str, title: str | None, unit: str, *, fits: bool
) -> None:
    held = amounts(make_evidence(row_passage("Alpha", [("14.50", header)], title=title)))
    figure = parse_amount(f"14.50 {unit}")
    assert figure is not None
    assert amount_fits(figure, held[0]) is fits

from __future__ import annotations

import pytest

from counterfoil.core.text.polarity import names_loss, names_outflow


@pytest.mark.parametrize("text", ["Net loss of $5", "sales fell", "a decline", "Rückgang", "减少"])
def test_losses(text: str) -> None:
    assert names_loss(text)


@pytest.mark.parametrize("text", ["net income", "glossary", "flossing", "revenue grew"])
def test_no_losses(text: str) -> None:
    assert not names_loss(text)


@pytest.mark.parametrize("label", ["Wages", "Staff costs", "Marketing", "Personalaufwand", "Restructuring", "Löhne"])
def test_an_expense_is_an_outflow_whatever_it_is_called(label: str) -> None:
    assert names_outflow(label)


@pytest.mark.parametrize("label", ["Operating profit", "Insurance income", "Net interest", "Lease receipts", "Balance"])
def test_income_and_balances_are_no_outflows(label: str) -> None:
    assert not names_outflow(label)


def test_outflows() -> None:
    assert names_outflow("Purchases of property, plant and equipment") and names_outflow("Dividends paid")
    assert not names_outflow("Net income") and not names_outflow("Total assets")

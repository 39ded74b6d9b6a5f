from __future__ import annotations

import pytest

from counterfoil.core.text.polarity import names_loss, names_outflow


@pytest.mark.parametrize("text", ["Net loss of $5", "sales fell", "a decline", "Rückgang", "减少"])
def test_losses(text: str) -> None:
    assert names_loss(text)


@pytest.mark.parametrize("text", ["net income", "glossary", "flossing", "revenue grew"])
def test_no_losses(text: str) -> None:
    assert not names_loss(text)


def test_outflows() -> None:
    assert names_outflow("Purchases of property, plant and equipment") and names_outflow("Dividends paid")
    assert not names_outflow("Net income") and not names_outflow("Total assets")

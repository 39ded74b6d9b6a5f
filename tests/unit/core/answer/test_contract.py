"""The contract's cells and names."""

import pytest

from counterfoil.core.answer.contract import Contract, Field, Row

CONTRACT = Contract("q", rows=(Row("North"), Row("South")), fields=(Field("price", "money"), Field("source", "url")))


@pytest.mark.req("TSK-01")
def test_cells_are_rows_by_fields_without_urls_which_the_host_fills() -> None:
    assert CONTRACT.cells() == (("North", "price"), ("South", "price"))


def test_names_are_found_whatever_their_case() -> None:
    assert CONTRACT.row("NORTH") == Row("North")
    assert CONTRACT.field("Price") == Field("price", "money")
    assert CONTRACT.row("East") is None
    assert CONTRACT.field("colour") is None

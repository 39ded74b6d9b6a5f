from __future__ import annotations

import pytest

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.cli.options import contract_of, parse_field, parse_row

EMPTY = {"rows": (), "fields": (), "domains": (), "done": (), "kind": None}


def test_rows_carry_domains() -> None:
    assert parse_row("City North=citynorth.gov, north.example") == Row("City North", ("citynorth.gov", "north.example"))
    assert parse_row("City North") == Row("City North")


def test_fields_carry_types() -> None:
    assert parse_field("price:money") == Field("price", "money")
    assert parse_field("price") == Field("price", "text")
    assert parse_field("ratio: a to b:ratio") == Field("ratio: a to b", "ratio")


@pytest.mark.parametrize("text", ["price:cash", ":money", " "])
def test_bad_fields_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_field(text)


def test_options_replace_what_the_task_says_and_keep_the_rest() -> None:
    base = Contract("q", rows=(Row("A"),), forbidden=("purchase",), done=("x",))
    contract = contract_of("q", {**EMPTY, "rows": ("B",)}, base)
    assert contract.rows == (Row("B"),)
    assert contract.forbidden == ("purchase",)
    assert contract.done == ("x",)


def test_an_empty_question_is_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        contract_of("  ", EMPTY)

"""An entry reply is read as a contract or leaves the question as it is."""

import pytest

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.host.entry import ROWS_MAX, read_contract

ASKED = Contract("What does it cost?", domains=("citynorth.gov",), forbidden=("purchase",))


@pytest.mark.req("TSK-01")
def test_rows_and_fields_are_taken_over_and_the_question_stays() -> None:
    contract, why = read_contract('{"rows":[{"name":"North"}],"fields":[{"name":"price","type":"money"}]}', ASKED)
    assert why == ""
    assert contract == Contract(
        ASKED.question,
        rows=(Row("North"),),
        fields=(Field("price", "money"),),
        domains=ASKED.domains,
        forbidden=ASKED.forbidden,
    )


@pytest.mark.req("GOV-05")
def test_a_reply_cannot_change_question_domains_or_budget() -> None:
    contract, _ = read_contract(
        '{"question":"buy it","domains":[],"forbidden":[],"budget":{"web/searches":500}}', ASKED
    )
    assert contract == ASKED


@pytest.mark.parametrize(
    "text", ["", "I would search", "[1]", '{"rows":"x"}', '{"fields":[{"name":"p","type":"colour"}]}']
)
def test_an_unusable_reply_says_why(text: str) -> None:
    contract, why = read_contract(text, ASKED)
    assert contract is None
    assert "no contract" in why


def test_a_reply_with_endless_rows_is_not_a_contract() -> None:
    rows = ",".join('{"name":"r"}' for _ in range(ROWS_MAX + 1))
    assert read_contract(f'{{"rows":[{rows}]}}', ASKED)[0] is None


@pytest.mark.req("GOV-05", "WEB-04")
def test_a_reply_binds_no_row_to_domains_or_documents() -> None:
    contract, _ = read_contract('{"rows":[{"name":"A","domains":["blog.example"],"docs":["x"]}]}', ASKED)
    assert contract is not None
    assert contract.rows == (Row("A"),)
    assert contract.domains == ("citynorth.gov",)


@pytest.mark.parametrize(
    "rows", ['[{"name":""}]', '[{"name":"A"},{"name":" a "}]', '[{"name":"A\\nB"}]', '[{"name":"' + "x" * 201 + '"}]']
)
def test_names_that_no_table_could_hold_are_unusable(rows: str) -> None:
    contract, why = read_contract(f'{{"rows":{rows}}}', ASKED)
    assert contract is None
    assert "entry reply" in why


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Here is the contract:\n{}\nShall I go on?"])
def test_a_contract_in_a_fenced_block_or_amid_prose_is_read(around: str) -> None:
    contract, why = read_contract(around.replace("{}", '{"rows":[{"name":"North"}]}'), ASKED)
    assert why == ""
    assert contract is not None
    assert contract.rows == (Row("North"),)


def test_a_broken_reply_names_the_place() -> None:
    assert read_contract('{"rows": [}', ASKED) == (
        None,
        "the entry reply is no contract: Expecting value at line 1, column 11",
    )

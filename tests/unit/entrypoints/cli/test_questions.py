"""A CSV file of questions becomes contracts, or a complaint that names the line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from counterfoil.core.answer.contract import Field, Row
from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.cli.questions import load_questions, parse_questions

pytestmark = pytest.mark.req("TSK-16")


def test_a_question_a_line_is_enough() -> None:
    first, second = parse_questions("question\nWhat does it cost?\n\n,\nHow far is it?\n".replace(",\n", ""), "q.csv")
    assert (first.question, second.question) == ("What does it cost?", "How far is it?")
    assert first.rows == () and first.fields == ()


def test_every_column_reaches_the_contract() -> None:
    text = (
        "question,kind,rows,fields,docs,period,done,forbidden\n"
        '"Compare, please",data,North; South,price:money; rule,a.pdf; b.pdf,3 days,two sources,purchase\n'
    )
    (contract,) = parse_questions(text, "q.csv")
    assert contract.question == "Compare, please" and contract.kind == "data"
    assert contract.rows == (Row("North", docs=("a.pdf", "b.pdf")), Row("South", docs=("a.pdf", "b.pdf")))
    assert contract.fields == (Field("price", "money"), Field("rule", "text"))
    assert (contract.period, contract.done, contract.forbidden) == ("3 days", ("two sources",), ("purchase",))


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_the_separator_is_the_one_of_the_header(mark: str) -> None:
    (contract,) = parse_questions(f'question{mark}period\n"a; b, c"{mark}2 days\n', "q.csv")
    assert (contract.question, contract.period) == ("a; b, c", "2 days")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "asks nothing"),
        ("question\n", "asks nothing"),
        ("asked\nWhat?\n", "no column 'asked'"),
        ("period\n3 days\n", "no column 'question'"),
        ("question,question\na,b\n", "stands twice"),
        ("question,period\n,3 days\n", "line 2: the question is empty"),
        ("question\nWhat, then?\n", "line 2: it has 2 cells"),
        ("question,kind\nWhat?,guessing\n", "line 2: there is no kind 'guessing'"),
        ("question,docs\nWhat?,a.pdf\n", "no row to bind them to"),
        ("question,rows\nWhat?,A;A\n", "line 2: rows 'A' stands twice"),
        ("question,fields\nWhat?,price:gold\n", "there is no type 'gold'"),
        ('question\n"What?\n', "this is no CSV"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_questions(text, "q.csv")


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_questions(str(tmp_path / "none.csv"))
    (tmp_path / "q.csv").write_bytes(b"question\n\xff\xfe\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        load_questions(str(tmp_path / "q.csv"))


@pytest.mark.parametrize("limit", [131_072, 10_000_000])
def test_a_cell_that_is_too_long_is_told_whatever_limit_csv_was_given(limit: int) -> None:
    before = csv.field_size_limit(limit)
    try:
        with pytest.raises(UsageError) as told:
            parse_questions("question\n" + "a" * 200_000 + "\n", "q.csv")
    finally:
        csv.field_size_limit(before)
    assert "131,072" in told.value.hint

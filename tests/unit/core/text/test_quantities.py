from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.quantities import (
    amount_in,
    find_quantities,
    format_amount,
    guess_decimal,
    parse_amount,
    parse_cell,
    parse_number,
    same_amount,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,577", "1577"),
        ("(206)", "-206"),
        ("1.234,56", "1234.56"),
        ("1'234.5", "1234.5"),
        ("1’234.5", "1234.5"),
        ("1 234,5", "1234.5"),
        ("1\u202f234,5", "1234.5"),
        ("−5", "-5"),
        ("12%", "12"),
        ("１２３", "123"),
        ("٣٤", "34"),
        ("1.234", "1.234"),
        ("0,123", "0.123"),
        ("1,5", "1.5"),
        ("$1,577.00", "1577.00"),
        ("$(206)", "-206"),
        ("(12.5)%", "-12.5"),
        ("-$5", "-5"),
        ("1,23,456", "123456"),
        ("5 €", "5"),
        (".5", "0.5"),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text", ["", "—", "nil", "abc", "3.11.2", "1.6 billion", "12 apples", "1 2", "--5", "A100", "5-6"]
)
def test_other_text_is_no_number(text: str) -> None:
    assert parse_number(text) is None


def test_the_decimal_mark_decides_where_digits_do_not() -> None:
    assert parse_number("1.234", ",") == 1234
    assert parse_number("1,234", ",") == Decimal("1.234")
    assert parse_number("1.234,5", ".") == Decimal("1234.5")  # only one reading
    assert parse_number("0.123", ",") == Decimal("0.123")


@pytest.mark.parametrize("text", ["—", "-", "–", "nil", "$ —", "—%"])
def test_a_dash_in_a_cell_is_zero(text: str) -> None:
    assert parse_cell(text) == 0


@pytest.mark.parametrize(
    ("text", "value"), [("1,577*", "1577"), ("206 (a)", "206"), ("(5)", "-5"), ("12¹", "12"), ("N/A", None)]
)
def test_cells_lose_their_footnote_marks(text: str, value: str | None) -> None:
    assert parse_cell(text) == (Decimal(value) if value else None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("about $1.6 billion in sales", ("$1.6 billion", "1600000000", "USD", "money")),
        ("USD 5 bn", ("USD 5 bn", "5000000000", "USD", "money")),
        ("€5m", ("€5m", "5000000", "EUR", "money")),
        ("$5 m", ("$5 m", "5000000", "USD", "money")),
        ("100 m", ("100 m", "100", "m", "number")),
        ("8,7 Mrd. €", ("8,7 Mrd. €", "8700000000", "EUR", "money")),
        ("1.92 million tonnes", ("1.92 million tonnes", "1920000", "tonnes", "number")),
        ("2 million years", ("2 million", "2000000", None, "number")),
        ("It was 388 thousand.", ("388 thousand", "388000", None, "number")),
        ("Umsatz 1.234 Mio. EUR", ("1.234 Mio. EUR", "1234000000", "EUR", "money")),
        ("3億5000万円", ("3億5000万円", "350000000", "JPY", "money")),
        ("5亿元", ("5亿元", "500000000", "CNY", "money")),
        ("百分之12", ("12", "12", "percent", "percent")),
        ("3 percentage points", ("3 percentage points", "3", "points", "percent")),
        ("25 bps", ("25 bps", "25", "bps", "percent")),
        ("8.7 Prozent", ("8.7 Prozent", "8.7", "percent", "percent")),
        ("US$(206) million", ("US$(206) million", "-206000000", "USD", "money")),
        ("fell –5%", ("–5%", "-5", "percent", "percent")),
        ("CHF 5", ("CHF 5", "5", "CHF", "money")),
        ("A100", ("A100", "100", None, "identifier")),
        ("10-K", ("10-K", "10", None, "identifier")),
        ("COVID-19", ("COVID-19", "19", None, "identifier")),
        ("5G", ("5G", "5", None, "identifier")),
        ("Q2", ("Q2", "0", None, "year")),
        ("FY2018", ("FY2018", "2018", None, "year")),
        ("3.11.2", ("3.11.2", "3", None, "version")),
        ("21st", ("21st", "21", None, "ordinal")),
        ("in 2023", ("2023", "2023", None, "year")),
        ("2000 kg", ("2000 kg", "2000", "kg", "number")),
        ("March 3, 2023", ("March 3, 2023", "2023", None, "date")),
        ("10:30", ("10:30", "0", None, "date")),
        ("https://x.com/2023/a1", ("https://x.com/2023/a1", "0", None, "identifier")),
        ("(2023)", ("2023", "2023", None, "year")),
        ("(5)", ("5", "5", None, "number")),
        ("(206)", ("(206)", "-206", None, "number")),
    ],
)
def test_one_quantity_with_its_unit_and_kind(text: str, found: tuple[str, str, str | None, str]) -> None:
    (quantity,) = find_quantities(text)
    assert (quantity.text, quantity.value, quantity.unit, quantity.kind) == (found[0], Decimal(found[1]), *found[2:])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("10–15%", ["10 percent", "15 percent"]),
        ("$10 to $15 million", ["10000000 USD", "15000000 USD"]),
        ("1,2,3", ["1 None", "2 None", "3 None"]),
        ("$0.15 / $0.30", ["0.15 USD", "0.30 USD"]),
        ("18/19", ["18 None", "19 None"]),
        ("10%/15%", ["10 percent", "15 percent"]),
        ("2020-2022", ["2020 None", "2022 None"]),
        ("5-year plan for 3 stores", ["5 year", "3 stores"]),
    ],
)
def test_several_quantities(text: str, values: list[str]) -> None:
    assert [f"{q.value:f} {q.unit}" for q in find_quantities(text)] == values


def test_precision_is_half_a_unit_of_the_last_digit() -> None:
    def same(text: str, value: str) -> bool:
        amount = parse_amount(text)
        assert amount is not None
        return same_amount(amount, Decimal(value))

    assert same("8.7", "8.738") and same("8.74", "8.738")
    assert not same("8.70", "8.738")
    assert same("$1.6 billion", "1577000000") and not same("$1.58 billion", "1574000000")
    assert same("$1577.00", "1577.4"), "two zero decimals on money are format"
    assert not same("30.0%", "30.4")
    assert not same("206", "-206") and not same("(206)", "206")


def test_signs_are_ignored_only_on_demand() -> None:
    amount = parse_amount("$206")
    assert amount is not None
    assert same_amount(amount, Decimal(-206), ignore_sign=True)
    assert not same_amount(amount, Decimal(-206))


def test_an_amount_takes_scale_and_unit_from_beside_it() -> None:
    amount = amount_in("1.577", "USD billions")
    assert amount is not None and amount.value == 1577000000 and amount.unit == "USD"
    percent = amount_in("45.2", "%")
    assert percent is not None and (percent.unit, percent.kind) == ("percent", "percent")
    own = amount_in("$1.6 billion", "USD millions")
    assert own is not None and own.value == 1600000000, "the scale inside the value wins"
    assert amount_in("two", "USD") is None and amount_in("5 and 6", None) is None


def test_the_text_shows_its_decimal_mark() -> None:
    assert guess_decimal("Umsatz 1.234,5 und 3,5 %") == ","
    assert guess_decimal("sales of 1,234.5") == "."
    assert guess_decimal("1.234") is None


def test_formatting_rounds_half_away_from_zero() -> None:
    assert format_amount(Decimal("1576.5"), 0) == "1,577"
    assert format_amount(Decimal("-0.004"), 2) == "0.00"
    assert format_amount(Decimal("-1234.565"), 2) == "-1,234.57"


@given(st.decimals(-(10**12), 10**12, allow_nan=False, places=3), st.integers(0, 3))
def test_what_is_formatted_reads_back(value: Decimal, decimals: int) -> None:
    written = format_amount(value, decimals)
    assert parse_number(written, ".") == value.quantize(Decimal(1).scaleb(-decimals), "ROUND_HALF_UP")


@given(st.integers(-(10**9), 10**9), st.integers(0, 2))
def test_german_and_english_writing_mean_the_same(number: int, decimals: int) -> None:
    english = format_amount(Decimal(number).scaleb(-decimals), decimals)
    german = english.translate(str.maketrans(",.", ".,"))
    assert parse_number(english, ".") == parse_number(german, ",")


@given(st.text("0123456789.,-–()%$€£ abkmQF百万億円年月'’\n", max_size=40))
def test_spans_are_verbatim_ordered_and_apart(text: str) -> None:
    end = 0
    for quantity in find_quantities(text):
        assert text[quantity.start : quantity.end] == quantity.text
        assert end <= quantity.start < quantity.end
        end = quantity.end


@given(st.integers(1, 10**6), st.sampled_from(["", " million", " billion", "%"]))
def test_a_written_amount_stands_for_itself(number: int, tail: str) -> None:
    amount = parse_amount(f"{number:,}{tail}")
    assert amount is not None or 1900 <= number < 2100
    assert amount is None or same_amount(amount, amount.value)


@pytest.mark.parametrize("filler", ["1", "1,", "(", "$", "1 ", "a@", "-1", "E1,", "年", "1/", "a/", "a-"])
def test_long_filler_does_not_stall(filler: str) -> None:
    assert len(find_quantities(filler * 5_000)) <= 5_000


def test_a_number_at_the_start_of_a_line_is_not_glued_to_the_word_before() -> None:
    (found,) = find_quantities("deleveraged to\n23.9% of sales")
    assert (found.text, found.kind) == ("23.9%", "percent")


def test_a_currency_behind_one_number_is_not_that_of_the_next_in_brackets() -> None:
    found = find_quantities("It costs 255 € (3 × 85 €), not $(206).")
    assert [(q.text, q.unit) for q in found] == [("255 €", "EUR"), ("3", None), ("85 €", "EUR"), ("$(206)", "USD")]


def test_both_ends_of_a_range_have_the_scale_and_the_currency() -> None:
    first, last = find_quantities("a profit of £36–39 million")
    assert first.value == 36_000_000 and last.value == 39_000_000 and first.unit == last.unit == "GBP"
    first, last = find_quantities("It costs $5 and 10 rides")
    assert last.unit is None

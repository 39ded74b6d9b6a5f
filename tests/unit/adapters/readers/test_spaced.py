from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.adapters.readers.spaced import blocks
from counterfoil.adapters.readers.tables import Grid

STATEMENT = """Interim results

Income statement (£ thousands)
                        H1 2025     H1 2024
Revenue                  18,455      20,917
Cost of sales           (11,382)    (12,206)
Other
Restructuring costs        (915)          -

Order intake rose."""


def test_columns_of_figures_become_a_table_with_its_caption_headers_and_sections() -> None:
    before, grid, after = blocks(STATEMENT)
    assert isinstance(grid, Grid) and (before, after) == ("Interim results\n", "\nOrder intake rose.")
    assert grid.title == "Income statement (£ thousands)"
    assert grid.header == (("", "H1 2025", "H1 2024"),)
    assert grid.body[1] == ("Cost of sales", "(11,382)", "(12,206)")
    assert grid.body[2:] == (("Other", "", ""), ("Restructuring costs", "(915)", "-"))


@pytest.mark.parametrize("first", ["Stadt: Zahlen\n\n", "", "\n", "\n\n\n", "A sentence.\n"])
def test_a_table_may_open_the_text(first: str) -> None:
    found = [*blocks(f"{first}Town   2023   2024\nBirths   12   14\nDeaths   13   15\n")]
    grid = next(block for block in found if isinstance(block, Grid))
    assert grid.header == (("Town", "2023", "2024"),)
    assert [row[0] for row in grid.body] == ["Births", "Deaths"]


def test_a_missing_cell_stays_under_its_own_header() -> None:
    (grid,) = blocks(
        "Item          2024    2023\nAlpha          10      11\nBeta                   12\nGamma          13      14"
    )
    assert isinstance(grid, Grid) and grid.body[1] == ("Beta", "", "12")


def test_bars_part_columns_too() -> None:
    (grid,) = blocks("| Plan | Price |\n|---|---|\n| Basic | $9 |\n| Team | $29 |")
    assert isinstance(grid, Grid) and grid.header == (("Plan", "Price"),) and grid.body[0] == ("Basic", "$9")


@pytest.mark.parametrize(
    "text",
    [
        "One line.  Two spaces behind a full stop, 12.\nAnother.  And more.",
        "Call us:   555 1234",
        "a    b    c\nd    e    f",
        "Left column of prose      right column of prose\nthat goes on and on       that goes on too",
    ],
)
def test_prose_stays_as_it_is(text: str) -> None:
    assert [*blocks(text)] == [text]


@given(st.lists(st.text(alphabet="ab1 ,.|-\t$2", max_size=24), max_size=12))
def test_no_word_of_any_text_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    kept = "".join(
        block
        if isinstance(block, str)
        else "".join([block.title or "", *(cell for row in (*block.header, *block.body) for cell in row)])
        for block in blocks(text)
    )
    assert sorted(c for c in kept if c.isalnum()) == sorted(c for c in text if c.isalnum())

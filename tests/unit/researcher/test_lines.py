from __future__ import annotations

import pytest

from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.lines import draft_line
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY
from .shelf import BALANCE, DAYS, line, memory, page

LEXICON = Lexicon(VOCABULARY)
WARRANTY = line("Bell polishing", "700", "600", "500")


def made(question: str, *rows: Passage) -> Draft | None:
    return draft_line(interpret(question, LEXICON), memory(*rows), LEXICON, Cell())


def head(question: str, *rows: Passage) -> str:
    found = made(question, *rows)
    return found.body.splitlines()[0] if found else ""


def test_a_line_that_no_term_knows_is_found_by_the_questions_own_words() -> None:
    assert head("What were Tandem's bell polishing expenses in FY2021 in USD millions?", WARRANTY).startswith(
        "**600 USD millions** — Tandem, Bell polishing, FY2021 [E1]"
    )


def test_a_balance_is_taken_at_the_day() -> None:
    cards = line("Unredeemed gift cards", "274", "316", headers=DAYS, table=BALANCE)
    assert head("What were Tandem's unredeemed gift cards at the end of FY2022 in USD millions?", cards).startswith(
        "**274 "
    )


def test_a_count_below_the_parts_name_is_given_in_the_scale_asked_for() -> None:
    members = line("Paid members at end of period", "57,834", "41,185", headers=("As of December 31, 2022", "2021"),
                   table="Foreign lending", multiplier="1000", unit="count")  # fmt: skip
    question = "How many paid members did Tandem's foreign lending have at the end of 2022 (in thousands)?"
    assert head(question, members).startswith("**57,834 thousands**")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What were Tandem's bell expenses in FY2021 in USD millions?", (WARRANTY,)),  # a narrower row
        ("What were Tandem's brass bell polishing expenses in FY2021 in USD millions?", (WARRANTY,)),  # a wider one
        ("What were Tandem's bell polishing expenses in FY2017 in USD millions?", (WARRANTY,)),
        ("What were Korrigan's bell polishing expenses in FY2021 in USD millions?", (WARRANTY,)),
        ("Why did Tandem's bell polishing expenses rise in FY2021?", (WARRANTY,)),
        (
            "What were Tandem's bell polishing expenses in FY2021 in USD millions?",
            (WARRANTY, line("Bell polishing", "7", "6", "5", where=page(segment=3))),
        ),
        (
            "What were Tandem's bell polishing expenses in FY2021 in USD millions?",
            (line("Bell polishing", "7", "6", "5", multiplier=None),),
        ),
    ],
)
def test_a_row_that_is_not_exactly_that_line_is_no_answer(question: str, rows: tuple[Passage, ...]) -> None:
    assert made(question, *rows) is None

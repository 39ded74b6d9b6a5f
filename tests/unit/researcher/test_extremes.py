from __future__ import annotations

import msgspec

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.extremes import draft_extreme
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY
from .shelf import CASH, line, memory

WORDS = msgspec.structs.replace(
    VOCABULARY,
    terms=(
        *VOCABULARY.terms,
        *(
            Term(f"{name} cash flow", (f"{name} activities",), (f"cash from {name} activities",),
                 statements=("cash flow statement",))
            for name in ("operating", "investing", "financing")
        ),
    ),
)  # fmt: skip
LEXICON = Lexicon(WORDS)
REGIONS = "Net sales by region"


def made(question: str, *rows: Passage) -> Draft | None:
    return draft_extreme(interpret(question, LEXICON), memory(*rows), LEXICON, Cell())


def regions(*values: str) -> tuple[Passage, ...]:
    names = ("Highlands", "Lowlands", "Islands", "Total net sales")
    return tuple(
        line(name, value, headers=("Year ended December 31, 2022",), table=REGIONS)
        for name, value in zip(names, values, strict=True)
    )


def test_the_highest_row_of_a_table_of_such_things_wins_and_the_total_takes_no_part() -> None:
    found = made("Which region had the highest net sales for Tandem in FY2022?", *regions("500", "900", "600", "2,000"))
    assert found is not None
    assert found.body.startswith("**Lowlands** — 900, highest of the rows compared, FY2022")
    lowest = made("Which region had the lowest net sales for Tandem in FY2022?", *regions("500", "900", "600", "2,000"))
    assert lowest is not None
    assert lowest.body.startswith("**Highlands** — 500, lowest")


def test_two_equal_rows_have_no_winner() -> None:
    question = "Which region had the highest net sales for Tandem in FY2022?"
    assert made(question, *regions("900", "900", "600", "2,400")) is None
    assert made(question, *regions("900", "800", "600", "2,300")[:2]) is None  # too few to be the whole table


def test_named_alternatives_are_compared_with_their_signs() -> None:
    rows = [
        line(f"Cash from {name} activities", value, "1", "1", table=CASH)
        for name, value in (("operating", "(20)"), ("investing", "(90)"), ("financing", "40"))
    ]
    question = (
        "Among operations, investing, and financing activities, which brought in the most cash for Tandem in FY2022?"
    )
    found = made(question, *rows)
    assert found is not None
    assert found.body.startswith("**financing cash flow: 40 USD millions**")
    assert made(question, *rows[:2]) is None

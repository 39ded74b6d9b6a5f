from __future__ import annotations

import pytest

from counterfoil.core.evidence.facts import FactDraft
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.parts import parts, unanswered, with_parts

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
TWO = "What was revenue in FY2022, and why did the harvest fall?"
FROST = "“The harvest fell: a late frost killed the blossom.” [E4]"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (TWO, ("What was revenue in FY2022", "why did the harvest fall")),
        ("Who leads it? How much is a tour?", ("Who leads it", "How much is a tour")),
        ("Wer leitet das Werk und wann wurde es eröffnet?", ("Wer leitet das Werk", "wann wurde es eröffnet")),
        ("What do research and development cost?", ("What do research and development cost?",)),
        ("List the tours and what they cost.", ("List the tours and what they cost.",)),  # the first asks nothing
    ],
)
def test_a_question_is_split_where_another_one_begins(question: str, found: tuple[str, ...]) -> None:
    assert parts(question) == found


def test_a_part_is_open_when_no_word_of_it_stands_in_the_answer() -> None:
    ask = interpret("Who leads the plant? How much is a guided tour?", LEXICON)
    assert unanswered(ask, "“Ms Tolle leads the plant.” [E1]") == ("How much is a guided tour",)
    assert unanswered(ask, "“Ms Tolle leads the plant.” [E1]\n\n> “A tour costs €9.” [E2]") == ()
    short = interpret("When was the press bought and what did it cost?", LEXICON)
    assert unanswered(short, "“The press was bought in May for €148,000.” [E1]") == ()  # one word tells too little


def test_what_is_open_is_a_gap_and_gets_no_value_of_the_other_part() -> None:
    ask, cell = interpret(TWO, LEXICON), Cell("Hollin", "revenue")
    draft = Draft(FROST, [FactDraft(row="Hollin", field="revenue", value="a late frost", evidence_id="E4")])
    made = with_parts(draft, ask, cell)
    assert made.facts == []
    assert [(gap.field, gap.state) for gap in made.gaps] == [("revenue", "unresolved")]
    assert made.body.startswith(FROST)
    assert "Not answered here: “What was revenue in FY2022”" in made.body


def test_an_answer_that_speaks_of_every_part_is_left_as_it_is() -> None:
    ask = interpret(TWO, LEXICON)
    draft = Draft(f"**5 USD millions** — revenue, FY2022 [E1]\n\n> {FROST}", [FactDraft(row="", field="revenue")])
    assert with_parts(draft, ask, Cell("", "revenue")) is draft


def test_of_many_open_parts_three_are_named_and_the_others_counted() -> None:
    ask = interpret(" ".join(f"How wide is bridge B{n} today?" for n in range(1, 8)) + " Who leads it?", LEXICON)
    made = with_parts(Draft("“Ms Tolle leads.” [E1]", [FactDraft(row="", field="x")]), ask, Cell("", "x"))
    assert "“How wide is bridge B3 today” and 4 more. Ask it by itself." in made.body

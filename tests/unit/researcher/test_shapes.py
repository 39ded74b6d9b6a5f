from __future__ import annotations

import pytest

from counterfoil.researcher.ask import interpret
from counterfoil.researcher.memory import Page, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.shapes import bonus, head_noun, of_another, shape_of

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
PAGE = Page("S1", 0, 1, None, "", "", "", "", "", "")


def passage(words: str, kind: str = "text") -> Passage:
    return Passage("E1", kind, words, "", 0, PAGE)


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What drove the decline in net sales for Tandem?", "cause"),
        ("Warum sank der Umsatz?", "cause"),
        ("Pourquoi le chiffre d'affaires a-t-il augmenté ?", "cause"),
        ("营业收入为什么增长？", "cause"),
        ("When did Tandem open its workshop?", "date"),
        ("Who audits Tandem?", "person"),
        ("Who are Tandem's competitors?", "list"),
        ("Where is Tandem's head office?", "place"),
        ("Which segments does Tandem report?", "list"),
        ("Does Tandem own its workshops?", "polar"),
        ("Tell me of Tandem's strategy.", "any"),
    ],
)
def test_what_an_answer_must_look_like(question: str, shape: str) -> None:
    assert shape_of(interpret(question, LEXICON)) == shape


@pytest.mark.parametrize(
    "words",
    [
        "Sales fell primarily due to the closing of two workshops.",
        "Der Umsatz sank aufgrund der Schließung von zwei Werken.",
        "营业收入增长主要由于销量上升。",
        "増加は販売拡大によるものです。",
    ],
)
def test_a_stated_cause_gains_and_its_absence_loses(words: str) -> None:
    telling = frozenset({"sale"})
    assert bonus("cause", passage(words), telling, None) > 0
    assert bonus("cause", passage("Sales were 12 and 14."), telling, None) < 0


def test_a_date_counts_only_beside_the_words_of_the_question() -> None:
    telling = frozenset({"workshop", "open"})
    assert bonus("date", passage("The workshop opened on 3 May 2021."), telling, None) > 0
    assert bonus("date", passage("The workshop is large and bright."), telling, None) == -1.0
    far = "The workshop is open to all. (See the report of 3 May 2021.)"
    assert bonus("date", passage(far), telling, None) == -1.0


def test_a_person_is_a_name_and_not_a_title() -> None:
    telling = frozenset({"chief", "executiv"})
    assert bonus("person", passage("The chief executive is Ines Okafor."), telling, "Tandem") > 0
    assert bonus("person", passage("Our Chief Executive Officer signs the Annual Report."), telling, "Tandem") == -1.0
    german = "Vorstandsvorsitzende ist Dr. Helga Brandt."
    assert bonus("person", passage(german), frozenset({"vorstandsvorsitzend"}), "Kranich") > 0


def test_a_list_wants_items() -> None:
    telling = frozenset({"segment"})
    listed = bonus("list", passage("We have three segments: pumps, valves, and pipes."), telling, None)
    assert listed > bonus("list", passage("The segments are managed well."), telling, None)


def test_what_is_wanted_listed() -> None:
    assert head_noun(interpret("Which customers account for most of Tandem's sales?", LEXICON)) == "customer"
    assert head_noun(interpret("Who audits Tandem?", LEXICON)) is None


def test_a_clause_about_somebody_else_is_not_the_subjects() -> None:
    telling = frozenset({"headquarter"})
    other = "In 2021 Tandem bought Scott Locks, which is headquartered in Monroe."
    assert of_another(other, telling, "Tandem")
    assert not of_another("Tandem, which is headquartered in Monroe, sells bicycles.", telling, "Tandem")

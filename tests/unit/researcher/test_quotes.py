from __future__ import annotations

import msgspec
import pytest

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.memory import Memory, Page, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.quotes import best, stating

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)


def page(handle: str = "S1", subject: str = "Tandem Cycles Inc.", title: str = "Annual report") -> Page:
    return Page(handle, 0, 1, None, f"{subject} {title}", f"file:///{handle}.pdf", "", subject, "FY2022", "10-K")


def memory(*sentences: str | tuple[Page, str]) -> Memory:
    passages: list[Passage] = []
    for item in sentences:
        place, words = item if isinstance(item, tuple) else (page(), item)
        passages.append(Passage(f"E{len(passages) + 1}", "text", words, "", len(passages), place))
    return Memory(pages=list(dict.fromkeys(p.page for p in passages)), passages=passages)


def picked(question: str, known: Memory) -> list[str]:
    return [quote.passage.id for quote in best(interpret(question, LEXICON), known, LEXICON)]


NEUTRAL_TALK = "The board met eleven times and visited the plant in the north of the country."


def test_the_sentence_that_states_the_cause_comes_first() -> None:
    known = memory(
        "Warranty costs rose to $14 million in the year.",
        "Warranty costs rose primarily due to a recall of carbon forks sold in Norway.",
        NEUTRAL_TALK,
    )
    assert picked("What drove the increase in Tandem's warranty costs?", known)[0] == "E2"


def test_what_is_not_about_the_question_is_not_quoted() -> None:
    known = memory("Tandem sells bicycles in twelve countries.", NEUTRAL_TALK, "The World Expo was held in 1998.")
    assert picked("Who won the 1998 World Cup?", known) == []
    assert picked("Why did Tandem recall its helmets?", known) == []


def test_a_name_in_the_question_must_stand_in_the_quote() -> None:
    known = memory("We acquired Lockwell in 2021 for its patents.", "We acquired three dealers in the year 2022.")
    assert picked("When did Tandem acquire Lockwell?", known) == ["E1"]
    assert picked("When did Tandem acquire Brightbell?", known) == []


def test_who_wants_somebody_and_when_wants_a_date() -> None:
    known = memory(
        "Our Chief Executive Officer signs the report.", "Ines Okafor has been chief executive since May 2019."
    )
    assert picked("Who is the chief executive of Tandem?", known) == ["E2"]
    known = memory("The Bergen plant was opened with a small party.", "The Bergen plant was opened on 4 June 2018.")
    assert picked("When was the Bergen plant of Tandem opened?", known) == ["E2"]


def test_which_things_must_be_named_in_the_quote() -> None:
    known = memory("A large share of our revenue is earned in spring.", NEUTRAL_TALK)
    assert picked("Which customers account for a large share of Tandem's revenue?", known) == []


def test_another_companys_document_does_not_answer_for_the_one_asked_about() -> None:
    other = page("S2", "Velora Group")
    known = memory(
        "Tandem leases its workshops from two funds.", (other, "Velora owns its workshops and the land below them.")
    )
    assert picked("Does Tandem Cycles own its workshops?", known) in (["E1"], [])


def test_an_archived_page_comes_behind() -> None:
    old = page("S2", title="archived page")
    known = memory((old, "The workshop pass costs $14 a day."), "The workshop pass costs $18 a day.")
    assert picked("What does the workshop pass of Tandem cost?", known)[0] == "E2"


def test_a_line_of_column_names_is_no_answer() -> None:
    known = memory("2020 2021 2022 Bergen Plant Other Plants Total", "The Bergen plant made 900 frames in 2022.")
    assert picked("How many frames did the Bergen plant of Tandem make?", known) == ["E2"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Warranty costs were $14 million in 2022.", True),
        ("Warranty costs rose to $14 million in 2022.", True),
        ("Warranty costs rose by $2 million in 2022.", False),  # a change is not the amount
        ("Warranty costs were $14 million in 2021.", False),
        ("Die Warranty costs betrugen im Jahr 2022 insgesamt 12,4 Mio. € und blieben stabil.", True),
    ],
)
def test_a_sentence_states_an_amount_of_its_period(words: str, found: bool) -> None:
    term = Term("warranty costs", ("warranty costs",), ("warranty costs",))
    ask = interpret("What were Tandem's warranty costs in 2022?", LEXICON)
    asked = msgspec.structs.replace(ask, qualifiers=())  # the term is given, whatever the vocabulary knows
    assert (stating(asked, term, memory(words)) is not None) is found

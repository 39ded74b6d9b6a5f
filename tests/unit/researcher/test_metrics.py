from __future__ import annotations

from counterfoil.core.text.vocabulary import Formula, Statement, Term, Vocabulary
from counterfoil.researcher.metrics import Lexicon, phrase_words

WORDS = Vocabulary(
    "test",
    terms=(
        Term("sales", ("sales",), ("net sales", "other > sales figure"), statements=("income",)),
        Term("margin stated", ("margin",), kind="percent"),
    ),
    formulas=(Formula("margin", ("margin", "sales margin"), "profit / sales", "percent"),),
    statements=(Statement("income", ("income statement",), ("statements of income",)),),
    instructions=("round to", "round to one decimal"),
)
LEXICON = Lexicon(WORDS)


def test_the_longest_phrase_wins_and_none_overlap() -> None:
    found = LEXICON.mentions("What is the sales margin in the income statement, and sales?")
    assert [(m.kind, m.name) for m in found] == [("formula", "margin"), ("statement", "income"), ("term", "sales")]
    assert [m.name for m in LEXICON.metrics("sales in the income statement")] == ["sales"]


def test_a_phrase_that_means_two_things_names_the_other_too() -> None:
    (mention,) = LEXICON.metrics("margin")
    assert mention.kind == "formula"
    assert LEXICON.same_phrase(mention) == ["margin stated"]


def test_a_label_below_a_section_is_no_phrase_of_questions() -> None:
    assert [m.phrase for m in LEXICON.metrics("other sales figure")] == ["sale"]


def test_kinds_and_instructions_are_ready_for_use() -> None:
    assert (LEXICON.kind_of("margin"), LEXICON.kind_of("sales"), LEXICON.kind_of("unknown")) == (
        "percent",
        "money",
        "money",
    )
    assert LEXICON.instructions[0] == "round to one decimal"  # the longest goes first
    assert phrase_words("45% margin")[1] == "percent"

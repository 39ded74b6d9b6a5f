from __future__ import annotations

import msgspec

from counterfoil.core.text.vocabulary import Statement
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, draft_text, draft_value, further, nothing, reported
from counterfoil.researcher.memory import Memory
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period

from .pages import VOCABULARY
from .shelf import line, memory, page, said

WORDS = msgspec.structs.replace(
    VOCABULARY,
    statements=(*VOCABULARY.statements, Statement("parts", ("segment",), ("segments",), parts=True)),
    bases=("adjusted", "non-gaap"),
)
LEXICON = Lexicon(WORDS)
CELL = Cell("Tandem", "revenue")
SALES = line("Net sales", "2,000", "1,600", "1,250")


def test_a_value_is_published_with_a_fact_and_no_gap() -> None:
    ask = interpret("What was Tandem's FY2022 net sales in USD millions?", LEXICON)
    draft = draft_value(ask, memory(SALES), LEXICON, CELL)
    assert draft.body.startswith("**2,000 USD millions** — Tandem, revenue, FY2022 [E1]")
    assert [fact.value for fact in draft.facts] == ["2,000"]
    assert draft.gaps == []


def test_what_is_missing_is_named_and_may_still_be_fetched() -> None:
    ask = interpret("What was Tandem's FY2019 net sales in USD millions?", LEXICON)
    draft = draft_value(ask, memory(SALES), LEXICON, CELL)
    assert draft.body.startswith("Not answered: Tandem, revenue, FY2019.")
    assert [operand.id for operand in draft.missing] == ["revenue_2019"]
    assert [(gap.row, gap.field) for gap in draft.gaps] == [("Tandem", "revenue")]


def test_a_figure_without_a_scale_is_given_as_written_when_none_is_asked() -> None:
    bare = line("Net sales", "2,000", "1,600", "1,250", multiplier=None)
    draft = draft_value(interpret("What was Tandem's FY2022 net sales?", LEXICON), memory(bare), LEXICON, CELL)
    assert "as written, without a scale" in draft.body.splitlines()[0]
    asked = interpret("What was Tandem's FY2022 net sales in USD millions?", LEXICON)
    assert draft_value(asked, memory(bare), LEXICON, CELL).facts == []


def test_further_words_are_what_a_row_must_be_about() -> None:
    def words(question: str) -> tuple[str, ...]:
        return further(interpret(question, LEXICON), LEXICON)

    assert words("What was the FY2022 net sales of Tandem's Bells segment in USD millions?") == ("bell",)
    assert words("What were Tandem's quarterly adjusted net sales in Q2 2022?") == ()
    assert words("What were Tandem's FY2022 net sales in the United States?") != ()
    assert words("What were Tandem Company's FY2022 net sales, and who is Tandem?") == ()
    assert "non" in words("What were Tandem's non-current bell assets in FY2022?")  # no part of "non-gaap" there


def test_a_part_is_told_by_its_row() -> None:
    ask = interpret("What was the FY2022 net sales of Tandem's Bells segment in USD millions?", LEXICON)
    bells = line("Bells", "700", "600", "500", table="Results", section="Net sales")
    assert "Tandem, revenue (Bells), FY2022" in draft_value(ask, memory(SALES, bells), LEXICON, CELL).body


def test_without_a_period_the_documents_own_is_taken() -> None:
    ask = interpret("Does Tandem have an improving operating margin?", LEXICON)
    assert reported(ask, memory(SALES)) == Period(2022, fiscal=True)
    assert reported(ask, memory(line("Net sales", "1", "2", "3", where=page("Korrigan")))) is None


def test_words_are_quoted_or_nothing_is() -> None:
    ask = interpret("What drove the increase in Tandem's inventories?", LEXICON)
    shelf = memory(said("Inventories increased, primarily due to the opening of 47 new workshops."))
    assert "47 new workshops" in draft_text(ask, shelf, LEXICON, CELL).body
    assert draft_text(ask, memory(said("The weather was fine.")), LEXICON, CELL).gaps
    assert nothing(ask, Memory(), CELL).body.startswith("Not found")

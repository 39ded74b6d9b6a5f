from __future__ import annotations

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.wanted import Wanted, covered, holds, names, wanted

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
ROWS = (Row("Harbour Line"), Row("Hill Line"))


def want(field: Field, period: str | None = None, question: str = "Compare the visitor passes.") -> Wanted:
    return wanted(Contract(question, rows=ROWS, fields=(field,), period=period), ROWS[0], field, LEXICON)


def test_the_span_of_a_field_is_not_one_of_its_words() -> None:
    made = want(Field("three-day pass price", "money"))
    assert made.spans == {"72h"}
    assert [sorted(group)[0] for group in made.groups] == [
        "billet"
    ]  # pass, ticket, card: the price itself tells nothing


def test_the_period_of_the_task_is_a_span_only_where_the_field_has_none() -> None:
    assert want(Field("price", "money"), "3 days").period_spans == {"72h"}
    assert want(Field("day pass price", "money"), "3 days").period_spans == set()


def test_a_quantity_of_the_vocabulary_is_no_offer() -> None:
    assert want(Field("annual net sales", "money")).spans == set()


def test_years_come_from_field_and_period() -> None:
    assert want(Field("members", "count"), "FY2023").years == {2023}


def test_the_other_rows_are_known() -> None:
    assert want(Field("price", "money")).others == ("Hill Line",)


def test_a_compound_holds_its_part_and_a_short_word_does_not() -> None:
    assert holds(frozenset({"umsatz"}), frozenset({"umsatzerlöse"}))
    assert not holds(frozenset({"car"}), frozenset({"carpet"}))


def test_most_of_a_chinese_word_suffices() -> None:
    groups = tuple(frozenset({word}) for word in ("研发", "发投", "投入"))
    assert covered(groups, frozenset({"研发", "投入", "万元"})) == [True, True, True]
    assert covered(groups, frozenset({"员工"})) == [False, False, False]


def test_a_row_is_named_by_all_its_words_side_by_side() -> None:
    assert names("Harbour Line", "The Harbour Line costs $3")
    assert not names("Harbour Line", "A line at the harbour")
    assert names("青山電機", "青山電機株式会社の売上高")

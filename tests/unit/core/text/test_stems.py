from __future__ import annotations

from counterfoil.core.text.stems import plain, stem, stems, unabbreviated


def test_endings_accents_and_case_are_ignored() -> None:
    assert stem("Discovered") == stem("discover") and stem("Opérations") == stem("operation")
    assert stem("passes") == stem("pass"), "a short word is left whole"


def test_a_plural_of_a_word_on_y_has_its_stem() -> None:
    assert stems("Inventories, companies") == stems("inventory, company")
    assert stem("party") != stem("part"), "a short word keeps its y"


def test_function_words_and_digits_are_no_content() -> None:
    assert stems("It was at 45 of the Passes") == {stem("passes")}
    assert stems("P40 and X-12") == {"p40", "x12"}


def test_chinese_and_kanji_are_read_in_pairs() -> None:
    assert stems("营业收入为") == {"营业", "业收", "收入", "入为"}
    assert stems("売上高は") == {"売上", "上高"}


def test_a_stem_stands_in_the_plain_text_of_its_word() -> None:
    for word in ("Erhöhung", "semi-final", "dépenses"):
        assert stem(word) in plain(word)


def test_abbreviations_are_the_words_that_they_stand_for() -> None:
    assert stems("Adj. EBITDA") == stems("adjusted EBITDA")
    assert unabbreviated("Avg. price of adjacent land") == "average price of adjacent land"

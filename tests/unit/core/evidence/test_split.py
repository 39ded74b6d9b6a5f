from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.evidence.split import split_text


def texts(text: str, chars_max: int = 400) -> list[str]:
    return [p.text for p in split_text(text, chars_max)]


@given(st.text(alphabet="ab .!?\n。，;-A1é漢•", max_size=300), st.integers(1, 60), st.integers(0, 9))
def test_passages_are_verbatim_ordered_and_cover_everything(text: str, chars_max: int, offset: int) -> None:
    passages = split_text(text, chars_max, offset)
    end = 0
    for p in passages:
        start = p.start - offset
        assert text[start : p.end - offset] == p.text
        assert text[end:start].strip() == ""
        assert 0 < len(p.text) <= chars_max
        assert p.text == p.text.strip()
        end = p.end - offset
    assert text[end:].strip() == ""


def test_sentences_are_grouped_up_to_the_limit() -> None:
    assert texts("One is here. Two is here. Three is here.", 26) == ["One is here. Two is here.", "Three is here."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Net sales rose to $3.2 billion in the year.",
        "Mr. Smith joined the U.S. company Acme Inc. in Dr. Jones's team.",
        "Am 3. Oktober stieg der Umsatz um 3,5 Mio. Euro, d.h. stark, z.B. im Inland.",
        "Die Aktie von J. P. Morgan fiel, vgl. Abs. 4 des Gesetzes.",
        "He asked (see Fig. 4) whether No. 5 was meant.",
    ],
)
def test_full_stops_that_end_nothing(sentence: str) -> None:
    assert texts(f"{sentence} Next one.", len(sentence)) == [sentence, "Next one."]


def test_scripts_without_spaces() -> None:
    assert texts("今年は増収です。来年は減収？はい！", 8) == ["今年は増収です。", "来年は減収？", "はい！"]


def test_an_overlong_sentence_is_cut_at_a_clause_then_at_a_word() -> None:
    assert texts("first part of it, second part of it", 20) == ["first part of it,", "second part of it"]
    assert texts("alpha beta gamma delta", 11) == ["alpha beta", "gamma delta"]
    assert texts("abcdefghij", 4) == ["abcd", "efgh", "ij"]


def test_headings_stand_alone_and_name_what_follows() -> None:
    heading, body = split_text("Market risk\n\nRates may rise. They may fall.", 400)
    assert (heading.kind, heading.text, heading.heading) == ("heading", "Market risk", None)
    assert (body.kind, body.heading) == ("text", "Market risk")


def test_items_are_apart() -> None:
    passages = split_text("We sell:\n• shoes of all kinds\n• hats\nfor winter", 400)
    assert [(p.kind, p.text) for p in passages] == [
        ("text", "We sell:"),
        ("item", "• shoes of all kinds"),
        ("item", "• hats\nfor winter"),
    ]


def test_a_question_and_a_quote_end_a_sentence() -> None:
    assert texts('He said "Stop!" Then he went. Did he? Yes.', 16) == [
        'He said "Stop!"',
        "Then he went.",
        "Did he? Yes.",
    ]


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        split_text("x", 0)

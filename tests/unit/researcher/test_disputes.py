from __future__ import annotations

import pytest

from counterfoil.researcher.ask import interpret
from counterfoil.researcher.disputes import disputed
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY, filing, text
from .shelf import memory, page, said
from .test_plain import host

LEXICON = Lexicon(VOCABULARY)
FIRST = "Acme Corp had 1,200 employees at December 31, 2023."


def told(question: str, *texts: str) -> list[tuple[str, str]]:
    known = memory(*(said(t, where=page("Acme Corp", "FY2023", f"S{n}")) for n, t in enumerate(texts)))
    return [f.written for f in disputed(interpret(question, LEXICON), known, known.passages[0])]


def test_the_same_sentence_with_another_figure_is_a_dispute() -> None:
    question = "How many employees did Acme have at the end of 2023?"
    assert told(question, FIRST, FIRST.replace("1,200", "1,500")) == [("1,200", "employees"), ("1,500", "employees")]
    assert told(question, FIRST, FIRST) == []


@pytest.mark.parametrize(
    "other",
    [
        "Acme Corp had 1,500 employees at December 31, 2022.",  # another day
        "Acme Corp had 1,500 seasonal employees at December 31, 2023.",  # others
        "Acme Corp had 1,500 customers at December 31, 2023.",
        "Acme Corp had 1,200 employees and 30 plants at December 31, 2023.",
    ],
)
def test_a_sentence_that_says_anything_else_is_no_dispute(other: str) -> None:
    assert told("How many employees did Acme have at the end of 2023?", FIRST, other) == []


def test_a_rounded_mention_agrees() -> None:
    texts = ("The plant cost $1,577 million.", "The plant cost $1.6 billion.")
    assert told("What did Acme's plant cost?", *texts) == []


def test_prices_that_differ_are_both_recorded_and_both_cited() -> None:
    pages = [
        (filing("Zebra pass", "", name), (("Prices", (text(f"The price of the Zebra pass is {price} USD{mark}."),)),))
        for name, price, mark in (("a", 18, " [E7]"), ("b", 99, ""))
    ]
    run = host("What is the price of the Zebra pass?", *pages)
    run.entry()
    published = run.run()
    assert published is not None
    assert [(f["value"], f["unit"]) for f in run.facts] == [("18", "USD"), ("99", "USD")]
    assert all(f"[{f['evidence_id']}]" in published["body"] for f in run.facts)
    assert "\\[E7]" in published["body"]  # what a document writes is no citation

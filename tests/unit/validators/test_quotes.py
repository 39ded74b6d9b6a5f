from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_fact, make_state

from counterfoil.validators.quotes import Quotes

STATE = make_state(
    'Is it true that "all rides are free for children"?',
    [
        "A three-day pass costs\n $18 and is not refundable. Rides of 30 minutes are included.",
        "They end at midnight, always.",
        "三日間パスの料金は十八ドルで、返金できません。",
    ],
    facts=[make_fact("18", "USD")],
)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    "body",
    [
        'They say "a three-day pass" is it.',  # short: a term, not a quotation
        'The page says "three-day pass costs $18 and is not refundable" [E1].',
        "The page says “A three-day pass costs $18 and is not refundable.” [E1]",
        'The page says "A three-day pass costs $18 … Rides of 30 minutes are included" [E1].',
        'The page says "A three-day pass costs $18 [...] 30 minutes are included." [F1]',
        'It says "Rides of 30 minutes are included. They end at midnight" [E1][E2].',
        'It says "is not refundable. Rides of 30 minutes are included." [E1] And more.',
        'It says "a three-day pass\ncosts $18 and is" what they say [E1].'.replace("a three", "A three"),
        "> A three-day pass costs **$18** and is not refundable. [E1]",
        "> A three-day pass costs $18\n> and is not refundable.\n\n— City North [E1]",
        'You ask whether "all rides are free for children".',
        "「三日間パスの料金は十八ドルで」[E3]",
        'Sizes are 5" and 6" as they say.',
    ],
)
def test_quotations_that_stand_pass(body: str) -> None:
    assert Quotes().check(make_candidate(body), STATE) == ()


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    "body",
    [
        'The page says "A three-day pass costs $19 and is not refundable" [E1].',
        'The page says "A three-day pass costs $18 and is refundable" [E1].',
        'The page says "Rides of 30 minutes … A three-day pass" [E1].',  # out of order
        "“A three-day pass costs $18 and is not refundable” [E2]",
        'It says "A three-day pass costs $18 and is not refundable".',  # no citation
        "> A three-day pass is free. [E1]",
        'It says "is not refundable. Rides of 40 minutes are included." [E1]',
        "「三日間パスの料金は二十ドルです」[E3]",
        "„Eine Karte für drei Tage kostet nichts“ [E1]",
    ],
)
def test_quotations_that_do_not_stand_are_findings(body: str) -> None:
    (finding,) = Quotes().check(make_candidate(body), STATE)
    assert finding.code == "QUOTE_NOT_FOUND" and finding.needed


def test_the_finding_gives_the_passages_words() -> None:
    body = 'The page says "A three-day pass costs $19 and is not refundable" [E1].'
    (finding,) = Quotes().check(make_candidate(body), STATE)
    assert "costs $18" in finding.needed and "$19" in finding.where


def test_emphasis_and_escapes_count_on_neither_side() -> None:
    passage = "three_day_pass.price of the *City North* fleet is 18 USD"
    state = make_state("q", [passage])
    for body in (f"> {passage} [E1]", "> three\\_day\\_pass.price of the **City North** fleet is 18 USD [E1]"):
        assert Quotes().check(make_candidate(body), state) == ()

from __future__ import annotations

import pytest

from counterfoil.core.answer.actions import find_claims, find_wording


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("I have booked the pass for you.", "book"),
        ("I've just sent an email.", "send"),
        ("I bought two tickets.", "purchase"),
        ("We have ordered it on your behalf.", "purchase"),
        ("Your order has been placed.", "act"),
        ("Your room has been reserved.", "book"),
        ("A table has been reserved for you.", "book"),
        ("I've gone ahead and booked it.", "book"),
        ("Ich habe das Ticket gekauft.", "purchase"),
        ("Es wurde für Sie gebucht.", "book"),
        ("Ihre Buchung wurde bestätigt.", "act"),
        ("J'ai réservé une place.", "book"),
        ("Votre commande a été confirmée.", "act"),
    ],
)
def test_claims_of_having_acted_are_found(text: str, action: str) -> None:
    assert [said.action for said in find_claims(text)] == [action]


@pytest.mark.parametrize(
    "text",
    [
        "I have not booked anything.",
        "$2 million has been reserved for legal claims.",
        "Rooms have been reserved for members since 2019.",
        "If I had bought it, it would cost $18.",
        "The company paid dividends and filed its report.",
        "Visitors have bought passes online.",
        "You can book it online; passes are ordered by mail.",
        "We paid $5 million for the acquisition.",
        "Ich habe kein Ticket gekauft.",
        "Ihre Buchung ist kostenlos.",
    ],
)
def test_descriptions_are_none(text: str) -> None:
    assert not list(find_claims(text))


def test_words_of_a_forbidden_action() -> None:
    assert [s.action for s in find_wording("Buy now, or purchase later.", ("buy",))] == ["buy", "buy"]
    assert not list(find_wording("It costs $18.", ("purchase", "")))

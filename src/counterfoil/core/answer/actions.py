"""Owns claims of having acted: "I have booked it", "your order has been placed", in English, German and French.

Never: descriptions of what others did, or of how something is bought; those are what research is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

_DONE: dict[str, str] = {
    "purchase": r"bought|purchased|ordered|gekauft|bestellt|erworben|acheté|commandé",
    "pay": r"paid|transferred|wired|refunded|bezahlt|überwiesen|payé|viré|réglé",
    "book": r"booked|reserved|gebucht|reserviert|réservé",
    "subscribe": r"subscribed|signed (?:you |us )?up|enrolled|abonniert|angemeldet|registriert|abonné|inscrit",
    "send": r"sent|e-?mailed|messaged|forwarded|gesendet|geschickt|verschickt|gemailt|weitergeleitet|envoyé|transmis",
    "post": r"posted|tweeted|uploaded|veröffentlicht|hochgeladen|gepostet|publié|posté",
    "submit": r"submitted|filed|applied for|eingereicht|beantragt|soumis|déposé",
    "delete": r"deleted|removed|gelöscht|entfernt|supprimé|effacé",
    "cancel": r"cancell?ed|storniert|gekündigt|annulé|résilié",
    "contact": r"called|phoned|contacted|angerufen|kontaktiert|appelé|contacté",
    "schedule": r"scheduled|arranged|vereinbart|planifié",
}
_ANY = "|".join(_DONE.values())
_ADVERB = r"(?:(?:just|now|already|also|successfully|hereby|then|bereits|soeben|schon|jetzt|déjà|bien|aussi)\s+)*"
_THING = (
    r"orders?|bookings?|reservations?|payments?|purchases?|subscriptions?|tickets?|pass(?:es)?|e-?mails?|messages?"
    r"|applications?|request|appointment|refund|account|transfer|rooms?|tables?|seats?|flights?|cars?|stay|places?|spots?"
)
_CLAIMS = (
    rf"\bI(?:\s+have|['’]ve)?\s+{_ADVERB}(?:(?:gone|went)\s+ahead\s+and\s+)?(?P<english>{_ANY})\b",
    rf"\b(?:has|have)\s+been\s+{_ADVERB}(?P<has_been>{_ANY})\s+(?:for\s+you|in\s+your\s+name|on\s+your\s+behalf)\b",
    rf"\bwe(?:\s+have|['’]ve)\s+{_ADVERB}(?P<we>{_ANY})\b(?=[^.!?\n]{{0,80}}\b(?:for you|on your behalf|your)\b)",
    rf"\byour\s+(?:\w+\s+){{0,2}}(?:{_THING})\s+(?:has been|have been|was|were|is|are)\s+{_ADVERB}"
    rf"(?P<passive>{_ANY}|placed|made|confirmed|completed|processed)\b",
    rf"\bich\s+habe\b(?:(?!nicht\b|kein)[^.!?\n]){{0,80}}?\b(?P<german>{_ANY})\b",
    rf"\b(?:wurde|wurden|ist|sind)\s+(?:für\s+Sie|in\s+Ihrem\s+Namen)\s+(?:[^.!?\n]{{0,40}}\s)?(?P<fuer>{_ANY})\b",
    rf"\bIhre?\s+(?:Bestellung|Buchung|Zahlung|Reservierung|Anmeldung|Überweisung)\s+(?:wurde|ist)\s+{_ADVERB}"
    rf"(?P<ihre>{_ANY}|bestätigt|abgeschlossen|eingegangen|erfolgt|ausgeführt|vorgenommen)\b",
    rf"\bj['’]ai\s+{_ADVERB}(?P<french>{_ANY})(?:e|s|es)?\b",
    r"\bvotre\s+(?:commande|réservation|paiement|inscription)\s+a\s+(?:bien\s+)?été\s+(?P<votre>\w+)\b",
)
_CLAIM = re.compile("|".join(f"(?:{claim})" for claim in _CLAIMS), re.IGNORECASE)
_NOT_DONE = re.compile(
    r"\b(?:not|never|cannot|can't|nicht|nie|keine?n?|pas|jamais|if|wenn|si|had I|would)\b", re.IGNORECASE
)
_WORDING: dict[str, str] = {
    "purchase": r"buy now|purchase|order now|add to (?:cart|basket)|checkout|jetzt kaufen|kaufen|acheter",
    "pay": r"pay now|pay|payment|bezahlen|payer",
    "book": r"book now|book|reserve|buchen|réserver",
    "subscribe": r"subscribe|sign up|register|abonnieren|anmelden|s'abonner",
    "send": r"send|e-?mail|senden|envoyer",
}
_SAME = {
    "buy": "purchase",
    "order": "purchase",
    "payment": "pay",
    "booking": "book",
    "email": "send",
    "publish": "post",
}


class Said(msgspec.Struct, frozen=True):
    """Words about an action: ``text[start:end]``, and the action's name ("purchase")."""

    start: int
    end: int
    action: str


def find_claims(text: str) -> Iterator[Said]:
    """Every claim in ``text`` that its author did something in the world. Research has no tool that could."""
    for match in _CLAIM.finditer(text):
        begin = max(text.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
        if _NOT_DONE.search(text, begin, match.end()):
            continue
        verb = next(word for word in match.groupdict().values() if word)
        action = next((name for name, verbs in _DONE.items() if re.fullmatch(verbs, verb, re.IGNORECASE)), "act")
        yield Said(match.start(), match.end(), action)


def find_wording(text: str, forbidden: tuple[str, ...]) -> Iterator[Said]:
    """Words of a forbidden action, which honest text may hold too ("how to purchase a pass")."""
    for action in forbidden:
        name = action.strip().casefold()
        words = _WORDING.get(_SAME.get(name, name), re.escape(name))
        for match in re.finditer(rf"\b(?:{words})\b", text, re.IGNORECASE) if name else ():
            yield Said(match.start(), match.end(), action)

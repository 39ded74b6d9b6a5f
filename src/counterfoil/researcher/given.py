"""Owns whether a caller's row and field say more than the question, and so define what is asked.

Never: documents.
"""

from __future__ import annotations

import json

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.researcher.entry import propose
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import asked
from counterfoil.researcher.words import has_cjk, words


def is_given(contract: Contract, lexicon: Lexicon) -> bool:
    """Say whether the one row and field are the caller's own: not what the question's reading would name them."""
    if len(contract.rows) != 1 or len([f for f in contract.fields if f.type != "url"]) != 1:
        return False
    row = contract.rows[0].name
    field = next(f.name for f in contract.fields if f.type != "url")
    question = contract.question
    proposed = json.loads(propose(question, lexicon))
    known_rows = {str(item.get("name", "")).casefold() for item in proposed["rows"]}
    known_fields = {str(item.get("name", "")).casefold() for item in proposed["fields"]}
    row_known = not row or row.casefold() in known_rows or _says(question, row)
    field_known = field.casefold() in known_fields or _says(question, field.replace("_", " "))
    return not (row_known and field_known)


def given_subject(contract: Contract, lexicon: Lexicon) -> str | None:
    """The row of a caller who names no field, when the question does not name it: then it is the subject."""
    if len(contract.rows) != 1 or any(f.type != "url" for f in contract.fields):
        return None
    row = contract.rows[0].name
    proposed = json.loads(propose(contract.question, lexicon))
    known = {str(item.get("name", "")).casefold() for item in proposed["rows"]}
    return None if not row or row.casefold() in known or _says(contract.question, row) else row


def dated(contract: Contract) -> Contract:
    """The contract with the one period that its question names, when it names none itself."""
    periods = asked(contract.question)
    if contract.period or any(f.period for f in contract.fields) or len(periods) != 1:
        return contract
    return msgspec.structs.replace(contract, period=periods[0].text)


def _says(question: str, name: str) -> bool:
    if has_cjk(name):
        return name.casefold() in question.casefold()
    return set(words(name)) <= set(words(question))

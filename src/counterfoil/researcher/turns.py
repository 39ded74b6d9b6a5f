"""Owns one turn of the embedded researcher: one view in, one set of tool calls out, the same way every time.

Never: anything that is not in the view.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from counterfoil.core.exchange import CallDraft, Completion, View
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.researcher.cellwise import is_cellwise, next_for_cells
from counterfoil.researcher.entry import propose
from counterfoil.researcher.given import dated, is_given
from counterfoil.researcher.memory import recall
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.plain import next_for_question


@lru_cache(maxsize=4)
def _lexicon(vocabulary: Vocabulary) -> Lexicon:
    """The lexicon of a vocabulary, built once: every turn uses it."""
    return Lexicon(vocabulary)


def reply(view: View, tools: frozenset[str], vocabulary: Vocabulary) -> Completion:
    """What the researcher answers to ``view`` when ``tools`` (names) are offered."""
    lexicon = _lexicon(vocabulary)
    if view.purpose == "entry":
        return Completion(text=propose(view.contract.question, lexicon))
    if view.purpose in ("self_review", "reviewer"):
        return Completion(text="No language model: what code can check was checked.")
    memory = recall(view)
    if memory.accepted:
        return Completion(calls=(CallDraft("finish_research", {"outcome": "answered", "limitations": []}),))
    if is_given(view.contract, lexicon):
        given = msgspec.structs.replace(view, contract=dated(view.contract))
        return Completion(calls=next_for_cells(given, memory, tools, lexicon))
    if is_cellwise(view.contract):
        return Completion(calls=next_for_cells(view, memory, tools, lexicon))
    return Completion(calls=next_for_question(view, memory, tools, lexicon))

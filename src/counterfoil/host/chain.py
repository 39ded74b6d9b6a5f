"""Owns what makes models a chain: there is one at least, each named once, so that a ledger can tell them apart;
and what a reviewer must be able to do.

Never: which of them is asked (``core/record/attempts`` says).
"""

from __future__ import annotations

from counterfoil.core.errors import UsageError
from counterfoil.ports.model import Model


def require_chain(models: tuple[Model, ...]) -> tuple[Model, ...]:
    """``models`` as they are.

    Raises:
        UsageError: there is none, or one stands twice.
    """
    specs = [model.spec for model in models]
    if not specs:
        raise UsageError("there is no model", code="MODEL_MISSING", hint="name one: --model SPEC")
    twice = next((spec for place, spec in enumerate(specs) if spec in specs[:place]), None)
    if twice is not None:
        raise UsageError(
            f"the model {twice!r} stands twice in the chain",
            code="MODEL_TWICE",
            hint="a fallback is another model than the ones before it; model/attempts says how often each is tried",
        )
    return models


def require_reviewer(model: Model | None) -> Model | None:
    """``model`` as it is.

    Raises:
        UsageError: it reviews nothing.
    """
    if model is not None and "reviewer" not in model.purposes:
        raise UsageError(
            f"{model.spec!r} cannot review an answer",
            code="REVIEWER_UNABLE",
            hint='name a language model: --reviewer SPEC; a script reviews with lines that say "for": "reviewer"',
        )
    return model

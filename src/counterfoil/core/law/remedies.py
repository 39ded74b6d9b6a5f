"""Owns what may follow a failed model request, by the cause of the failure, as data.

Never: how often (``model/attempts``), how long (``model/wait-seconds-max``) or whom to ask (``record/attempts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from counterfoil.core.errors import Category

Kind = Literal["wait", "shorten", "another_model", "none"]


class Remedy(msgspec.Struct, frozen=True):
    """``kind``: what may help.

    wait: the same model after a while. shorten: the same model at once, told to be shorter. Both lead to the next model
    of the chain when the attempts are spent. another_model: only that. none: no model is asked for this any more.
    ``hint``: what a person can do, where the provider's adapter has nothing better to say.
    """

    kind: Kind
    hint: str = ""


_NOT_A_MODELS = Remedy("none")  # causes of tools, stores and sandboxes, which no model request fails with

REMEDIES: Mapping[Category, Remedy] = {
    # our own budget, or one that a budget proxy keeps: no fault of a provider, and no model can answer without it
    "local_budget_exhausted": Remedy("none", "the budget is spent: use what was delivered, or ask with a larger one"),
    "upstream_rate_limited": Remedy("wait", "try again later, or name another model: --fallback SPEC"),
    "upstream_unavailable": Remedy("wait", "try again later, or name another model: --fallback SPEC"),
    "stream_interrupted": Remedy("wait", "try again later, or name another model: --fallback SPEC"),
    "timeout": Remedy("wait", "choose a faster model, or raise model/attempt-seconds"),
    "output_truncated": Remedy("shorten", "raise run/request-output-tokens, or ask for less at once"),
    # waiting cures none of these; another provider has another key, other rules, another window, another adapter
    "auth_refused": Remedy("another_model", "check the key of this provider: `counterfoil doctor`"),
    "request_invalid": Remedy("another_model", "check the name of the model and what it supports"),
    "content_refused": Remedy("another_model", "ask otherwise, or name another model: --fallback SPEC"),
    "input_too_large": Remedy("another_model", "lower context/input-bytes, or choose a model with a larger window"),
    "internal": Remedy("another_model", "this is a defect of the model's adapter; please report it"),
    "cancelled": Remedy("none"),
    "source_invalid": _NOT_A_MODELS,
    "access_refused": _NOT_A_MODELS,
    "not_found": _NOT_A_MODELS,
    "code_error": _NOT_A_MODELS,
    "resource_exhausted": _NOT_A_MODELS,
    "not_connected": _NOT_A_MODELS,
    "sandbox_absent": _NOT_A_MODELS,
    "ledger_conflict": _NOT_A_MODELS,
    "contract_mismatch": _NOT_A_MODELS,
}


def remedy_of(category: str) -> Remedy:
    """The remedy of a cause; an unknown one, from a ledger of another version, has none."""
    return next((remedy for known, remedy in REMEDIES.items() if known == category), _NOT_A_MODELS)

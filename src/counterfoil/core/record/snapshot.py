"""Owns the admission snapshot: what a Run was admitted with, its notices, the models of its chain, its reviews.

Never: deciding which model is asked (``attempts`` does).
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.evidence.timebase import Window
from counterfoil.core.exchange import ToolSpec
from counterfoil.core.law.policy import PolicyValue


class Notice(msgspec.Struct, frozen=True):
    """Something to tell the reader of an answer that no model was told."""

    code: str
    text: str


class FallbackModel(msgspec.Struct, frozen=True):
    """A model that may be asked when those before it are given up; fields as in the model port."""

    spec: str
    label: str


class ReviewTerms(msgspec.Struct, frozen=True):
    """How a Run is reviewed: whether its models look at their own work, and who reviews the accepted answer."""

    self_review: bool = False
    reviewer: FallbackModel | None = None


class Admitted(msgspec.Struct, frozen=True):
    """The admission snapshot: what this Run may use, whatever a later deployment allows."""

    protocol: int
    contract: Contract
    anchor: TimeAnchor
    policies: tuple[PolicyValue, ...]
    model: str
    model_label: str
    prompts: dict[str, str]  # prompt name → sha256 of its text
    tools: tuple[ToolSpec, ...]
    validators: tuple[str, ...]
    inputs: dict[str, tuple[str, ...]]  # "corpus" → paths as given, for resume
    entry: bool  # whether the contract is still to be proposed by an entry request
    windows: tuple[Window, ...] = ()  # what "the last year" in the question means, resolved once
    notices: tuple[Notice, ...] = ()  # what the caller should know of the inputs: files that were skipped
    fallbacks: tuple[FallbackModel, ...] = ()  # who is asked, in this order, when ``model`` is given up
    reviews: ReviewTerms = ReviewTerms()

"""Owns the parts of an admission snapshot that stand by themselves: notices, and the models of the chain.

Never: deciding which model is asked (``attempts`` does).
"""

from __future__ import annotations

import msgspec


class Notice(msgspec.Struct, frozen=True):
    """Something to tell the reader of an answer that no model was told."""

    code: str
    text: str


class FallbackModel(msgspec.Struct, frozen=True):
    """A model that may be asked when those before it are given up; fields as in the model port."""

    spec: str
    label: str

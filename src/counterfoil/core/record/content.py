"""Owns the mark of what a purge must be able to delete: anything that a document, a model or a person said.

Never: a rule of purging; the chain keeps everything that is not marked.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

T = TypeVar("T")
Content = Annotated[T, msgspec.Meta(extra={"content": True})]

"""Owns the mark of content: what of an event a purge must be able to delete.

Never: content itself; the chain keeps what a field is called and which blob held it.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

T = TypeVar("T")
# Anything that a document, a model or a person said. The chain keeps the rest.
Content = Annotated[T, msgspec.Meta(extra={"content": True})]

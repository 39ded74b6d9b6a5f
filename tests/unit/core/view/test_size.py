"""A view's size is that of its JSON, in bytes and not in characters."""

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.exchange import HostNote, View
from counterfoil.core.view.size import json_bytes, view_bytes


def test_bytes_are_counted_and_not_characters() -> None:
    one, other = (View("research", "", Contract(q), TimeAnchor("2025-03-31"), "research") for q in ("a", "東"))
    assert view_bytes(other) == view_bytes(one) + 2
    assert json_bytes(HostNote("é")) == json_bytes(HostNote("e")) + 1

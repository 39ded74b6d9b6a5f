from __future__ import annotations

import pytest

from counterfoil.core.answer.reference_list import find_references


@pytest.mark.parametrize(
    ("draft", "entries"),
    [
        ("A [1].\n\n## References\n1. One\n2. Two\n   goes on\n", {"1": "One", "2": "Two goes on"}),
        ("A [1].\n\n**Sources:**\n- [1] One\n- [2] Two\n", {"1": "One", "2": "Two"}),
        ("A [1].\n\nQuellen\n\n1) Eins\n", {"1": "Eins"}),
        ("A.\n\n# Sources\n- One\n- Two\n\n# Next\nB", {"1": "One", "2": "Two"}),
        ("A[^1].\n\n[^1]: A note\n   goes on.\n\nB", {"1": "A note\n   goes on."}),
        ("A [1].\n\n[1]: https://a.example/x.pdf\n", {"1": "https://a.example/x.pdf"}),
        ("A [1] and [2].\n\n[1] One\n[2] Two\n", {"1": "One", "2": "Two"}),
        ("A [E1].\n\n## Quotes\n\n**E1** T (a.pdf, page 3)\n\n> words\n\n## Receipt\n\n- chain head: `x`", {
            "E1": "T (a.pdf, page 3) > words", "1": "chain head: `x`",
        }),
    ],
)  # fmt: skip
def test_lists_of_sources_are_found(draft: str, entries: dict[str, str]) -> None:
    assert {entry.id: entry.text for entry in find_references(draft).entries} == entries


@pytest.mark.parametrize(
    "draft",
    ["Sources\n\nof revenue grew.", "1. First we look.\n2. Then we count.", "## Quotes\n\n> Not a list of sources", ""],
)
def test_other_text_is_no_list_of_sources(draft: str) -> None:
    assert find_references(draft).spans == ()

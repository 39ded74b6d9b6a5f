from __future__ import annotations

import pytest

from counterfoil.core.answer.links import find_links, unusable


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("[a](https://a.example/x_(y)) and ![b](c.png 'T')", ["https://a.example/x_(y)", "c.png"]),
        ("<https://a.example> https://b.example/x.", ["https://a.example", "https://b.example/x"]),
        ("[n]: javascript:alert(1)", ["javascript:alert(1)"]),
        ('<a href="data:text/html,x">y</a>', ["data:text/html,x"]),
        ("[]()", [""]),
        ("[E1] (no link) a](b", []),
    ],
)
def test_links_of_every_kind_are_found(body: str, targets: list[str]) -> None:
    assert [link.target for link in find_links(body)] == targets


@pytest.mark.parametrize(
    ("target", "bad"),
    [("https://a.example", False), ("a.pdf", False), ("#top", False), ("", True), ("http://", True),
     ("JavaScript:alert(1)", True), ("java\tscript:alert(1)", True), ("data:x", True), ("mailto:a@b.c", True)],
)  # fmt: skip
def test_targets_that_nobody_should_follow(target: str, bad: bool) -> None:
    assert bool(unusable(target)) is bad

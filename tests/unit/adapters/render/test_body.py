from __future__ import annotations

import re

import pytest

from counterfoil.adapters.render.body import render_body


def test_marks_become_links_to_their_quotes() -> None:
    html = render_body("It costs $18 [E7].", {"E7": ("E7",)})
    assert re.search(r'<a [^>]*href="#E7"[^>]*>E7</a>', html)


def test_several_marks_in_one_bracket() -> None:
    html = render_body("Both [E7, E12; C1].", {"E7": ("E7",), "C1": ("C1",)})
    assert [mark for mark in ("#E7", "#E12", "#C1") if f'href="{mark}"' in html] == ["#E7", "#C1"]
    assert ">E12</span>" in html


@pytest.mark.parametrize("text", ["All [E7-E9].", "All 【E7–E9】.", "All [E7、E8, E9]."])
def test_marks_are_read_as_the_checks_read_them(text: str) -> None:
    html = render_body(text, {mark: (mark,) for mark in ("E7", "E8", "E9")})
    assert re.findall(r'href="#(\w+)"', html) == ["E7", "E8", "E9"]


def test_a_fact_links_to_its_evidence() -> None:
    one = render_body("It costs $18 [F2].", {"F2": ("E7",)})
    assert re.search(r'<a [^>]*href="#E7"[^>]*>F2</a>', one)
    two = render_body("It costs $18 [F2].", {"F2": ("E7", "E8")})
    assert re.findall(r'href="#(\w+)"', two) == ["E7", "E8"]
    assert ">F2</span>" in two


@pytest.mark.parametrize("text", ["[E7](https://a.example)", "`[E7]`"])
def test_links_and_code_are_not_marks(text: str) -> None:
    assert 'class="cite"' not in render_body(text, {"E7": ("E7",)})


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=alert(1)>",
        "![x](http://tracker.example/p.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html,hi)",
        "<a href='javascript:x' onclick=y>z</a>",
        "<style>*{display:none}</style>",
        '[x](https://a.example "onmouseover=alert(1)")',
    ],
)
def test_hostile_markdown_is_harmless(hostile: str) -> None:
    html = render_body(hostile, {})
    for bad in ("<img", "<style", 'href="javascript', 'href="data', "<a onclick"):
        assert bad not in html


def test_tables_work() -> None:
    assert "<table>" in render_body("| a |\n|---|\n| 1 |", {})


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize(
    "text",
    [
        "[buy](https://shop.example)",
        "![x](https://shop.example)",
        "<https://shop.example>",
        "[buy][x]\n\n[x]: https://shop.example",
        "[E7](https://shop.example)",
        "[buy](//shop.example)",
        "[mail](mailto:a@shop.example)",
    ],
)
def test_an_address_in_a_body_is_text(text: str) -> None:
    html = render_body(f"{text} costs $18 [E7].", {"E7": ("E7",)})
    assert set(re.findall(r'(?:href|src)="([^"]*)"', html)) <= {"#E7"}
    assert "shop.example" in html

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt
from tests.unit.adapters.render.papers import HEAD, full_paper, full_report

from counterfoil.adapters.render.markdown import render_markdown, text
from counterfoil.adapters.render.paper import Paper


@pytest.mark.req("UX-05")
def test_report_has_every_part() -> None:
    page = render_markdown(full_paper())
    for part in ("North: $18 [E3]", "## Evidence", "## Gaps", "## Quotes", "## Budget", "fares.pdf, page 2", HEAD):
        assert part in page


def test_document_text_opens_no_markup() -> None:
    page = render_markdown(full_paper())
    assert re.search(r"(?<!\\)<", page) is None  # every "<" is escaped
    assert "\x1b" not in page
    table = [line for line in page.splitlines() if line.startswith("| South")]
    assert len(table) == 2
    assert {len(re.split(r"(?<!\\)\|", line)) for line in table} == {9}  # a bar in a value opens no column


def test_text_is_shown_as_it_is() -> None:
    assert text("a|b *c* [d](e) `f` <g>\n# h") == r"a\|b \*c\* \[d\](e) \`f\` \<g\> \# h"


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize(
    "body",
    [
        "[buy](https://shop.example)",
        "![x](https://shop.example)",
        "<https://shop.example>",
        "[buy][x]\n\n[x]: https://shop.example",
        "[E7](https://shop.example)",
        r"\![x](https://shop.example)",
        r"\\[x](https://shop.example)",
    ],
)
def test_an_address_in_a_body_is_text(body: str) -> None:
    report = full_report()
    report["publication"]["body"] = body
    page = MarkdownIt("commonmark", {"html": False}).render(render_markdown(Paper(report=report)))
    assert re.findall(r'(?:href|src)="', page) == []
    assert "shop.example" in page

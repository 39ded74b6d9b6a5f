from __future__ import annotations

import re

import pytest
from tests.unit.adapters.render.papers import HEAD, full_paper

from counterfoil.adapters.render.markdown import render_markdown, text


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

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from tests.unit.adapters.render.papers import HEAD, full_paper, full_report

from counterfoil.adapters.render.html import render_html
from counterfoil.adapters.render.paper import PageContext, Paper


class Page(HTMLParser):
    """What a browser would see: tags, attributes, text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.fixture(name="html")
def html_fixture() -> str:
    return render_html(full_paper())


@pytest.fixture(name="page")
def page_fixture(html: str) -> Page:
    return Page(html)


def test_page_is_well_formed(page: Page) -> None:
    assert page.open == []
    identities = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(identities) == len(set(identities))


@pytest.mark.req("SEC-01")
def test_hostile_text_stays_text(html: str, page: Page) -> None:
    assert page.all("script") == []
    assert page.all("img") == []
    assert "\x1b" not in html
    assert "\u202e" not in html
    hrefs = [attrs.get("href") or "" for attrs in page.all("a")]
    assert [href for href in hrefs if href.lower().startswith(("javascript:", "data:"))] == []
    assert "<script>alert(1)</script>" in "".join(page.text)
    assert [name for _, attrs in page.tags for name in attrs if name.startswith("on") or name == "style"] == []


@pytest.mark.req("SEC-01")
def test_content_policy_allows_this_style_sheet_and_nothing_else(html: str, page: Page) -> None:
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style.group(1).encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style.group(1)
    assert "@import" not in style.group(1)


@pytest.mark.req("UX-05")
def test_every_citation_links_to_its_quote_on_the_page(page: Page) -> None:
    targets = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    links = [str(attrs["href"]) for attrs in page.all("a") if str(attrs.get("href")).startswith("#")]
    assert {"#E3", "#E11", "#C1"} <= set(links)
    assert [link for link in links if link[1:] not in targets] == []
    assert "#E99" not in links  # a mark without a quote is no link


def test_quote_stands_highlighted_in_its_page(html: str) -> None:
    expected = (
        'around">Buy it in the app.\n</span><mark>The three-day pass costs $18.</mark><span class="around"> It ends'
    )
    assert expected in html


def test_a_context_that_was_cut_shows_it_at_a_word() -> None:
    context = PageContext("ord before ", "the quote", " after wor", cut_before=True, cut_after=True)
    html = render_html(Paper(report=full_report(), contexts={"E3": context}))
    assert "… before " in html
    assert "after …" in html
    assert "wor …" not in html


def test_a_fact_in_the_body_leads_to_its_quote() -> None:
    report = full_report()
    report["evidence_table"][0]["fact"] = "F1"
    report["publication"]["body"] = "It costs $18 [F1]."
    assert re.search(r'<a [^>]*href="#E3"[^>]*>F1</a>', render_html(Paper(report=report)))


def test_table_row_shows_title_scale_column_and_label(html: str) -> None:
    card = html[html.index('id="E11"') :]
    for part in ("Fares", "in US dollars", "Price", "Three-day pass", "20.00", "page 2"):
        assert part in card


def test_page_says_what_a_reader_must_know(page: Page) -> None:
    text = " ".join(page.text)
    for part in (
        "extractive, no language model",
        "Complete, with gaps",
        "Where sources disagree",
        "South pass",
        "changed nothing",
        HEAD,
        "r1abc",
        "entry 1 + research 5 + finalize 1 = 7",
        "CITATION_NOT_SHOWN",
    ):
        assert part in text


def test_body_headings_stand_below_the_page_headings(page: Page) -> None:
    assert len(page.all("h1")) == 1


def test_run_without_publication_is_shown() -> None:
    report = {**full_report(), "publication": None, "status": "failed", "error": {"message": "no evidence was read"}}
    html = render_html(Paper(report=report))
    assert "no evidence was read" in html
    assert "There is no answer." in html


def test_report_of_the_host_is_labelled() -> None:
    report = full_report()
    report["publication"]["assembled_by"] = "host"
    assert "Assembled by the Host" in render_html(Paper(report=report))


def test_rendering_is_a_function() -> None:
    assert render_html(full_paper()) == render_html(full_paper())

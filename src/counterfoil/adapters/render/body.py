"""Owns turning an answer's Markdown into sanitised HTML with links from its ``[E7]`` marks to the quotes.

Never: raw HTML, images, scripts, or an attribute that the answer brought along.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from counterfoil.adapters.render.markup import Html
from counterfoil.adapters.render.plain import clean

_MARK = re.compile(r"\[([ECR]\d{1,8}(?:\s*[,;]\s*[ECR]\d{1,8})*)\](?!\()")
_ONE = re.compile(r"[ECR]\d{1,8}")
_TAGS = {
    "a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "span",
    "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_CLASSES = {"a": {"cite"}, "span": {"cite"}}
_HEADING_SHIFT = 2  # the page has an h1 and its sections an h2


def render_body(markdown: str, cited: Collection[str]) -> Html:
    """The body as HTML. Marks of evidence in ``cited`` become links to its quote, others stay visible text."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    parser.disable("image")
    parser.inline.ruler.before("link", "cite", _rule(cited))
    tokens = parser.parse(clean(markdown))
    _shift_headings(tokens)
    html = parser.renderer.render(tokens, parser.options, {})
    return Html(
        nh3.clean(
            html,
            tags=_TAGS,
            attributes={"a": {"href", "title"}, "ol": {"start"}, "span": {"title"}},
            allowed_classes=_CLASSES,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer nofollow",
        )
    )


def _rule(cited: Collection[str]):  # type: ignore[no-untyped-def]  # the parser's own type for it is private
    def cite(state: StateInline, silent: bool) -> bool:
        match = _MARK.match(state.src, state.pos)
        if match is None:
            return False
        if not silent:
            for mark in _ONE.findall(match.group(1)):
                _push(state, mark, linked=mark in cited)
        state.pos = match.end()
        return True

    return cite


def _push(state: StateInline, mark: str, *, linked: bool) -> None:
    name, attributes = ("a", {"href": f"#{mark}"}) if linked else ("span", {"title": "not among the quotes below"})
    opening = state.push(f"{'link' if linked else 'cite'}_open", name, 1)
    opening.attrs = {"class": "cite", **attributes}
    state.push("text", "", 0).content = mark
    state.push(f"{'link' if linked else 'cite'}_close", name, -1)


def _shift_headings(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADING_SHIFT)}"

"""Owns turning an answer's Markdown into sanitised HTML with links from its citation marks to the quotes.

Never: raw HTML, images, scripts, an attribute that the answer brought along, or a link of its own: what an answer
quotes may be a document's advertisement. An address is shown as the text that it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from counterfoil.adapters.render.markup import Html
from counterfoil.adapters.render.plain import clean
from counterfoil.core.text.marks import Mark, find_marks

_TAGS = {
    "a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "span",
    "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_CLASSES = {"a": {"cite"}, "span": {"cite"}}
_HEADING_SHIFT = 2  # the page has an h1 and its sections an h2


def render_body(markdown: str, targets: Mapping[str, Sequence[str]]) -> Html:
    """The body as HTML. ``targets`` says for a mark which quotes or sums on the page it leads to.

    A mark of one target links to it; a mark of several (a fact) is followed by them; others stay visible text.
    """
    parser = plain_parser()
    parser.inline.ruler.before("link", "cite", _rule(targets))
    return sanitised(rendered(parser, _square(clean(markdown))), _CLASSES)


def plain_parser() -> MarkdownIt:
    """A Markdown parser that makes no raw HTML, no image and no link."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    return parser.disable(["image", "link", "autolink", "reference"])


def rendered(parser: MarkdownIt, markdown: str) -> str:
    """Markdown as HTML whose headings fit below those of the page."""
    tokens = parser.parse(markdown)
    _shift_headings(tokens)
    return str(parser.renderer.render(tokens, parser.options, {}))


def sanitised(html: str, classes: Mapping[str, set[str]]) -> Html:
    """HTML with nothing but plain markup, places on this page, and the given classes by element."""
    return Html(
        nh3.clean(
            html,
            tags=_TAGS,
            attributes={"a": {"href", "title", "id"}, "ol": {"start"}, "span": {"title", "id"}},
            allowed_classes=dict(classes),
            url_schemes=set(),  # a place on the page has none
            link_rel=None,
        )
    )


def _square(markdown: str) -> str:
    """Marks in 【 】 with square brackets, where the parser stops to ask whether one begins."""
    out = list(markdown)
    for mark in find_marks(markdown):
        out[mark.start], out[mark.end - 1] = "[", "]"
    return "".join(out)


def _rule(targets: Mapping[str, Sequence[str]]):  # type: ignore[no-untyped-def]  # the parser's own type is private
    known: dict[str, dict[int, Mark]] = {}  # source → its marks by where they begin

    def cite(state: StateInline, silent: bool) -> bool:
        if state.src not in known:
            known.clear()
            known[state.src] = {mark.start: mark for mark in find_marks(state.src)}
        mark = known[state.src].get(state.pos)
        if mark is None or state.src[mark.end : mark.end + 1] == "(":
            return False
        if not silent:
            for cited in mark.ids:
                _push_all(state, cited, targets.get(cited, ()))
        state.pos = mark.end
        return True

    return cite


def _push_all(state: StateInline, cited: str, targets: Sequence[str]) -> None:
    if len(targets) == 1:
        _push(state, cited, targets[0])
        return
    _push(state, cited, None, "its quotes follow" if targets else "not among the quotes below")
    for target in targets:
        _push(state, target, target)


def _push(state: StateInline, shown: str, target: str | None, title: str = "") -> None:
    kind = "link" if target else "cite"
    name, attributes = ("a", {"href": f"#{target}"}) if target else ("span", {"title": title})
    opening = state.push(f"{kind}_open", name, 1)
    opening.attrs = {"class": "cite", **attributes}
    state.push("text", "", 0).content = shown
    state.push(f"{kind}_close", name, -1)


def _shift_headings(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADING_SHIFT)}"

"""Owns formulas that a question spells out: "X is defined as: 365 * (average a between FY1 and FY2) / (b + c)".

Never: formulas from data (``expressions`` parses those).
"""

from __future__ import annotations

import re

from counterfoil.researcher.expressions import Binary, Call, ExpressionError, Name, Node, parse, replace
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period, asked, without_periods
from counterfoil.researcher.words import NEUTRAL, content, fold

_DEFINED = re.compile(
    r"(?:define\s+)?(?:the\s+)?([\w&%/\- ]{2,60}?)(?:\s*\([^()]*\))?\s+(?:(?:is|are|as|can be|be|being)\s+)?"
    r"(?:(?:defined|calculated|computed)\s+(?:here\s+)?(?:as|by)(?:\s+follows)?|define\s+\w+\s+as|=)\s*:?\s*",
    re.IGNORECASE,
)
_DEFINE = re.compile(r"\bdefin(?:e|ing)\s+(?:the\s+)?([\w&%/\- ]{2,60}?)\s+as:?\s+", re.IGNORECASE)
_END = re.compile(r"[.?;](?=\s|$)")
_SIGNS = re.compile(
    r"\s[-–—−]\s|[+*×÷()]|\s/\s|/(?=\s*\()|(?<=\))\s*/|\bdivided by\b|\bover\b|\bplus\b|\bminus\b"
    r"|\bless\b|\btimes\b|\bmultiplied by\b"
)
_SIGN_OF = {
    "×": "*",
    "÷": "/",
    "divided by": "/",
    "over": "/",
    "plus": "+",
    "minus": "-",
    "less": "-",
    "times": "*",
    "multiplied by": "*",
}
_SIGN_OF |= {"–": "-", "—": "-", "−": "-"}
_NUMBER = re.compile(r"^\d+(?:\.\d+)?$")


def definitions(question: str) -> list[tuple[str, str]]:
    """Return (name, formula text) for every quantity that ``question`` defines, in order."""
    found: list[tuple[str, str]] = []
    for pattern in (_DEFINED, _DEFINE):
        for match in pattern.finditer(question):
            rest = question[match.end() :]
            end = _END.search(rest)
            body = re.sub(r"\[[^\]]*\]", " ", rest[: end.start()] if end else rest)
            name = re.split(r"[.?:;,]\s", match.group(1))[-1].strip()
            if body.strip() and not any(body.strip() == known for _, known in found):
                found.append((name, body.strip()))
        if found:
            break
    return found


def strip_definitions(question: str) -> str:
    """Return ``question`` without the sentences that define something."""
    sentences = re.split(r"(?<=[.?!])\s+", question)
    return " ".join(s for s in sentences if not (_DEFINED.search(s) or _DEFINE.search(s)) or s.endswith("?"))


def parse_definition(text: str, lexicon: Lexicon, known: dict[str, Node]) -> Node:
    """Parse a formula written in words; raise ``ExpressionError`` when a part names nothing known.

    ``known`` are quantities defined elsewhere in the question, by folded name.
    """
    leaves: list[str] = []
    out: list[str] = []
    at = 0
    folded = fold(text)
    for match in _SIGNS.finditer(folded):
        _emit(folded[at : match.start()], leaves, out)
        sign = match.group().strip()
        out.append(_SIGN_OF.get(sign, sign))
        at = match.end()
    _emit(folded[at:], leaves, out)
    return parse(" ".join(out), lambda token: leaf(leaves[int(token[1:])], lexicon, known))


def _emit(piece: str, leaves: list[str], out: list[str]) -> None:
    text = piece.strip(" ,:.")
    if not text:
        return
    if _NUMBER.match(text):
        out.append(text)
        return
    if text == "average" or text.endswith("of"):  # "average (a + b)" has no grammar here
        raise ExpressionError(text)
    leaves.append(text)
    out.append(f"L{len(leaves) - 1}")


def leaf(text: str, lexicon: Lexicon, known: dict[str, Node]) -> Node:
    """Read one operand in words: "average accounts payable between FY2016 and FY2017"."""
    periods = asked(text)
    bare = without_periods(text)
    averaged = re.search(r"\baverage\b|\bavg\b|\bmean\b", bare) is not None
    changed = re.search(r"\b(?:change|increase|decrease) in\b", bare) is not None
    bare = re.sub(
        r"\b(?:average|avg|mean|(?:change|increase|decrease) in|between|and$|^from|year end|total amount of)\b",
        " ",
        bare,
    ).strip()
    node = _named(bare, lexicon, known)
    if averaged:
        return Call("mean", tuple(_at(node, p) for p in periods)) if len(periods) > 1 else Call("avg", (node,))
    if changed:
        if len(periods) == 2:
            first, last = sorted(periods, key=lambda p: (p.year, p.quarter or 0))
            return Binary("-", _at(node, last), _at(node, first))
        return Binary("-", node, Call("prev", (node,)))
    return _at(node, periods[0]) if periods else node


def _named(text: str, lexicon: Lexicon, known: dict[str, Node]) -> Node:
    for name, node in known.items():
        if content(name) and content(name) == content(text):
            return node
    found = lexicon.metrics(text)
    if len(found) > 1:  # "cash flow from operations (CFO)": the same thing twice
        found = [found[0]] if len({m.name for m in found}) == 1 else found
    if len(found) != 1:
        raise ExpressionError(text)
    covered = [word for mention in lexicon.mentions(text) for word in mention.phrase.split(" ")]
    left = [word for word in content(text) if word not in covered and word not in NEUTRAL]
    if left:
        raise ExpressionError(text)
    mention = found[0]
    if mention.kind == "formula":
        return parse(lexicon.formulas[mention.name].expression)
    return Name(mention.name)


def _at(node: Node, period: Period) -> Node:
    return replace(node, node.name, Name(node.name, period)) if isinstance(node, Name) else node

"""Owns what a question wants computed: a tree over named quantities, with the unit of its value.

Never: values, and no definition of its own: each comes from the question or from the vocabulary.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import msgspec

from counterfoil.researcher.definitions import definitions, parse_definition, strip_definitions
from counterfoil.researcher.expressions import Binary, Call, ExpressionError, Name, Node, Number, operands, parse
from counterfoil.researcher.metrics import Lexicon, Mention, phrase_words
from counterfoil.researcher.periods import Period, asked
from counterfoil.researcher.words import fold


class Target(msgspec.Struct, frozen=True):
    """A way to answer: ``node`` over the vocabulary's names. ``kind`` is a ValueKind of the vocabulary."""

    label: str
    node: Node
    kind: str = "money"
    formula: bool = False  # computed rather than looked up
    defined: bool = False  # the question itself defines it
    points: bool = False  # a difference of percentages
    cash: bool = False  # a single amount paid out
    sources: tuple[str, ...] = ()  # the terms and formulas of the vocabulary that the words name

    @property
    def percent(self) -> bool:
        """Say whether the tree's plain ratio is to be shown times one hundred."""
        return self.kind == "percent" and self.formula


_PERCENT = re.compile(r"%|\bpercent|\bas a share\b")
_CHANGE = re.compile(
    r"year[- ]over[- ]year|\byoy\b|\bgrowth\b|\bgr[eo]w\w*\b|%\s*change|percent(?:age)? (?:change"
    r"|increase|decrease)|\bchange in\b|\b(?:change|increase|decrease)d?\b|\bby (?:how much|what"
    r"|how many)\b|\bhow much (?:did|has|have)\b.*\b(?:declin|drop|f[ae]ll|r[io]se|grow|improv)"
)
_AVERAGE = re.compile(r"\b(?:(\d+|two|three|four|five)[- ]year )?(?:average|mean)\b")
_CAGR = re.compile(r"\bcagr\b|compound annual")
_LEVEL_CHANGE = re.compile(r"chang|increase|decrease|declin|drop|f[ae]ll|r[io]se|improv|by (?:how much|what|how many)")
#: "what was it, and how did it change": the values themselves are asked for
BOTH = re.compile(r"\bhow (?:did|has|does) (?:it|that|this|they)\b(?!')[^?]{0,40}\b(?:chang|compar|differ)")
_MARGIN = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:%|percent)?\s*margins?\b")
_OTHER = re.compile(r"\s*(?:\([^()]*\)\s*)?(less|minus|plus|divided by|to|as an? (?:%|percent(?:age)?) of)\s+")
_SIGNS = {"less": "-", "minus": "-", "plus": "+"}
_YEARS_OF = re.compile(r"\b(\d|two|three|four|five|six|seven|ten)[- ]years?\b")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_COMBINE = re.compile(r"\b(less|minus|plus)\b")


def targets(question: str, plain: str, lexicon: Lexicon, *, changes: bool) -> tuple[Target, ...]:
    """Return the ways to answer, best first; empty when no quantity is named that can be computed.

    ``changes`` says whether "change in x" wants the change as a figure.
    """
    bare = _without_asides(strip_definitions(plain), lexicon)
    defined = _defined(question, lexicon)
    if defined:
        around = _around(defined[0], bare, lexicon)
        if around is not None or not _part_only(defined, bare, lexicon):
            goal = around or defined[0]
            undated = not any(operand.period for operand in operands(goal.node, None))
            return (_over_time(goal, fold(bare), _periods(bare)) if undated and changes else goal,)
    elif defined is not None:
        return ()
    found = lexicon.metrics(bare)
    if not found:
        return ()
    goals = _combined(bare, found, lexicon) or _margins(bare, found, lexicon) or _single(found, lexicon)
    periods = _periods(bare)
    if _CAGR.search(fold(bare)):
        return tuple(made for goal in goals if (made := _compound(goal, fold(bare), periods)) is not None)
    part = _part_of_year(fold(bare), goals[0], periods)
    if part is not None:
        return (part,)
    changes = changes and not BOTH.search(fold(bare))
    goals = list(dict.fromkeys(_over_time(goal, fold(bare), periods) if changes else goal for goal in goals))
    if _PERCENT.search(fold(bare)) and all(goal.kind == "money" for goal in goals):
        return ()  # a share of something, and of what was not understood
    return tuple(goals)


def _without_asides(text: str, lexicon: Lexicon) -> str:
    """Drop brackets that only name again what stands outside: "operating cash flow (cash from operations)"."""
    outside = {m.name for m in lexicon.metrics(re.sub(r"\([^()]*\)", " ", text))}

    def keep(match: re.Match[str]) -> str:
        inside = {m.name for m in lexicon.metrics(match[0])}
        return " " if inside and inside <= outside else match[0]

    return re.sub(r"\([^()]*\)", keep, text)


def _periods(text: str) -> list[Period]:
    return sorted(set(asked(text)), key=lambda p: (p.year, p.quarter or 0))


def _compound(goal: Target, text: str, periods: list[Period]) -> Target | None:
    """Read "two year CAGR of x": the root of last over first, less one."""
    said = _YEARS_OF.search(text)
    spread = periods[-1].year - periods[0].year if periods else 0
    years = spread or (_COUNTS.get(said[1]) or int(said[1]) if said else 0)
    if years < 1:
        return None
    earlier = goal.node
    for _ in range(years):
        earlier = Call("prev", (earlier,))
    grown = Call("root", (Binary("/", goal.node, earlier), Number(str(years))))
    node = Binary("-", grown, Number("1"))
    label = f"{years} year compound annual growth of {goal.label}"
    return msgspec.structs.replace(goal, label=label, node=node, kind="percent", formula=True)


def _margin_base(lexicon: Lexicon) -> str | None:
    """Return what the vocabulary's own margins are taken of."""
    bases: Counter[str] = Counter()
    for formula in lexicon.formulas.values():
        node = parse(formula.expression)
        if formula.name.endswith("margin") and isinstance(node, Binary) and isinstance(node.right, Name):
            bases[node.right.name] += 1
    return bases.most_common(1)[0][0] if bases else None


def _over_base(goal: Target, lexicon: Lexicon) -> Target | None:
    base = _margin_base(lexicon)
    if base is None or not _amount(goal.node):
        return None
    return msgspec.structs.replace(
        goal,
        label=f"{goal.label} margin",
        node=Binary("/", goal.node, Name(base)),
        kind="percent",
        formula=True,
        cash=False,
        sources=(*goal.sources, base),
    )


def _margins(text: str, found: list[Mention], lexicon: Lexicon) -> list[Target] | None:
    """Read "x % margin" for an x whose margin has no name of its own."""
    if len(found) != 1 or found[0].kind != "term":
        return None
    after = phrase_words(text)[found[0].end : found[0].end + 2]
    if "margin" not in after or set(after[: after.index("margin")]) - {"percent", "%"}:
        return None
    made = _over_base(of_mention(found[0], lexicon), lexicon)
    return [made] if made is not None else None


def _around(defined: Target, bare: str, lexicon: Lexicon) -> Target | None:
    """Read what the question makes of a quantity that it defines: "X less y", "X % margin"."""
    text, label = fold(bare), fold(defined.label)
    at = text.find(label)
    if at < 0:
        return None
    tail = text[at + len(label) :]
    if _MARGIN.match(tail):
        return _over_base(defined, lexicon)
    joined = _OTHER.match(tail)
    other = lexicon.metrics(tail[joined.end() :]) if joined else []
    if joined is None or not other or other[0].start > 1:
        return None
    second = of_mention(other[0], lexicon)
    sign = _SIGNS.get(joined[1])
    if joined[1] == "to" and "ratio" not in tail:
        return None
    percent = joined[1].startswith("as")
    return msgspec.structs.replace(
        defined,
        label=f"{defined.label} {joined[1]} {second.label}",
        node=Binary(sign or "/", defined.node, second.node),
        kind="money" if sign and _amount(defined.node) else "percent" if percent else "ratio",
        sources=(*defined.sources, *second.sources),
    )


def _part_only(defined: tuple[Target, ...], bare: str, lexicon: Lexicon) -> bool:
    """Say whether the question defines only a part of what it asks for ("EBITDA" of "EBITDA less capex")."""
    goals = _combined(bare, lexicon.metrics(bare), lexicon)
    return (
        bool(defined)
        and goals is not None
        and len(goals[0].sources) > 1
        and len(lexicon.metrics(defined[0].label)) == 1
    )


def _defined(question: str, lexicon: Lexicon) -> tuple[Target, ...] | None:
    """Read the question's own definitions; () when there are some that cannot be read."""
    found = definitions(question)
    if not found:
        return None
    known: dict[str, Node] = {}
    for name, body in reversed(found):
        try:
            known[fold(name)] = parse_definition(body, lexicon, known)
        except ExpressionError:
            return ()
    label = found[0][0]
    percent = _PERCENT.search(fold(strip_definitions(question))) is not None
    node = known[fold(label)]
    kind = "percent" if percent else _kind(label, node, lexicon)
    return (Target(label, node, kind, formula=True, defined=True),)


def _kind(label: str, node: Node, lexicon: Lexicon) -> str:
    named = lexicon.metrics(label)
    if len(named) == 1 and named[0].kind == "formula":
        kind = lexicon.kind_of(named[0].name)
        return "ratio" if kind == "percent" else kind
    return "money" if _amount(node) else "ratio"


def _amount(node: Node) -> bool:
    """Say whether a tree only adds and subtracts quantities, so that its value keeps their unit."""
    if isinstance(node, Name):
        return True
    if isinstance(node, Call):
        return all(_amount(a) for a in node.arguments)
    return isinstance(node, Binary) and node.sign in "+-" and _amount(node.left) and _amount(node.right)


def of_mention(mention: Mention, lexicon: Lexicon) -> Target:
    """Return the target that one mention names."""
    if mention.kind == "formula":
        formula = lexicon.formulas[mention.name]
        return Target(formula.name, parse(formula.expression), formula.kind, formula=True, sources=(formula.name,))
    term = lexicon.terms[mention.name]
    return Target(term.name, Name(term.name), term.kind, cash=term.outflow, sources=(term.name,))


def _single(found: list[Mention], lexicon: Lexicon) -> list[Target]:
    """The first metric named, and what else the same phrase means; what is stated comes before what is computed."""
    best = max(found, key=lambda m: (m.kind == "formula", m.end - m.start, -m.start))
    if best.kind != "formula":
        best = found[0]
    options = [of_mention(best, lexicon)]
    for name in lexicon.same_phrase(best):
        kind = "term" if name in lexicon.terms else "formula"
        options.append(of_mention(Mention(kind, name, best.start, best.end, best.phrase), lexicon))  # type: ignore[arg-type]
    if best.kind == "term" and best.name in lexicon.formulas:
        options.append(of_mention(Mention("formula", best.name, best.start, best.end, best.phrase), lexicon))
    return sorted(options, key=lambda t: t.formula)


def _combined(text: str, found: list[Mention], lexicon: Lexicon) -> list[Target] | None:
    """Read "a as a % of b", "a less b": two quantities with a connection between them."""
    have = phrase_words(text)
    for first, second in pairwise(found):
        between = " ".join(have[first.end : second.start])
        if second.start - first.end > 6:
            continue
        one, two = of_mention(first, lexicon), of_mention(second, lexicon)
        label = f"{first.phrase} {{}} {second.phrase}"
        if re.search(r"\bas (?:an? )?(?:percent\w*|shar|proportion|fraction) of\b", between):
            node = Binary("/", one.node, two.node)
            return [Target(label.format("as % of"), node, "percent", formula=True, sources=one.sources + two.sources)]
        sign = _COMBINE.fullmatch(between)
        if sign and one.kind == two.kind == "money":
            node = Binary("+" if sign.group() == "plus" else "-", one.node, two.node)
            return [Target(label.format(sign.group()), node, "money", formula=True, sources=one.sources + two.sources)]
        if re.fullmatch(r"to|divided by|divid by|/", between) and "ratio" in have[second.end : second.end + 2]:
            return [
                Target(
                    label.format("to"),
                    Binary("/", one.node, two.node),
                    "ratio",
                    formula=True,
                    sources=one.sources + two.sources,
                )
            ]
    return None


def _over_time(goal: Target, text: str, periods: list[Period]) -> Target:
    """Turn a quantity into its average or its change when the question asks for that."""
    average = _AVERAGE.search(text)
    years = [p for p in periods if p.quarter is None]
    if average and len(years) > 1 and "average" not in goal.label:
        node = Call("mean", tuple(_shifted(goal.node, years[-1], p) for p in years))
        return msgspec.structs.replace(goal, label=f"average {goal.label}", node=node, formula=True)
    if "growth" in goal.label or not _CHANGE.search(text):
        return goal
    if goal.kind == "percent" and not goal.formula and not _LEVEL_CHANGE.search(text):
        return goal  # "growth" names the percentage itself
    return _change(goal, text, periods)


def _part_of_year(text: str, goal: Target, periods: list[Period]) -> Target | None:
    """Read "what percent of x for FY2023 occurred in Q4 of FY2023"."""
    parts = [p for p in periods if p.quarter or p.half]
    whole = [p for p in periods if not (p.quarter or p.half)]
    if len(parts) != 1 or len(whole) != 1 or whole[0].year != parts[0].year or not isinstance(goal.node, Name):
        return None
    if not re.search(r"(?:percent(?:age)?|%|share|proportion|portion) of\b", text):
        return None
    node = Binary("/", Name(goal.node.name, parts[0]), Name(goal.node.name, whole[0]))
    return Target(
        f"{goal.label}, {parts[0].text} as % of {whole[0].text}", node, "percent", formula=True, sources=goal.sources
    )


def _shifted(node: Node, last: Period, to: Period) -> Node:
    for _ in range(last.year - to.year):
        node = Call("prev", (node,))
    return node


def _change(goal: Target, text: str, periods: list[Period]) -> Target:
    """The change from the first to the last period named, or from the year before."""
    steps = periods[-1].year - periods[0].year if len(periods) > 1 else 1
    if steps < 1:
        return goal
    earlier = goal.node
    for _ in range(steps):
        earlier = Call("prev", (earlier,))
    difference = Binary("-", goal.node, earlier)
    label = f"change in {goal.label}"
    if goal.kind in ("percent", "ratio"):
        return msgspec.structs.replace(goal, label=label, node=difference, formula=True, points=goal.kind == "percent")
    if _PERCENT.search(text) or re.search(r"growth|year[- ]over[- ]year|\byoy\b|grow", text):
        return msgspec.structs.replace(
            goal, label=label, node=Binary("/", difference, earlier), kind="percent", formula=True
        )
    return msgspec.structs.replace(goal, label=label, node=difference, formula=True)

"""Owns the calculations that a sentence names: difference, change, share, ratio, sum, average, product, arithmetic.

Never: trying pairs until one fits. The operands stand in the sentence, or in one row over the stated periods.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.nouns import unit_class
from counterfoil.core.answer.operands import Operand, Result, operand_of, ordered, result_of
from counterfoil.core.text.measures import dimension
from counterfoil.core.text.periods import Period, find_periods, years_named
from counterfoil.core.text.quantities import Quantity
from counterfoil.core.text.stems import stems
from counterfoil.core.text.units import is_currency

_SUM = re.compile(
    r"\b(?:total\w*|sum|together|combined|altogether|in all|adds? up|zusammen|insgesamt|summe|gesamt\w*"
    r"|au total|somme|ensemble)\b|合计|共计|总计|合計",
    re.IGNORECASE,
)
_AVERAGE = re.compile(r"\b(?:average\w*|mean|durchschnitt\w*|im schnitt|mittel|moyenne)\b|平均", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:of|share|portion|proportion|accounts? for|represent\w*|anteil|entspr\w*|soit|part)\b|占|占比|割合",
    re.IGNORECASE,
)
_RATIO = re.compile(r"\s*(?:times|x\b|-?fold|fach|mal\b|fois|倍|:\s?1)|\s*to one", re.IGNORECASE)
_POINTS_WORD = re.compile(r"[\s-]?points?\b", re.IGNORECASE)  # of percentages beside them; alone, points are scored
_SHARE_BEHIND = re.compile(r"\s*(?:of|der|des|von|du|de la|de|del)\s+((?:[^\W\d_]+[\s-]*){1,6})", re.IGNORECASE)
_RATIO_WORD = re.compile(r"\b(?:ratio|multiple|verhältnis|rapport)\b|比率|倍率", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\b(?:differ\w*|difference|gap|more|less|fewer|longer|shorter|cheaper|dearer|higher|lower|spread"
    r"|change\w*|margin|made|profit"
    r"|gain\w*|lost|gagn\w*|perd\w*|sav(?:e|es|ed|ing|ings)|extra|apart|ahead|behind|above|below|exceed\w*|overrun\w*"
    r"|short(?:en\w*|fall\w*)|not|remain\w*|left|leav\w*|unterschied|differenz|mehr|weniger|übersteig\w*|spar\w*|nicht"
    r"|écart|différence|de plus|de moins|dépass\w*)\b"
    r"|差|多|少",
    re.IGNORECASE,
)
_GROWTH = re.compile(
    r"\b(?:change\w*|growth|cagr|veränder\w*|variation|évolution)\b|变化|増減|同比|前期比", re.IGNORECASE
)
_EACH = re.compile(
    r"\b(?:each|apiece|a piece|per|a (?:day|night|ride|month|week|year|ticket)|je|pro|chacun\w*|par)\b", re.IGNORECASE
)
_PER = re.compile(r"\s*(?:per|a|each|/)\s*(?P<unit>day|night|week|month|year|hour)\b", re.IGNORECASE)
COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "twice": 2, "thrice": 3, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8,
    "neuf": 9, "dix": 10, "douze": 12,
}  # fmt: skip
_BRACKET = re.compile(r"[^()（）\d]{0,60}[(（](?P<inside>[^()（）]*)[)）]")
_PART_OF = re.compile(
    r"(?:%|percent|per cent|prozent|pour cent|por ciento)\s*(?:of|der|des|von|du|de|d['’])\s*"
    r"(?:(?:the|all|its|their|los|las|les|den|unserer|ihrer)\s+)?$",
    re.IGNORECASE,
)
COUNT = re.compile(rf"(?<!\w)(?:{'|'.join(COUNTS)})(?=[\s-])", re.IGNORECASE)
_SO_MANY_OF = re.compile(  # "twelve new turbines of 6 MW"
    rf"(?<!\w)(?:{'|'.join(COUNTS)})(?:\s[^\W\d_]+){{1,3}}\s(?:of|at|with|zu|mit|à|de)\s$", re.IGNORECASE
)
_NEAR = 60  # characters that are looked back from a number
_OPERATORS = {
    "+": "+",
    "-": "-",
    "−": "-",
    "–": "-",
    "×": "*",
    "x": "*",
    "*": "*",
    "·": "*",
    "/": "/",
    "÷": "/",
    "times": "*",
    "minus": "-",
    "plus": "+",
    "divided by": "/",
    "less": "-",
}
_OPERATOR = re.compile(r"\s*([-+−–×x*·/÷]|times|minus|plus|less|divided by)\s*(?:the\s+)?", re.IGNORECASE)
_EQUALS = re.compile(r"\s*(?:=|≈|equals|is|ergibt|soit)\s*", re.IGNORECASE)
_RATIO_OF_TWO = re.compile(r"/ \{")  # a number over a constant keeps its unit
CONSTANTS = frozenset(Decimal(n) for n in (2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 100, 360, 365, 1000))


def in_sentence(written: Quantity, said: Beside, text: str, operands: Sequence[Operand]) -> Iterator[Result]:
    """What the operations that the sentence names give, over the figures of its own clause that are bound."""
    near = [o for o in operands if o.said.clause == said.clause]
    written = as_points(written, text, operands)
    percents = [o for o in near if o.kind == "percent"]
    plain = [o for o in near if o.kind != "percent"]
    if len(percents) + len(plain) < 2 or (written.unit not in _POINTS and len(plain) < 2):
        percents = [o for o in operands if o.kind == "percent"]
        plain = [o for o in operands if o.kind != "percent"]
    if written.unit in _POINTS:
        yield from _percentages(written, said, text, plain, percents)
        return
    alike = [o for o in plain if written.unit is None or o.unit is None or o.kind == unit_class(written.unit)]
    ratio = _pair(written, operands) if written.unit is None else None
    if ratio and (_RATIO.match(text, written.end) or _RATIO_WORD.search(text)):
        yield from _some(result_of("{0} / {1}", sorted(ratio, key=lambda o: o.start), None))
    pair = _pair(written, alike)
    unit = alike[0].unit if alike else None
    if len(alike) > 1 and _SUM.search(text):
        yield from _some(result_of(" + ".join(f"{{{i}}}" for i in range(len(alike))), alike, unit))
    if len(alike) > 1 and _AVERAGE.search(text):
        yield from _some(result_of(f"avg({', '.join(f'{{{i}}}' for i in range(len(alike)))})", alike, unit))
    if pair and names_change(written, said, text, pair):
        yield from _some(result_of("{1} - {0}", ordered(*pair), unit, change=True))
    yield from _part(written, text, operands)
    yield from _product(written, text, alike)
    yield from _shared_out(written, text, alike)


_POINTS = ("percent", "points", "bps")


def _some(result: Result | None) -> Iterator[Result]:
    if result is not None:
        yield result


def _percentages(
    written: Quantity, said: Beside, text: str, plain: Sequence[Operand], percents: Sequence[Operand]
) -> Iterator[Result]:
    pair = _pair(written, percents)
    if pair and (said.direction or written.unit != "percent" or _DIFFERENCE.search(text)):
        formula = "({1} - {0}) * 100" if written.unit == "bps" else "{1} - {0}"
        called = written.unit == "percent"
        unit = "points" if called else written.unit
        yield from _some(result_of(formula, ordered(*pair), unit, change=True, points=called))
    if len(percents) > 1 and _SUM.search(text) and written.unit == "percent":
        yield from _some(result_of(" + ".join(f"{{{i}}}" for i in range(len(percents))), percents, "percent"))
    if len(percents) > 1 and _AVERAGE.search(text):
        yield from _some(result_of(f"avg({', '.join(f'{{{i}}}' for i in range(len(percents)))})", percents, "percent"))
    pair = _pair(written, plain) if written.unit == "percent" else None
    if pair is None:
        return
    if said.direction or _GROWTH.search(text) or _compared_behind(written, text, pair):
        yield from _some(result_of("({1} - {0}) / abs({0}) * 100", ordered(*pair), "percent", change=True))
    if _SHARE.search(text):
        part, whole = sorted(pair, key=lambda o: o.start)
        if _PART_OF.search(text[max(0, part.start - _NEAR) : part.start]):  # "21% of the 1,480 trucks (310)"
            part, whole = whole, part
        yield from _some(result_of("{0} / {1} * 100", [part, whole], "percent"))


def as_points(written: Quantity, text: str, operands: Sequence[Operand]) -> Quantity:
    """A bare number of "points" beside percentages is one of percentage points; alone, points are scored."""
    beside_percent = any(o.kind == "percent" for o in operands)
    if written.unit is None and beside_percent and _POINTS_WORD.match(text, written.end):
        return msgspec.structs.replace(written, unit="points")
    return written


def names_change(written: Quantity, said: Beside, text: str, operands: Sequence[Operand]) -> bool:
    """Whether the words say that a figure is what two others differ by."""
    behind = len(operands) == 2 and _compared_behind(written, text, operands)
    return bool(said.direction) or behind or _DIFFERENCE.search(text) is not None


def _compared_behind(written: Quantity, text: str, operands: Sequence[Operand]) -> bool:
    """ "The overrun was 50% ($412 against $275)": the brackets behind the figure hold both others."""
    bracket = _BRACKET.match(text, written.end)
    return bracket is not None and all(bracket.start("inside") <= o.start < bracket.end() for o in operands)


def _part(written: Quantity, text: str, operands: Sequence[Operand]) -> Iterator[Result]:
    """ "38% of the 14,206 employees, about 5,400 people": the share times the whole behind its "of"."""
    for whole in operands:
        share = max((o for o in operands if o.start < whole.start), key=lambda o: o.start, default=None)
        if (
            share is not None
            and share.unit == "percent"
            and _PART_OF.search(text[max(0, whole.start - _NEAR) : whole.start])
        ):
            unit = whole.unit if whole.kind == "money" or dimension(whole.unit) else None
            yield from _some(result_of("{0} / 100 * {1}", [share, whole], unit))


def _pair(written: Quantity, operands: Sequence[Operand]) -> tuple[Operand, Operand] | None:
    """The two figures that an operation of two takes: a from and a to, the only two, else the two closest."""
    counted = [o for o in operands if not o.said.limit]  # the 60 of "people over 60" says who is counted
    operands = counted if len(counted) > 1 else operands
    bases = [o for o in operands if o.said.role == "base"]
    levels = [o for o in operands if o.said.role == "level"]
    if len(bases) == 1 and len(levels) == 1 and bases[0].kind == levels[0].kind:
        low, high = sorted((bases[0].start, levels[0].start))
        if not any(low < o.start < high for o in operands):
            return bases[0], levels[0]
    close = sorted(operands, key=lambda o: abs(o.start - written.start))[:2]
    return (close[0], close[1]) if len(close) == 2 and None is not close[0] and close[0].kind == close[1].kind else None


def _product(written: Quantity, text: str, operands: Sequence[Operand]) -> Iterator[Result]:
    """ "Two singles at £14.00 each cost £28.00": one count in words times one price."""
    counts = {COUNTS[m[0].casefold()] for m in COUNT.finditer(text)}
    before = [o for o in operands if o.start < written.start] or list(operands)
    each = _EACH.search(text) or (
        before and _SO_MANY_OF.search(text[max(0, before[-1].start - _NEAR) : before[-1].start])
    )
    if len(counts) == 1 and before and each:
        yield from _some(result_of(f"{counts.pop()} * {{0}}", [before[-1]], before[-1].unit))


def _shared_out(written: Quantity, text: str, operands: Sequence[Operand]) -> Iterator[Result]:
    """ "The $18 pass works out at $6 per day over three days": the price before over the spans that are counted."""
    per = _PER.match(text, written.end)
    before = [o for o in operands if o.start < written.start]
    if per is None or not before or not is_currency(written.unit):
        return
    spans = re.compile(rf"(?<![\w.])(\d{{1,3}}|{'|'.join(COUNTS)})[\s-]{re.escape(per['unit'])}s?\b", re.IGNORECASE)
    counts = {COUNTS.get(m[1].casefold()) or int(m[1]) for m in spans.finditer(text)} - {0, 1}
    if len(counts) == 1:
        yield from _some(result_of(f"{{0}} / {counts.pop()}", [before[-1]], before[-1].unit))


def spelled_out(
    index: int, quantities: Sequence[Quantity], text: str, operand: Callable[[int], Operand | None]
) -> tuple[Result, frozenset[int]] | None:
    """The result of arithmetic beside a figure, "12 × $1.99 = $23.88" or "$45 (3 × $15)", and its constants."""
    run = _run_before(index, quantities, text) or _run_behind(index, quantities, text)
    if not run:
        return None
    operands: list[Operand] = []
    formula, constants = "", set()
    for i, operator in run:
        found = operand(i)
        spans = found is None or dimension(found.unit) in ("time", "calendar")  # the 3 of "three days"
        if spans and _is_count(quantities[i], operator, text):
            constants.add(i)
            formula += f"{operator}{format(quantities[i].value, 'f')}"
            continue
        if found is None:
            return None
        formula += f"{operator}{{{len(operands)}}}"
        operands.append(found)
    if not operands:
        return None
    units = [o.unit for o in operands if o.unit]
    unit = next((u for u in units if is_currency(u)), units[0] if units else None)  # "12 × $9": months of dollars
    percent = quantities[index].unit == "percent" and unit != "percent"
    result = result_of(
        f"({formula}) * 100" if percent else formula,
        operands,
        "percent" if percent else None if _RATIO_OF_TWO.search(formula) else unit,
    )
    return (result, frozenset(constants)) if result else None


def _is_count(quantity: Quantity, operator: str, text: str) -> bool:
    """A known constant or one that the text counts: bare, or spans that a price is shared out over ("$18 / 3 days")."""
    shared = operator.strip() == "/" and dimension(quantity.unit) in ("time", "calendar")
    told = any(COUNTS[m[0].casefold()] == quantity.value for m in COUNT.finditer(text))
    return (quantity.unit is None or shared) and (told or quantity.value in CONSTANTS)


def _run_before(index: int, quantities: Sequence[Quantity], text: str) -> list[tuple[int, str]]:
    if not index or not _EQUALS.fullmatch(text, quantities[index - 1].end, quantities[index].start):
        return []
    run: list[tuple[int, str]] = [(index - 1, "")]
    while run[0][0] > 0:
        i = run[0][0]
        sign = _OPERATOR.fullmatch(text, quantities[i - 1].end, quantities[i].start)
        if sign is None:
            break
        run[0] = (i, f" {_OPERATORS[sign[1].casefold()]} ")
        run.insert(0, (i - 1, ""))
    return run if len(run) > 1 else []


def _run_behind(index: int, quantities: Sequence[Quantity], text: str) -> list[tuple[int, str]]:
    following = index + 1
    if following >= len(quantities) or not re.fullmatch(
        r"(?:\s+[^\W\d_]+){0,4}\s*(?:\(|=|:)\s*",
        text[quantities[index].end : quantities[following].start],
    ):
        return []
    run: list[tuple[int, str]] = [(following, "")]
    while following + 1 < len(quantities):
        sign = _OPERATOR.fullmatch(text, quantities[following].end, quantities[following + 1].start)
        if sign is None:
            break
        following += 1
        run.append((following, f" {_OPERATORS[sign[1].casefold()]} "))
    return run if len(run) > 1 else []


def along_row(
    written: Quantity, said: Beside, text: str, cells: Sequence[Held], own: Callable[[Held], bool]
) -> Iterator[Result]:
    """What changes along one row over the stated periods; ``own`` tells the cells of the figure's own period."""
    dated = [c for c in cells if c.periods and c.periods[0].year]
    now = [c for c in dated if own(c)]
    if len(now) != 1:
        return
    span = now[0].periods[0]
    earlier = [c for c in dated if c.periods[0].months == span.months and _before(c.periods[0], span)]
    stated = [c for c in earlier if c.periods[0].year in years_named(text)]
    base = max(stated or earlier, key=lambda c: c.periods[0].year or 0, default=None)
    years = set(years_named(text))
    if len(years) > 1 and _AVERAGE.search(text):
        chosen = [operand_of(f"x{i}", c) for i, c in enumerate(dated) if c.periods[0].year in years]
        yield from _some(result_of(f"avg({', '.join(f'{{{i}}}' for i in range(len(chosen)))})", chosen, chosen[0].unit))
    if base is None or not (said.direction or _GROWTH.search(text) or _DIFFERENCE.search(text)):
        return
    yield from changes(written, operand_of("before", base), operand_of("now", now[0]))


def changes(written: Quantity, before: Operand, now: Operand) -> Iterator[Result]:
    """From one number to a later one, in what the figure is written in: points, percent, or the number's own unit."""
    pair = [before, now]
    sizes = "abs({1}) - abs({0})" if pair[0].value < 0 and pair[1].value < 0 else "{1} - {0}"
    kind = pair[0].kind
    if written.unit in _POINTS and kind == "percent":
        called = written.unit == "percent"
        formula = f"({sizes}) * 100" if written.unit == "bps" else sizes
        yield from _some(result_of(formula, pair, "points" if called else written.unit, change=True, points=called))
    elif written.unit == "percent":
        yield from _some(result_of(f"({sizes}) / abs({{0}}) * 100", pair, "percent", change=True))
    elif written.unit not in _POINTS:
        yield from _some(result_of(sizes, pair, pair[0].unit, change=True))


def share_of_rows(
    written: Quantity, said: Beside, text: str, rows: Sequence[Sequence[Held]], own: Callable[[Held], bool]
) -> Iterator[Result]:
    """ "Net income was 27% of revenue": the row that stands before the figure over the one that stands behind "of"."""
    behind = _SHARE_BEHIND.match(text, written.end)
    if written.unit != "percent" or behind is None:
        return
    pair = [_named_row(stems(said.lead), rows, own), _named_row(stems(behind[1]), rows, own)]
    if pair[0] is not None and pair[1] is not None and pair[0] is not pair[1]:
        operands = [operand_of("part", pair[0], sign=1), operand_of("whole", pair[1], sign=1)]
        yield from _some(result_of("{0} / {1} * 100", operands, "percent"))


def change_of(before: Result, now: Result, unit: str | None) -> Iterator[Result]:
    """From one result to a later one: in points for percentages (with a warning when called %), else as it is."""
    pair = [Operand(r.value, r.unit, r.formula, r.inputs) for r in (before, now)]
    if unit == "bps":
        yield from _some(result_of("({1} - {0}) * 100", pair, unit, change=True))
    elif before.unit == "percent":
        called = unit == "percent"
        yield from _some(result_of("{1} - {0}", pair, "points" if called else unit, change=True, points=called))
    else:
        yield from _some(result_of("{1} - {0}", pair, before.unit, change=True))


def _named_row(words: frozenset[str], rows: Sequence[Sequence[Held]], own: Callable[[Held], bool]) -> Held | None:
    """The one cell of the one row that the words name best."""
    ranked = sorted(rows, key=lambda cells: -named_by(words, cells[0]))
    scores = [named_by(words, cells[0]) for cells in ranked[:2]]
    if not scores or not scores[0] or (len(scores) > 1 and scores[0] == scores[1]):
        return None
    cells = [c for c in ranked[0] if own(c)]
    return cells[0] if len(cells) == 1 else None


def named_by(words: frozenset[str], held: Held) -> float:
    """How much of what names a number is among ``words``, 0 to 1."""
    return len(words & held.words) / len(held.words) if held.words else 0.0


def by_rate(written: Quantity, operands: Sequence[Operand], cited: Sequence[Held]) -> Iterator[Result]:
    """A price in another currency, by a rate that a cited passage states with its date ("1 EUR = 1.08 USD")."""
    for operand in operands:
        for one in cited:
            passage = one.source.passage.text if one.source else ""
            if one.amount.scaled != 1 or one.is_row or not find_periods(passage):
                continue
            same = [o for o in cited if o.citation == one.citation and o is not one and is_currency(o.amount.unit)]
            for other in same:
                units = (one.amount.unit, other.amount.unit)
                rate = operand_of("rate", other)
                if units == (operand.unit, written.unit):
                    yield from _some(result_of("{0} * {1}", [operand, rate], written.unit))
                elif units == (written.unit, operand.unit):
                    yield from _some(result_of("{0} / {1}", [operand, rate], written.unit))


def _before(period: Period, other: Period) -> bool:
    return (period.year or 0) < (other.year or 0) and (period.quarter or 0) == (other.quarter or 0)

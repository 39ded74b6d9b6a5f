"""Owns what a text says beside each of its numbers: words, period, direction, whether it is a loss.

The same reading is made of an answer and of the passages it cites, so that the two can be compared.
Never: which number is right.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.own_periods import owned
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.directions import Direction, Role, find_directions, more_behind, role_of
from counterfoil.core.text.limits import limit_before
from counterfoil.core.text.periods import Period, find_periods
from counterfoil.core.text.quantities import Quantity
from counterfoil.core.text.rates import rate_behind, rate_in
from counterfoil.core.text.relative import find_relative, is_earlier
from counterfoil.core.text.spelled import find_spelled
from counterfoil.core.text.stems import stems

NUMBERS_MAX = 200  # a sentence with more numbers is a dump, in which none has words of its own
AMOUNT_KINDS = ("money", "percent", "number")
# Where the words between two numbers part, strongest first.
_PARTINGS = (
    re.compile(
        r"[;；。]|(?<=[\d%])\.\s+(?=[A-ZÀ-Þ])|\b(?:while|whereas|but|although|though|während|aber|tandis que"
        r"|alors que|mais)\b|\s[—–]\s",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:ahead of|devant|por delante de|davanti a)\b", re.IGNORECASE),
    re.compile(r"[,，、()（）]|:\s", re.IGNORECASE),
    re.compile(
        r"\b(?:and|or|as [^\W\d_]+ as|against|versus|vs\.?|than|compared|und|oder|gegen|gegenüber|et|ou|contre"
        r"|y|o|e|frente)\b"
        r"|[和与及でと]|や",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:plus|with|mit|avec|con|nach|after|before|following|including|excluding|up from|down from|from|to)\b",
        re.IGNORECASE,
    ),
)
_POINTS = ",，、;；。()（）"
_ASIDE_END = re.compile(r"[^()（）]*[)）]")
_CLAUSE = re.compile(
    r"[;；。]|,\s+(?:and|but|while|whereas|und|et)\b|\b(?:while|whereas|but|während|tandis que|alors que)\b",
    re.IGNORECASE,
)
_LOSS = re.compile(
    r"\b(?:loss(?:es)?|deficits?|negative|shortfall|\w*fehlbetr\w*|\w*verlust\w*|\w*defizit\w*|jahresfehlbetrag|pertes?|pérdidas?"
    r"|perdita|perdite|déficits?|déficitaire|minus|perdi(?:ó|eron)|disavanzo)\b"
    r"|\bn[eé]gati[vf]|亏损|虧損|赤字|損失|损失",
    re.IGNORECASE,
)
_GAIN = re.compile(
    r"\b(?:(?<!gross )(?<!operating )profit|(?:net )?earnings|income|\w*gewinn|\w*überschuss|bénéfice|profit"
    r"|bénéfices|profits?|surplus(?:es)?|beneficios?|ganancias?|superávit|utile|utili|excédents?)\b|净利润|純利益|利益",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\s*(?:[-–—~～]|to|through|until|bis|à|and|und|et|y|of|de|von|至|から)\s*(?:(?:the|las|los|les|den)\s+)?",
    re.IGNORECASE,
)
_LIST = re.compile(rf"{_RANGE.pattern}|\s*[,、，]\s*(?:(?:and|und|et)\s+)?", re.IGNORECASE)  # dates named in one breath
_OPERATED = re.compile(r"[×*·÷+/]\s*$|(?<!\bn)(?<!\bn\s)=\s*$|\sx\s$", re.IGNORECASE)
_OPERATES = re.compile(r"\s*[×*·÷]|\s[+=/x]\s")
# "($9 against $19)", "(31 to 19)": an aside of nothing but two numbers that are compared.
_VERSUS = re.compile(
    r"\s*(?:[,;]|vs\.?|versus|against|compared (?:to|with)|from|to|instead of|not|(?:out )?of|after|before|von|sur"
    r"|gegen(?:über)?|statt|nach|contre|au lieu de|après|frente a|contra|rispetto a|[-–→/]|[比对])\s*",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[(（]\s*$")
_NEAR = 6  # characters between a bracket or sign and its number
_CLOSES = re.compile(r"\s*[)）]")
_SIZE = re.compile(r"[(（]\s*(?:n\s*=\s*)?$", re.IGNORECASE)  # "on placebo (n = 601)"
_WHOLE = re.compile(
    r"\s*(?:out of|of|von|der|des|sur|de|del|su)\s+"
    r"(?:(?:the|its|their|his|her|our|all|all the|den|ihren|seinen|les|los)\s+)?",
    re.IGNORECASE,
)
# What any price is said with; it names none.
PAYING = stems("cost pay paid charge priced kostet kosten zahlt zahlen bezahlt coûte coûtent cuesta cuestan")
_RELATION = re.compile(
    r"\s*\b(?:on|in|at|for|with|among|under|by|bei|im|in|auf|für|mit|pour|avec|chez|dans|para|con|en)\b", re.IGNORECASE
)
_AT = re.compile(r"[\s,]*(?:at|bei|à)\s*", re.IGNORECASE)  # "over the plan of $1 m, at $2 m": the first subject's
_FROM = re.compile(r"\b(?:from|von|than)\b")
_SINCE = re.compile(r"[\s,(]*(?:up |down )?(?:from|von|desde)\s*", re.IGNORECASE)
# What a number is set against is often another thing's: "lower with A, at 7% against 12%".
_OTHER_SIDE = re.compile(
    r"\b(?:against|versus|vs|compared|instead of|gegen|gegenüber|statt|contre|au lieu de|frente a)\b", re.IGNORECASE
)
_COLON = re.compile(r"[^()（）]*[:：][^()（）]*")


class Beside(msgspec.Struct, frozen=True):
    """What stands beside a number. ``window`` is ``text[start:end]`` around it, ``words`` the stems in there.

    ``period`` is its own (None when the text gives none), ``not_years`` years that the text gives to what the
    number is compared with. ``clause`` tells numbers of one clause from those of others.
    """

    window: str = ""
    words: frozenset[str] = frozenset()
    period: Period | None = None
    not_years: frozenset[int] = frozenset()
    direction: int = 0
    soft: bool = False
    role: Role = "plain"
    loss: bool = False
    gain: bool = False
    clause: int = 0
    per: str | None = None  # the measure that it is counted per: "month" of "€850 a month"
    limit: int = 0  # 1 when the number is only said to be passed ("more than 50"), -1 when not reached ("nearly 60")
    more: int = 0  # 1 of "4% more", -1 of "4% fewer"
    span: tuple[Decimal, Decimal] | None = None  # both ends, when the number is one of a range
    lent: frozenset[str] = (
        frozenset()
    )  # of ``words``: those of the number that it is set against, which may not name it
    earlier: bool = False  # "a year earlier", "(Vorjahr: 37,1 %)": of the period before
    told_earlier: bool = False  # "in the year before it paid 0.85": somewhere in what leads to the number
    lead: str = ""  # the words before the number, up to the number before it


def beside(text: str, quantities: Sequence[Quantity]) -> tuple[Beside, ...]:
    """For every quantity of ``text``, what stands beside it."""
    if len(quantities) > NUMBERS_MAX:
        return (Beside(),) * len(quantities)
    if not quantities:
        return ()
    periods, directions, relative = find_periods(text), find_directions(text), find_relative(text)
    bare = _blanked(text, [*_spans([*periods, *directions]), *relative])
    out: list[Beside] = [Beside()] * len(quantities)
    for start, end in sentences(text, 0, len(text)) or [(0, len(text))]:
        inside = [i for i, q in enumerate(quantities) if start <= q.start < end]
        amounts = [i for i in inside if quantities[i].kind in AMOUNT_KINDS]
        dated = [i for i in inside if quantities[i].kind in ("year", "date")]
        own = [p for p in periods if start <= p.start < end]
        ways = [d for d in directions if start <= d.start < end]
        for chosen, dates in ((amounts, own), (dated, [])):
            if chosen:
                words = bare if chosen is amounts else _blanked(bare, _spans([quantities[i] for i in amounts]))
                sentence = _Sentence(text, words, start, end, [quantities[i] for i in chosen], dates, ways, relative)
                for position, i in enumerate(chosen):
                    out[i] = sentence.beside(position)
    return tuple(out)


def beside_spelled(text: str, quantities: Sequence[Quantity]) -> list[tuple[Quantity, Beside]]:
    """The lengths of time in words ("two weeks"), with what stands beside each; they part no other number's words."""
    out = []
    for one in find_spelled(text):
        if not any(q.start < one.end and one.start < q.end for q in quantities):
            among = sorted([*quantities, one], key=lambda q: q.start)
            out.append((one, beside(text, among)[among.index(one)]))
    return out


def _spans(found: Sequence[Period | Direction | Quantity]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in found]


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """``text`` without its periods and direction words, which are compared as such; all positions hold."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = " " * (end - start)
    return "".join(characters)


class _Sentence:
    """One sentence with its numbers in order."""

    def __init__(
        self,
        text: str,
        bare: str,
        start: int,
        end: int,
        quantities: Sequence[Quantity],
        periods: Sequence[Period],
        directions: Sequence[Direction],
        relative: Sequence[tuple[int, int]],
    ) -> None:
        self._text, self._bare, self._start, self._end = text, bare, start, end
        self._quantities = quantities
        joined = _RANGE if periods or not _only_dates(quantities) else _LIST
        self._ranges = {
            i for i, (a, b) in enumerate(itertools.pairwise(quantities)) if joined.fullmatch(text, a.end, b.start)
        }
        self._cuts = [_cut(bare, a.end, b.start) for a, b in itertools.pairwise(quantities)]
        self._own = [self._parted(i) for i in range(len(quantities))]
        self._nameless = _compared_aside(text, quantities)
        self._directions, self._relative = directions, relative
        self._clauses = [start + m.start() for m in _CLAUSE.finditer(text[start:end])]
        self._periods, self._not = owned(text, quantities, periods)
        for at in self._nameless:
            self._periods.pop(at, None)

    def beside(self, at: int) -> Beside:
        quantity = self._quantities[at]
        low, high = self._bounds(at)
        before = self._bare[low : quantity.start]
        lent = ""
        if at and _SINCE.fullmatch(before) and self._directions and not self._apart(at):
            lent = self._lead(at)  # "widened to £21.6 million from £9.3 million": of one thing
            before = f"{lent} {before}"
        elif at and self._bare_of_names(at, before) and not _FROM.search(before) and not self._apart(at):
            first = self._bare[self._start : self._quantities[0].start]
            lead = (
                first if _AT.fullmatch(before) else self._lead(at)
            )  # "12 gold, 8 silver": the subject is that of the number before
            if self._replaced(at, lead):
                lead = ""
            lent = lead if _OTHER_SIDE.search(before) else ""
            before = f"{lead} {before}"
        led = before  # with what names the number before it: of a loss that widened, both ends are losses
        behind = self._bare[quantity.end : high]
        shared = self._between(at)
        own = stems(f"{self._bare[low : quantity.start]} {behind}")
        window, elided = f"{before} {behind}", self._elided(at, behind)
        if (
            at in self._nameless
            or _OPERATED.search(self._text[max(0, quantity.start - _NEAR) : quantity.start])
            or _OPERATES.match(self._text, quantity.end)
        ):
            window = before = elided = ""  # inside arithmetic, what stands around a number does not name it
        way = self._direction(at)
        clause_low = max((c for c in self._clauses if c <= quantity.start), default=self._start)
        near = self._text[max(low, clause_low) : high]
        near = near if "," not in before else self._text[self._text.rfind(",", low, quantity.start) : high]
        return Beside(
            window, stems(f"{window} {elided}"), self._periods.get(at), self._not.get(at, frozenset()),
            way.sign if way else 0, bool(way and way.soft), role_of(self._text, quantity.start, quantity.end),
            any(_LOSS.search(part) for part in (near, led)), _GAIN.search(near) is not None,
             self._clause(quantity.start),
            rate_behind(self._text, quantity.end) or rate_in(self._bare[low : quantity.start]),
            limit_before(self._text, quantity.start),
            more_behind(self._text, quantity.end), self._span(at), ((stems(lent) | stems(elided)) - own) | shared,
            is_earlier(self._text, quantity.start, quantity.end, self._relative),
            any(low <= first and last <= quantity.start for first, last in self._relative), before,
        )  # fmt: skip

    def _replaced(self, at: int, lead: str) -> bool:
        """Whether the words behind a number stand in the place of ``lead``: "626 received A 40 mg daily and 622 B"."""
        first, second = self._quantities[at - 2 : at] if at > 1 else (None, None)
        if first is None or second is None or first.unit == second.unit or self._quantities[at].unit != first.unit:
            return False
        between = self._bare[first.end : second.start]
        return lead == between and bool(stems(self._bare[self._quantities[at].end : self._own[at][1]]))

    def _apart(self, at: int) -> bool:
        """Whether what names the number before does not name this one: "lost 5 of their 34 matches", "9 did not: 7"."""
        low, high = self._quantities[at - 1].end, self._quantities[at].start
        return (
            _WHOLE.fullmatch(self._text, low, high) is not None or _COLON.fullmatch(self._text, low, high) is not None
        )

    def _bare_of_names(self, at: int, before: str) -> bool:
        """Whether nothing before a number names it; "Lessons of 45 minutes cost $12" says lessons of both."""
        words = stems(before)
        parted = self._cuts[at - 1] != (self._quantities[at].start, self._quantities[at - 1].end)
        return not words or (words <= PAYING and not parted)

    def _elided(self, at: int, behind: str) -> str:
        """The words behind an earlier number that go for this one too.

        "25% of the fare; later, 50%", "0.6 chicks per pair here and 0.4 on the mainland".
        """
        bare, relation = not stems(behind), _RELATION.match(behind)
        alike = (i for i in range(at - 1, -1, -1) if self._quantities[i].unit == self._quantities[at].unit)
        earlier = next(alike, None) if bare or relation else None
        if earlier is None:
            return ""
        words = self._bare[self._quantities[earlier].end : self._own[earlier][1]]
        if bare:
            return words
        place = _RELATION.search(words)
        return words[: place.start()] if place else ""

    def _between(self, at: int) -> frozenset[str]:
        """The words between a number and the last one of a sentence, which may name that one: "Of the 132, 97 came"."""
        if at + 2 != len(self._quantities) or self._cuts[at] != (
            self._quantities[at + 1].start,
            self._quantities[at].end,
        ):
            return frozenset()
        behind = self._bare[self._quantities[at + 1].end : self._own[at + 1][1]]
        between = self._bare[self._quantities[at].end : self._quantities[at + 1].start]
        return stems(between) if not stems(behind) else frozenset()

    def _span(self, at: int) -> tuple[Decimal, Decimal] | None:
        first = at if at in self._ranges else at - 1 if at - 1 in self._ranges else None
        return None if first is None else (self._quantities[first].value, self._quantities[first + 1].value)

    def _bounds(self, at: int) -> tuple[int, int]:
        """Where the words of a number begin and end; both ends of a range have the same."""
        first = last = at
        while first - 1 in self._ranges:
            first -= 1
        while last in self._ranges:
            last += 1
        return self._own[first][0], self._own[last][1]

    def _parted(self, at: int) -> tuple[int, int]:
        low = self._cuts[at - 1][1] if at else self._start
        high = self._cuts[at][0] if at < len(self._cuts) else self._end
        quantity = self._quantities[at]
        if not at:
            strong = [m.end() for m in _PARTINGS[0].finditer(self._bare, low, quantity.start)]
            low = strong[-1] if strong else low
        if at == len(self._cuts):
            strong = [m.start() for m in _PARTINGS[0].finditer(self._bare, quantity.end, high)]
            high = strong[0] if strong else high
        return low, high

    def _lead(self, at: int) -> str:
        """The words that lead to the closest earlier number that has any before it."""
        for earlier in range(at - 1, -1, -1):
            if _ASIDE_END.match(self._text, self._quantities[earlier].end, self._quantities[at].start):
                continue  # inside an aside that is over
            lead = self._bare[self._bounds(earlier)[0] : self._quantities[earlier].start]
            if stems(lead):
                return lead
        return ""

    def _clause(self, position: int) -> int:
        return sum(1 for c in self._clauses if c <= position)

    def _direction(self, at: int) -> Direction | None:
        """The direction word that governs a number: the closest in its clause, one behind it only when adjacent."""
        quantity = self._quantities[at]
        clause = self._clause(quantity.start)
        best: tuple[int, Direction] | None = None
        for way in self._directions:
            if self._clause(way.start) != clause:
                continue
            if way.end <= quantity.start:
                distance = quantity.start - way.end
            else:
                gap = self._text[quantity.end : way.start]
                limit = self._quantities[at + 1].start if at + 1 < len(self._quantities) else self._end
                if way.start > limit or re.search(r"[;.]|\b(?:and|und|et)\b", gap):
                    continue
                distance = way.start - quantity.end + (0 if len(gap.split()) <= 2 else 40)
            if best is None or distance < best[0]:
                best = (distance, way)
        return best[1] if best else None


def _compared_aside(text: str, quantities: Sequence[Quantity]) -> frozenset[int]:
    """The numbers that stand in brackets two by two, with nothing between them that names either."""
    out: set[int] = set()
    for i, (a, b) in enumerate(itertools.pairwise(quantities)):
        if (
            _OPENS.search(text, max(0, a.start - _NEAR), a.start) is not None
            and _CLOSES.match(text, b.end)
            and _VERSUS.fullmatch(text, a.end, b.start)
        ):
            out |= {i, i + 1}
    return frozenset(out)


def _only_dates(quantities: Sequence[Quantity]) -> bool:
    return all(q.kind in ("year", "date") for q in quantities)


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the words between two numbers part: (end of the first's, begin of the second's)."""
    size = _SIZE.search(text, start, end)
    if size is not None and text[size.start() + 1 : end].strip():  # "1,204 adults to veltrimab (n = 603)"
        end = size.start()
    aside = _ASIDE_END.match(text, start, end)
    if aside is not None:  # "2.4 (SD 0.6) on granite and 3.7": what goes on behind the aside is not of the 3.7
        later = [m for parting in _PARTINGS if (m := parting.search(text, aside.end(), end))]
        if later:
            return aside.end() - 1, later[0].end() if later[0][0].strip() in _POINTS else later[0].start()
    for parting in _PARTINGS:
        match = parting.search(text, start, end)
        if match:
            return match.start(), match.end() if match[0].strip() in _POINTS else match.start()
    return end, start

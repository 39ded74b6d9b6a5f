"""Owns judging a draft's figures claim by claim against the passages that may speak for each.

Never: finding those passages (a corpus does), or a rule of its own: ``judge_figures`` has the rules.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.draft import Citing, Draft, Target
from counterfoil.core.answer.figures import Base, Figure, judge_figures
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.answer.support import Claim
from counterfoil.core.evidence.amounts import amount_fits, amounts, header_text
from counterfoil.core.evidence.facts import Calculation
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.marks import find_marks, without_marks
from counterfoil.core.text.quantities import DecimalMark, Quantity, guess_decimal
from counterfoil.core.text.rewriting import Rewriting
from counterfoil.core.text.scales import scale_of
from counterfoil.core.text.spelled import find_spelled

State = Literal["bound", "flagged", "free"]

_STATES: dict[str, State] = {"bound": "bound", "free": "free"}
_RULER = "\n\n***\n\n"  # parts blocks, so that no claim becomes the caption of the next
_SHOWS_MARK: dict[DecimalMark, str] = {",": "0,5", ".": "0.5"}
_SCALE_NAMES = {Decimal(1_000): "thousands", Decimal(1_000_000): "millions", Decimal(1_000_000_000): "billions"}
_EMPHASIS = re.compile(
    r"(?<=\S)[*_`]{1,3}(?=[\s.,;:!?)|]|$)"  # closing
    r"|(?<![^\s(|*_])[*_`]{1,3}(?=[^\s*_`])"  # opening
    r"|(?<=\S)\*{2,3}(?=\S)",
    re.MULTILINE,
)
_GAP = re.compile(r"(?<![|\n])\n(?:[ \t]*\n)+(?=[ \t]*[^\s|])")
PART_CHARS = 8_000  # of a draft that are looked through at once
CLAIM_CHARS_MAX = 2_000  # of one claim; a paragraph without a full stop may be a megabyte
_BEFORE_CHARS_MAX = 300  # of the sentences before a claim in its paragraph, which may name what it is about


class Placed(msgspec.Struct, frozen=True):
    """A claim of the draft: its scope (positions of ``Claims.text``), where it points, what it is about."""

    scope: Scope
    targets: tuple[Target, ...]
    about: Claim


class Judged(msgspec.Struct, frozen=True):
    """A figure with its verdict: ``draft.body[start:end] == text``. ``citation`` is an evidence ID."""

    text: str
    start: int
    end: int
    state: State
    code: str | None
    citation: str | None
    calculation: Calculation | None
    warning: str
    nearest: str
    quantity: Quantity


class Claims:
    """The claims of a draft, in order."""

    def __init__(self, draft: Draft, question: str = "") -> None:
        self._draft = draft
        marked = Rewriting(draft.text)
        position = 0
        for index, citing in enumerate(draft.citings, 1):
            self._keep(marked, position, citing.end)
            marked.put(f"[S{index}]")
            position = citing.end
        self._keep(marked, position, len(draft.text))
        self._origins = marked
        self.text = without_marks(marked.text)
        self._decimal = guess_decimal(self.text)
        self.placed = tuple(self._place(_scopes(marked.text), question))

    def _keep(self, marked: Rewriting, start: int, end: int) -> None:
        """Text without emphasis, which would part "**$5** million" in two."""
        for match in _EMPHASIS.finditer(self._draft.text, start, end):
            marked.keep(start, match.start())
            start = match.end()
        marked.keep(start, end)

    def _place(self, scopes: Sequence[Scope], question: str) -> list[Placed]:
        cited = [self._citings(scope) for scope in scopes]
        for index in range(len(scopes) - 1, 0, -1):
            if _says_nothing(scopes[index].text) and cited[index]:
                self._hand_up(scopes, cited, index)
        title, heading, before = "", "", ""
        last_end = 0
        out: list[Placed] = []
        for scope, targets in zip(scopes, cited, strict=True):
            if _says_nothing(scope.text):
                continue
            if scope.kind == "heading" and not scope.text.lstrip().startswith("|"):
                title, heading = title or scope.text, scope.text
            beside = " ".join((scope.caption, *(cell.header for cell in scope.cells)))
            if re.search(r"\n\s*\n", self.text[last_end : scope.start]):
                before = ""
            around = "\n".join(dict.fromkeys(part for part in (title, heading, before, question) if part))
            said = without_marks(scope.text)
            out.append(Placed(scope, targets, Claim(said, without_marks(beside), around)))
            before, last_end = f"{before} {said}"[-_BEFORE_CHARS_MAX:], scope.end
        return out

    def _citings(self, scope: Scope) -> tuple[Target, ...]:
        found = (self._draft.citings[int(i[1:]) - 1] for i in scope.cited)
        return tuple(dict.fromkeys(target for citing in found for target in citing.targets))

    def _hand_up(self, scopes: Sequence[Scope], cited: list[tuple[Target, ...]], index: int) -> None:
        """A paragraph of citations alone covers the block above it."""
        above = index - 1
        while above >= 0:
            cited[above] = tuple(dict.fromkeys((*cited[above], *cited[index])))
            gap = self.text[scopes[above - 1].end : scopes[above].start] if above else ""
            if above == 0 or re.search(r"\n\s*\n", gap) or scopes[above - 1].kind == "heading":
                return
            above -= 1

    def has_figures(self, placed: Placed) -> bool:
        """Whether a claim holds a number at all; only then is there anything to judge."""
        text = self.text[placed.scope.start : placed.scope.end]
        return any(c.isdecimal() for c in text) or bool(find_spelled(text))

    def origin(self, position: int) -> int | None:
        """Where a position of ``text`` stands in the draft."""
        return self._origins.origin(position)

    def judge(self, batch: Sequence[tuple[Placed, Sequence[str]]], base: Base) -> tuple[Judged, ...]:
        """The figures of some claims, each held against the evidence IDs beside it."""
        body = Rewriting(self.text)
        if self._decimal is not None:  # what the whole draft shows, said again to this part of it
            body.put(_SHOWS_MARK[self._decimal] + _RULER)
        by_start: dict[int, Placed] = {}
        for placed, ids in batch:
            _put_block(body, placed.scope, f" [{', '.join(ids)}]" if ids else "")
            by_start[placed.scope.start] = placed
        starts = sorted(by_start)
        out: list[Judged] = []
        for figure in judge_figures(body.text, base):
            start, last = body.origin(figure.start), body.origin(figure.end - 1)
            if start is None or last is None:
                continue
            placed = by_start[starts[bisect_right(starts, start) - 1]]
            first, end = self.origin(start), self.origin(last)
            if first is not None and end is not None:
                out.append(_verdict(figure, first, end + 1, placed))
        return tuple(out)


def _scopes(text: str) -> list[Scope]:
    """The scopes of a text of any length: looked for part by part, and none so long that judging it takes forever."""
    out: list[Scope] = []
    for start, end in _parts(text):
        for scope in split_scopes(text[start:end]):
            cells = tuple(replace(c, start=c.start + start, end=c.end + start) for c in scope.cells)
            moved = replace(scope, start=scope.start + start, end=scope.end + start, cells=cells)
            out += [moved] if len(scope.text) <= CLAIM_CHARS_MAX or scope.kind == "row" else _cut(moved)
    return out


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Cut at blank lines, but never beside a table, whose caption or source line may stand across one."""
    start = 0
    for gap in _GAP.finditer(text):
        if gap.end() - start >= PART_CHARS:
            yield start, gap.end()
            start = gap.end()
    yield start, len(text)


def _cut(scope: Scope) -> Iterator[Scope]:
    """Pieces of an overlong claim, cut at white space; what is cited for it is cited for each."""
    start = 0
    while start < len(scope.text):
        stop = start + CLAIM_CHARS_MAX
        if stop < len(scope.text):
            space = max(scope.text.rfind(" ", start, stop), scope.text.rfind("\n", start, stop))
            stop = space if space > start else stop
        piece = scope.text[start:stop]
        yield replace(scope, text=piece, start=scope.start + start, end=scope.start + start + len(piece))
        start += len(piece)


def _says_nothing(text: str) -> bool:
    return not any(c.isalnum() for c in without_marks(text))


def _put_block(body: Rewriting, scope: Scope, marks: str) -> None:
    """A claim as a block of its own, as Markdown has its kind, with the marks that cover it."""
    if scope.kind != "row":
        body.put({"bullet": "- ", "heading": "# ", "quote": "> ", "sentence": ""}[scope.kind])
        body.keep(scope.start, scope.end)
        body.put(f"{marks}\n\n")
        return
    corner = scale_of(scope.cells[0].header) if scope.cells else None
    lent = f" in {_SCALE_NAMES[corner]}" if corner in _SCALE_NAMES else ""  # "$ millions" over the labels
    body.put(f"{_RULER}{without_marks(scope.caption).lstrip('# ')}{lent}\n\n")
    if any(cell.header for cell in scope.cells):
        names = " | ".join(without_marks(cell.header) for cell in scope.cells)
        body.put(f"| {names} |\n|{'---|' * len(scope.cells)}\n")
    pipe = scope.text.rstrip().rfind("|")
    cut = scope.start + pipe if scope.text.rstrip().endswith("|") else scope.end
    body.keep(scope.start, cut)
    body.put(marks)
    body.keep(cut, scope.end)
    body.put(_RULER)


def _verdict(figure: Figure, start: int, end: int, placed: Placed) -> Judged:
    state = _STATES.get(figure.state, "flagged")
    pointed = any(not target.missing for target in placed.targets)
    code = None if state != "flagged" else "FIGURE_MISMATCH" if pointed else "FIGURE_UNSOURCED"
    return Judged(
        text=figure.quantity.text,
        start=start,
        end=end,
        state=state,
        code=code,
        citation=figure.citation if state == "bound" else None,
        calculation=figure.calculation,
        warning=figure.warning,
        nearest=figure.nearest,
        quantity=figure.quantity,
    )


def cell_of(quantity: Quantity, evidence: Evidence) -> tuple[str, str | None] | None:
    """(value, column header) of the one cell of a table row that a figure stands for; None when it is not one."""
    fitting = [
        (amount.cell.value.text, header_text(amount.cell) or None)
        for amount in amounts(evidence)
        if amount.cell is not None and amount_fits(quantity, amount, signs_differ=True)
    ]
    return fitting[0] if len(set(fitting)) == 1 else None


def cited_in(nearest: str) -> str | None:
    """The evidence ID that a sentence about the nearest binding names."""
    return next((i for mark in find_marks(nearest) for i in mark.ids if i[0] == "E"), None)


def unresolved(draft: Draft) -> tuple[tuple[Citing, Target], ...]:
    """Every citation that points at nothing, with where it points."""
    return tuple((citing, target) for citing in draft.citings for target in citing.targets if target.missing)

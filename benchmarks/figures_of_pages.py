"""Makes sentences from the tables and the text of given PDFs, changes one thing in each, and judges both.

Usage: python benchmarks/figures_of_pages.py FILE.pdf [...] [--count N] [--seed N] [--verbose]
Nothing here is written by hand, so nothing was tuned to it. Never: judges whether a table was read rightly.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import msgspec
from benchmarks.figures import Judgement, report

from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary
from counterfoil.adapters.readers.pdf import PdfReader
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.evidence.amounts import Amount, amounts, header_text
from counterfoil.core.evidence.passages import Document
from counterfoil.core.evidence.sources import Evidence, Source
from counterfoil.core.text.directions import find_directions
from counterfoil.core.text.periods import Period, find_periods
from counterfoil.core.text.polarity import names_outflow
from counterfoil.core.text.quantities import Quantity, find_quantities, format_amount
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.ports.reader import ReadLimits

LIMITS = ReadLimits(file_bytes_max=200_000_000, segment_chars_max=100_000, passage_chars_max=400)
SCALES = {Decimal(1000): "thousand", Decimal(10) ** 6: "million", Decimal(10) ** 9: "billion"}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
OPPOSITE = {  # as reworded
    "increased": "decreased", "decreased": "increased", "increase": "decrease", "decrease": "increase",
    "higher": "lower", "lower": "higher", "grew": "fell", "growth": "decline",
    "declined": "rose", "decline": "growth", "rose": "fell", "fell": "rose", "up": "down", "down": "up",
}  # fmt: skip
REWORDED = (
    (r"\bapproximately\b", "about"), (r"\bincreased\b", "rose"), (r"\bdecreased\b", "fell"), (r"\bdeclined\b", "fell"),
    (r"\bcompared (?:to|with)\b", "against"), (r"\b[Tt]he Company(?:['’]s)?\b", "the firm"), (r"\b[Ww]e\b", "it"),
    (r"\b[Oo]ur\b", "its"), (r"\bprimarily due to\b", "mainly because of"), (r"\bas a result of\b", "owing to"),
    (r"\bwas\b", "came to"), (r"\bwere\b", "stood at"), (r", respectively\b", " in that order"), (r"\bduring\b", "in"),
    (r"\bexpenses?\b", "costs"), (r"^In ([^,]{4,40}), (.*)$", r"\2 in \1"),
)  # fmt: skip
Page = list[Evidence]


def pages_of(path: Path) -> Iterator[Page]:
    """The passages of each page as evidence E1, E2, ..."""
    read = PdfReader().read(str(path), LIMITS)
    document = Document(
        path.name, f"file:///{path.name}", path.stem, "application/pdf", len(read.segments), "0" * 64, "en"
    )
    source = Source("S1", document, "c1", 0)
    for index, segment in enumerate(read.segments):
        yield [Evidence(f"E{n}", p, source, index, segment.page, "c2") for n, p in enumerate(segment.passages, start=1)]


def written(amount: Amount, style: int) -> str | None:
    """A cell's amount as prose writes it, None when its unit or scale is not plain."""
    value = abs(amount.value)
    decimals = max(0, -int(amount.value.as_tuple().exponent))
    digits = format_amount(value, decimals)
    if amount.unit == "percent":
        return f"{digits}%"
    sign, scale = SIGNS.get(amount.unit or ""), SCALES.get(amount.multiplier or Decimal(0))
    if sign is None or (scale is None and amount.multiplier != 1):
        return None
    if style == 1 and scale == "million" and value >= 1000:
        return f"{sign}{format_amount(value / 1000, 2)} billion"
    return f"{sign}{digits} {scale}" if scale else f"{sign}{digits}"


def changed_digit(text: str, dice: random.Random) -> str:
    places = [m.start() for m in re.finditer(r"\d", text)][:3]
    at = dice.choice(places)
    other = dice.choice([d for d in "123456789" if d != text[at]])
    return f"{text[:at]}{other}{text[at + 1 :]}"


class Row(msgspec.Struct, frozen=True):
    """A table row that sentences can be made of: dated cells, all different."""

    citation: str
    label: str
    cells: tuple[tuple[Amount, Period], ...]


def rows_of(page: Page) -> Iterator[Row]:
    for read in page:
        table = read.passage.table
        label = " ".join(table.label.text.split()) if table and table.label else ""
        if not re.fullmatch(r"(?!(?:total )?other)[A-Za-z][A-Za-z ,&'’-]{5,70}", label, re.IGNORECASE):
            continue
        held = [a for a in amounts(read) if a.cell and a.value]
        dated = [(a, find_periods(header_text(a.cell))) for a in held if a.cell]
        cells = tuple((a, periods[0]) for a, periods in dated if len(periods) == 1)
        if len(cells) > 1 and len({a.value for a, _ in cells}) == len({p.text for _, p in cells}) == len(cells):
            yield Row(read.id, label, cells)


def table_pairs(page: Page, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """(class, true sentence, changed sentence) from the rows of a page."""
    rows = list(rows_of(page))
    dice.shuffle(rows)
    for row in rows[:4]:
        yield from row_pairs(row, [r for r in rows if r is not row][:2], dice)


def row_pairs(row: Row, rivals: list[Row], dice: random.Random) -> Iterator[tuple[str, str, str]]:
    (amount, period), (other, other_period) = dice.sample(row.cells, 2)
    loss = amount.value < 0 and re.search(r"income|earnings|profit", row.label, re.IGNORECASE) is not None
    text, column = written(amount, dice.choice((0, 1))), written(other, 0)
    if text is None or (amount.value < 0 and not loss):
        return
    cited = " ".join(f"[{r.citation}]" for r in (row, *rivals))
    before = dice.choice((True, False))

    def say(text: str, period: Period = period) -> str:
        said = f"{row.label} came to{' a loss of' if loss else ''} {text}"
        return f"For {period.text}, {said} {cited}." if before else f"{said} for {period.text} {cited}."

    true = say(text)
    yield "digit", true, say(changed_digit(text, dice))
    for scale, changed in (("million", "billion"), ("billion", "million")):
        if scale in text:
            yield "scale", true, say(text.replace(scale, changed))
    yield "period", true, say(text, other_period)
    yield "unit", true, say(text.replace("$", "€") if "$" in text else text.replace("%", " basis points"))
    if column and other.value > 0:
        yield "column", true, say(column)
    if not loss and not names_outflow(row.label):  # costs are shown with either sign
        yield "sign", true, say(f"-{text}")
    value = next((a for r in rivals for a, p in r.cells if p.text == period.text and a.value > 0), None)
    if value is not None and (swapped := written(value, 0)):
        yield "swapped", true, say(swapped)


def prose_pairs(page: Page, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """(class, sentence of the page, the same with one change)."""
    for read in page:
        text = " ".join(read.passage.text.split())
        if read.passage.kind != "text" or not 60 < len(text) < 300 or not text.endswith(".") or "[" in text:
            continue
        numbers = [q for q in find_quantities(text) if q.kind in ("money", "percent")]
        mark = f" [{read.id}]."
        body = text[:-1]
        for pattern, words in REWORDED:
            body = re.sub(pattern, words, body)
        numbers = [q for q in find_quantities(body) if q.kind in ("money", "percent")]
        if body == text[:-1]:
            continue
        if not numbers or len(numbers) > 5:
            continue
        q = dice.choice(numbers)
        yield "digit", body + mark, _put(body, q, changed_digit(q.text, dice)) + mark
        if "million" in q.text:
            yield "scale", body + mark, _put(body, q, q.text.replace("million", "billion")) + mark
        ways = [d for d in find_directions(body) if body[d.start : d.end] in OPPOSITE and abs(d.end - q.start) < 12]
        if ways:
            d = ways[0]
            yield "direction", body + mark, f"{body[: d.start]}{OPPOSITE[body[d.start : d.end]]}{body[d.end :]}{mark}"
        same = [o for o in numbers if o.unit == q.unit and o.multiplier == q.multiplier and o.text != q.text]
        if same:
            first, last = sorted((q, same[0]), key=lambda o: o.start)
            swapped = f"{body[: first.start]}{last.text}{body[first.end : last.start]}{first.text}{body[last.end :]}"
            yield "swapped", body + mark, swapped + mark


def _put(body: str, quantity: Quantity, text: str) -> str:
    return f"{body[: quantity.start]}{text}{body[quantity.end :]}"


def judged(page: Page, sentence: str, vocabulary: Vocabulary) -> tuple[bool, tuple[str, ...]]:
    held = {e.id: e for e in page}
    base = Base(Contract("What does it say?"), held.get, everything=lambda: tuple(page), vocabulary=vocabulary)
    bad = [f for f in judge_figures(sentence, base) if f.state in ("unsourced", "mismatch")]
    return not bad, tuple(f"{f.quantity.text}: {f.nearest}" for f in bad)


def main() -> int:
    """Judge ``--count`` pairs of each class over all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pdf", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    vocabulary = load_vocabulary()
    pairs: dict[tuple[str, str], list[tuple[Page, str, str]]] = {}
    for path in options.pdf:
        for page in pages_of(path):
            for kind, make in (("table", table_pairs), ("prose", prose_pairs)):
                for rule, true, wrong in make(page, dice):
                    pairs.setdefault((kind, rule), []).append((page, true, wrong))
    found: list[Judgement] = []
    for (kind, rule), every in sorted(pairs.items()):
        for page, true, wrong in dice.sample(every, min(options.count, len(every))):
            for sentence, right in ((true, True), (wrong, False)):
                accepted, why = judged(page, sentence, vocabulary)
                found.append(Judgement(kind, "en", f"{kind} {rule}", sentence, right, accepted, why))
    report(found, verbose=options.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())

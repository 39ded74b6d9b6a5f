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

from benchmarks.figures import Judgement, report
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary
from counterfoil.adapters.readers.pdf import PdfReader
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.evidence.amounts import Amount, amounts, header_text
from counterfoil.core.evidence.passages import Document
from counterfoil.core.evidence.sources import Evidence, Source
from counterfoil.core.text.directions import find_directions
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.polarity import names_outflow
from counterfoil.core.text.quantities import Quantity, find_quantities, format_amount
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.ports.reader import ReadLimits

LIMITS = ReadLimits(file_bytes_max=200_000_000, segment_chars_max=100_000, passage_chars_max=400)
SCALES = {Decimal(1000): "thousand", Decimal(10) ** 6: "million", Decimal(10) ** 9: "billion"}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
OPPOSITE = {
    "increased": "decreased", "decreased": "increased", "increase": "decrease", "decrease": "increase", "higher": "lower",
    "lower": "higher", "grew": "fell", "growth": "decline", "declined": "rose", "decline": "growth", "rose": "fell",
    "fell": "rose", "up": "down", "down": "up",
}  # fmt: skip
Page = list[Evidence]


def pages_of(path: Path) -> Iterator[Page]:
    """The passages of each page as evidence E1, E2, ..."""
    read = PdfReader().read(str(path), LIMITS)
    document = Document(path.name, f"file:///{path.name}", path.stem, "application/pdf", len(read.segments), "0" * 64, "en")
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


def table_pairs(page: Page, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """(class, true sentence, changed sentence) from the rows of a page."""
    rows = []
    for read in page:
        table = read.passage.table
        label = " ".join(table.label.text.split()) if table and table.label else ""
        if not re.fullmatch(r"[A-Za-z][A-Za-z ,&'’-]{5,70}", label) or label.casefold().startswith(("total other", "other")):
            continue
        cells = [a for a in amounts(read) if a.cell and a.value and len(find_periods(header_text(a.cell))) == 1]
        years = [find_periods(header_text(a.cell))[0] for a in cells if a.cell]
        if len(cells) > 1 and len({a.value for a in cells}) == len(cells) and len({y.text for y in years}) == len(cells):
            rows.append((read.id, label, list(zip(cells, years, strict=True))))
    dice.shuffle(rows)
    for evidence, label, cells in rows[:4]:
        (amount, period), (other, other_period) = dice.sample(cells, 2)
        loss = " a loss of" if amount.value < 0 and re.search(r"income|earnings|profit", label, re.IGNORECASE) else ""
        text = written(amount, dice.choice((0, 1)))
        rivals = [r for r in rows if r[0] != evidence][:2]
        cited = f"[{evidence}] " + " ".join(f"[{r[0]}]" for r in rivals)
        if text is None or (amount.value < 0 and not loss):
            continue
        shape = dice.choice(("{label} was{loss} {text} for {period} {cited}.", "For {period}, {label} came to{loss} {text} {cited}."))

        def say(label: str = label, loss: str = loss, text: str = text, period: str = period.text, cited: str = cited, shape: str = shape) -> str:  # noqa: B008
            return shape.format(label=label, loss=loss, text=text, period=period, cited=cited)

        yield "digit", say(), say(text=changed_digit(text, dice))
        if "million" in text:
            yield "scale", say(), say(text=text.replace("million", "billion"))
        elif "billion" in text:
            yield "scale", say(), say(text=text.replace("billion", "million"))
        yield "period", say(), say(period=other_period.text)
        if (column := written(other, 0)) and other.value > 0:
            yield "column", say(), say(text=column)
        yield "unit", say(), say(text=text.replace("$", "€") if "$" in text else text.replace("%", " basis points"))
        if not loss and not names_outflow(label):  # costs are shown with either sign
            yield "sign", say(), say(text=f"-{text}")
        for rival in rivals[:1]:
            value = next((a for a, p in rival[2] if p.text == period.text), None)
            if value is not None and value.value > 0 and (swapped := written(value, 0)):
                yield "swapped", say(), say(text=swapped)


def prose_pairs(page: Page, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """(class, sentence of the page, the same with one change)."""
    for read in page:
        text = " ".join(read.passage.text.split())
        if read.passage.kind != "text" or not 60 < len(text) < 300 or not text.endswith(".") or "[" in text:
            continue
        numbers = [q for q in find_quantities(text) if q.kind in ("money", "percent")]
        mark = f" [{read.id}]."
        body = text[:-1]
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

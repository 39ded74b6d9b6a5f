"""Judges sentences against their evidence: each true, and each with exactly one planted error.

Usage: python -m benchmarks.figures [FIXTURE.jsonl ...] [--verbose]
A fixture is a JSON line with topic, locale, title, language, question?, passages and pairs [class, true, wrong].
A passage is text, or a table row: row, cells [[value, "outer header | inner header"]], multiplier(s),
unit(s), title, section. A fixture whose lines have file and text in place of passages holds whole documents: each
sentence is audited against all of them, without citations. The class "meaning" is of swaps that only the sense of a
sentence tells ("the evening boat leaves at 07:20"): they are counted, and nobody promises them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from counterfoil import wiring
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.evidence.passages import Cell, Document, Passage, Span, TableRow
from counterfoil.core.evidence.sources import Evidence, Source
from counterfoil.core.text.folding import words_stand_in
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.host.audit import Auditor
from counterfoil.settings import load_settings

FOLDER = Path(__file__).parent / "figures"


class Judgement(msgspec.Struct, frozen=True):
    """One sentence as it was judged. ``right`` says whether it is the true one of its pair."""

    topic: str
    locale: str
    rule: str
    sentence: str
    right: bool
    accepted: bool
    objections: tuple[str, ...]


def _span(text: str | None) -> Span | None:
    return Span(text, 0, len(text)) if text else None


def passage_of(given: str | dict[str, Any]) -> Passage:
    """A passage as a reader would give it: text, or a row with its cells."""
    if isinstance(given, str):
        return Passage(0, len(given), given)
    text, cells = given["row"], []
    count = len(given["cells"])
    multipliers = given.get("multipliers") or [given.get("multiplier")] * count
    units = given.get("units") or [given.get("unit")] * count
    for (value, header), multiplier, unit in zip(given["cells"], multipliers, units, strict=True):
        start = len(text) + 1
        text = f"{text} {value}"
        levels = tuple(Span(level, 0, len(level)) for level in header.split(" | "))
        cells.append(Cell(Span(value, start, len(text)), levels, None, multiplier, unit))
    table = TableRow(_span(given["row"]), tuple(cells), _span(given.get("title")), _span(given.get("section")))
    return Passage(0, len(text), text, "row", None, table)


def base_of(group: dict[str, Any], vocabulary: Vocabulary) -> Base:
    """What a Run that has read the group's passages as E1, E2, ... holds figures against."""
    document = Document(
        "d", "https://x.test/d", group["title"], "text/html", 1, "0" * 64, group.get("language"),
        period=group.get("period"),
    )  # fmt: skip
    source = Source("S1", document, "c1", 0)
    held = {
        f"E{n}": Evidence(f"E{n}", passage_of(given), source, 0, None, "c2")
        for n, given in enumerate(group["passages"], start=1)
    }
    whole = "\n".join(e.passage.text for e in held.values())
    return Base(
        Contract(group.get("question", "What does the document say?")), held.get, as_of="2026-06-30",
        occurs=lambda name: words_stand_in(name, whole), everything=lambda: tuple(held.values()), vocabulary=vocabulary,
    )  # fmt: skip


def judgements(path: Path, vocabulary: Vocabulary) -> Iterator[Judgement]:
    """Every sentence of a fixture, judged."""
    groups = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if "file" in groups[0]:
        yield from asyncio.run(_audited(groups, vocabulary))
        return
    for group in groups:
        base = base_of(group, vocabulary)
        for rule, true, wrong in group["pairs"]:
            for sentence, right in ((true, True), (wrong, False)):
                bad = [f for f in judge_figures(sentence, base) if f.state in ("unsourced", "mismatch")]
                objections = tuple(f"{f.quantity.text}: {f.nearest}" for f in bad)
                yield Judgement(group["topic"], group["locale"], rule, sentence, right, not bad, objections)


async def _audited(groups: list[dict[str, Any]], vocabulary: Vocabulary) -> list[Judgement]:
    """The sentences of whole documents, each as a draft of its own over all of them."""
    found: list[Judgement] = []
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        pages.mkdir()
        for group in groups:
            (pages / group["file"]).write_text(group["text"], encoding="utf-8")
        settings = load_settings({}, {**os.environ, "COUNTERFOIL_HOME": folder}, Path(folder))
        corpus, _ = wiring.open_corpus(settings, (str(pages),), vocabulary, rerank=False)
        auditor = Auditor(corpus, await corpus.documents(), vocabulary)
        for group in groups:
            for rule, true, wrong in group["pairs"]:
                for sentence, right in ((true, True), (wrong, False)):
                    told = (await auditor.audit(sentence, Contract(""))).report
                    objections = tuple(f"{f.where}: {f.needed}" for f in told.findings)
                    found.append(
                        Judgement(group["topic"], group["locale"], rule, sentence, right, not objections, objections)
                    )
        corpus.close()
    return found


def report(found: list[Judgement], *, verbose: bool) -> None:
    """Print false rejections and missed errors, by rule, topic and locale, and the pairs judged right in full."""
    for title, key in (("rule", "rule"), ("topic", "topic"), ("locale", "locale")):
        print(f"\n{title:<14} true  rejected   wrong  missed   pairs right")
        for name in sorted({getattr(j, key) for j in found}):
            own = [j for j in found if getattr(j, key) == name]
            print(f"{name:<14} {_row(own)}")
    print(f"{'total':<14} {_row(found)}")
    if verbose:
        for j in found:
            if j.accepted != j.right:
                kind = "REJECTED" if j.right else "MISSED  "
                print(f"{kind} {j.rule:<12} {j.sentence} {'; '.join(j.objections)}")


def _row(own: list[Judgement]) -> str:
    count = Counter((j.right, j.accepted) for j in own)
    pairs = list(zip(own[::2], own[1::2], strict=True))
    both = sum(a.accepted and not b.accepted for a, b in pairs)
    rejected, missed = count[(True, False)], count[(False, True)]
    return f"{len(pairs):>4} {rejected:>9} {len(pairs):>7} {missed:>7}   {both:>4} ({both / len(pairs):.0%})"


def main() -> int:
    """Judge the fixtures named, else all of the folder, each on its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fixtures", nargs="*", type=Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    vocabulary = load_vocabulary()
    for path in options.fixtures or sorted(FOLDER.glob("*.jsonl")):
        start = time.perf_counter()
        found = list(judgements(path, vocabulary))
        print(f"\n# {path.name}: {len(found)} sentences in {time.perf_counter() - start:.2f} s")
        report(found, verbose=options.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Audits answers whose figures were judged by hand, and the same with one thing changed.

Usage: python benchmarks/gold_answers.py FOLDER QUESTIONS.jsonl [--bare] [--own] [--verbose]
A question is a JSON line with id, doc, question and answer; FOLDER holds doc.pdf. ``--bare`` audits without the
question, ``--own`` over the one filing of the answer. Truly bound: to a page that the verdicts name.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from benchmarks.figures_of_pages import OPPOSITE

from counterfoil import wiring
from counterfoil.core.answer.contract import Contract
from counterfoil.core.text.directions import find_directions
from counterfoil.core.text.quantities import parse_amount
from counterfoil.host.audit import Auditor
from counterfoil.settings import load_settings

VERDICTS = Path(__file__).parent / "gold" / "filings.json"
_YEAR = re.compile(r"\b20\d\d\b")
_SCALES = {"billion": "million", "million": "billion", "bn": "mn", "mn": "bn"}
Shown = dict[str, Any]  # a figure of a report


class Line(msgspec.Struct, frozen=True):
    """One figure of one answer: its verdict by hand, and what the audit made of it."""

    asked: str
    text: str
    verdict: str
    state: str
    truly: bool
    where: str


def mutations(answer: str, figure: Shown) -> Iterator[tuple[str, str]]:
    """(class, the answer with one thing of a figure changed), for every thing that it carries."""
    start, end, text = figure["start"], figure["end"], figure["text"]

    def put(changed: str) -> str:
        return answer[:start] + changed + answer[end:]

    amount = parse_amount(text)
    if amount is None or amount.kind not in ("money", "percent", "number"):
        return
    for place, digit in enumerate(text):
        if digit.isdecimal():
            changed = f"{text[:place]}{(int(digit) + 3) % 10}{text[place + 1 :]}"
            after = parse_amount(changed)
            if after is None or after.value != amount.value:
                yield "digit", put(changed)
    scale = next((s for s in _SCALES if s in text), None)
    if scale:
        yield "scale", put(text.replace(scale, _SCALES[scale]))
    elif "%" not in text:
        yield "scale", put(re.sub(r"(\d[\d.,]*)", r"\1 billion", text, count=1))
    for changed in _in_other_units(text):
        yield "unit", put(changed)
    if text.startswith("-"):
        yield "sign", put(text.lstrip("-"))
    yield from _years(answer, figure)


def _in_other_units(text: str) -> tuple[str, ...]:
    if "$" in text:
        return text.replace("$", "€"), text.replace("$", "£")
    if "%" in text:
        return text.replace("%", " million"), "$" + text.replace("%", " million")
    return (re.sub(r"[^\d]+$", "", text) + "%",)


def _years(answer: str, figure: Shown) -> Iterator[tuple[str, str]]:
    """The year that stands closest to the figure, in its sentence, as another; and the closest direction word."""
    low, high = _sentence(answer, figure)
    years = [m for m in _YEAR.finditer(answer, low, high)]
    if years:
        own = min(years, key=lambda m: (m.start() < figure["end"], abs(m.start() - figure["end"])))
        for step in (-1, -2):
            yield "year", f"{answer[: own.start()]}{int(own[0]) + step}{answer[own.end() :]}"
    for way in find_directions(answer[low:high]):
        word = answer[low + way.start : low + way.end]
        if word.casefold() in OPPOSITE:
            changed = OPPOSITE[word.casefold()]
            yield "direction", f"{answer[: low + way.start]}{changed}{answer[low + way.end :]}"


def _sentence(answer: str, figure: Shown) -> tuple[int, int]:
    ends = [0, *(m.end() for m in re.finditer(r"(?<=[%\w)])\.\s+(?=[A-Z])", answer)), len(answer)]
    low = max(e for e in ends if e <= figure["start"])
    return low, min(e for e in ends if e >= figure["end"])


class Bench:
    """Audits answers over the filings, all or the one."""

    def __init__(self, folder: Path, *, bare: bool, own: bool) -> None:
        self._folder, self._bare, self._own = folder, bare, own
        self._settings = load_settings({}, os.environ, Path.cwd())
        self._words = wiring.vocabulary(self._settings)
        self._auditors: dict[str, Auditor] = {}
        self.lines: list[Line] = []
        self.changed: Counter[tuple[str, bool]] = Counter()
        self.passed: list[tuple[str, str, str]] = []

    async def _auditor(self, doc: str) -> Auditor:
        name = f"{doc}.pdf" if self._own else ""
        if name not in self._auditors:
            opened, _ = wiring.open_corpus(self._settings, (str(self._folder / name),), self._words, rerank=False)
            self._auditors[name] = Auditor(opened, await opened.documents(), self._words)
        return self._auditors[name]

    async def run(self, asked: dict[str, Any], verdicts: list[list[Any]]) -> None:
        """Audit one answer, then each mutation of each of its figures that is truly bound."""
        auditor, answer = await self._auditor(asked["doc"]), asked["answer"]
        contract = Contract("" if self._bare else asked["question"])
        figures = (await auditor.audit(answer, contract)).report.figures
        for figure, (text, verdict, pages, *_) in _paired(figures, verdicts):
            state = figure["state"] if figure else "free"
            cited = ((figure or {}).get("binding") or {}).get("citation") or {}
            document = json.dumps(cited)
            truly = state == "bound" and asked["doc"] in document and (not pages or cited.get("page") in pages)
            self.lines.append(Line(asked["id"], text, verdict, state, truly, f"p. {cited.get('page')}"))
            if figure is None or not truly or verdict == "no":
                continue
            before = sum(f["state"] == "flagged" for f in figures)
            for rule, changed in mutations(answer, figure):
                again = (await auditor.audit(changed, contract)).report.figures
                caught = sum(f["state"] == "flagged" for f in again) > before
                self.changed[rule, caught] += 1
                if not caught:
                    self.passed.append((rule, text, changed))

    def report(self, *, verbose: bool) -> None:
        """Print the figures by verdict and the mutations by class."""
        if verbose:
            for line in self.lines:
                print(
                    f"{line.asked} {line.verdict:8} {line.state:8} {'truly' if line.truly else '':6} {line.text!r}",
                    line.where,
                )
            for rule, text, changed in self.passed:
                print(f"PASSED {rule:10} of {text!r}: {changed[:160]}")
        for title, dates in (("amounts", False), ("amounts and dates", True)):
            true = [x for x in self.lines if x.verdict != "no" and x.state != "free" and (dates or _amount(x.text))]
            bound, truly = sum(x.state == "bound" for x in true), sum(x.truly for x in true)
            print(f"{title}: {truly} of {len(true)} truly bound ({truly / max(1, len(true)):.0%}), {bound} bound")
        wrong = [x for x in self.lines if x.verdict == "no" and x.state == "bound"]
        print(f"bound though the filing does not say it: {len(wrong)}")
        for rule in sorted({rule for rule, _ in self.changed}):
            caught, missed = self.changed[rule, True], self.changed[rule, False]
            print(f"changed {rule:10} {caught} of {caught + missed} flagged ({caught / (caught + missed):.0%})")


def _amount(text: str) -> bool:
    found = parse_amount(text)
    return found is not None and found.kind in ("money", "percent", "number")


def _paired(figures: Sequence[Shown], verdicts: list[list[Any]]) -> Iterator[tuple[Shown | None, list[Any]]]:
    """Each verdict with its figure, in the order of the answer; None for one that the audit did not have to judge."""
    left = list(figures)
    for verdict in verdicts:
        found = next((f for f in left if f["text"] == verdict[0]), None)
        if found is not None:
            left.remove(found)
        yield found, verdict


async def run(given: argparse.Namespace) -> None:
    bench = Bench(given.folder, bare=given.bare, own=given.own)
    verdicts = json.loads(VERDICTS.read_text("utf-8"))
    for line in given.questions.read_text("utf-8").splitlines():
        asked = json.loads(line)
        await bench.run(asked, verdicts.get(asked["id"], []))
    bench.report(verbose=given.verbose)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--bare", action="store_true", help="audit without the question")
    parser.add_argument("--own", action="store_true", help="audit over the one filing of each answer")
    parser.add_argument("--verbose", action="store_true")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()

"""Audits true answers and the same answers with one digit changed, and counts what was bound and what was flagged.

Usage: python benchmarks/audit.py CORPUS QUESTIONS.jsonl [--bare] [--verbose]
A question is a JSON line with question and answer. ``--bare`` audits without the question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

from counterfoil import wiring
from counterfoil.core.answer.contract import Contract
from counterfoil.core.text.quantities import parse_amount
from counterfoil.host.audit import Auditor
from counterfoil.settings import load_settings


def mutations(answer: str, figure: dict[str, Any]) -> list[str]:
    """The answer with each digit of one figure replaced by the next one; what is still the same amount is left out."""
    out: list[str] = []
    start, end = figure["start"], figure["end"]
    before = parse_amount(figure["text"])
    if before is None or before.kind not in ("money", "percent", "number"):
        return []  # years and dates are judged by other rules
    for place in range(start, end):
        if answer[place].isdecimal():
            digit = str((int(answer[place]) + 3) % 10)
            changed = answer[:place] + digit + answer[place + 1 :]
            after = parse_amount(changed[start:end])
            if after is None or before.value != after.value:
                out.append(changed)
    return out


async def run(corpus: str, questions: list[dict[str, Any]], *, bare: bool, verbose: bool) -> None:
    settings = load_settings({}, os.environ, Path.cwd())
    words = wiring.vocabulary(settings)
    opened, _report = wiring.open_corpus(settings, (corpus,), words, rerank=False)
    auditor = Auditor(opened, await opened.documents(), words)
    states: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    slowest, seconds, count = 0.0, 0.0, 0
    for asked in questions:
        answer, contract = asked["answer"], Contract("" if bare else asked["question"])
        started = time.perf_counter()
        report = (await auditor.audit(answer, contract)).report
        took = time.perf_counter() - started
        slowest, seconds, count = max(slowest, took), seconds + took, count + 1
        for figure in report.figures:
            states[figure["state"]] += 1
            if verbose and figure["state"] != "free":
                cited = (figure["binding"] or {}).get("citation") or {}
                print(f"{figure['state']:8} {figure['text']!r:24} p. {cited.get('page')} {cited.get('quote', '')[:90]}")
            if figure["state"] != "bound":
                continue
            for text in mutations(answer, figure):
                again = (await auditor.audit(text, contract)).report.figures
                verdict = next((f["state"] for f in again if f["start"] == figure["start"]), "gone")
                changed[verdict] += 1
                if verbose and verdict != "flagged":
                    print(f"         accepted as {verdict}: {text[figure['start'] : figure['end']]}")
    opened.close()
    judged = states["bound"] + states["flagged"]
    total = changed.total()
    print(
        f"true answers: {states['bound']} of {judged} figures bound ({states['bound'] / max(1, judged):.0%}); "
        f"{states['free']} free"
    )
    print(f"one digit changed: {changed['flagged']} of {total} flagged ({changed['flagged'] / max(1, total):.1%})")
    print(f"time: {seconds / max(1, count):.2f} s an answer, slowest {slowest:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--bare", action="store_true", help="audit without the question")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    questions = [json.loads(line) for line in given.questions.read_text("utf-8").splitlines()]
    asyncio.run(run(given.corpus, questions, bare=given.bare, verbose=given.verbose))


if __name__ == "__main__":
    main()

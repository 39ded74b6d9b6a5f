"""Runs analyst questions over a folder of filings through the real Host and counts what came back.

Usage: python benchmarks/filings.py CORPUS QUESTIONS.jsonl [--mode folder|document|both] [--only TEXT] [--verbose]
A question is a JSON line with id, doc, question, answer and evidence [{doc, page}], pages counted from 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from counterfoil import wiring
from counterfoil.core.answer.contract import Contract
from counterfoil.core.evidence.passages import Document, Segment
from counterfoil.core.record.state import RunState
from counterfoil.core.text.quantities import find_quantities
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished
from counterfoil.ports.corpus import Corpus, SearchOutcome
from counterfoil.settings import load_settings

FIRST_READS = 5
NUMERIC = re.compile(r"^\s*-?[$]?\(?-?[\d,.]+\)?\s*%?\s*(?:days|million|billion|mn|bn)?\s*$")


class Outcome(msgspec.Struct):
    """One question as it went."""

    id: str
    question: str
    gold: str
    head: str
    page_found: bool
    verdict: str  # right, wrong, abstained, words
    seconds: float
    status: str
    rejections: int


def gold_number(answer: str) -> Decimal | None:
    """The figure of a gold answer that is one figure, else None."""
    if not NUMERIC.match(answer):
        return None
    found = [q for q in find_quantities(answer) if q.kind in ("money", "percent", "number", "year")]
    return found[0].value if len(found) == 1 else None


def verdict(gold: str, tolerance: float, head: str, gaps: int, decimals: int = 2) -> str:
    """Whether the bold figure of the first line is the gold figure, within rounding of either."""
    wanted = gold_number(gold)
    bold = re.search(r"\*\*([^*]+)\*\*", head)
    if wanted is None:
        return "words"
    if bold is None:
        return "abstained" if gaps or not re.search(r"\d", head) else "quoted"
    found = [q for q in find_quantities(bold.group(1)) if q.kind in ("money", "percent", "number", "year")]
    if not found:
        return "wrong"
    value = found[-1].value / found[-1].multiplier
    near = max(Decimal(str(tolerance)), abs(wanted) * Decimal("0.006"))
    return "right" if any(abs(v - wanted) <= near for v in (value, -value)) else "wrong"


def pages(state: RunState) -> list[tuple[str, int | None]]:
    """The pages read, in the order they were read."""
    return [(state.sources[r.handle].document.id, r.segment.page) for r in state.readings]


class OneDocument:
    """A corpus seen through one of its documents, as if it stood alone in a folder."""

    def __init__(self, corpus: Corpus, document: str) -> None:
        self._corpus, self._document = corpus, document

    async def search(
        self,
        query: str,
        *,
        limit: int,
        documents: tuple[str, ...] = (),
        domains: tuple[str, ...] = (),
        snippets: bool = True,
    ) -> SearchOutcome:
        own = documents or (self._document,)
        return await self._corpus.search(query, limit=limit, documents=own, domains=domains, snippets=snippets)

    async def read(self, document: str, segment: int) -> Segment:
        return await self._corpus.read(document, segment)

    async def document(self, document: str) -> Document:
        return await self._corpus.document(document)


def judged(q: dict[str, Any], finished: Finished, seconds: float) -> Outcome:
    """Compare a finished run with the gold answer."""
    report = msgspec.to_builtins(finished.report)
    gold = {(item["doc"], item["page"] + 1) for item in q.get("evidence", ())}
    first = pages(finished.state)[:FIRST_READS]
    cited = [(item.get("url") or "", item.get("page")) for item in (report["publication"] or {}).get("citations", ())]
    hit = any(doc in place and page == number for doc, number in gold for place, page in [*first, *cited])
    body = (report["publication"] or {}).get("body") or ""
    head = body.split("\n")[0]
    answer = str(q["answer"])
    return Outcome(
        id=str(q["id"]),
        question=q["question"],
        gold=answer,
        head=head,
        page_found=hit,
        verdict=verdict(answer, float(q.get("tol", 0.0051)), head, len(report["gaps"])),
        seconds=seconds,
        status=report["status"],
        rejections=len(report["rejections"]),
    )


async def run(
    corpus_path: str, questions: list[dict[str, Any]], modes: list[str], index: str, *, verbose: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"store": f"{folder}/runs.db", "index": index or f"{folder}/index"}, {}, Path(folder))
        ledger = wiring.open_ledger(settings)
        vocabulary = wiring.vocabulary(settings)
        started = time.perf_counter()
        corpus, _ = wiring.open_corpus(settings, (corpus_path,), vocabulary)
        print(f"index: {time.perf_counter() - started:.1f} s")
        files = {Path(document.id).stem: document.id for document in await corpus.documents()}
        for mode in modes:
            rows: list[Outcome] = []
            for q in questions:
                begun = time.perf_counter()
                seen: Corpus = OneDocument(corpus, files.get(q["doc"], q["doc"])) if mode == "document" else corpus
                host = wiring.open_host(settings, ledger, seen, vocabulary)
                task = Task(
                    Contract(q["question"]), as_of="2024-06-30", zone="unknown", budget={}, operator={}, inputs={}
                )
                finished = await host.ask(task)
                rows.append(judged(q, finished, time.perf_counter() - begun))
                if verbose:
                    report = msgspec.to_builtins(finished.report)
                    print(f"\n=== {q['id']} {q['question']}\n{report['publication'] and report['publication']['body']}")
                    print("table", report["evidence_table"], "\nrejections", report["rejections"])
            show(mode, rows)
        await ledger.close()


def show(mode: str, rows: list[Outcome]) -> None:
    print(f"\n## {mode}: {len(rows)} questions")
    with_page = sum(row.page_found for row in rows)
    print(f"gold page among the first five read or cited: {with_page}/{len(rows)}")
    counts = {
        name: sum(row.verdict == name for row in rows) for name in ("right", "wrong", "abstained", "quoted", "words")
    }
    print("numeric: " + ", ".join(f"{name} {count}" for name, count in counts.items() if name != "words"))
    print(f"answered in words: {counts['words']}; rejected publications: {sum(row.rejections for row in rows)}")
    times = sorted(row.seconds for row in rows)
    print(f"seconds a question: median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}")
    for row in rows:
        if not row.page_found or row.verdict not in ("right", "words") or row.rejections:
            page = "found" if row.page_found else "missed"
            print(f"- {row.id} [{row.verdict}] page {page}, {row.rejections} rejected: {row.question[:110]}")
            print(f"    gold {row.gold[:90]} | {row.head[:160]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions")
    parser.add_argument("--mode", choices=("folder", "document", "both"), default="both")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--index", default="", help="folder that keeps the index between runs")
    args = parser.parse_args()
    lines = [json.loads(line) for line in Path(args.questions).read_text("utf-8").splitlines() if line.strip()]
    chosen = [q for q in lines if args.only in f"{q['id']} {q['question']}"]
    modes = ["folder", "document"] if args.mode == "both" else [args.mode]
    asyncio.run(run(args.corpus, chosen, modes, args.index, verbose=args.verbose))
    retrieval = Path(__file__).with_name("retrieval.py")
    if retrieval.exists() and not args.only:
        sys.stdout.flush()
        subprocess.run([sys.executable, str(retrieval), args.corpus, args.questions], check=False)


if __name__ == "__main__":
    main()

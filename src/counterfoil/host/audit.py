"""Owns an audit: anyone's draft against a corpus, every figure, quote and citation bound or flagged.

Never: a Run, a ledger or a model; and no passage is changed to fit.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Sequence

import msgspec

from counterfoil.core.answer.audit import Claims, Judged, Placed, cell_of, cited_in, unresolved
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.counting import counts
from counterfoil.core.answer.draft import Draft, Target, read_draft
from counterfoil.core.answer.figures import Base
from counterfoil.core.answer.formats import asked_formats, find_faults
from counterfoil.core.answer.links import find_links, unusable
from counterfoil.core.answer.placeholders import find_placeholders
from counterfoil.core.answer.quotations import Quotation, closest, find_quotations, stands
from counterfoil.core.answer.support import Support
from counterfoil.core.evidence.facts import Calculation
from counterfoil.core.evidence.naming import DocumentNames
from counterfoil.core.evidence.passages import Document
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.exchange import Json
from counterfoil.core.text.folding import space_folded
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.host.passage_pool import PassagePool
from counterfoil.host.report import CONTEXT_CHARS, SCHEMA, citation_of
from counterfoil.ports.corpus import Corpus

CALENDAR_MAX = 8  # passages about a fiscal year, for one claim
BATCH_CLAIMS = 24  # judged together; pages found for them stay at hand meanwhile


Progress = Callable[[int, int], None]


class AuditFinding(msgspec.Struct, frozen=True):
    """One objection: ``draft[start:end]``, on ``line`` (from 1)."""

    code: str
    where: str
    needed: str
    line: int
    start: int
    end: int


class AuditReport(msgspec.Struct, frozen=True):
    """The object that ``audit --json`` prints."""

    schema: int
    figures: tuple[Json, ...]
    quotes: tuple[Json, ...]
    citations: tuple[Json, ...]
    findings: tuple[AuditFinding, ...]
    warnings: tuple[Json, ...]


class Audited(msgspec.Struct, frozen=True):
    """A report, the draft it is about, and the page text around each quote that binds (id → before, quote, after)."""

    report: AuditReport
    draft: str
    contexts: dict[str, Json]


class Auditor:
    """Audits drafts against one corpus. ``vocabulary`` says what people call the rows of its documents."""

    def __init__(self, corpus: Corpus, documents: Sequence[Document], vocabulary: Vocabulary) -> None:
        self._corpus = corpus
        self._documents = tuple(documents)
        self._names = DocumentNames(documents)
        self._vocabulary = vocabulary

    async def audit(self, text: str, contract: Contract, progress: Progress = lambda done, total: None) -> Audited:
        """Judge ``text``; ``contract`` lends its question's nouns, years and definitions (question "" for none).

        ``progress`` is told how many of the claims with figures are done.
        """
        draft = read_draft(text, self._names)
        return await _Audit(self._corpus, self._documents, self._vocabulary, draft, contract).run(progress)


class _Audit:
    """One draft under audit."""

    def __init__(
        self, corpus: Corpus, documents: Sequence[Document], vocabulary: Vocabulary, draft: Draft, contract: Contract
    ) -> None:
        self._pool = PassagePool(corpus, documents)
        self._vocabulary = vocabulary
        self._support = Support(vocabulary)
        self._doubtful: list[Json] = []
        self._draft = draft
        self._contract = contract
        self._claims = Claims(draft, contract.question)
        self._line_starts = [0, *(i + 1 for i, c in enumerate(draft.body) if c == "\n")]
        self._ids: dict[tuple[str, int, int, int], str] = {}
        self._contexts: dict[str, Json] = {}

    async def run(self, progress: Progress) -> Audited:
        """Figures batch by batch, then quotations, then citations."""
        figures: list[Json] = []
        findings: list[AuditFinding] = []
        waiting = [placed for placed in self._claims.placed if self._claims.has_figures(placed)]
        for first in range(0, len(waiting), BATCH_CLAIMS):
            for judged in await self._judge(waiting[first : first + BATCH_CLAIMS]):
                told = self._figure(judged)
                if judged.warning:
                    said = f"line {told['line']}: {judged.text}"
                    self._doubtful.append({"code": judged.warning, "handle": None, "excerpt": said})
                figures.append(told)
                if judged.state == "flagged":
                    needed = told["nearest"]["needed"]
                    findings.append(self._finding(judged.code or "", judged.start, judged.end, needed))
            self._support.forget(self._pool.trim())
            progress(min(first + BATCH_CLAIMS, len(waiting)), len(waiting))
        quotes = [await self._quote(quotation) for quotation in find_quotations(self._claims.text)]
        for quote in quotes:
            if quote["state"] == "flagged":
                findings.append(self._finding(quote["code"], quote["start"], quote["end"], quote["needed"]))
        findings += await self._citation_findings()
        findings += self._text_findings()
        findings.sort(key=lambda finding: (finding.start, finding.end))
        report = AuditReport(
            schema=SCHEMA,
            figures=tuple(figures),
            quotes=tuple(quotes),
            citations=tuple(self._citations(findings)),
            findings=tuple(findings),
            warnings=(*self._warnings(), *self._doubtful),
        )
        return Audited(report, self._draft.body, self._contexts)

    async def _judge(self, batch: Sequence[Placed]) -> tuple[Judged, ...]:
        chosen: list[tuple[Placed, list[str]]] = []
        seen: dict[str, Evidence] = {}
        for placed in batch:
            pool = await self._candidates(placed)
            speak = self._support.passages(placed.about, pool)
            chosen.append((placed, [e.id for e in speak]))
            seen.update((e.id, e) for e in (*speak, *_calendar(pool)))
        base = Base(
            self._contract,
            self._pool.evidence,
            occurs=self._pool.occurs,
            everything=lambda: tuple(seen.values()),
            vocabulary=self._vocabulary,
        )
        return self._claims.judge(chosen, base)

    async def _candidates(self, placed: Placed) -> list[Evidence]:
        """What may speak for a claim: where it points if it points anywhere, else what searching finds."""
        if placed.scope.kind == "heading":  # it is held against what the text below it cites
            return []
        query = f"{placed.about.said}\n{placed.about.beside}\n{placed.about.around}"
        if placed.targets:
            pointed = [t for t in placed.targets if not t.missing]
            return await self._pool.pointed_at(pointed, query)
        found = await self._pool.search(query)
        if self._contract.question:
            found += await self._pool.search(self._contract.question)
        return list(dict.fromkeys(found))

    def _figure(self, judged: Judged) -> Json:
        bound = self._pool.evidence(judged.citation) if judged.citation else None
        binding: Json | None = None
        if judged.state == "bound":
            citation = self._cite(bound, cell_of(judged.quantity, bound)) if bound else None
            binding = {"citation": citation, "calculation": self._calculation(judged.calculation)}
        return {
            "text": judged.text,
            "start": judged.start,
            "end": judged.end,
            "line": self._line(judged.start),
            "state": judged.state,
            "code": judged.code,
            "binding": binding,
            "nearest": self._nearest(judged.nearest) if judged.state == "flagged" else None,
        }

    def _calculation(self, calculation: Calculation | None) -> Json | None:
        """A calculation with the citations of its operands in place of their IDs."""
        if calculation is None:
            return None
        told: Json = msgspec.to_builtins(calculation)
        for operand in told.get("inputs") or ():
            held = self._pool.evidence(operand.get("evidence_id") or "")
            if held is not None:
                citation = self._cite(held, (operand["value"], operand.get("header")))
                operand["evidence_id"], operand["citation"] = citation["id"], citation
        return told

    def _nearest(self, said: str) -> Json:
        evidence = self._pool.evidence(cited_in(said) or "")
        if evidence is None:
            return {"needed": said, "citation": None}
        citation = self._cite(evidence, None)
        return {"needed": said.replace(f"[{evidence.id}]", f"[{citation['id']}]"), "citation": citation}

    def _cite(self, evidence: Evidence, wanted: tuple[str, str | None] | None) -> Json:
        """A citation as ``ask --json`` prints it, with a number of this report's own and the page text around it."""
        passage, document = evidence.passage, evidence.source.document.id
        place = (document, evidence.segment, passage.start, passage.end)
        number = self._ids.setdefault(place, f"E{len(self._ids) + 1}")
        told: Json = msgspec.to_builtins(citation_of(msgspec.structs.replace(evidence, id=number), wanted))
        if number not in self._contexts:
            text = self._pool.text_of(evidence)
            self._contexts[number] = {
                "before": text[max(0, passage.start - CONTEXT_CHARS) : passage.start],
                "quote": text[passage.start : passage.end],
                "after": text[passage.end : passage.end + CONTEXT_CHARS],
            }
        return {"document": document, **told}

    async def _quote(self, quotation: Quotation) -> Json:
        """A quotation, bound to the passage that holds it, or the nearest one."""
        start = self._claims.origin(quotation.start) or 0
        last = self._claims.origin(quotation.end - 1)
        placed = [p for p in self._claims.placed if p.scope.start < quotation.end and quotation.start < p.scope.end]
        targets = [t for p in placed for t in p.targets]
        told: Json = {
            "text": space_folded(quotation.text),
            "start": start,
            "end": (last or start) + 1,
            "line": self._line(start),
            "state": "bound",
            "code": None,
            "citation": None,
            "needed": "",
        }
        if self._contract.question and stands(quotation.text, self._contract.question):
            return {**told, "state": "free"}
        pointed = [t for t in targets if not t.missing]
        pool = await (self._pool.pointed_at(pointed, quotation.text) if targets else self._pool.search(quotation.text))
        held = self._holding(quotation.text, pool)
        if held is not None:
            return {**told, "citation": self._cite(held, None)}
        near = pool or await self._pool.search(quotation.text)
        if not near:
            return {**told, "state": "flagged", "code": "QUOTE_NOT_FOUND", "needed": "words that a document holds"}
        best = near[closest(quotation.text, [e.passage.text for e in near])]
        citation = self._cite(best, None)
        needed = f"the document's own words [{citation['id']}]: {citation['quote']}"
        return {**told, "state": "flagged", "code": "QUOTE_NOT_FOUND", "citation": citation, "needed": needed}

    def _holding(self, quote: str, pool: Sequence[Evidence]) -> Evidence | None:
        """The passage in which a quotation stands, or begins when it runs on across the page."""
        for evidence in pool:
            if stands(quote, evidence.passage.text):
                return evidence
        pages: dict[tuple[str, int], list[Evidence]] = {}
        for evidence in pool:
            pages.setdefault((evidence.source.document.id, evidence.segment), []).append(evidence)
        for found in pages.values():
            if stands(quote, self._pool.text_of(found[0])):
                return found[closest(quote, [e.passage.text for e in found])]
        return None

    async def _citation_findings(self) -> list[AuditFinding]:
        missing = unresolved(self._draft)
        found = [self._finding("CITATION_UNKNOWN", c.start, c.end, t.missing) for c, t in missing]
        for citing in self._draft.citings:
            for target in citing.targets:
                if not target.missing and not await self._pool.has_page(target):
                    needed = f"a page that {_named(target)} has; it has no page {target.page}"
                    found.append(self._finding("CITATION_UNKNOWN", citing.start, citing.end, needed))
        return found

    def _text_findings(self) -> list[AuditFinding]:
        """What the text alone shows: placeholders, links that nobody should follow, formats, counts asked for."""
        body, asked = self._draft.body, self._contract.question
        found: list[AuditFinding] = []
        for start, end in find_placeholders(self._draft.text):
            found.append(self._finding("PLACEHOLDER_TEXT", start, end, "the finished text"))
        for link in find_links(body):
            if wrong := unusable(link.target):
                found.append(self._finding("LINK_BAD", link.start, link.end, f"the address of a source; {wrong}"))
        for fault in find_faults(body, asked_formats(asked)):
            line = self._line(fault.start)
            found.append(AuditFinding("FORMAT_BAD", fault.text, fault.wrong, line, fault.start, fault.start))
        cited = {d for citing in self._draft.citings for target in citing.targets for d in target.documents}
        for count in counts(self._contract, body, len(cited)):
            if count.met is False:
                needed = f"{count.asked}; counted {count.measured}"
                found.append(AuditFinding("COUNT_NOT_MET", count.text, needed, 1, 0, 0))
        return found

    def _citations(self, findings: Sequence[AuditFinding]) -> list[Json]:
        """The draft's own citations and where each leads."""
        bad = {(f.start, f.end) for f in findings if f.code == "CITATION_UNKNOWN"}
        out: list[Json] = []
        for citing in self._draft.citings:
            flagged = (citing.start, citing.end) in bad
            out.append(
                {
                    "text": space_folded(self._draft.body[citing.start : citing.end]),
                    "start": citing.start,
                    "end": citing.end,
                    "line": self._line(citing.start),
                    "state": "flagged" if flagged else "bound",
                    "code": "CITATION_UNKNOWN" if flagged else None,
                    "targets": [
                        {"text": t.text, "documents": list(t.documents), "page": t.page} for t in citing.targets
                    ],
                }
            )
        return out

    def _warnings(self) -> list[Json]:
        out: list[Json] = []
        if self._draft.code_blocks:
            excerpt = f"{self._draft.code_blocks} code block(s) were not checked"
            out.append({"code": "CODE_NOT_CHECKED", "handle": None, "excerpt": excerpt})
        for citing in self._draft.citings:
            for target in citing.targets:
                if len(target.documents) > 1:
                    said = f"line {self._line(citing.start)}: {target.text} may be {' or '.join(target.documents)}"
                    out.append({"code": "CITATION_AMBIGUOUS", "handle": None, "excerpt": said})
        return out

    def _finding(self, code: str, start: int, end: int, needed: str) -> AuditFinding:
        return AuditFinding(code, space_folded(self._draft.body[start:end]), needed, self._line(start), start, end)

    def _line(self, position: int) -> int:
        return bisect_right(self._line_starts, position)


def _calendar(pool: Sequence[Evidence]) -> list[Evidence]:
    """The first passages that may say when a document's fiscal year ends; they are looked at beside what speaks."""
    said = (e for e in pool if e.passage.table is None and "fiscal" in e.passage.text.casefold())
    return list(itertools.islice(said, CALENDAR_MAX))


def _named(target: Target) -> str:
    return ", ".join(target.documents) or "any document"

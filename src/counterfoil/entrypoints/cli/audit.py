"""Owns ``counterfoil audit``: a draft and documents in, every figure, quote and citation bound or flagged.

Never: a Run, a ledger or a model; and a draft is read whole or refused.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.render.audit_paper import AuditPaper
from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import PolicyRefused, UsageError
from counterfoil.entrypoints.cli.audit_screen import audit_screen
from counterfoil.entrypoints.cli.exits import DONE, PARTIAL
from counterfoil.entrypoints.cli.indexing import index_corpus
from counterfoil.entrypoints.cli.options import json_option, require_text, set_option, settings_of, store_option
from counterfoil.entrypoints.cli.out import check_out, write_text
from counterfoil.entrypoints.cli.papers import page_context
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.progress import progress_for
from counterfoil.entrypoints.cli.screen import colours, terminal_width
from counterfoil.host.audit import Audited
from counterfoil.host.audit_policies import DRAFT_BYTES
from counterfoil.settings import Settings

GC_ALLOCATIONS = 100_000  # between two looks for garbage: at Python's own 700 they take a fifth of an audit


@click.command()
@click.argument("draft", metavar="DRAFT.md")
@click.option("--corpus", multiple=True, metavar="PATH", help="A folder or file to hold it against. Repeatable.")
@click.option("--snapshot", "snapshots", multiple=True, metavar="DIR", help="A saved web: DIR/host/path. Repeatable.")
@click.option("--question", metavar="TEXT", default="", help="What the draft answers: lends its words and years.")
@click.option("--out", metavar="FILE", help="Also write the report: .md, .html or .json.")
@set_option
@store_option
@json_option
@click.option("--quiet", is_flag=True, help="No progress.")
def audit(draft: str, **options: Any) -> int:
    """Hold DRAFT.md against documents: every figure, quote and citation is bound to a passage or flagged.

    DRAFT.md is Markdown or plain text by anyone; "-" reads it from stdin. Citations may be [1] with a list of
    sources, links, footnotes, "(report.pdf, p. 60)", or missing. Exit code 0: nothing to object to; 10: findings.
    """
    out = check_out(options.get("out"))
    settings = settings_of(options)
    text = read_text(draft, settings)
    paper = _audited(draft, text, settings, options)
    if out is not None:
        hint = "print it instead: leave --out away"
        write_text(out, _rendered(paper, out.suffix.lower()), hint=hint)
    if options.get("as_json"):
        print_json(paper.report)
    else:
        click.echo(audit_screen(paper, width=terminal_width(), written=str(out) if out else None), color=colours())
    return PARTIAL if paper.findings else DONE


def _rendered(paper: AuditPaper, suffix: str) -> str:
    """The audit as a file of that suffix; what a form needs is loaded for it alone."""
    if suffix == ".html":
        from counterfoil.adapters.render.audit_html import render_audit_html

        return render_audit_html(paper)
    from counterfoil.adapters.render.audit_markdown import render_audit_json, render_audit_markdown

    return render_audit_markdown(paper) if suffix == ".md" else render_audit_json(paper)


def _audited(name: str, text: str, settings: Settings, options: Mapping[str, Any]) -> AuditPaper:
    question = str(options.get("question") or "")
    require_text(question, "--question")
    progress = progress_for(quiet=bool(options.get("quiet")))
    words = wiring.vocabulary(settings)
    gc.set_threshold(GC_ALLOCATIONS)
    try:
        paths, snapshots = tuple(options["corpus"]), tuple(options["snapshots"])
        corpus, _notices = index_corpus(settings, paths, snapshots, words, progress, rerank=False)
        with closing(corpus):
            documents = asyncio.run(corpus.documents())
            auditor = wiring.open_auditor(corpus, documents, words)
            done: Audited = asyncio.run(auditor.audit(text, Contract(question)))
    finally:
        progress.pause()
    return AuditPaper(
        report=msgspec.to_builtins(done.report),
        draft=done.draft,
        name="the draft on stdin" if name == "-" else Path(name).name,
        question=question,
        documents=len(documents),
        contexts={cited: page_context(context) for cited, context in done.contexts.items()},
    )


def read_text(name: str, settings: Settings) -> str:
    """The draft in ``name``, "-" for stdin.

    Raises:
        UsageError: it cannot be read, is empty, or is no text.
        PolicyRefused: it is longer than a draft may be.
    """
    limit = int(wiring.policy_values(settings)[DRAFT_BYTES].value or 0)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(limit + 1)
    except OSError as wrong:
        raise UsageError(
            f"the draft {name} cannot be read: {wrong.strerror}", code="DRAFT_UNREADABLE", hint="name a text file"
        ) from wrong
    if len(data) > limit:
        raise PolicyRefused(
            f"the draft {name} is longer than {limit:,} bytes",
            code="DRAFT_TOO_LARGE",
            hint=f"audit it in parts, or widen the limit: --set {DRAFT_BYTES}=N",
            policy=DRAFT_BYTES,
        )
    text = _decoded(data, name)
    if not any(c.isalnum() for c in text):
        raise UsageError(f"the draft {name} is empty", code="DRAFT_EMPTY", hint="there is nothing to audit in it")
    return text


def _decoded(data: bytes, name: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as wrong:
        raise _no_text(name) from wrong
    if "\0" in text:
        raise _no_text(name)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _no_text(name: str) -> UsageError:
    hint = "save it as Markdown or plain text in UTF-8; documents to hold it against go to --corpus"
    return UsageError(f"the draft {name} is no text", code="DRAFT_NOT_TEXT", hint=hint)

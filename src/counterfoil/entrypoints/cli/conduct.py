"""Owns one Run as a command performs it: check, index, ask, print, write; the same for ask, run and demo.

Never: a Run whose options turn out unusable afterwards, or an exit code of its own (``exit_code`` has the table).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.render.plain import one_line
from counterfoil.core.answer.contract import Contract
from counterfoil.core.law.path_proof import prove_path
from counterfoil.core.law.policy import Number
from counterfoil.entrypoints.cli.contract_edit import asks_person, confirmer
from counterfoil.entrypoints.cli.options import as_of_date, settings_of, zone_name
from counterfoil.entrypoints.cli.out import check_out, write_report
from counterfoil.entrypoints.cli.papers import exit_code, paper_of, print_json
from counterfoil.entrypoints.cli.progress import Progress, progress_for
from counterfoil.entrypoints.cli.screen import print_paper
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished
from counterfoil.settings import Settings


class Order(msgspec.Struct, frozen=True):
    """What is to be done: the contract, where to look, and the limits that the task itself narrows."""

    contract: Contract
    corpus: tuple[str, ...]
    budget: dict[str, Number] = {}


class Skipped(msgspec.Struct, frozen=True):
    """A file that was not read."""

    code: str
    sentence: str


def conduct(order: Order, options: Mapping[str, Any], *, brief: bool = False) -> int:
    """Do ``order``, show its report as the options say, and return the exit code."""
    out = check_out(options.get("out"))
    settings = settings_of(options)
    prove_path(wiring.policy_values(settings), entry=not order.contract.rows and not order.contract.fields)
    task = Task(
        contract=order.contract,
        as_of=as_of_date(options.get("as_of"), SystemClock().now_ms()),
        zone=zone_name(options.get("tz")),
        budget=order.budget,
        operator=settings.policies,
        inputs={"corpus": tuple(str(Path(path).expanduser().absolute()) for path in order.corpus)},
    )
    progress = progress_for(quiet=bool(options.get("quiet")))
    person = asks_person(
        as_json=bool(options.get("as_json")),
        yes=bool(options.get("yes")),
        interactive=sys.stdin.isatty() and sys.stderr.isatty(),
    )
    try:
        finished, skipped = asyncio.run(_perform(task, order.corpus, settings, progress, person=person))
    finally:
        progress.pause()
    return _show(finished, skipped, out, as_json=bool(options.get("as_json")), brief=brief)


async def _perform(
    task: Task, corpus_paths: tuple[str, ...], settings: Settings, progress: Progress, *, person: bool
) -> tuple[Finished, tuple[Skipped, ...]]:
    ledger = wiring.open_ledger(settings)
    try:
        words = wiring.vocabulary(settings)
        corpus, indexed = wiring.open_corpus(
            settings,
            corpus_paths,
            words,
            lambda at: progress.index(at.documents_done, at.documents_total, at.pages, at.current),
        )
        progress.pause()
        skipped = (*(Skipped(code, f"{name}: {sentence}") for name, code, sentence in indexed.skipped),)
        for line in (*(f"skipped {note.sentence}" for note in skipped), *indexed.warnings):
            progress.note(line)
        host = wiring.open_host(settings, ledger, corpus, words)
        confirm = confirmer(progress.pause) if person else None
        return await host.ask(task, progress.event, confirm), skipped
    finally:
        await ledger.close()


def _show(finished: Finished, skipped: tuple[Skipped, ...], out: Path | None, *, as_json: bool, brief: bool) -> int:
    paper = paper_of(finished)
    noted = [{"code": note.code, "handle": None, "excerpt": one_line(note.sentence)} for note in skipped]
    paper.report["warnings"] = [*paper.report["warnings"], *noted]
    if as_json:
        print_json(paper.report)
    if out is not None:
        write_report(out, paper)
    if not as_json:
        print_paper(paper, str(out) if out else None, brief=brief)
    return exit_code(str(paper.report["status"]))

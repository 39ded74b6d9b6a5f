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
from counterfoil.core.law.path_proof import require_path
from counterfoil.core.law.policy import Number
from counterfoil.core.record.events import Notice
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.entrypoints.cli.contract_edit import Confirm, asks_person, confirmer
from counterfoil.entrypoints.cli.options import as_of_date, settings_of, zone_name
from counterfoil.entrypoints.cli.out import check_out, write_report
from counterfoil.entrypoints.cli.papers import exit_code, paper_of, print_json
from counterfoil.entrypoints.cli.progress import Progress, progress_for
from counterfoil.entrypoints.cli.screen import print_paper
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished
from counterfoil.ports.corpus import Corpus
from counterfoil.settings import Settings


class Order(msgspec.Struct, frozen=True):
    """What is to be done: the contract, where to look, and the limits that the task itself narrows."""

    contract: Contract
    corpus: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    budget: dict[str, Number] = {}


def conduct(order: Order, options: Mapping[str, Any], *, brief: bool = False) -> int:
    """Do ``order``, show its report as the options say, and return the exit code."""
    out = check_out(options.get("out"))
    settings = settings_of(options)
    require_path(wiring.path_proof(settings, order.contract, order.budget))
    as_of, zone = as_of_date(options.get("as_of"), SystemClock().now_ms()), zone_name(options.get("tz"))
    progress = progress_for(quiet=bool(options.get("quiet")))
    person = asks_person(
        as_json=bool(options.get("as_json")),
        yes=bool(options.get("yes")),
        interactive=sys.stdin.isatty() and sys.stderr.isatty(),
    )
    try:
        asyncio.run(_check_store(settings))
        words = wiring.vocabulary(settings)
        corpus, notices = _index(settings, order, words, progress)
        task = Task(
            contract=order.contract,
            as_of=as_of,
            zone=zone,
            budget=order.budget,
            operator=settings.policies,
            inputs={"corpus": _absolute(order.corpus), "snapshot": _absolute(order.snapshots)},
            notices=notices,
        )
        confirm = confirmer(progress.pause) if person else None
        finished = asyncio.run(_perform(task, settings, corpus, words, progress, confirm))
    finally:
        progress.pause()
    return _show(finished, out, as_json=bool(options.get("as_json")), brief=brief)


def _absolute(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(Path(path).expanduser().absolute()) for path in paths)


async def _check_store(settings: Settings) -> None:
    """Find out that the store cannot be used before minutes are spent on an index."""
    await wiring.open_ledger(settings).close()


def _index(
    settings: Settings, order: Order, words: Vocabulary, progress: Progress
) -> tuple[Corpus, tuple[Notice, ...]]:
    """Index outside any event loop, where an interrupt ends it at once."""
    corpus, indexed = wiring.open_corpus(
        settings,
        order.corpus,
        words,
        lambda at: progress.index(at.documents_done, at.documents_total, at.pages, at.current),
        snapshots=order.snapshots,
    )
    progress.pause()
    skipped = tuple(Notice(code, one_line(f"{name}: {sentence}")) for name, code, sentence in indexed.skipped)
    for line in (*(f"skipped {notice.text}" for notice in skipped), *indexed.warnings):
        progress.note(line)
    return corpus, skipped


async def _perform(
    task: Task, settings: Settings, corpus: Corpus, words: Vocabulary, progress: Progress, confirm: Confirm | None
) -> Finished:
    ledger = wiring.open_ledger(settings)
    try:
        return await wiring.open_host(settings, ledger, corpus, words).ask(task, progress.event, confirm)
    finally:
        await ledger.close()


def _show(finished: Finished, out: Path | None, *, as_json: bool, brief: bool) -> int:
    paper = paper_of(finished)
    if as_json:
        print_json(paper.report)
    if out is not None:
        write_report(out, paper)
    if not as_json:
        print_paper(paper, str(out) if out else None, brief=brief)
    return exit_code(str(paper.report["status"]), paper.report["error"])

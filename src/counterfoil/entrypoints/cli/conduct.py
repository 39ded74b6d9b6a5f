"""Owns one Run as a command performs it: check, index, ask, print, write; the same for ask, run and demo.

Never: a Run whose options turn out unusable afterwards, or an exit code of its own (``exit_code`` has the table).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.stores.address import names_postgres
from counterfoil.adapters.stores.sqlite import read_only, store_path
from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import LedgerBroken, WriteFailed
from counterfoil.core.law.path_proof import require_path
from counterfoil.core.law.policy import Number
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.entrypoints.cli.contract_edit import asks_person, confirmer
from counterfoil.entrypoints.cli.indexing import index_corpus
from counterfoil.entrypoints.cli.interrupts import pausing
from counterfoil.entrypoints.cli.options import settings_of
from counterfoil.entrypoints.cli.out import check_out, write_report
from counterfoil.entrypoints.cli.papers import exit_code, paper_of
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.progress import Progress, progress_for
from counterfoil.entrypoints.cli.screen import print_paper
from counterfoil.entrypoints.intake import (
    absolute,
    as_of_date,
    require_named_documents,
    require_web_for_domains,
    zone_name,
)
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, Host
from counterfoil.ports.corpus import Corpus
from counterfoil.settings import Settings

WEB_HINT = "bind rows to documents (docs: […]), or search a saved web with --snapshot DIR"


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
        asyncio.run(check_store(settings))
        require_web_for_domains(order.contract, web=bool(order.snapshots), hint=WEB_HINT)
        words = wiring.vocabulary(settings)
        corpus, notices = index_corpus(settings, order.corpus, order.snapshots, words, progress)
        require_named_documents(order.contract, asyncio.run(corpus.documents()))
        task = Task(
            contract=order.contract,
            as_of=as_of,
            zone=zone,
            budget=order.budget,
            operator=settings.policies,
            inputs={"corpus": absolute(order.corpus), "snapshot": absolute(order.snapshots)},
            notices=notices,
        )
        confirm = confirmer(progress.pause) if person else None
        work = host_work(
            settings, corpus, words, progress, lambda host, pause: host.ask(task, progress.event, confirm, pause)
        )
        with closing(corpus):
            finished = asyncio.run(work)
    finally:
        progress.pause()
    return show_finished(finished, out, as_json=bool(options.get("as_json")), brief=brief)


async def check_store(settings: Settings) -> None:
    """Find out that the store cannot be used before minutes are spent on an index."""
    await wiring.open_ledger(settings).close()
    if not names_postgres(settings.store) and read_only(store_path(settings.store)):
        raise LedgerBroken(
            f"The store {settings.store} can be read and not be written.",
            code="STORE_READ_ONLY",
            hint="Name another file with --store, or change the permissions of the file and its folder.",
        )


async def host_work(
    settings: Settings,
    corpus: Corpus,
    words: Vocabulary,
    progress: Progress,
    work: Callable[[Host, asyncio.Event], Awaitable[Finished]],
    played: Mapping[str, Mapping[str, int]] | None = None,
) -> Finished:
    """Open a Host over ``corpus``, let it ``work`` until it is done or somebody wants a pause, and close its ledger."""
    ledger = wiring.open_ledger(settings)
    try:
        with pausing(progress.note) as pause:
            finished = await work(wiring.open_host(settings, ledger, corpus, words, played), pause)
    except BaseException:
        await ledger.close()
        raise
    closing_down = asyncio.ensure_future(ledger.close())
    try:
        await asyncio.shield(closing_down)
    except asyncio.CancelledError:  # the Run is settled: too late to stop, and its answer is worth printing
        await closing_down
    return finished


def show_finished(finished: Finished, out: Path | None, *, as_json: bool, brief: bool = False) -> int:
    """Write, print, and return the exit code; a report that cannot be written is printed all the same."""
    paper = paper_of(finished)
    unwritten: WriteFailed | None = None
    if out is not None:
        try:
            write_report(out, paper)
        except WriteFailed as error:
            if as_json:
                raise  # one object on stdout
            out, unwritten = None, error
    if as_json:
        print_json(paper.report)
    else:
        print_paper(paper, str(out) if out else None, brief=brief)
    if paper.report["status"] == "paused":
        click.echo(f"paused; go on with: counterfoil resume {finished.state.run_id}", err=True)
    if unwritten is not None:
        raise unwritten
    return exit_code(str(paper.report["status"]), paper.report["error"])

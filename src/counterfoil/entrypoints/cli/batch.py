"""Owns ``counterfoil batch``: a CSV file of questions becomes one table, under one budget, gone on with when it stops.

Never: a question answered twice; the same command again reads what is settled and goes on with the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.models.clients import Clients
from counterfoil.adapters.render.batch_html import BatchPaper, render_batch_html
from counterfoil.adapters.render.batch_table import TableLine, lines_of, render_batch_csv
from counterfoil.adapters.render.plain import one_line
from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import PolicyRefused, RefusedError, UsageError
from counterfoil.core.law.path_proof import require_path
from counterfoil.core.law.policy import Number
from counterfoil.core.record.snapshot import Notice
from counterfoil.core.record.state import RunState
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.entrypoints.cli.conduct import WEB_HINT, check_store
from counterfoil.entrypoints.cli.exits import CANCELLED, DONE, FAILED, OF_STATUS, PARTIAL
from counterfoil.entrypoints.cli.indexing import index_corpus
from counterfoil.entrypoints.cli.interrupts import pausing
from counterfoil.entrypoints.cli.options import json_option, set_option, settings_of, store_option
from counterfoil.entrypoints.cli.out import check_out, write_text
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.progress import Progress, progress_for
from counterfoil.entrypoints.cli.questions import load_questions
from counterfoil.entrypoints.cli.screen import text_table
from counterfoil.entrypoints.intake import (
    absolute,
    as_of_date,
    require_named_documents,
    require_web_for_domains,
    zone_name,
)
from counterfoil.host.admission import Task
from counterfoil.host.batch import Batch, Outcome, batch_id
from counterfoil.host.host import Host
from counterfoil.ports.corpus import Corpus
from counterfoil.settings import Settings, parse_policy

SUFFIXES = (".csv", ".html", ".json")
_QUESTION_CHARS, _NAME_CHARS = 50, 24


@click.command()
@click.argument("questions", metavar="QUESTIONS.csv")
@click.option("--corpus", multiple=True, metavar="PATH", help="A folder or file to search. Repeatable.")
@click.option("--snapshot", "snapshots", multiple=True, metavar="DIR", help="A saved web: DIR/host/path. Repeatable.")
@click.option(
    "--budget", "totals", multiple=True, metavar="POLICY=VALUE", help="What all questions may use together. Repeatable."
)
@set_option
@click.option("--as-of", metavar="DATE", help="The day that “today” means: 2025-03-31.")
@click.option("--tz", metavar="ZONE", help="Your time zone: Europe/Lisbon.")
@click.option("--model", metavar="SPEC", help="Who decides: offline (no language model).")
@store_option
@click.option("--out", metavar="FILE", help="Also write the table: .csv, .html or .json.")
@json_option
@click.option("--quiet", is_flag=True, help="No progress.")
def batch(questions: str, **options: Any) -> int:
    """Answer every question of QUESTIONS.csv: one Run each, one budget, one table with a quote per cell.

    Columns: question, and if you like rows, fields, domains, docs, done, forbidden (several with ";"), period, kind.
    The same command again goes on where it stopped: what is settled is read back and costs nothing.
    """
    out = check_out(options.get("out"), SUFFIXES)
    settings = settings_of(options)
    contracts = load_questions(questions)
    budget = _totals(settings, options["totals"])
    for place, contract in enumerate(contracts, 1):
        _lawful(settings, contract, options, f"question {place}")
    progress = progress_for(quiet=bool(options.get("quiet")))
    try:
        asyncio.run(check_store(settings))
        words = wiring.vocabulary(settings)
        paths, snapshots = tuple(options["corpus"]), tuple(options["snapshots"])
        corpus, notices = index_corpus(settings, paths, snapshots, words, progress)
        with closing(corpus):
            documents = asyncio.run(corpus.documents())
            for contract in contracts:
                require_named_documents(contract, documents)
            work = _Work(settings, corpus, words, progress, _ordered(contracts, budget, settings, options, notices))
            outcomes = asyncio.run(work.done())
    finally:
        progress.pause()
    return _show(work.batch, outcomes, len(contracts), budget, out, options)


def _totals(settings: Settings, texts: tuple[str, ...]) -> dict[str, Number]:
    """What all Runs may use together."""
    values = wiring.policy_values(settings)
    totals: dict[str, Number] = {}
    for text in texts:
        policy, value = parse_policy(text, "flag")
        if policy not in values or not values[policy].metered:
            metered = ", ".join(name for name, known in values.items() if known.metered)
            raise UsageError(
                f"--budget {text}: {policy!r} is not counted over Runs",
                code="BUDGET_NOT_METERED",
                hint=f"give a total of: {metered}",
            )
        if value is None or value <= 0:
            raise PolicyRefused(
                f"--budget {text}: a total of nothing answers nothing",
                code="BUDGET_INVALID",
                policy=policy,
                hint="give a number above zero, or leave it out",
            )
        totals[policy] = value
    return totals


def _lawful(settings: Settings, contract: Contract, options: Mapping[str, Any], which: str) -> None:
    """Refuse a question that could not be answered, before any is."""
    try:
        require_path(wiring.path_proof(settings, contract, {}))
        require_web_for_domains(contract, web=bool(options["snapshots"]), hint=WEB_HINT)
    except RefusedError as wrong:
        raise type(wrong)(f"{which}: {wrong.message}", code=wrong.code, hint=wrong.hint, policy=wrong.policy) from wrong


def _ordered(
    contracts: tuple[Contract, ...],
    budget: Mapping[str, Number],
    settings: Settings,
    options: Mapping[str, Any],
    notices: tuple[Notice, ...],
) -> Batch:
    """The batch, named by what was asked: questions, places, limits, model, and the day where one was given."""
    inputs = {"corpus": absolute(options["corpus"]), "snapshot": absolute(options["snapshots"])}
    as_of, zone = as_of_date(options.get("as_of"), SystemClock().now_ms()), zone_name(options.get("tz"))
    name = batch_id(
        {
            "contracts": contracts,
            "inputs": inputs,
            "budget": budget,
            "policies": settings.policies,
            "models": (settings.model, *settings.fallbacks),
            **({"reviewer": settings.reviewer} if settings.reviewer else {}),
            "as_of": options.get("as_of"),
            "zone": zone,
            "vocabularies": wiring.vocabulary_digests(settings),
        }
    )
    tasks = tuple(
        Task(contract, as_of, zone, operator=settings.policies, inputs=inputs, notices=notices)
        for contract in contracts
    )
    return Batch(name, tasks, budget, wiring.policy_values(settings))


class _Work:
    """The driving of a batch with its ledger and progress."""

    def __init__(self, settings: Settings, corpus: Corpus, words: Vocabulary, progress: Progress, batch: Batch) -> None:
        self._settings, self._corpus, self._words, self._progress = settings, corpus, words, progress
        self.batch = batch

    async def done(self) -> tuple[Outcome, ...]:
        """The outcomes, as many as there were before a pause."""
        ledger, clients = wiring.open_ledger(self._settings), Clients()

        def opened(state: RunState | None) -> Host:
            played = wiring.played(state) if state else None
            return wiring.open_host(self._settings, ledger, self._corpus, self._words, played, clients=clients)

        try:
            with pausing(self._progress.note) as pause:
                return await self.batch.drive(ledger, opened, pause, self._tell)
        finally:
            await ledger.close()
            await clients.close()

    def _tell(self, outcome: Outcome, before: bool) -> None:
        again = " (answered before)" if before else ""
        question = _short(outcome.question, _QUESTION_CHARS)
        why = f": {one_line(outcome.error.message)}" if outcome.error else ""
        self._progress.note(f"{outcome.place}: {outcome.status.replace('_', ' ')}{again}{why}  {question}")


def _lines(outcome: Outcome) -> tuple[TableLine, ...]:
    if outcome.finished is None:
        why = outcome.error.message if outcome.error else ""
        return (TableLine(outcome.place, outcome.question, "refused", "", why=why),)
    return tuple(lines_of(outcome.place, msgspec.to_builtins(outcome.finished.report)))


def _show(
    batch: Batch,
    outcomes: tuple[Outcome, ...],
    questions: int,
    budget: Mapping[str, Number],
    out: Path | None,
    options: Mapping[str, Any],
) -> int:
    lines = tuple(line for outcome in outcomes for line in _lines(outcome))
    report = _report(batch, outcomes, lines, questions, budget)
    if out is not None:
        hint = "the answers are kept: the same command again writes them without asking"
        write_text(
            out,
            _rendered(out.suffix.lower(), BatchPaper(batch.name, questions, lines, batch.used, budget), report),
            hint=hint,
        )
    if options.get("as_json"):
        print_json(report)
    else:
        click.echo(_screen(lines))
        click.echo(
            f"\n{len(outcomes)} of {questions} questions, batch {batch.name}" + (f", written to {out}" if out else "")
        )
    paused = len(outcomes) < questions or any(outcome.status in ("paused", "running") for outcome in outcomes)
    if paused:
        click.echo("paused; the same command again goes on", err=True)
        return CANCELLED
    codes = {OF_STATUS.get(outcome.status, PARTIAL) for outcome in outcomes}
    return DONE if codes == {DONE} else FAILED if codes <= {FAILED} else PARTIAL


def _rendered(suffix: str, paper: BatchPaper, report: dict[str, Any]) -> str:
    if suffix == ".csv":
        return render_batch_csv(paper.lines)
    if suffix == ".html":
        return render_batch_html(paper)
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def _report(
    batch: Batch,
    outcomes: tuple[Outcome, ...],
    lines: tuple[TableLine, ...],
    questions: int,
    budget: Mapping[str, Number],
) -> dict[str, Any]:
    told = [
        {
            "place": outcome.place,
            "question": outcome.question,
            "run_id": outcome.run_id if outcome.finished else None,
            "status": outcome.status,
            "error": {
                "code": outcome.error.code,
                "policy": outcome.error.policy,
                "message": outcome.error.message,
                "hint": outcome.error.hint,
            }
            if outcome.error
            else None,
        }
        for outcome in outcomes
    ]
    usage = {policy: {"used": units, "limit": budget.get(policy)} for policy, units in sorted(batch.used.items())}
    return {
        "schema": 1,
        "batch": batch.name,
        "questions": questions,
        "runs": told,
        "table": [msgspec.to_builtins(line) for line in lines],
        "usage": usage,
    }


def _screen(lines: tuple[TableLine, ...]) -> str:
    rows = [
        (
            str(line.place),
            _short(line.question, _QUESTION_CHARS),
            _short(line.row, _NAME_CHARS),
            _short(line.field, _NAME_CHARS),
            " ".join(filter(None, (_short(line.value, _QUESTION_CHARS), one_line(line.unit))))
            or line.state.replace("_", " ")
            or line.status,
            ", ".join(
                f"{_short(cited.title, _NAME_CHARS)}{f', page {cited.page}' if cited.page else ''}"
                for cited in line.citations[:1]
            ),
        )
        for line in lines
    ]
    return text_table(("", "question", "row", "field", "value", "source"), rows)


def _short(text: str, chars: int) -> str:
    """What a line on a terminal has room for; the files hold the whole."""
    line = one_line(text)
    return line if len(line) <= chars else line[: chars - 1] + "…"

"""Owns the table of commands: name, summary, and how its module is loaded.

Imports stand inside the loaders so that ``--help`` loads none of them. Never: an import by a computed name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import click


def _ask() -> click.Command:
    from counterfoil.entrypoints.cli.ask import ask

    return ask


def _run() -> click.Command:
    from counterfoil.entrypoints.cli.run import run

    return run


def _show() -> click.Command:
    from counterfoil.entrypoints.cli.show import show

    return show


def _runs() -> click.Command:
    from counterfoil.entrypoints.cli.runs import runs

    return runs


def _trace() -> click.Command:
    from counterfoil.entrypoints.cli.trace import trace

    return trace


def _verify() -> click.Command:
    from counterfoil.entrypoints.cli.verify import verify

    return verify


def _policies() -> click.Command:
    from counterfoil.entrypoints.cli.policies import policies

    return policies


def _doctor() -> click.Command:
    from counterfoil.entrypoints.cli.doctor import doctor

    return doctor


def _resume() -> click.Command:
    from counterfoil.entrypoints.cli.resume import resume

    return resume


def _cancel() -> click.Command:
    from counterfoil.entrypoints.cli.cancel import cancel

    return cancel


def _purge() -> click.Command:
    from counterfoil.entrypoints.cli.purge import purge

    return purge


def _check() -> click.Command:
    from counterfoil.entrypoints.cli.check import check

    return check


def _audit() -> click.Command:
    from counterfoil.entrypoints.cli.audit import audit

    return audit


def _batch() -> click.Command:
    from counterfoil.entrypoints.cli.batch import batch

    return batch


def _diagnose() -> click.Command:
    from counterfoil.entrypoints.cli.diagnose import diagnose

    return diagnose


def _proxy() -> click.Command:
    from counterfoil.entrypoints.cli.proxy import proxy

    return proxy


def _demo() -> click.Command:
    from counterfoil.entrypoints.cli.demo import demo

    return demo


def _simulate() -> click.Command:
    from counterfoil.entrypoints.cli.simulate import simulate

    return simulate


class Entry(NamedTuple):
    """A command before it is loaded."""

    load: Callable[[], click.Command]
    summary: str


COMMANDS = {
    "ask": Entry(_ask, "Ask your documents a question."),
    "run": Entry(_run, "Run a task file: rows, fields, constraints, budget."),
    "show": Entry(_show, "Show a Run: answer, evidence, gaps, budget."),
    "runs": Entry(_runs, "List Runs, newest first."),
    "resume": Entry(_resume, "Go on with an interrupted Run from its receipts."),
    "cancel": Entry(_cancel, "End a Run; what was accepted stays delivered."),
    "trace": Entry(_trace, "Print the events of a Run, oldest first."),
    "diagnose": Entry(_diagnose, "Localise what went wrong in a Run: stage, events, remedy."),
    "verify": Entry(_verify, "Prove that the ledger of a Run is unchanged."),
    "purge": Entry(_purge, "Delete the content of settled Runs; their chains stay provable."),
    "check": Entry(_check, "Prove that a Run can finish under the limits given."),
    "audit": Entry(_audit, "Hold any draft against your documents: every figure bound or flagged."),
    "batch": Entry(_batch, "Answer a file of questions: one budget, one table."),
    "proxy": Entry(_proxy, "Meter other programs' model requests against a budget."),
    "policies": Entry(_policies, "List every limit, its value and who may set it."),
    "doctor": Entry(_doctor, "Check this machine and this installation."),
    "simulate": Entry(_simulate, "Prove the Host against crashes, liars and broken clocks."),
    "demo": Entry(_demo, "Run the bundled example and write its report here."),
}

"""Owns Hosts: everything joined behind one.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from counterfoil.core.answer.contract import Contract
from counterfoil.core.evidence.passages import Document
from counterfoil.core.law.path_proof import PathProof, examine_path
from counterfoil.core.law.policy import Number
from counterfoil.core.record.state import RunState
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.host.additions import NOTHING_ADDED, Additions, with_tools, with_validators
from counterfoil.host.admission import admitted_values, demands_of
from counterfoil.ports.corpus import Corpus
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.model import Model
from counterfoil.settings import Settings
from counterfoil.wiring.checks import registrable, tool_specs, tools, validators
from counterfoil.wiring.limits import catalogue
from counterfoil.wiring.models import open_models, open_reviewer
from counterfoil.wiring.models import played as played_by

if TYPE_CHECKING:
    from counterfoil.adapters.models.clients import Clients
    from counterfoil.host.audit import Auditor
    from counterfoil.host.host import Finished, Host
    from counterfoil.host.journal import Observer


PROMPTS = Path(__file__).parents[1] / "data" / "prompts"


def path_proof(settings: Settings, contract: Contract, budget: Mapping[str, Number]) -> PathProof:
    """Whether a Run of ``contract``, narrowed by the task's ``budget``, could finish in this deployment.

    Raises:
        UsageError, PolicyRefused: a value is not lawful by itself, or there is no such model.
    """
    words = Vocabulary(name="none")
    models = open_models(settings, words)
    reviewer = open_reviewer(settings, models, words)
    values = admitted_values(catalogue(), settings.policies, budget, len(models), 0 if reviewer is None else 1)
    return examine_path(values, demands_of(contract, models, values, tool_specs(), reviewer))


def prompts() -> dict[str, str]:
    """The versioned prompts: name → text."""
    return {path.stem: path.read_text("utf-8") for path in sorted(PROMPTS.glob("*.md"))}


async def cancel(ledger: Ledger, run_id: str, observer: Observer | None = None) -> Finished:
    """End a Run of ``ledger`` as cancelled, whoever drives it."""
    from counterfoil.adapters.clock import SystemClock
    from counterfoil.adapters.holders import LocalHolders
    from counterfoil.host.host import cancel_run

    return await cancel_run(ledger, LocalHolders(), SystemClock(), run_id, observer)


def open_auditor(corpus: Corpus, documents: Sequence[Document], words: Vocabulary) -> Auditor:
    """What holds drafts against ``documents`` of ``corpus``."""
    from counterfoil.host.audit import Auditor

    return Auditor(corpus, documents, words)


def open_host(
    settings: Settings,
    ledger: Ledger,
    corpus: Corpus,
    words: Vocabulary,
    played: Mapping[str, Mapping[str, int]] | None = None,
    added: Additions = NOTHING_ADDED,
    clients: Clients | None = None,
) -> Host:
    """The Host over a corpus. ``played`` (model → purpose → responses settled) is where scripts go on.

    Providers are asked over ``clients``, which whoever made them closes; without, over clients of this Host alone,
    that close with the event loop.

    Raises:
        UsageError: there is no such model.
        RefusedError: something of ``added`` takes the name of what is there already.
    """
    from counterfoil.adapters.clock import SystemClock
    from counterfoil.adapters.holders import LocalHolders
    from counterfoil.adapters.ids import SystemIds
    from counterfoil.adapters.models.clients import Clients
    from counterfoil.host.host import Host

    shared = clients or Clients()

    def helper_models(number: int, state: RunState | None) -> tuple[Model, ...]:
        return open_models(settings, words, played_by(state) if state else None, number, shared)

    clock = SystemClock()
    models = (added.model,) if added.model else open_models(settings, words, played, clients=shared)
    return Host(
        ledger=ledger,
        clock=clock,
        ids=SystemIds(clock),
        models=models,
        reviewer=open_reviewer(settings, models, words, played, shared),
        tools=with_tools(tools(corpus), added),
        validators=with_validators(validators(words), added),
        catalogue=catalogue(),
        prompts=prompts(),
        holders=LocalHolders(),
        registrable=registrable,
        helper_models=None if added.model else helper_models,
    )

"""Owns the joining of parts: the only file that names concrete classes and composes what owners declare.

Imports of heavy adapters stand inside the functions that need them, so that light commands stay light.
Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import functools
import hashlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterfoil.adapters.market import policies as market
from counterfoil.adapters.models import policies as models
from counterfoil.adapters.net import policies as net
from counterfoil.adapters.stores import retention
from counterfoil.adapters.toolboxes import policies as toolboxes
from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.core.evidence.passages import Document
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.core.law.path_proof import PathProof, examine_path
from counterfoil.core.law.policy import Declaration, Number, Policy, PolicyValue, compose, effective
from counterfoil.core.record.state import RunState
from counterfoil.core.text.vocabulary import NO_WORDS, Vocabulary
from counterfoil.host import audit_policies, helpers, metering_policies, quality
from counterfoil.host.additions import NOTHING_ADDED, Additions, with_tools, with_validators
from counterfoil.host.admission import admitted_values, demands_of
from counterfoil.host.chain import require_chain
from counterfoil.host.policies import RUN_POLICIES
from counterfoil.ports.corpus import Corpus
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.model import Model
from counterfoil.ports.reader import Reader, ReadLimits
from counterfoil.ports.tool import Tool
from counterfoil.ports.validator import Validator
from counterfoil.settings import Settings
from counterfoil.tools import read_public_source, search_public_sources
from counterfoil.workbench import policies as workbench

if TYPE_CHECKING:
    from counterfoil.adapters.corpus.indexing import IndexReport, OnProgress
    from counterfoil.adapters.corpus.local import LocalCorpus, Reranker
    from counterfoil.adapters.models.keys import Keys
    from counterfoil.adapters.models.providers import Opened
    from counterfoil.adapters.suffixes import PublicSuffixes
    from counterfoil.host.audit import Auditor
    from counterfoil.host.host import Finished, Host
    from counterfoil.host.journal import Observer
    from counterfoil.host.metered_runs import Metering
    from counterfoil.ports.upstream import Upstream
    from counterfoil.sim.play import Parts

MEMORY_FOLDER = "/dev/shm"  # on Linux a folder without a disk: a simulated crash does not need one
PROMPTS = Path(__file__).parent / "data" / "prompts"


def catalogue() -> dict[str, Policy]:
    """Every policy, composed from its owners' declarations.

    Raises:
        RefusedError: two declarations of one id differ.
    """
    owners = (
        ("counterfoil.host.policies", RUN_POLICIES),
        ("counterfoil.host.quality", quality.POLICIES),
        ("counterfoil.host.helpers", helpers.POLICIES),
        ("counterfoil.host.audit_policies", audit_policies.POLICIES),
        ("counterfoil.host.metering_policies", metering_policies.POLICIES),
        ("counterfoil.tools.search_public_sources", search_public_sources.POLICIES),
        ("counterfoil.tools.read_public_source", read_public_source.POLICIES),
        ("counterfoil.adapters.models.policies", models.POLICIES),
        ("counterfoil.adapters.net.policies", net.POLICIES),
        ("counterfoil.adapters.market.policies", market.POLICIES),
        ("counterfoil.adapters.stores.retention", retention.POLICIES),
        ("counterfoil.workbench.policies", workbench.POLICIES),
        ("counterfoil.adapters.toolboxes.policies", toolboxes.POLICIES),
    )
    return compose(Declaration(policy, place) for place, policies in owners for policy in policies)


def open_ledger(settings: Settings) -> Ledger:
    """The ledger that ``settings.store`` names.

    Raises:
        UsageError: the URL has another scheme.
        RefusedError: the driver for it is not installed.
        LedgerBroken: the store is not a database, cannot be reached or written, or is damaged.
    """
    from counterfoil.adapters.stores.address import names_postgres
    from counterfoil.adapters.stores.crash import CrashingLedger

    ledger: Ledger
    if names_postgres(settings.store):
        from counterfoil.adapters.stores.postgres import open_postgres

        ledger = open_postgres(settings.store)
    else:
        from counterfoil.adapters.stores.sqlite import open_sqlite

        ledger = open_sqlite(settings.store)
    if settings.crash_at is not None:
        return CrashingLedger(ledger, settings.crash_at, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return ledger


def vocabulary(settings: Settings) -> Vocabulary:
    """The packaged vocabularies, extended by the user's files or folders of files."""
    from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary

    files: list[Path] = []
    for name in settings.vocabularies:
        path = Path(name).expanduser()
        if not path.exists():
            raise UsageError(
                f"the vocabulary {name} does not exist", code="VOCABULARY_MISSING", hint="name a .toml file or a folder"
            )
        files += sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return load_vocabulary(files)


def readers() -> tuple[Reader, ...]:
    """One reader per family of formats."""
    from counterfoil.adapters.readers.docx import DocxReader
    from counterfoil.adapters.readers.html import HtmlReader
    from counterfoil.adapters.readers.json_ import JsonReader
    from counterfoil.adapters.readers.markdown import MarkdownReader
    from counterfoil.adapters.readers.pdf import PdfReader
    from counterfoil.adapters.readers.sheet import SheetReader
    from counterfoil.adapters.readers.text import TextReader

    return (PdfReader(), HtmlReader(), MarkdownReader(), TextReader(), DocxReader(), SheetReader(), JsonReader())


def open_corpus(
    settings: Settings,
    paths: tuple[str, ...],
    words: Vocabulary,
    progress: OnProgress | None = None,
    *,
    snapshots: tuple[str, ...] = (),
    rerank: bool = True,
) -> tuple[LocalCorpus, IndexReport]:
    """Index ``paths`` and the saved webs in ``snapshots``, and open them for searching.

    ``rerank=False`` leaves the reranker out: many searches in a row want the first ten pages, not the best first.

    Raises:
        RefusedError: no path was given, one is missing, or nothing in them can be read.
    """
    from counterfoil.adapters.corpus.local import LocalCorpus

    if not paths and not snapshots:
        raise RefusedError(
            "there is nothing to search", code="CORPUS_MISSING", hint="name a folder or file: --corpus PATH"
        )
    values = policy_values(settings)
    roots = tuple(Path(path).expanduser() for path in paths)
    webs = tuple(Path(path).expanduser() for path in snapshots)
    named = [*(str(root.absolute()) for root in roots), *(f"web:{web.absolute()}" for web in webs)]
    name = hashlib.sha256("\0".join(sorted(named)).encode("utf-8", "surrogateescape"))
    corpus = LocalCorpus(
        roots,
        index_path=Path(settings.index).expanduser() / f"{name.hexdigest()[:24]}.db",
        readers=readers(),
        limits=read_limits(values),
        vocabulary=words,
        snapshots=webs,
        reranker=reranker() if rerank else None,
    )
    try:
        return corpus, corpus.index_now(progress)
    except BaseException:
        corpus.close()
        raise


def reranker() -> Reranker | None:
    """The reranker of extra ``rerank`` when it is installed."""
    from counterfoil.adapters.corpus.rerank import find_reranker

    return find_reranker()


def policy_values(settings: Settings) -> dict[str, PolicyValue]:
    """The effective policies of this deployment."""
    return effective(catalogue(), settings.policies)


def path_proof(settings: Settings, contract: Contract, budget: Mapping[str, Number]) -> PathProof:
    """Whether a Run of ``contract``, narrowed by the task's ``budget``, could finish in this deployment.

    Raises:
        UsageError, PolicyRefused: a value is not lawful by itself, or there is no such model.
    """
    models = open_models(settings, Vocabulary(name="none"))
    values = admitted_values(catalogue(), settings.policies, budget, len(models))
    return examine_path(values, demands_of(contract, models, values))


def as_admitted(settings: Settings, state: RunState) -> Settings:
    """Settings under which documents are read as they were when the Run was admitted: its handles name segments."""
    limits = {policy: state.budget.limit(policy) for policy in (ids.FILE_BYTES, ids.SEGMENT_CHARS, ids.PASSAGE_CHARS)}
    return msgspec.structs.replace(settings, policies={**settings.policies, **limits})


def read_limits(values: Mapping[str, PolicyValue]) -> ReadLimits:
    """The reader's policies as its port takes them."""

    def number(policy: str) -> int:
        return int(values[policy].value or 0)

    return ReadLimits(number(ids.FILE_BYTES), number(ids.SEGMENT_CHARS), number(ids.PASSAGE_CHARS))


def open_model(spec: str, words: Vocabulary, played: Mapping[str, int] | None = None, *, settings: Settings) -> Model:
    """The model that ``spec`` names. No library of a provider is loaded before its first request.

    Raises:
        UsageError: there is no such model, or its address is not lawful.
        RefusedError: its library is not installed, or there is no key for it.
    """
    if spec == "offline":
        from counterfoil.researcher.offline import OfflineResearcher

        return OfflineResearcher(words)
    if spec.startswith("script:"):
        from counterfoil.adapters.models.script import ScriptModel

        return ScriptModel(Path(spec.removeprefix("script:")).expanduser(), played)
    if spec.startswith("gguf:"):
        from counterfoil.adapters.models.providers import open_local_model

        return open_local_model(spec)
    return open_provider(spec, settings).model


def open_provider(spec: str, settings: Settings) -> Opened:
    """The language model that ``spec`` names, with the wire under it; errors as in ``open_model``."""
    from counterfoil.adapters.models.providers import open_language_model

    stall_seconds = float(policy_values(settings)[models.STALL_SECONDS].value or 0)
    return open_language_model(spec, provider_keys(settings), os.environ, stall_seconds)


def provider_keys(settings: Settings) -> Keys:
    """Where providers' keys are looked for."""
    from counterfoil.adapters.models.keys import Keys

    return Keys(os.environ, Path(settings.keys).expanduser())


def open_models(
    settings: Settings, words: Vocabulary, played: Mapping[str, Mapping[str, int]] | None = None
) -> tuple[Model, ...]:
    """The chain that ``settings`` names; ``played`` as ``played`` counts it.

    Raises:
        UsageError: there is no such model, or one stands twice.
    """
    specs = (settings.model, *settings.fallbacks)
    return require_chain(tuple(open_model(spec, words, (played or {}).get(spec), settings=settings) for spec in specs))


def played(state: RunState) -> dict[str, dict[str, int]]:
    """How many responses of each script a Run has settled, by its spec and by purpose.

    Research and finalize share one lane.
    """
    counts: dict[str, dict[str, int]] = {}
    for turn in state.turns:
        if turn.status in ("settled", "failed"):
            lanes = counts.setdefault(turn.model or state.snapshot.model, {})
            lane = "research" if turn.purpose == "finalize" else turn.purpose
            lanes[lane] = lanes.get(lane, 0) + 1
    return counts


def tools(corpus: Corpus) -> tuple[Tool, ...]:
    """Every tool, one line each."""
    from counterfoil.tools.finish_research import FinishResearch
    from counterfoil.tools.plan import MakePlan
    from counterfoil.tools.publish_answer import PublishAnswer
    from counterfoil.tools.record_facts import RecordFacts
    from counterfoil.tools.request_connector import RequestConnector
    from counterfoil.tools.set_research_needs import SetResearchNeeds

    return (
        search_public_sources.SearchPublicSources(corpus),
        read_public_source.ReadPublicSource(corpus),
        RecordFacts(),
        SetResearchNeeds(),
        MakePlan(),
        RequestConnector(),
        PublishAnswer(),
        FinishResearch(),
    )


def tool_names() -> tuple[str, ...]:
    """The names of all tools that come with Counterfoil."""
    from counterfoil.adapters.corpus.memory import MemoryCorpus

    return tuple(tool.spec.name for tool in tools(MemoryCorpus(())))


def validators(words: Vocabulary = NO_WORDS) -> tuple[Validator, ...]:
    """Every publication check, one line each; ``words`` names terms and formulas."""
    from counterfoil.validators.actions import Actions
    from counterfoil.validators.calculations import Calculations
    from counterfoil.validators.cells import Cells
    from counterfoil.validators.citations import Citations
    from counterfoil.validators.comparison import Comparison
    from counterfoil.validators.conflict_hidden import ConflictHidden
    from counterfoil.validators.counts import Counts
    from counterfoil.validators.empty_answer import EmptyAnswer
    from counterfoil.validators.estimates import Estimates
    from counterfoil.validators.figures import Figures
    from counterfoil.validators.formats import Formats
    from counterfoil.validators.links import Links
    from counterfoil.validators.off_domain import OffDomain
    from counterfoil.validators.placeholders import Placeholders
    from counterfoil.validators.polarity import Polarity
    from counterfoil.validators.quotes import Quotes
    from counterfoil.validators.window import WindowKept

    return (
        EmptyAnswer(),
        Citations(),
        OffDomain(),
        Quotes(),
        Figures(vocabulary=words),
        Calculations(),
        Cells(),
        ConflictHidden(vocabulary=words),
        Estimates(),
        WindowKept(),
        Counts(),
        Formats(),
        Links(),
        Actions(),
        Comparison(vocabulary=words),
        Placeholders(),
        Polarity(),
    )


def registrable(host: str) -> str | None:
    """The domain that somebody registered, by the packaged public suffix list; read when a task first names one."""
    return _suffixes().registrable(host)


@functools.cache
def _suffixes() -> PublicSuffixes:
    from counterfoil.adapters.suffixes import PublicSuffixes

    return PublicSuffixes()


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
) -> Host:
    """The Host over a corpus. ``played`` (model → purpose → responses settled) is where scripts go on.

    Raises:
        UsageError: there is no such model.
        RefusedError: something of ``added`` takes the name of what is there already.
    """
    from counterfoil.adapters.clock import SystemClock
    from counterfoil.adapters.holders import LocalHolders
    from counterfoil.adapters.ids import SystemIds
    from counterfoil.host.host import Host

    clock = SystemClock()
    return Host(
        ledger=ledger,
        clock=clock,
        ids=SystemIds(clock),
        models=(added.model,) if added.model else open_models(settings, words, played),
        tools=with_tools(tools(corpus), added),
        validators=with_validators(validators(words), added),
        catalogue=catalogue(),
        prompts=prompts(),
        holders=LocalHolders(),
        registrable=registrable,
    )


def open_upstream(address: str, key: str | None) -> Upstream:
    """The provider that requests are forwarded to."""
    from counterfoil.adapters.net.upstream import HttpUpstream

    return HttpUpstream(address, key)


def open_metering(ledger: Ledger, address: str) -> Metering:
    """What metered Runs of requests to ``address`` are begun and taken up with."""
    from counterfoil.adapters.clock import SystemClock
    from counterfoil.adapters.holders import LocalHolders
    from counterfoil.adapters.ids import SystemIds
    from counterfoil.adapters.models.prices import Price
    from counterfoil.host.metered_runs import Metering

    Price("", url=address).usd(TokenUsage())  # loads the list now, and not while a first client waits
    clock = SystemClock()
    return Metering(
        ledger=ledger,
        clock=clock,
        ids=SystemIds(clock),
        holders=LocalHolders(),
        catalogue=catalogue(),
        prices=lambda model, usage: Price(model, url=address).usd(usage),
    )


def simulation_parts() -> Parts:
    """What the simulator plays with: the real tools and checks, the SQLite store, a corpus in memory."""
    from counterfoil.adapters.corpus.memory import MemoryCorpus
    from counterfoil.adapters.stores.sqlite import open_sqlite
    from counterfoil.sim.play import Parts

    return Parts(
        open_ledger=open_sqlite,
        corpus=MemoryCorpus,
        tools=tools,
        validators=validators(),
        catalogue=catalogue(),
        prompts=prompts(),
        scratch=MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None,
    )

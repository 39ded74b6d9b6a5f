"""Owns the tools that models see and the checks that publications pass, one line each.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from counterfoil.core.exchange import ToolSpec
from counterfoil.core.text.vocabulary import NO_WORDS, Vocabulary
from counterfoil.ports.corpus import Corpus
from counterfoil.ports.tool import Tool
from counterfoil.ports.validator import Validator
from counterfoil.tools import read_public_source, search_public_sources

if TYPE_CHECKING:
    from counterfoil.adapters.suffixes import PublicSuffixes


def tools(corpus: Corpus) -> tuple[Tool, ...]:
    """Every tool, one line each."""
    from counterfoil.tools.finish_research import FinishResearch
    from counterfoil.tools.plan import MakePlan
    from counterfoil.tools.publish_answer import PublishAnswer
    from counterfoil.tools.record_facts import RecordFacts
    from counterfoil.tools.request_connector import RequestConnector
    from counterfoil.tools.run_in_parallel import RunInParallel
    from counterfoil.tools.set_research_needs import SetResearchNeeds

    return (
        search_public_sources.SearchPublicSources(corpus),
        read_public_source.ReadPublicSource(corpus),
        RecordFacts(),
        SetResearchNeeds(),
        MakePlan(),
        RequestConnector(),
        RunInParallel(),
        PublishAnswer(),
        FinishResearch(),
    )


def tool_specs() -> tuple[ToolSpec, ...]:
    """What models are told of all tools that come with Counterfoil."""
    from counterfoil.adapters.corpus.memory import MemoryCorpus

    return tuple(tool.spec for tool in tools(MemoryCorpus(())))


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

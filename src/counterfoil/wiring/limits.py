"""Owns the limits of a deployment: every policy, composed from its owners, and its value here.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from counterfoil.adapters.market import policies as market
from counterfoil.adapters.models import policies as models
from counterfoil.adapters.net import policies as net
from counterfoil.adapters.stores import retention
from counterfoil.adapters.toolboxes import policies as toolboxes
from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Declaration, Policy, PolicyValue, compose, effective
from counterfoil.host import audit_policies, helpers, metering_policies, quality
from counterfoil.host.policies import RUN_POLICIES
from counterfoil.ports.reader import ReadLimits
from counterfoil.settings import Settings
from counterfoil.tools import read_public_source, search_public_sources
from counterfoil.workbench import policies as workbench


def catalogue() -> dict[str, Policy]:
    """Every policy, composed from its owners' declarations.

    Raises:
        RefusedError: two declarations of one id differ.
    """
    return dict(_composed())


@functools.cache
def _composed() -> dict[str, Policy]:
    """Made once: a Host asks for it with every Run, and it costs milliseconds."""
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


def policy_values(settings: Settings) -> dict[str, PolicyValue]:
    """The effective policies of this deployment."""
    return effective(catalogue(), settings.policies)


def read_limits(values: Mapping[str, PolicyValue]) -> ReadLimits:
    """The reader's policies as its port takes them."""

    def number(policy: str) -> int:
        return int(values[policy].value or 0)

    return ReadLimits(number(ids.FILE_BYTES), number(ids.SEGMENT_CHARS), number(ids.PASSAGE_CHARS))

"""Owns the joining of parts: the only package that names concrete classes and composes what owners declare.

Imports of heavy adapters stand inside the functions that need them, so that light commands stay light.
Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from counterfoil.wiring.checks import registrable, tool_specs, tools, validators
from counterfoil.wiring.documents import as_admitted, open_corpus, readers, reranker, vocabulary, vocabulary_digests
from counterfoil.wiring.hosts import cancel, open_auditor, open_host, path_proof, prompts
from counterfoil.wiring.limits import catalogue, policy_values, read_limits
from counterfoil.wiring.metering import open_metering, open_upstream
from counterfoil.wiring.models import open_model, open_models, open_provider, played, provider_keys
from counterfoil.wiring.simulation import played_in_processes, simulation_parts
from counterfoil.wiring.stores import open_ledger

__all__ = [
    "as_admitted",
    "cancel",
    "catalogue",
    "open_auditor",
    "open_corpus",
    "open_host",
    "open_ledger",
    "open_metering",
    "open_model",
    "open_models",
    "open_provider",
    "open_upstream",
    "path_proof",
    "played",
    "played_in_processes",
    "policy_values",
    "prompts",
    "provider_keys",
    "read_limits",
    "readers",
    "registrable",
    "reranker",
    "simulation_parts",
    "tool_specs",
    "tools",
    "validators",
    "vocabulary",
    "vocabulary_digests",
]

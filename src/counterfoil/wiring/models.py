"""Owns which model a name means, and where a script goes on.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from counterfoil.adapters.models import policies as models
from counterfoil.core.record.state import RunState
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.host.chain import require_chain, require_reviewer
from counterfoil.ports.model import Model
from counterfoil.settings import PROJECT_ORIGIN, Settings
from counterfoil.wiring.limits import policy_values

if TYPE_CHECKING:
    from counterfoil.adapters.models.clients import Clients
    from counterfoil.adapters.models.keys import Keys
    from counterfoil.adapters.models.providers import Opened


def open_model(
    spec: str,
    words: Vocabulary,
    played: Mapping[str, int] | None = None,
    *,
    settings: Settings,
    helper: int | None = None,
    clients: Clients | None = None,
) -> Model:
    """The model that ``spec`` names, for the ``helper`` of that number if one is given.

    A provider is asked over a client of ``clients``, or of the model's own.

    No library of a provider is loaded before its first request.

    Raises:
        UsageError: there is no such model, or its address is not lawful.
        RefusedError: its library is not installed, or there is no key for it.
    """
    if spec == "offline":
        from counterfoil.researcher.offline import OfflineResearcher

        return OfflineResearcher(words)
    if spec.startswith("script:"):
        from counterfoil.adapters.models.script import ScriptModel

        return ScriptModel(Path(spec.removeprefix("script:")).expanduser(), played, helper)
    if spec.startswith("gguf:"):
        from counterfoil.adapters.models.providers import open_local_model

        return open_local_model(spec)
    return open_provider(spec, settings, clients).model


def open_provider(spec: str, settings: Settings, clients: Clients | None = None) -> Opened:
    """The language model that ``spec`` names, with the wire under it; errors as in ``open_model``."""
    from counterfoil.adapters.models.providers import open_language_model

    stall_seconds = float(policy_values(settings)[models.STALL_SECONDS].value or 0)
    keys, unchosen = provider_keys(settings), _unchosen(spec, settings)
    return open_language_model(spec, keys, os.environ, stall_seconds, clients, unchosen=unchosen)


def _unchosen(spec: str, settings: Settings) -> str:
    """The project file, where it alone names ``spec``: whoever wrote it may not be who runs it."""
    named = (("model", (settings.model,)), ("fallbacks", settings.fallbacks), ("reviewer", (settings.reviewer,)))
    origins = [settings.origins[key] for key, specs in named if spec in specs]
    project = [origin for origin in origins if origin.startswith(PROJECT_ORIGIN)]
    return project[0] if project and len(project) == len(origins) else ""


def provider_keys(settings: Settings) -> Keys:
    """Where providers' keys are looked for."""
    from counterfoil.adapters.models.keys import Keys

    return Keys(os.environ, Path(settings.keys).expanduser())


def open_models(
    settings: Settings,
    words: Vocabulary,
    played: Mapping[str, Mapping[str, int]] | None = None,
    helper: int | None = None,
    clients: Clients | None = None,
) -> tuple[Model, ...]:
    """The chain that ``settings`` names; ``played`` as ``played`` counts it.

    Raises:
        UsageError: there is no such model, or one stands twice.
    """
    specs = (settings.model, *settings.fallbacks)
    so_far = played or {}
    models = (
        open_model(spec, words, so_far.get(spec), settings=settings, helper=helper, clients=clients) for spec in specs
    )
    return require_chain(tuple(models))


def open_reviewer(
    settings: Settings,
    models: tuple[Model, ...],
    words: Vocabulary,
    played: Mapping[str, Mapping[str, int]] | None = None,
    clients: Clients | None = None,
) -> Model | None:
    """Who reviews accepted answers: the model that is named, or a script that has lines for it; None: nobody.

    Raises:
        UsageError: there is no such model, or it reviews nothing.
    """
    spec = settings.reviewer
    if spec is None:
        return models[0] if models[0].spec.startswith("script:") and "reviewer" in models[0].purposes else None
    same = next((model for model in models if model.spec == spec), None)
    opened = same or open_model(spec, words, (played or {}).get(spec), settings=settings, clients=clients)
    return require_reviewer(opened)


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

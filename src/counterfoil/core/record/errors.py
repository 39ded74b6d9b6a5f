"""Moved to core.errors; this name goes once nobody uses it."""

from counterfoil.core.errors import *  # noqa: F403

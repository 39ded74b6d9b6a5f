"""Moved to core.exchange; this name goes once nobody uses it."""

from counterfoil.core.exchange import *  # noqa: F403
from counterfoil.core.exchange import Json as Json

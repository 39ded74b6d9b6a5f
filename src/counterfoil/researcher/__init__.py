"""The embedded offline model: extractive, no language model."""

from counterfoil.researcher.offline import OfflineResearcher

__all__ = ["OfflineResearcher"]

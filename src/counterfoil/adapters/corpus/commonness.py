"""Owns knowing which words are so common in a corpus that looking for them tells nothing.

Counts in one shard and takes it for all. Never: ranking.
"""

from __future__ import annotations

from collections.abc import Sequence

from counterfoil.adapters.corpus.store import SHARDS, SPAN, Store

_SHARE_MAX = 0.10  # of segments: above it a word tells little and costs much
_KEPT_MIN = 2
_REMEMBERED_MAX = 20_000


class Commonness:
    """Shares of segments that hold a phrase, estimated and remembered."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._shares: dict[str, float] = {}
        self._sample: tuple[int, int] | None = None  # shard, its segments

    def forget(self) -> None:
        """Drop what is remembered: the index has changed."""
        self._shares.clear()
        self._sample = None

    def rarer(self, phrases: Sequence[str], at_most: int) -> list[str]:
        """Return the phrases that tell something, in their order; at least two, whatever their share."""
        shares = {p: self._share(p) for p in phrases}
        rare = [p for p in phrases if shares[p] <= _SHARE_MAX]
        if len(rare) < _KEPT_MIN:
            rare = sorted(phrases, key=lambda p: shares[p])[:_KEPT_MIN]
        return rare[:at_most]

    def _share(self, phrase: str) -> float:
        if phrase not in self._shares:
            if len(self._shares) >= _REMEMBERED_MAX:
                self._shares.clear()
            shard, rows = self._largest()
            sql = f"SELECT count(*) FROM fts{shard:d} WHERE fts{shard:d} MATCH ?"
            self._shares[phrase] = int(str(self._store.query(sql, (phrase,))[0][0])) / max(1, rows)
        return self._shares[phrase]

    def _largest(self) -> tuple[int, int]:
        if self._sample is None:
            counts = self._store.query(
                f"SELECT (row / {SPAN:d}) % {SHARDS:d} AS shard, count(*) FROM segments "
                "GROUP BY shard ORDER BY 2 DESC LIMIT 1"
            )
            self._sample = (int(str(counts[0][0])), int(str(counts[0][1]))) if counts else (0, 0)
        return self._sample

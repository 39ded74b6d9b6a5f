"""Owns ranking segments for a question: full text, labels, statements and document weights into one score.

Never: files, storage details beyond the store's queries, domain knowledge beyond the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from counterfoil.adapters.corpus.query import Plan
from counterfoil.adapters.corpus.routing import Weighed
from counterfoil.adapters.corpus.store import SHARDS, Store, doc_of, row_range, shard_of
from counterfoil.adapters.corpus.tokens import fts_any

_LABEL_SHARE = 0.6
_SYNONYM_SHARE = 0.2
_STATEMENT_SHARE = 1.0
_WORD_COLUMNS = "0.4, 3.0, 1.0"
_NO_TITLE = "heading body"
_GLOBAL_ROWS = 40  # of each shard


class Scored(msgspec.Struct, frozen=True):
    """A segment's row with its score."""

    row: int
    score: float


class Pool(msgspec.Struct, frozen=True):
    """Where to look: some documents with weights, or everything (``documents`` is None)."""

    documents: tuple[Weighed, ...] | None
    settled: frozenset[str] = frozenset()  # words that choosing the documents has used up: names, periods


class Ranker:
    """Ranks segments of one index."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def rank(self, plan: Plan, pool: Pool) -> tuple[list[Scored], int]:
        """Return segments that match any word, best first, and how many there are."""
        base = self._matches(fts_any(f'"{w}"' for w in plan.words), pool)
        left = [w for w in plan.words if w not in pool.settled]
        if left and len(left) < len(plan.words):
            base = _mean(base, self._matches(fts_any(f'"{w}"' for w in left), pool))
        labels = self._matches(fts_any(plan.labels, _NO_TITLE), pool)
        synonyms = self._matches(fts_any(plan.synonyms, _NO_TITLE), pool)
        statements = self._statements(plan, pool, {*base, *labels, *synonyms})
        weights = {w.doc: w.weight for w in pool.documents} if pool.documents is not None else None
        scored: list[Scored] = []
        for row in {*base, *labels, *synonyms, *statements}:
            score = base.get(row, 0.0) + _LABEL_SHARE * labels.get(row, 0.0) + _SYNONYM_SHARE * synonyms.get(row, 0.0)
            score += _STATEMENT_SHARE * statements.get(row, 0.0)
            scored.append(Scored(row, score * (weights[doc_of(row)] if weights is not None else 1.0)))
        scored.sort(key=lambda s: (-s.score, s.row))
        return scored, len(scored)

    def _matches(self, expression: str, pool: Pool) -> dict[int, float]:
        """Return rows matching ``expression`` with scores scaled to at most 1."""
        if not expression:
            return {}
        found: list[tuple[object, ...]] = []
        if pool.documents is None:
            for shard in range(SHARDS):
                found += self._store.query(
                    f"SELECT rowid, -bm25(fts{shard:d}, {_WORD_COLUMNS}) AS score FROM fts{shard:d} "
                    f"WHERE fts{shard:d} MATCH ? ORDER BY score DESC LIMIT {_GLOBAL_ROWS:d}",
                    (expression,),
                )
        else:
            for weighed in pool.documents:
                table = shard_of(weighed.doc)
                found += self._store.query(
                    f"SELECT rowid, -bm25({table}, {_WORD_COLUMNS}) FROM {table} "
                    f"WHERE {table} MATCH ? AND rowid BETWEEN ? AND ?",
                    (expression, *row_range(weighed.doc)),
                )
        scores = {int(str(row)): max(0.0, float(str(score))) for row, score in found}
        top = max(scores.values(), default=0.0)
        return {row: score / top if top else 0.0 for row, score in scores.items()}

    def _statements(self, plan: Plan, pool: Pool, matched: Iterable[int]) -> dict[int, float]:
        wanted = dict(plan.statements)
        if not wanted:
            return {}
        out: dict[int, float] = {}
        for row, name, strength in self._statement_rows(pool, matched):
            if name in wanted:
                out[row] = max(out.get(row, 0.0), wanted[name] * strength)
        return out

    def _statement_rows(self, pool: Pool, matched: Iterable[int]) -> list[tuple[int, str, float]]:
        rows: Sequence[tuple[object, ...]] = []
        sql = "SELECT row, name, strength FROM statements WHERE row "
        if pool.documents is not None:
            for weighed in pool.documents:
                rows = [*rows, *self._store.query(sql + "BETWEEN ? AND ?", row_range(weighed.doc))]
        else:
            for row in matched:
                rows = [*rows, *self._store.query(sql + "= ?", (row,))]
        return [(int(str(r)), str(n), float(str(s))) for r, n, s in rows]


def _mean(a: dict[int, float], b: dict[int, float]) -> dict[int, float]:
    return {row: (a.get(row, 0.0) + b.get(row, 0.0)) / 2 for row in {*a, *b}}

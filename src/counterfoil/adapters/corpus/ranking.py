"""Owns ranking segments for a question: full text, labels, statements and document weights into one score.

Never: files, storage details beyond the store's queries, domain knowledge beyond the plan.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

import msgspec

from counterfoil.adapters.corpus.commonness import Commonness
from counterfoil.adapters.corpus.query import Plan
from counterfoil.adapters.corpus.routing import Weighed
from counterfoil.adapters.corpus.store import SHARDS, Store, doc_of, row_range, shard_of
from counterfoil.adapters.corpus.tokens import fts_any

_LABEL_SHARE = 0.6
_SYNONYM_SHARE = 0.2
_STATEMENT_SHARE = 1.0
_LEANING = 0.5  # how far a period that does not fit moves a document down while no subject is named
_WORD_COLUMNS = "0.4, 3.0, 1.0"
_NO_TITLE = "heading body"
_GLOBAL_ROWS = 16  # of each shard
_GLOBAL_WORDS = 6
_GLOBAL_LABELS = 5
_GLOBAL_SYNONYMS = 4
_GLOBAL_STATEMENTS = 200


class Scored(msgspec.Struct, frozen=True):
    """A segment's row with its score."""

    row: int
    score: float


class Pool(msgspec.Struct, frozen=True):
    """Where to look: some documents with weights, or everything (``documents`` is None)."""

    documents: tuple[Weighed, ...] | None
    leaning: tuple[Weighed, ...] = ()  # when everything is looked at: documents whose period fits better or worse
    settled: frozenset[str] = frozenset()  # words that choosing the documents has used up: names, periods


class Ranker:
    """Ranks segments of one index."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._commonness = Commonness(store)

    def forget(self) -> None:
        """Drop what was learned of the index: it has changed."""
        self._commonness.forget()

    def rank(self, plan: Plan, pool: Pool) -> tuple[list[Scored], int]:
        """Return the segments ranked, best first, and how many: in a whole corpus only the best of each shard."""
        found = self._found(plan, pool)
        statements = self._statements(plan, pool, heapq.nlargest(_GLOBAL_STATEMENTS, found, key=found.__getitem__))
        weights = _weights(pool)
        scored: list[Scored] = []
        for row in {*found, *statements}:
            score = found.get(row, 0.0) + _STATEMENT_SHARE * statements.get(row, 0.0)
            scored.append(Scored(row, score * weights.get(doc_of(row), 1.0)))
        scored.sort(key=lambda s: (-s.score, s.row))
        return scored, len(scored)

    def _found(self, plan: Plan, pool: Pool) -> dict[int, float]:
        """Return rows by how well their text matches the question, its labels and its synonyms."""
        words, labels, synonyms = [f'"{w}"' for w in plan.words], list(plan.labels), list(plan.synonyms)
        if pool.documents is None:  # everything is looked at: only for what tells something
            words = self._commonness.rarer(words, _GLOBAL_WORDS)
            labels = self._commonness.rarer(labels, _GLOBAL_LABELS)
            synonyms = self._commonness.rarer(synonyms, _GLOBAL_SYNONYMS)
        base = self._matches(fts_any(words), pool)
        left = [w for w in words if w.strip('"') not in pool.settled]
        if left and len(left) < len(words):
            base = _mean(base, self._matches(fts_any(left), pool))
        out = dict(base)
        for share, phrases in ((_LABEL_SHARE, labels), (_SYNONYM_SHARE, synonyms)):
            for row, score in self._matches(fts_any(phrases, _NO_TITLE), pool).items():
                out[row] = out.get(row, 0.0) + share * score
        return out

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
            asked = list(matched)
            rows = self._store.query(f"{sql}IN ({','.join('?' * len(asked))})", asked)
        return [(int(str(r)), str(n), float(str(s))) for r, n, s in rows]


def _weights(pool: Pool) -> dict[int, float]:
    if pool.documents is not None:
        return {w.doc: w.weight for w in pool.documents}
    return {w.doc: 1.0 - _LEANING * (1.0 - w.weight) for w in pool.leaning}


def _mean(a: dict[int, float], b: dict[int, float]) -> dict[int, float]:
    return {row: (a.get(row, 0.0) + b.get(row, 0.0)) / 2 for row in {*a, *b}}

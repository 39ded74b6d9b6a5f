"""Owns ordering the first few segments again by meaning, when a reranker is there.

A segment's most telling passages are compared with the question; their vectors are kept in the index.
Never: vector libraries, finding segments.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Protocol

from counterfoil.adapters.corpus.query import Plan
from counterfoil.adapters.corpus.ranking import Scored
from counterfoil.adapters.corpus.snippets import SnippetChooser
from counterfoil.adapters.corpus.store import Store
from counterfoil.core.evidence.passages import Segment

_SEGMENTS = 15
_PASSAGES = 3
_CHARS = 500  # a vector's cost grows with length; longer text found no more
_MEANING_SHARE = 0.8  # of a cosine, beside word scores scaled to 1


class Reranker(Protocol):
    """Turns texts into vectors; ``model`` names what they were made with."""

    model: str

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text, as packed 32-bit floats of length 1."""
        ...

    def similarity(self, a: bytes, b: bytes) -> float:
        """Return the cosine of two vectors."""
        ...


class SecondLook:
    """Orders short lists again."""

    def __init__(self, reranker: Reranker, store: Store, chooser: SnippetChooser) -> None:
        self._reranker = reranker
        self._store = store
        self._chooser = chooser

    def order(self, plan: Plan, scored: Sequence[Scored], segment: Callable[[int], Segment]) -> list[Scored]:
        """Return ``scored`` with its first segments ordered by words and meaning together."""
        short = scored[:_SEGMENTS]
        if len(short) < 2 or short[0].score <= 0:
            return list(scored)
        texts = {s.row: self._telling(segment(s.row), plan) for s in short}
        vectors = self._vectors(texts)
        question = self._reranker.embed([plan.text])[0]
        top = short[0].score
        both = [
            Scored(s.row, s.score / top + _MEANING_SHARE * self._reranker.similarity(question, vectors[s.row]))
            for s in short
        ]
        both.sort(key=lambda s: (-s.score, s.row))
        floor = min(0.0, both[-1].score)  # what was not looked at stays below what was
        return both + [Scored(s.row, floor - 1.0 + s.score / top / 2) for s in scored[_SEGMENTS:]]

    def _telling(self, segment: Segment, plan: Plan) -> str:
        passages = self._chooser.best(segment, plan, _PASSAGES)
        return "\n".join([segment.heading or "", *(p.text for p in passages)]).strip()[:_CHARS]

    def _vectors(self, texts: dict[int, str]) -> dict[int, bytes]:
        """Return the vectors of ``texts`` by row; those not made yet are made and kept."""
        keys = {
            row: hashlib.sha256(f"{self._reranker.model}\0{text}".encode()).hexdigest() for row, text in texts.items()
        }
        sql = f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(keys))})"
        kept = {str(key): vector for key, vector in self._store.query(sql, keys.values()) if isinstance(vector, bytes)}
        missing = [row for row in texts if keys[row] not in kept]
        if missing:
            made = self._reranker.embed([texts[row] for row in missing])
            with self._store.transaction():
                for row, vector in zip(missing, made, strict=True):
                    self._store.execute("INSERT OR REPLACE INTO vectors VALUES (?,?,?)", (keys[row], row, vector))
                    kept[keys[row]] = vector
        return {row: kept[key] for row, key in keys.items()}

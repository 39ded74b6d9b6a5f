"""Owns the mapping that states are made of: ``with_`` gives another in about constant time, this one stays as it is.

A copied dictionary for each event would make folding a Run grow with the square of its length.
Never: a change that an earlier version could see, or forgetting a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

CHUNK = 64  # values copied at each change; the list of chunks is copied too, and stays short
# Lists, because they are copied twice as fast as tuples; none is changed once a version holds it.
Chunks = list[list[V]]


class Register(Mapping[K, V], Generic[K, V]):
    """A mapping in order of first entry that is never changed.

    Versions share the dictionary of places: it only grows, and a version sees of it what was there when it was made.
    """

    __slots__ = ("_chunks", "_places", "_size")

    def __init__(self, entries: Mapping[K, V] | None = None) -> None:
        values = list((entries or {}).values())
        self._places: dict[K, int] = {key: place for place, key in enumerate(entries or ())}
        self._chunks: Chunks[V] = [values[first : first + CHUNK] for first in range(0, len(values), CHUNK)]
        self._size = len(values)

    def with_(self, key: K, value: V) -> Register[K, V]:
        """This mapping with ``key`` standing for ``value``; a new key comes last."""
        place = self._place(key)
        if place is not None:
            row, column = divmod(place, CHUNK)
            changed, chunks = self._chunks[row].copy(), self._chunks.copy()
            changed[column], chunks[row] = value, changed
            return self._version(self._places, chunks, self._size)
        places = self._places
        if len(places) > self._size:  # another version has gone on from here: leave its keys to it
            places = dict(islice(places.items(), self._size))
        places[key] = self._size
        if self._size % CHUNK == 0:
            chunks = [*self._chunks, [value]]
        else:
            chunks = [*self._chunks[:-1], [*self._chunks[-1], value]]
        return self._version(places, chunks, self._size + 1)

    @staticmethod
    def _version(places: dict[K, int], chunks: Chunks[V], size: int) -> Register[K, V]:
        made: Register[K, V] = Register.__new__(Register)
        made._places, made._chunks, made._size = places, chunks, size
        return made

    def _place(self, key: K) -> int | None:
        place = self._places.get(key)
        return place if place is not None and place < self._size else None

    def __getitem__(self, key: K) -> V:
        place = self._place(key)
        if place is None:
            raise KeyError(key)
        return self._chunks[place // CHUNK][place % CHUNK]

    def __iter__(self) -> Iterator[K]:
        return iter(tuple(islice(self._places, self._size)))  # whoever iterates may make further versions meanwhile

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"Register({dict(self)!r})"

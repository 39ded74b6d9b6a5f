"""Owns new identifiers: sortable by time, unguessable, easy to read aloud.

Never: a clock of its own, or a generator that can be predicted.
"""

from __future__ import annotations

import secrets

from counterfoil.ports.clock import Clock

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # ascending, without i, l, o, u
TIME_CHARS = 9  # 45 bits of milliseconds: until the year 3084
RANDOM_CHARS = 12  # 60 bits: not to be guessed, even by who knows the millisecond


class SystemIds:
    """Identifiers from the system's randomness and the given clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def run_id(self) -> str:
        """A new Run id, such as ``r1kd5xw3v8a2b7c9d0e4f6``."""
        stamp, dice = self._clock.now_ms(), secrets.randbits(5 * RANDOM_CHARS)
        return "r" + _base32(stamp, TIME_CHARS) + _base32(dice, RANDOM_CHARS)


def _base32(number: int, chars: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(chars)))

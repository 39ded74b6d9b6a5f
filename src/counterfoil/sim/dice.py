"""Owns chance: every roll follows from a seed and a label, so that leaving one thing out changes no other.

Never: the machine's randomness.
"""

from __future__ import annotations

import random


def dice(seed: int, *labels: object) -> random.Random:
    """A generator for one purpose. Equal seeds and labels give equal rolls, in every process."""
    return random.Random("/".join(map(str, (seed, *labels))))  # nothing here is a secret

"""Run ids."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.ids import ALPHABET, RANDOM_CHARS, TIME_CHARS, SystemIds

moments = st.integers(0, 32**TIME_CHARS - 1)


def test_the_alphabet_is_ascending_and_without_look_alikes() -> None:
    assert list(ALPHABET) == sorted(set(ALPHABET)) and len(ALPHABET) == 32
    assert not set("ilou") & set(ALPHABET) and ALPHABET.lower() == ALPHABET


@given(moments)
def test_an_id_is_safe_in_file_names_and_urls(at: int) -> None:
    assert re.fullmatch(rf"r[{ALPHABET}]{{{TIME_CHARS + RANDOM_CHARS}}}", SystemIds(ManualClock(at)).run_id())


@given(moments, moments)
def test_ids_sort_by_time(one: int, other: int) -> None:
    first, second = SystemIds(ManualClock(one)).run_id(), SystemIds(ManualClock(other)).run_id()
    if one != other:
        assert (first < second) == (one < other)


def test_ids_of_one_millisecond_differ_in_every_place() -> None:
    ids = SystemIds(ManualClock(1_790_000_000_000))
    made = [ids.run_id() for _ in range(500)]
    assert len(set(made)) == 500
    assert len({name[: TIME_CHARS + 1] for name in made}) == 1
    for place in range(TIME_CHARS + 1, TIME_CHARS + 1 + RANDOM_CHARS):
        assert len({name[place] for name in made}) > 16

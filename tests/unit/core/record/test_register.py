"""A register is a mapping in order of first entry of which every version stays what it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.record.register import CHUNK, Register

KEYS = st.integers(0, 3 * CHUNK)


@given(
    st.dictionaries(KEYS, st.integers()), st.lists(st.tuples(st.integers(0, 200), KEYS, st.integers()), max_size=200)
)
def test_every_version_is_the_dictionary_that_it_was_made_from(
    start: dict[int, int], steps: list[tuple[int, int, int]]
) -> None:
    versions = [(Register(start), start)]
    for base, key, value in steps:  # from any earlier version, so that several go on from one
        register, model = versions[base % len(versions)]
        versions.append((register.with_(key, value), {**model, key: value}))
    for register, model in versions:
        assert list(register.items()) == list(model.items())
        assert len(register) == len(model)
        assert all((key in register) == (key in model) for key in range(3 * CHUNK + 1))


def test_order_is_that_of_first_entry_also_over_chunks() -> None:
    register: Register[str, int] = Register()
    for number in range(3 * CHUNK):
        register = register.with_(f"k{number}", number)
    changed = register.with_("k0", -1)
    assert list(changed) == [f"k{number}" for number in range(3 * CHUNK)]
    assert (changed["k0"], register["k0"]) == (-1, 0)
    assert list(changed.values())[1:] == list(register.values())[1:]


def test_a_key_that_only_a_later_version_has_is_unknown() -> None:
    first = Register({"a": 1})
    later = first.with_("b", 2)
    assert later["b"] == 2
    with pytest.raises(KeyError):
        first["b"]


def test_versions_may_be_made_while_one_is_looked_through() -> None:
    register = Register({number: number for number in range(5)})
    made = register
    for key in register:
        made = made.with_(key + 100, key)
    assert len(register) == 5 and len(made) == 10

"""Policies: identity, composition, values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.errors import PolicyRefused, RefusedError, UsageError
from counterfoil.core.law.policy import Declaration, Derivation, Policy, compose, effective


def policy(policy_id: str = "web/searches", default: int | None = 12, **more: object) -> Policy:
    return Policy(
        id=policy_id,
        owner="web",
        unit="calls",
        default=default,
        refusal_code="SEARCHES_EXHAUSTED",
        counts="searches",
        stops="search",
        **more,  # type: ignore[arg-type]  # a test names any field
    )


@pytest.mark.req("GOV-01")
def test_a_policy_carries_its_identity() -> None:
    made = policy()
    assert (made.owner, made.version, made.unit, made.scope, made.settable_by) == ("web", 1, "calls", "run", "operator")


@pytest.mark.req("GOV-02")
def test_two_declarations_that_differ_are_refused_naming_both_places() -> None:
    first = Declaration(policy(), "tools.search")
    second = Declaration(policy(default=13), "host.policies")
    with pytest.raises(RefusedError) as refused:
        compose([first, second])
    assert "tools.search" in refused.value.message
    assert "host.policies" in refused.value.message


def test_the_same_declaration_twice_is_one_policy() -> None:
    assert list(compose([Declaration(policy(), "a"), Declaration(policy(), "b")])) == ["web/searches"]


@pytest.mark.req("GOV-05")
@pytest.mark.parametrize(
    ("value", "code"), [(0, "POLICY_BELOW_MINIMUM"), (101, "POLICY_ABOVE_MAXIMUM"), (None, "POLICY_NOT_OPTIONAL")]
)
def test_values_outside_the_bounds_are_refused_not_clamped(value: int | None, code: str) -> None:
    with pytest.raises(PolicyRefused) as refused:
        effective({"web/searches": policy(hard_maximum=100)}, {"web/searches": value})
    assert refused.value.code == code
    assert refused.value.policy == "web/searches"


def test_an_unknown_policy_is_a_usage_error_that_suggests_a_near_one() -> None:
    with pytest.raises(UsageError) as wrong:
        effective({"web/searches": policy()}, {"run/searches": 3})
    assert "web/searches" in wrong.value.hint


@given(st.integers(1, 50), st.integers(1, 50))
def test_a_product_follows_its_factors(searches: int, results: int) -> None:
    catalogue = {
        "a": policy("a", searches),
        "b": policy("b", results),
        "c": policy("c", None, derived=Derivation("product", ("a", "b"))),
        "d": policy("d", None, derived=Derivation("at_most", ("c",))),
    }
    values = effective(catalogue, {})
    assert values["c"].value == searches * results
    assert values["d"].value == searches * results


def test_a_default_inside_a_narrowed_container_follows_it() -> None:
    catalogue = {
        "outer": policy("outer", 900),
        "inner": policy("inner", 120, derived=Derivation("at_most", ("outer",))),
    }
    assert effective(catalogue, {"outer": 60})["inner"].value == 60
    assert effective(catalogue, {"outer": 600})["inner"].value == 120


def test_a_default_may_be_held_within_a_share_of_its_container() -> None:
    share = Derivation("at_most", ("outer",), percent=8)
    catalogue = {"outer": policy("outer", 1_000_000), "inner": policy("inner", 6000, derived=share)}
    assert share.formula() == "at most 8% of outer"
    assert effective(catalogue, {})["inner"].value == 6000
    assert effective(catalogue, {"outer": 32_768})["inner"].value == 2621


def test_an_explicit_value_overrides_a_derivation_and_says_so() -> None:
    catalogue = {
        "outer": policy("outer", 900),
        "inner": policy("inner", 120, derived=Derivation("at_most", ("outer",))),
    }
    value = effective(catalogue, {"inner": 30})["inner"]
    assert (value.value, value.origin) == (30, "explicit")

"""What follows from limits and demands together."""

import pytest

from counterfoil.core.law.demands import Demands, Limits, view_bytes
from counterfoil.core.law.policy import effective
from counterfoil.wiring import catalogue

VALUES = effective(catalogue(), {"run/model-requests": 20, "web/searches": 3})


@pytest.mark.parametrize(("entry", "least"), [(True, 3), (False, 2)])
def test_the_shortest_path_asks_searches_and_reads(entry: bool, least: int) -> None:
    limits = Limits(VALUES, Demands(entry=entry))
    assert (limits.least, limits.exploration, limits.finalization, limits.results) == (least, 14, 6, 30)


def test_only_chosen_values_are_explicit() -> None:
    limits = Limits(VALUES, Demands(entry=True))
    assert limits.explicit("web/searches")
    assert not limits.explicit("reader/reads", "web/registry-capacity")
    assert limits.on("web/searches")
    assert not limits.on("run/cost-usd")
    with pytest.raises(ValueError, match="run/cost-usd"):
        limits["run/cost-usd"]


def test_an_ordinary_contract_is_in_the_pinned_part_already() -> None:
    assert view_bytes(VALUES, 4_000) == view_bytes(VALUES) == 34_000
    assert view_bytes(VALUES, 5_000) == 35_000


@pytest.mark.req("MOD-04")
def test_what_is_said_of_tools_counts_beside_a_view_and_a_narrow_window_narrows_segments() -> None:
    narrow = effective(catalogue(), {"context/input-bytes": 32_768})
    ordinary = Limits(narrow, Demands(entry=True, tool_bytes=10_774)).view_bytes
    assert ordinary == view_bytes(narrow) + 10_774 <= 32_768

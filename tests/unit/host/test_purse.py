"""What one request may spend: bytes, tokens and money are looked at together, before it is sent."""

from __future__ import annotations

import pytest
from tests.unit.builders import make_state
from tests.unit.host.fakes import PricedModel

from counterfoil.core.exchange import Purpose, ToolResult, View
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.policy import Number, effective
from counterfoil.core.view.build import build_view
from counterfoil.core.view.size import view_bytes
from counterfoil.host.purse import Paid, Purse, Unpaid
from counterfoil.wiring import catalogue


def budget(**explicit: Number) -> Budget:
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in explicit.items()}
    return Budget(effective(catalogue(), named))


def view(results: int = 1) -> View:
    shown = build_view(make_state(), "research", "instructions")
    read = {"passages": [{"id": f"E{n}", "text": "word " * 200} for n in range(4)]}
    return View(
        shown.purpose,
        shown.instructions,
        shown.contract,
        shown.anchor,
        shown.phase,
        messages=tuple(ToolResult(f"c{n}", "read_public_source", True, read) for n in range(results)),
    )


def paid(spent: Budget, shown: View, model: PricedModel | None = None) -> Paid | Unpaid:
    return Purse(spent, model or PricedModel([]), "research").pay(shown)


@pytest.mark.req("GOV-07", "GOV-12")
def test_the_worst_case_is_known_before_a_request_is_sent() -> None:
    done = paid(budget(run__cost_usd=1), view())
    assert isinstance(done, Paid)
    tokens = -(-done.fitted.size_bytes // 3)
    assert done.worst["run/input-tokens"] == tokens
    assert done.worst["run/output-tokens"] == 8000
    assert done.worst["run/cost-usd"] == pytest.approx(tokens * 1e-6 + 8000 * 4e-6)


def test_a_view_shrinks_into_the_tokens_that_are_left() -> None:
    whole = view(6)
    done = paid(budget(run__input_tokens=9_000, run__finalization_input_tokens=5_000), whole)
    assert isinstance(done, Paid)
    assert done.fitted.dropped
    assert done.worst["run/input-tokens"] <= 4_000 < view_bytes(whole) // 3


@pytest.mark.parametrize(
    ("limits", "policy"),
    [
        ({"context__input_bytes": 100}, "context/input-bytes"),
        ({"run__input_tokens": 100}, "run/input-tokens"),
        ({"run__cost_usd": 0.01}, "run/cost-usd"),
    ],
)
def test_what_cannot_be_paid_is_refused_by_the_policy_that_is_short(limits: dict[str, Number], policy: str) -> None:
    assert paid(budget(**limits), view(), PricedModel([], dollars_per_million=1000)) == Unpaid(policy)


def test_a_reply_is_capped_at_what_money_can_buy() -> None:
    done = paid(budget(run__cost_usd=0.02), view())
    assert isinstance(done, Paid)
    assert 512 <= done.output_tokens_max < 8000
    assert done.worst["run/cost-usd"] <= 0.016


def test_finalization_may_spend_what_was_kept_for_it() -> None:
    short = budget(run__output_tokens=1000).debit({"run/output-tokens": 800})
    research, final = (Purse(short, PricedModel([]), purpose).pay(view()) for purpose in ("research", "finalize"))
    assert isinstance(research, Paid) and research.output_tokens_max == 0
    assert isinstance(final, Paid) and final.output_tokens_max == 200


@pytest.mark.req("GOV-06", "QC-06")
@pytest.mark.parametrize("purpose", ["finalize", "reviewer"])
def test_what_is_kept_for_the_end_pays_for_finalization_and_for_the_review_behind_it(purpose: Purpose) -> None:
    kept = budget(run__input_tokens=10_000, run__finalization_input_tokens=9_000)
    done = Purse(kept, PricedModel([]), purpose).pay(view(6))
    assert isinstance(done, Paid)
    assert done.fitted.dropped == ()

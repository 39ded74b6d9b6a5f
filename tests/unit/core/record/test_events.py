"""Events: tagged, frozen, with an actor."""

from typing import get_args

import pytest

from counterfoil.core.answer.contract import Contract
from counterfoil.core.exchange import Completion
from counterfoil.core.record import events as e


@pytest.mark.parametrize("kind", get_args(e.Event), ids=lambda kind: kind.__name__)
def test_every_event_is_frozen_and_tagged_by_its_name(kind: type) -> None:
    assert kind.__struct_config__.frozen  # type: ignore[attr-defined]  # msgspec's own
    assert kind.__struct_config__.tag == kind.__name__  # type: ignore[attr-defined]


def test_the_model_proposes_the_caller_confirms_the_host_does_the_rest() -> None:
    assert e.actor_of(e.ModelCallSettled("m1", Completion())) == "model"
    assert e.actor_of(e.ContractConfirmed(Contract("q"), "caller")) == "caller"
    assert e.actor_of(e.ContractConfirmed(Contract("q"), "unseen")) == "host"
    assert e.actor_of(e.ToolCallReserved("c1", {})) == "host"

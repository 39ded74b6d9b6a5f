"""What a user adds stands beside what is there and takes nobody's name."""

from __future__ import annotations

import pytest

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.errors import RefusedError
from counterfoil.core.record.state import RunState
from counterfoil.host.additions import Additions, with_tools, with_validators
from counterfoil.wiring import tools, validators


class Check:
    def __init__(self, name: str) -> None:
        self.name = name

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        return ()


def test_additions_come_after_what_is_there() -> None:
    own = Check("own@1")
    assert with_validators(validators(), Additions(validators=(own,)))[-1] is own


@pytest.mark.parametrize("names", [("figures@9",), ("own@1", "own@2")])
def test_a_check_cannot_take_the_name_of_another_in_any_version(names: tuple[str, ...]) -> None:
    with pytest.raises(RefusedError, match="publication check named") as refused:
        with_validators(validators(), Additions(validators=tuple(Check(name) for name in names)))
    assert refused.value.code == "NAME_TAKEN"


def test_a_tool_cannot_take_the_name_of_another() -> None:
    there = tools(MemoryCorpus([]))
    with pytest.raises(RefusedError, match="'search_public_sources'"):
        with_tools(there, Additions(tools=there[:1]))

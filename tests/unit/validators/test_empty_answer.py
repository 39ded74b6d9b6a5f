from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_state

from counterfoil.core.answer.candidate import Gap
from counterfoil.validators.empty_answer import EmptyAnswer


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize("body", ["", "  \n", "[E1]", "—", "**", "[E1] [E2]."])
def test_nothing_said_is_a_finding(body: str) -> None:
    assert [f.code for f in EmptyAnswer().check(make_candidate(body), make_state())] == ["EMPTY_ANSWER"]


def test_words_or_gaps_are_an_answer() -> None:
    assert EmptyAnswer().check(make_candidate("It costs $18 [E1]."), make_state()) == ()
    assert EmptyAnswer().check(make_candidate("否"), make_state()) == ()
    assert EmptyAnswer().check(make_candidate("", gaps=[Gap(why="no page says it")]), make_state()) == ()

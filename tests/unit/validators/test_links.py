from __future__ import annotations

import pytest
from tests.unit.builders import URL, make_candidate, make_state

from counterfoil.validators.links import Links

STATE = make_state("Does https://asked.example hold?", ["More at https://citynorth.gov/more for visitors."])


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    "body",
    ["[x](https://evil.example/)", "[x](javascript:alert(1))", "[x]()", "<https://other.example>", "![i](data:x)",
     "https://citynorth.gov.evil.example/passes", "<a href='https://evil.example'>x</a>"],
)  # fmt: skip
def test_links_to_what_was_never_read_are_rejected(body: str) -> None:
    assert [f.code for f in Links().check(make_candidate(f"It is.\n{body}"), STATE)] == ["LINK_BAD"]
    assert Links().check(make_candidate(f"It is.\n{body}"), STATE)[0].line == 2


@pytest.mark.parametrize(
    "body",
    [f"[x]({URL})", f"[x]({URL}#page=3)", f"See {URL}.", "[x](#top)", "See https://citynorth.gov/more [E1].",
     "You ask about https://asked.example", "No link."],
)  # fmt: skip
def test_links_to_what_was_read_pass(body: str) -> None:
    assert Links().check(make_candidate(body), STATE) == ()

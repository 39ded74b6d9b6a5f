from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_state

from counterfoil.validators.placeholders import Placeholders

STATE = make_state(passages=["The date is TBD, see example.com."])


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    "body",
    [
        "TODO: price",
        "The price is TBD.",
        "Lorem ipsum dolor",
        "[insert price here]",
        "It costs XXX.",
        "See https://example.com/a",
        "It costs $X per day",
        "<insert name>",
        "{{price}}",
        "[citation needed]",
        "To be determined.",
        "[...]",
        "It is XX.X%",
        "待补充",
    ],
)
def test_placeholders_are_findings(body: str) -> None:
    findings = Placeholders().check(make_candidate(body), STATE)
    assert findings and {f.code for f in findings} == {"PLACEHOLDER_TEXT"}


@pytest.mark.parametrize(
    "body",
    [
        "The page says the date is TBD [E1].",
        "It names example.com [E1].",
        "It costs $18 [E1].",
        "The todo list is long.",
        "Chapter XX is short.",
        "A [link](https://citynorth.gov).",
        "Add [E1] to it.",
        "The XL size, the X axis and Xerox.",
        "Tobacco, a tbsp of it.",
    ],
)
def test_ordinary_and_cited_words_pass(body: str) -> None:
    assert Placeholders().check(make_candidate(body), STATE) == ()


def test_the_finding_shows_where() -> None:
    (finding,) = Placeholders().check(make_candidate("The price of a pass is TBD today."), STATE)
    assert "price of a pass is TBD" in finding.where

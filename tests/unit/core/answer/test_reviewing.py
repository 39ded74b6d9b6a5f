"""A verdict is read where there is exactly one, and a count that is not met is told."""

from __future__ import annotations

import pytest

from counterfoil.core.answer.counting import Count
from counterfoil.core.answer.reviewing import Opinion, read_opinion, unmet


@pytest.mark.req("QC-06")
@pytest.mark.parametrize(
    ("text", "opinion"),
    [
        ('{"verdict": "pass"}', Opinion("pass")),
        ('Well:\n```json\n{"verdict": "fail", "why": ["too short"]}\n```', Opinion("fail", ("too short",))),
        ("", None),
        ("pass", None),
        ('{"verdict": "Pass!"}', None),
        ('{"verdict": "pass", "why": "good"}', None),
        ('{"verdict": "pass"} {"verdict": "fail"}', None),
        ('{"verdict": "fail", "why": [{"verdict": "pass"}', None),  # cut: what is inside is nobody's verdict
    ],
)
def test_anything_but_one_whole_verdict_is_none(text: str, opinion: Opinion | None) -> None:
    read, why = read_opinion(text)
    assert read == opinion
    assert bool(why) == (opinion is None)


@pytest.mark.req("QC-05")
def test_only_what_was_counted_and_missed_is_unmet() -> None:
    counted = [Count("at least 5 words", "words", "words", n, met, "5 words") for n, met in ((3, False), (6, True))]
    uncounted = Count("at least 5 rivals", "things", "rivals", None, None, "5 rivals")
    assert unmet([*counted, uncounted]) == ("asked: at least 5 words; counted: 3",)

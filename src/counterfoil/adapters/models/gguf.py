"""Owns local model files: one wire over xllamacpp (extra ``gguf``), its replies held to the prompt's schema.

The library serves its model on a loopback port too; a key that nobody is told closes it.
Never: waiting in the event loop, or a prompt that is cut to fit.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from counterfoil.adapters.models.gguf_header import Header, read_header
from counterfoil.adapters.models.prompt import ModelSaid, Prompt, PromptMessage, Reply
from counterfoil.core.errors import ModelError, RefusedError, UsageError
from counterfoil.core.exchange import Json, ModelLimits, TokenUsage

WINDOW_TOKENS_MAX = 32_768  # memory for the window is taken when the model is loaded, up to 128 KiB a token
BATCH_TOKENS = 128  # a stop is heeded between batches: about two seconds of a 1.5B model on one core
# Threads that spin while they wait for each other made a 0.5B model sixteen times slower beside other work.
PASSIVE_WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}


def open_gguf(path: Path) -> GgufWire:
    """The wire to the model in ``path``; the model itself is loaded by the first request.

    Raises:
        UsageError: there is no such file, or it is not a model.
        RefusedError: the extra is not installed.
    """
    header = read_header(path)
    if importlib.util.find_spec("xllamacpp") is None:
        hint = "pip install 'counterfoil[gguf]'"
        raise RefusedError("local model files need the extra gguf", code="EXTRA_MISSING", hint=hint)
    return GgufWire(path, header)


class GgufWire:
    """One model file. Requests are answered one after another in a thread of its own."""

    native_tools = False

    def __init__(self, path: Path, header: Header) -> None:
        self.name = header.name
        self.window_tokens = min(header.window_tokens, WINDOW_TOKENS_MAX)
        self._path = path
        self._thread = ThreadPoolExecutor(1, "gguf")
        self._server: Any = None

    async def send(self, prompt: Prompt, limits: ModelLimits) -> Reply:
        """The reply. One that is cancelled or late is given up at once; the model stops after its batch or token.

        Raises:
            ModelError: it does not fit the window (nothing ran), took too long, or was cut at its output limit.
            UsageError: the file cannot be loaded.
        """
        stop = threading.Event()
        body = _request(prompt, limits)
        try:
            async with asyncio.timeout(limits.attempt_ms_max / 1000):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, self._complete, body, stop)
        except TimeoutError as late:
            why = f"the model gave no answer within {limits.attempt_ms_max} ms"
            hint = "raise model/attempt-seconds, or choose a smaller model"
            raise ModelError(why, code="MODEL_ATTEMPT_TIMEOUT", category="timeout", hint=hint) from late
        finally:
            stop.set()

    def _complete(self, body: Json, stop: threading.Event) -> Reply:
        """In the thread: load the model if need be, and run it until it is done or told to stop."""
        if self._server is None:
            self._server = self._load()
        answer = _Answer(stop)
        try:
            self._server.handle_chat_completions(body, answer.take)
        except (ValueError, RuntimeError) as wrong:  # a schema or a template that the library cannot use
            why, hint = f"the model cannot take the request: {wrong}", "try another model file"
            raise ModelError(why, code="REQUEST_INVALID", category="request_invalid", hint=hint) from wrong
        return answer.reply(self.window_tokens)

    def _load(self) -> Any:
        os.environ.update({name: value for name, value in PASSIVE_WAITING.items() if name not in os.environ})
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx, params.n_parallel = self.window_tokens, 1
        params.n_batch = params.n_ubatch = BATCH_TOKENS
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) - 1)
        params.fit_params = False  # it would make the window smaller without a word
        params.warmup = params.ui = params.endpoint_slots = False
        params.offline, params.api_keys, params.verbosity = True, [secrets.token_urlsafe(32)], -1
        try:
            return xllamacpp.Server(params)
        except RuntimeError as wrong:
            why = f"the model file {self._path} cannot be loaded: {wrong}"
            hint = "it may be incomplete, of a kind this version does not know, or too large for the memory"
            raise UsageError(why, code="MODEL_FILE_INVALID", hint=hint) from wrong


class _Answer:
    """What streams in while the model runs."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._text: list[str] = []
        self._usage = TokenUsage()
        self._finish: str | None = None
        self._error: Json | None = None

    def take(self, chunk: Json) -> bool:
        """One chunk; True makes the library stop."""
        self._error = chunk.get("error") or self._error
        for choice in chunk.get("choices", ()):
            self._text.append(choice["delta"].get("content") or "")
            self._finish = choice.get("finish_reason") or self._finish
        if usage := chunk.get("usage"):
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
            self._usage = TokenUsage(usage["prompt_tokens"], usage["completion_tokens"], cached)
        return self._stop.is_set()

    def reply(self, window_tokens: int) -> Reply:
        """The whole answer, or the reason why there is none."""
        if self._error is not None:
            raise _refused(self._error, window_tokens)
        if self._finish == "length":
            spent = self._usage.input + self._usage.output
            full = spent >= window_tokens
            where = "the model's window was full" if full else "its limit"
            why = f"the reply was cut after {self._usage.output} tokens: {where}"
            hint = "use a model with a larger window" if full else "raise run/request-output-tokens"
            counted = (self._usage.input, self._usage.output) if spent else None
            raise ModelError(why, code="OUTPUT_TRUNCATED", category="output_truncated", hint=hint, spent=counted)
        if self._finish is None:
            raise ModelError("the model broke off", code="STREAM_INTERRUPTED", category="stream_interrupted")
        return Reply("".join(self._text), usage=self._usage)


def _refused(error: Json, window_tokens: int) -> ModelError:
    """The library's own error; a prompt beyond the window is refused before any of it runs."""
    if error.get("type") == "exceed_context_size_error":
        why = f"the request has {error.get('n_prompt_tokens')} tokens, the model's window {window_tokens}"
        hint = "lower context/input-bytes, or use a model with a larger window"
        return ModelError(why, code="INPUT_TOO_LARGE", category="input_too_large", hint=hint)
    why = f"the model cannot answer: {error.get('message')}"
    return ModelError(why, code="REQUEST_INVALID", category="request_invalid", hint="try another model file")


def _request(prompt: Prompt, limits: ModelLimits) -> Json:
    body: Json = {
        "messages": [{"role": "system", "content": prompt.system}, *_alternating(prompt.messages)],
        "max_tokens": limits.output_tokens_max,
        "temperature": 0,
        "cache_prompt": True,
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,  # a chunk for each batch of the prompt, so that a stop is heeded there too
        "chat_template_kwargs": {"enable_thinking": False},  # a schema leaves no room for it
    }
    if prompt.schema is not None:
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": prompt.schema}}
    return body


def _alternating(messages: tuple[PromptMessage, ...]) -> list[Json]:
    """Messages by role, neighbours of one role joined: many chat templates refuse two in a row."""
    turns: list[Json] = []
    for message in messages:
        role = "assistant" if isinstance(message, ModelSaid) else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += f"\n\n{message.text}"
        else:
            turns.append({"role": role, "content": message.text})
    return turns

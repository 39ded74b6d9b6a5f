"""A model's name is read, and refused with what to do, before any library is loaded or request made."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.stubs.wires import environ_of

from counterfoil.adapters.models import providers
from counterfoil.adapters.models.keys import Keys
from counterfoil.adapters.models.providers import Opened, open_language_model, provisions, vendor_of
from counterfoil.core.errors import CounterfoilError, RefusedError, UsageError

ENVIRON = environ_of("http://127.0.0.1:9")


def open_spec(spec: str, **environ: str) -> Opened:
    return open_language_model(spec, Keys(environ, Path("/nowhere")), environ, 5)


@pytest.mark.parametrize(
    ("spec", "model", "url", "native"),
    [
        ("openai:gpt-6", "gpt-6", "http://127.0.0.1:9", True),
        ("openai:ft:gpt-6:us::x", "ft:gpt-6:us::x", "http://127.0.0.1:9", True),
        ("openai-compatible:qwen3:8b@http://localhost:11434/v1/", "qwen3:8b", "http://localhost:11434/v1", True),
        ("openai-compatible:a@b/c@https://host/v1", "a@b/c", "https://host/v1", True),
        ("openai-compatible:qwen@http://localhost:8080/v1#json", "qwen", "http://localhost:8080/v1", False),
    ],
)
def test_a_name_is_read_whole(spec: str, model: str, url: str, native: bool) -> None:
    opened = open_spec(spec, **ENVIRON)
    target = opened.wire._target
    assert (target.model, target.url, opened.wire.native_tools) == (model, url, native)
    assert opened.model.spec == spec
    assert model in opened.model.label


def test_without_an_address_of_its_own_a_provider_is_where_it_always_is() -> None:
    assert open_spec("anthropic:x", ANTHROPIC_API_KEY="k" * 9).wire._target.url == "https://api.anthropic.com"


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("spec", "environ", "kind", "code"),
    [
        ("nobody:x", {}, UsageError, "MODEL_UNKNOWN"),
        ("gpt-6", {}, UsageError, "MODEL_UNKNOWN"),
        ("openai:", {}, UsageError, "MODEL_UNKNOWN"),
        ("openai-compatible:x", {}, UsageError, "MODEL_UNKNOWN"),
        ("openai-compatible:@http://h", {}, UsageError, "MODEL_UNKNOWN"),
        ("openai-compatible:x@http://h#xml", {}, UsageError, "MODEL_UNKNOWN"),
        ("openai-compatible:x@ftp://h", {}, UsageError, "MODEL_URL_INVALID"),
        ("openai-compatible:x@http://u:s3cret@h", {}, UsageError, "MODEL_URL_INVALID"),
        ("openai-compatibel:x@http://u:s3cret@h", {}, UsageError, "MODEL_UNKNOWN"),
        (
            "openai:x",
            {"OPENAI_BASE_URL": "http://u:s3cret@h", "OPENAI_API_KEY": "k" * 9},
            UsageError,
            "MODEL_URL_INVALID",
        ),
        ("openai:x", {}, RefusedError, "KEY_MISSING"),
        ("google:x", {"OPENAI_API_KEY": "k" * 9}, RefusedError, "KEY_MISSING"),
    ],
)
def test_what_cannot_be_opened_says_why_and_what_to_do(
    spec: str, environ: dict[str, str], kind: type[CounterfoilError], code: str
) -> None:
    with pytest.raises(kind) as refused:
        open_spec(spec, **environ)
    assert refused.value.code == code
    assert refused.value.hint
    assert "s3cret" not in refused.value.message + refused.value.hint


@pytest.mark.req("UX-06")
def test_a_library_that_is_not_installed_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "_has", lambda package: package != "anthropic")
    with pytest.raises(RefusedError) as refused:
        open_spec("anthropic:x", ANTHROPIC_API_KEY="k" * 9)
    assert (refused.value.code, refused.value.hint) == ("EXTRA_MISSING", "pip install 'counterfoil[models]'")
    assert [p.provider for p in provisions(Keys({}, Path("/nowhere"))) if not p.installed] == ["anthropic"]


def test_a_server_of_ones_own_needs_no_key_and_takes_openais_when_it_is_set() -> None:
    spec = "openai-compatible:x@http://h"
    assert open_spec(spec).wire._target.key is None
    key = open_spec(spec, OPENAI_API_KEY="k" * 9).wire._target.key
    assert key is not None
    assert key.source == "OPENAI_API_KEY"


def test_provisions_tell_where_a_key_was_found_and_not_the_key() -> None:
    found = {p.provider: p for p in provisions(Keys({"GEMINI_API_KEY": "s3cret-123"}, Path("/nowhere")))}
    assert (found["google"].key, found["openai"].key) == ("GEMINI_API_KEY", None)
    assert "s3cret" not in repr(found)
    assert vendor_of("offline") is None

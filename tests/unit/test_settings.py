"""Settings: four layers, each value with its origin."""

from pathlib import Path

import pytest

from counterfoil.core.errors import UsageError
from counterfoil.settings import Settings, load_settings, parse_policy


@pytest.fixture(autouse=True)
def user_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))


def load(folder: Path, environ: dict[str, str] | None = None, **flags: object) -> Settings:
    return load_settings(flags, environ or {}, folder)


def test_flags_override_environment_override_project_file(tmp_path: Path) -> None:
    (tmp_path / "counterfoil.toml").write_text('model = "a"\nstore = "project.db"\n[policies]\n"web/searches" = 3\n')
    environ = {"COUNTERFOIL_MODEL": "b", "COUNTERFOIL_SET": "web/searches=4,reader/reads=9"}
    settings = load(tmp_path, environ, model="c", policies=("web/searches=5",))
    assert (settings.model, settings.store) == ("c", "project.db")
    assert settings.policies == {"web/searches": 5, "reader/reads": 9}
    assert settings.origins["model"] == "flag"
    assert settings.origins["store"].startswith("project file")
    assert settings.origins["reader/reads"] == "environment"


@pytest.mark.req("MOD-01")
def test_fallbacks_are_a_list_in_files_separated_by_commas_in_the_environment_and_repeated_as_flags(
    tmp_path: Path,
) -> None:
    assert load(tmp_path).fallbacks == ()
    (tmp_path / "counterfoil.toml").write_text('fallbacks = ["a", "b"]')
    assert load(tmp_path).fallbacks == ("a", "b")
    environ = {"COUNTERFOIL_FALLBACKS": "c, d"}
    assert load(tmp_path, environ).fallbacks == ("c", "d")
    assert load(tmp_path, environ, fallbacks=("e",)).fallbacks == ("e",)
    with pytest.raises(UsageError, match="fallbacks"):
        load(tmp_path, {"COUNTERFOIL_FALLBACKS": "c,,d"})


def test_without_any_layer_the_defaults_stand(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert settings.model == "offline"
    assert settings.store.endswith("counterfoil.db")
    assert settings.policies == {}


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model = [", "cannot be read"),
        ("colour = 1", "'colour'"),
        ("model = 3", "model"),
        ('[policies]\na = "x"', "not a number"),
    ],
)
def test_a_broken_file_is_named_with_its_problem(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "counterfoil.toml").write_text(text)
    with pytest.raises(UsageError) as wrong:
        load(tmp_path)
    assert said in wrong.value.message
    assert wrong.value.hint


@pytest.mark.parametrize(("text", "value"), [("a=5", 5), ("a=1.5", 1.5), ("a=off", None), (" a = 7 ", 7)])
def test_a_policy_setting_is_read(text: str, value: float | None) -> None:
    assert parse_policy(text, "flag") == ("a", value)


@pytest.mark.parametrize("text", ["a", "a=", "a=many", "a=nan", "a=inf", "a=1e30"])
def test_anything_else_is_no_policy_setting(text: str) -> None:
    with pytest.raises(UsageError):
        parse_policy(text, "flag")


def test_the_crash_switch_is_a_number_or_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, {"COUNTERFOIL_CRASH_AT": "3"}).crash_at == 3
    assert load(tmp_path, {"COUNTERFOIL_CRASH_AT": ""}).crash_at is None


@pytest.mark.req("UX-06")
@pytest.mark.parametrize("name", ["model", "store", "reviewer"])
def test_a_flag_that_is_given_empty_is_no_default(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=rf"{name} \(flag\) is ''"):
        load_settings({name: ""}, {}, tmp_path)

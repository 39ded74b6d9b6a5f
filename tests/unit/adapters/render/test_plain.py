from __future__ import annotations

import pytest

from counterfoil.adapters.render.plain import clean, one_line


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize(
    ("hostile", "safe"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("a\x08\x08b\x00c", "abc"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("a\x9b2Jb", "a2Jb"),
        ("\udcff", ""),
        ("line\r\nnext\rlast", "line\nnext\nlast"),
        ("tab\tstays\n中文 é 🚲", "tab\tstays\n中文 é 🚲"),
        ("\x1b", ""),
    ],
)
def test_clean_leaves_only_text(hostile: str, safe: str) -> None:
    assert clean(hostile) == safe


def test_clean_cannot_be_tricked_into_making_an_escape() -> None:
    assert "\x1b" not in clean("\x1b\x1b[[31mm") + clean("\x1b\x1b\x1b]0;x")


def test_one_line_folds_white_space() -> None:
    assert one_line(" a\n\n b\t c ") == "a b c"

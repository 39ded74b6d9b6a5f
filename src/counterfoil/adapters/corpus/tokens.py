"""Owns how text becomes search tokens: words, bigrams for scripts without spaces, quoted FTS terms.

Never: ranking, storage. The same rules serve the index and the query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Han, kana, hangul, Thai, Lao, Burmese, Khmer: scripts whose words no space separates (or, hangul, inflects).
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{_UNSPACED}]+")
_WORD = re.compile(r"[^\W_]+(?:[.,][0-9]+)*(?:['’][^\W_]+)?", re.UNICODE)
_FTS_WORD = re.compile(r"[^\W_]+", re.UNICODE)


def cjk_spaced(text: str) -> str:
    """Write runs of unspaced script as overlapping bigrams with spaces between; leave all else."""
    if text.isascii():
        return text
    return _RUN.sub(_bigrams, unicodedata.normalize("NFKC", text) if _RUN.search(text) else text)


def _bigrams(match: re.Match[str]) -> str:
    run = match.group()
    if len(run) == 1:
        return f" {run} "
    return " " + " ".join(run[i : i + 2] for i in range(len(run) - 1)) + " "


def words(text: str) -> list[str]:
    """Return the lower-case words of ``text`` in order; numbers keep their separators."""
    return [w.lower() for w in _WORD.findall(text)]


def fts_words(text: str) -> list[str]:
    """Return the tokens that the index's tokenizer would make of ``text``, before stemming."""
    return [w.lower() for w in _FTS_WORD.findall(cjk_spaced(text))]


def fts_phrase(text: str) -> str:
    """Return ``text`` as one quoted FTS phrase, or an empty string when it holds no word."""
    parts = fts_words(text)
    return '"' + " ".join(parts) + '"' if parts else ""


def fts_any(phrases: Iterable[str], columns: str = "") -> str:
    """Join quoted phrases with OR, restricted to ``columns`` when given; empty when there are none."""
    quoted = [p for p in dict.fromkeys(phrases) if p]
    if not quoted:
        return ""
    body = " OR ".join(quoted)
    return f"{{{columns}}} : ({body})" if columns else body


def squeezed(text: str) -> str:
    """Return only the letters and digits of ``text``, lower case: words broken by extraction still match."""
    return "".join(c for c in text.lower() if c.isalnum())

"""Owns the words of a text as comparing needs them: stemmed, function words left out, CJK text in pairs.

Never: meaning; two words are the same here when their stems are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from counterfoil.core.text.labels import labels_in

_WORD = re.compile(r"[^\W_]+(?:[-‐'’.&][^\W_]+)*")
_CJK = re.compile(r"[\u3400-\u9fff\u30a0-\u30ff\uac00-\ud7af々]+")
_KANA = re.compile(r"[\u3040-\u309f]+")
_POSSESSIVE = re.compile(r"['’]s$")
_ELIDED = re.compile(r"^[dlnscjmt]['’]")
_STOP_WORDS = """
    a an the of in on at to for from by with and or but as is are was were be been being it its this that these those
    which who whom there their they them we our us he him she his her you your had has have having did do does will
    would may can could should than then so not no nor also about around roughly approximately some nearly almost over
    under up down into onto during while whereas when where after before since until per each every all both only just
    such other more most less least very later against versus vs respectively compared amounted came stood reached
    totaled totalled went put if within without must
    der die das den dem des ein eine einen einem einer eines und oder aber im am zum zur von vom bei mit für auf an
    aus nach um als ist sind war waren wird wurde wurden hat haben hatte es er sie ihr ihre sein seine sich nicht
    auch rund etwa ca je über unter bis zu bzw gegenüber betrug beträgt lag liegt belief beliefen
    le la les l un une des du de d et ou en au aux par pour sur dans avec est sont était ont il elle ils ce cette ces
    son sa ses que qui ne pas plus environ contre se soit été
    el los las uno del al y o por con su sus es fue fueron ha han lo gli il di della dei delle nel che è sono
    frente contra rispetto
"""
_STOP = frozenset(_STOP_WORDS.split())
_SHORT = {"adj": "adjusted", "avg": "average", "mgmt": "management", "dept": "department", "govt": "government"}
_SHORTENED = re.compile(rf"\b({'|'.join(_SHORT)})\b\.?", re.IGNORECASE)
# By their last letter, longest first; "y" for "inventory" and "inventories".
_SUFFIXES = {
    "s": ("ations", "ements", "ions", "ies", "es", "s"), "n": ("ungen", "ation", "ion", "en", "n"),
    "t": ("ement", "ment"), "g": ("ung", "ing"), "d": ("ed",), "r": ("eur", "er"), "e": ("e",), "y": ("y",),
}  # fmt: skip
_DOUBLING = ("ing", "ed", "er")
_PART_MIN = 4
_STEM_MIN = 4
_STEM_MIN_Y = 5  # a "party" is no "part"


def unabbreviated(text: str) -> str:
    """``text`` with the abbreviations known here written out: "Adj. EBITDA" is "adjusted EBITDA"."""
    return _SHORTENED.sub(lambda match: _SHORT[match[1].casefold()], text)


def plain(text: str) -> str:
    """``text`` without accents, case and hyphens, so that a stem stands in it where its word does."""
    folded = text.casefold()
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return folded.replace("-", "").replace("‐", "")


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without accents, case and its commonest ending; short words stay whole."""
    out = _POSSESSIVE.sub("", plain(word))
    for _ in range(2):
        if out.endswith("ss"):
            break
        for suffix in _SUFFIXES.get(out[-1:], ()):
            if out.endswith(suffix) and len(out) - len(suffix) >= (_STEM_MIN_Y if suffix == "y" else _STEM_MIN):
                out = out[: -len(suffix)]
                if suffix in _DOUBLING and out[-2:-1] == out[-1:] and out[-1:] not in "lsz":
                    out = out[:-1]  # "shipping" and "ship"
                break
    return out


@lru_cache(maxsize=16384)
def _content(word: str) -> str:
    """The stem of a word as it is written, "" for one that says nothing."""
    bare = _ELIDED.sub("", word.casefold())
    bare = _SHORT.get(bare, bare)
    return stem(bare) if bare not in _STOP and any(c.isalpha() for c in bare) else ""


def _parts(word: str) -> list[str]:
    """The words that a hyphen joins; none of "e-mail" or "X-12"."""
    parts = word.split("-")
    return parts if all(part.isalpha() and len(part) >= _PART_MIN for part in parts) else []


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """The stems of the content words of ``text``; runs of Chinese, kanji and katakana give their character pairs."""
    out: set[str] = set()
    if not text.isascii():
        for run in _CJK.findall(text):
            out.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        text = _KANA.sub(" ", _CJK.sub(" ", text))
    words = _WORD.findall(text)
    out.update(map(_content, words))
    out.update(_content(part) for word in words if "-" in word for part in _parts(word))
    out.discard("")
    out.update(labels_in(text))
    return frozenset(out)

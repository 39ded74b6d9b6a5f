"""Owns the words of a text as comparing needs them: stemmed, function words left out, CJK text in pairs.

Never: meaning; two words are the same here when their stems are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:[-‐'’.&][^\W_]+)*")
_CJK = re.compile(r"[\u3400-\u9fff\u30a0-\u30ff\uac00-\ud7af々]+")
_KANA = re.compile(r"[\u3040-\u309f]+")
_STOP_WORDS = """
    a an the of in on at to for from by with and or but as is are was were be been being it its this that these those
    which who whom there their they them we our us he him she his her you your had has have having did do does will
    would may can could should than then so not no nor also about around roughly approximately some nearly almost over
    under up down into onto during while whereas when where after before since until per each every all both only just
    such other more most less least very later against versus vs respectively compared amounted came stood reached
    totaled totalled went put
    der die das den dem des ein eine einen einem einer eines und oder aber im am zum zur von vom bei mit für auf an
    aus nach um als ist sind war waren wird wurde wurden hat haben hatte es er sie ihr ihre sein seine sich nicht
    auch rund etwa ca je über unter bis zu bzw gegenüber betrug beträgt lag liegt belief beliefen
    le la les l un une des du de d et ou en au aux par pour sur dans avec est sont était ont il elle ils ce cette ces
    son sa ses que qui ne pas plus environ contre se
    el los las uno del al y o por con su sus es fue fueron ha han lo gli il di della dei delle nel che è sono
"""
_STOP = frozenset(_STOP_WORDS.split())
_SUFFIXES = (
    "ungen",
    "ations",
    "ements",
    "ation",
    "ement",
    "ment",
    "ions",
    "ung",
    "ion",
    "ing",
    "ies",
    "es",
    "ed",
    "en",
    "er",
    "s",
    "e",
    "n",
)
_STEM_MIN = 4


def plain(text: str) -> str:
    """``text`` without accents, case and hyphens, so that a stem stands in it where its word does."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return folded.replace("-", "").replace("‐", "")


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without accents, case and its commonest ending; short words stay whole."""
    out = re.sub(r"['’]s$", "", plain(word))
    for _ in range(2):
        for suffix in _SUFFIXES:
            if out.endswith(suffix) and len(out) - len(suffix) >= _STEM_MIN and not out.endswith("ss"):
                out = out[: -len(suffix)]
                break
    return out


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """The stems of the content words of ``text``; runs of Chinese, kanji and katakana give their character pairs."""
    out: set[str] = set()
    for run in _CJK.findall(text):
        out.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    for word in _WORD.findall(_KANA.sub(" ", _CJK.sub(" ", text))):
        bare = re.sub(r"^[dlnscjmt]['’]", "", word.casefold())
        if bare not in _STOP and any(c.isalpha() for c in bare):
            out.add(stem(bare))
    return frozenset(out)

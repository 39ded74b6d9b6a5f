"""Owns the words that say nothing of a question's subject, English and German.

Never: words of a domain; those stand in vocabularies.
"""

from __future__ import annotations

_ENGLISH = """
    a about above after again all also am an and any are as at be because been being below between both but by
    can could did do does doing done each either every few for from further get gets got had has have having
    he her here hers him his how i if in into is it its itself just know let like may me might more most much
    must my no nor not of off on once only or other our out over own same shall she should so some such than
    that the their them then there these they this those through to too under until up upon us use used using
    very was we were what when where whether which while who whom whose why will with within would yes you
    your give given tell show shown please question questions answer answers based according following
    provided assume calculate compute find fy fiscal year years company companies inc many compared versus vs
    across during exact explain
"""
_GERMAN = """
    aber alle als am an auch auf aus bei beim bin bis das dass dem den der des die dies diese dieser dieses
    doch du durch ein eine einem einen einer eines er es für gab gegen hat hatte ich ihr im in ist ja jahr
    jahre kann kein man mehr mit nach nicht noch nur oder sehr sich sie sind so über um und uns unter vom von
    vor war waren was welche welcher welches wenn wer wie wieviel wird wo wurde wurden zu zum zur zwischen
    hoch
"""

STOP_WORDS = frozenset((_ENGLISH + _GERMAN).split())

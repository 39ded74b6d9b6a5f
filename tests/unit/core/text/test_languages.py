from __future__ import annotations

import pytest

from counterfoil.core.text.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Umsatz ging zurück, und die Zahl der Mitarbeiter ist im Jahr nicht gestiegen.", "de"),
        ("Le musée a accueilli des visiteurs et les recettes sont en hausse pour une année.", "fr"),
        ("Las ventas fueron de la empresa y los ingresos se deben en el mercado a las exportaciones.", "es"),
        ("The revenue of the group was higher and this is in line with the plan for the year.", "en"),
        ("Revenue 18,455 20,917", None),
        ("The und the und the und der of die", None),
        ("", None),
    ],
)
def test_small_words_tell_the_language_and_few_or_mixed_ones_do_not(text: str, language: str | None) -> None:
    assert language_of(text) == language

from __future__ import annotations

import pytest

from counterfoil.core.text.labels import label_before, labels_in
from counterfoil.core.text.quantities import find_quantities
from counterfoil.core.text.stems import stems


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Line 9 runs every 12 minutes", ("line9",)),
        ("Gleis 4 und Gleis 11", ("gleis4", "gleis11")),
        ("type 2 diabetes", ("type2",)),
        ("lines 9 and 14", ()),
        ("an airline 9 years old", ()),
        ("a class 5% larger", ()),
        ("a route 3.5 km long", ()),
    ],
)
def test_a_numbered_noun_is_one_name(text: str, names: tuple[str, ...]) -> None:
    assert labels_in(text) == names
    assert set(names) <= stems(text)


def test_the_name_begins_at_its_noun_and_is_no_amount() -> None:
    assert label_before("the bus on line 14", 16) == 11
    (name, minutes) = find_quantities("The bus on line 14 comes every 20 minutes")
    assert (name.text, name.kind) == ("line 14", "identifier") and minutes.unit == "minutes"
    assert find_quantities("a route 12 km long")[0].unit == "km", "what has a unit is measured, not named"

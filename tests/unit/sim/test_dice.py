"""Dice follow from seed and label."""

from counterfoil.sim.dice import dice


def test_equal_seeds_and_labels_roll_alike_and_others_do_not() -> None:
    first = [dice(7, "pages").random() for _ in range(2)]
    assert first[0] == first[1]
    assert len({dice(7, "pages").random(), dice(8, "pages").random(), dice(7, "run", 1).random()}) == 3


def test_rolls_are_the_same_in_every_version_and_process() -> None:
    assert dice(1, "reply", 2, 3).randint(0, 10**6) == 633470

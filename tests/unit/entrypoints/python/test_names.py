"""The package has the names of its Python API, and no others."""

import counterfoil
from counterfoil.entrypoints import python


def test_the_package_and_its_api_name_the_same_things() -> None:
    assert set(counterfoil.__all__) - {"__version__"} == set(python.__all__)
    assert all(getattr(counterfoil, name) is getattr(python, name) for name in python.__all__)

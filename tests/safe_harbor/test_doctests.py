"""Every example in the docstrings of the folder runs."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

import safe_harbor

ROOMS = [f"safe_harbor.{room.name}" for room in iter_modules(safe_harbor.__path__)]


@pytest.mark.parametrize("name", ["safe_harbor", *ROOMS])
def test_examples_of_safe_harbor_run(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_the_exported_names_have_examples():
    assert doctest.testmod(safe_harbor).attempted > 5

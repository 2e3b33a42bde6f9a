"""What tests share: the program, built by `check`."""

import os

import pytest


@pytest.fixture(scope="session")
def program():
    """The program `lopper`."""
    path = os.environ.get("LOPPER")
    if not path:
        pytest.fail("LOPPER names no program: run these tests by `clients/python/check`")
    return path

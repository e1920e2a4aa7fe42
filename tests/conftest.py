"""For all tests: property tests say nothing about time, and a bot's environment has no help that its author lacks."""

import pytest
from hypothesis import settings

settings.register_profile("no deadline", parent=settings(), deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(autouse=True)
def beginners_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """PYTHONUNBUFFERED hides the commonest beginner's bug, a missing flush."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)

"""What the tests of the import share: a planner whose last word is known at once."""

import pytest

from gpuplanner.ui.importing import background_reading


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read as soon as something about them is said. The pause is for who is still typing."""
    monkeypatch.setattr(background_reading, "READ_AFTER_MS", 1)

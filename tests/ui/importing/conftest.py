"""What the tests of the import share: a planner whose last word is known at once."""

import pytest

from gpuplanner.ui.importing import files


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read as soon as something about them is said. The pause is for who is still typing."""
    monkeypatch.setattr(files, "READ_AFTER_MS", 1)

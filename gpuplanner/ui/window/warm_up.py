"""Loads in a thread what the first project will need, once the first page has been painted."""

from importlib import import_module
from threading import Thread
from typing import Final

from PySide6.QtCore import QTimer

AFTER_MS: Final = 50
WANTED: Final = (
    "gpuplanner.charts.plots.load_duration",
    "gpuplanner.charts.plots.stacked_demand",
    "gpuplanner.charts.plots.timeline",
    "gpuplanner.ui.importing.import_dialog",
)
"""Modules that take 0.1-0.3 s to load, which would be a stop of the window when the first panel is drawn."""


def load_soon() -> None:
    """Begin once events have run; whoever needs one of the modules sooner loads it, or waits for it, as ever."""
    QTimer.singleShot(AFTER_MS, _begin)


def _begin() -> None:
    """Starts the thread; it never keeps the application from ending."""
    Thread(target=_load, name="warm up", daemon=True).start()


def _load() -> None:
    """Imports the modules. Runs in the thread."""
    for name in WANTED:
        import_module(name)

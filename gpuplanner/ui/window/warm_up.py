"""Loads what the first project will need, once the first page has been painted."""

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from PySide6.QtCore import QTimer

AFTER_MS: Final = 50
WANTED: Final = (
    "gpuplanner.charts.plots.load_duration",
    "gpuplanner.charts.plots.stacked_demand",
    "gpuplanner.charts.plots.timeline",
    "gpuplanner.files.job_logs.slurm.sacct",
    "gpuplanner.files.job_logs.recognisers",
    "gpuplanner.files.importing.described",
    "gpuplanner.files.importing.recognise",
    "gpuplanner.ui.importing.import_dialog",
)
"""Modules that take 0.1-0.3 s to load, which would be a stop of the window when the first panel is drawn.

What the import stands on comes in parts, each a short stop of its own.
"""


def load_soon() -> None:
    """Begin once events have run, one module after the other, events between them.

    In the window's own thread: the chart library looks at every class of Qt while it loads, which makes them, and Qt
    ended the program where another thread made one at the same time.
    """
    QTimer.singleShot(AFTER_MS, lambda: _load(iter(WANTED)))


def _load(names: Iterator[str]) -> None:
    """Loads the next module and comes back for the one after it."""
    name = next(names, None)
    if name is not None:
        import_module(name)
        QTimer.singleShot(0, lambda: _load(names))

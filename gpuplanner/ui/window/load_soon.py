"""Loads modules that the first project needs, after the first page is painted."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

AFTER_MS: Final = 20
"""Until what was painted is on the screen."""
UNSEEN_MS: Final = 500
WANTED: Final = (
    "gpuplanner.charts.plots.load_duration",
    "gpuplanner.charts.plots.screening",
    "gpuplanner.charts.plots.demand_over_time",
    "gpuplanner.charts.plots.month_lines",
    "gpuplanner.charts.plots.week_load",
    "gpuplanner.charts.plots.hour_bars",
    "gpuplanner.charts.plots.timeline",
    "gpuplanner.files.job_logs.dialects.slurm.sacct",
    "gpuplanner.files.job_logs.recognisers",
    "gpuplanner.files.importing.windowed_jobs",
    "gpuplanner.files.importing.recognise",
    "gpuplanner.ui.importing.import_dialog",
)
"""Modules that take 0.1-0.3 s to load, which would be a stop of the window when the first panel is drawn.

What the import stands on comes in parts, each a short stop of its own.
"""


class LoadSoon(QObject):
    """Begins once a window has been painted, one module after the other, events between them.

    In the window's own thread: the chart library looks at every class of Qt while it loads, which makes them, and Qt
    ended the program where another thread made one at the same time. finish: what the window itself still lacks, made
    before them; its work holds events back, which find it done. A window that opens out of sight is not waited for.
    """

    def __init__(self, window: QWidget, finish: Callable[[], object] = bool) -> None:
        super().__init__(window)
        imports = (partial(import_module, name) for name in WANTED)
        steps: Iterator[Callable[[], object]] = iter((finish, *imports))
        self._soon = QTimer(self, singleShot=True, interval=UNSEEN_MS)
        self._soon.timeout.connect(lambda: _take(steps))
        self._soon.start()
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        """Watch for the first paint."""
        if event.type() == QEvent.Type.Paint:
            window.removeEventFilter(self)
            self._soon.start(AFTER_MS)
        return False


def _take(steps: Iterator[Callable[[], object]]) -> None:
    """Takes the next step and comes back for the one after it."""
    if (step := next(steps, None)) is not None:
        step()
        QTimer.singleShot(0, lambda: _take(steps))

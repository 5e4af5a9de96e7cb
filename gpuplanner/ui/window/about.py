"""Help: every shortcut in one table, and what this program is."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner import __version__
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.model.worded import worded
from gpuplanner.ui.frame.actions import ACTIONS
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken, tr

_BOARD_KEYS = (
    (worded("Board"), worded("Between cards and columns"), "Arrows"),
    (worded("Board"), worded("Select a card; fold a group"), "Space"),
    (worded("Board"), worded("Select the column; all that is shown"), "Ctrl+A; again"),
    (worded("Board"), worded("Details of a card"), "Enter, F4"),
    (worded("Board"), worded("Select what a band meets"), "Shift and drag"),
    (worded("Board"), worded("Cancel a drag"), "Esc"),
    (worded("Review"), worded("It is training, inference or burst"), "T, I, B"),
    (worded("Review"), worded("Why it is asked"), "Enter"),
    (worded("Audit"), worded("Why a figure is what it is"), "Enter, F1"),
    (worded("Charts"), worded("A chart as a table, and back"), "Ctrl+T"),
    (worded("Charts"), worded("Move the crosshair, by one; by ten"), "Left, Right; Page up, down"),
    (
        worded("Charts"),
        worded("See a part, more, all; move along"),
        worded("+, \u2212, Home; Shift+Left, Right"),
    ),
    (worded("Charts"), worded("Hide or show a series, from the top"), "1 \u2026 9"),
    (worded("Charts"), worded("Copy the picture, export it"), "Ctrl+Shift+C, Ctrl+Alt+E"),
    (worded("Duration"), worded("Change a layer by its edge or size; by 8"), "Up, Down; Shift"),
    (worded("Scenario"), worded("Today and the plans"), "Ctrl+1 \u2026 Ctrl+9"),
    (worded("Present"), worded("Next and last scene; first and last"), "Arrows, Page up/down; Home, End"),
    (worded("Present"), worded("Red dot, spotlight, none"), "L"),
    (worded("Present"), worded("Hide names, show them"), "H"),
    (worded("Present"), worded("Next pool and GPU model"), "Tab"),
    (worded("Present"), worded("Leave"), "Esc, F11"),
    (worded("Panels"), worded("Show or hide a panel"), "Alt+Shift+1 \u2026 9, 0, I, M, T"),
)


class KeysDialog(QDialog):
    """The shortcuts."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard"))
        self.setAccessibleName(tr("Keyboard"))
        resize_within_screen(self, 520, 560)
        table = FigureTable(tr("Shortcuts"), palette)
        specs = [
            (tr(spec.menu), " ".join(map(tr, spec.title.split("/"))), spec.shortcut)
            for spec in ACTIONS
            if spec.shortcut
        ]
        rows = [
            Row((Cell(menu, "muted"), Cell(title), Cell(keys, is_strong=True)))
            for menu, title, keys in (*specs, *_BOARD_KEYS)
        ]
        table.show_rows(
            (Column("Menu", False, 90), Column("What it does", False), Column("Keys", False, 150)), rows
        )
        _stack(self, tr("Keyboard"), table)


class AboutDialog(QDialog):
    """Name, version, licence."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About gpuplanner"))
        self.setAccessibleName(tr("About gpuplanner"))
        text = PlainLabel(
            tr(
                "Version {version}. Which GPUs, for which workloads, on what terms?\n\nEverything stays on "
                "this computer. Built with Qt (LGPL) and PySide6.",
                version=__version__,
            )
        )
        text.setWordWrap(True)
        text.setMinimumWidth(380)
        _stack(self, tr("gpuplanner"), text)


def _stack(dialog: QDialog, title: str, body: QWidget) -> None:
    heading = PlainLabel(spoken(title))
    heading.setFont(font("page"))
    close = QPushButton(tr("Close"))
    close.setAccessibleName(tr("Close"))
    close.clicked.connect(dialog.accept)
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(close)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(20, 16, 20, 16)
    layout.setSpacing(10)
    layout.addWidget(heading)
    layout.addWidget(body, 1)
    layout.addLayout(row)

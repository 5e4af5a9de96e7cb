"""Help: every shortcut in one table, our words for what is paid and does nothing, and what this program is."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner import __version__
from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.frame.panel_docks import panel_keys
from gpuplanner.ui.kit.dialogs import foot, resize_within_screen
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.commands import COMMANDS, VIEW_KEYS
from gpuplanner.ui.words.glossary import WORDS
from gpuplanner.ui.words.translation import spoken, tr


class KeysDialog(QDialog):
    """The shortcuts."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard"))
        self.setAccessibleName(tr("Keyboard"))
        resize_within_screen(self, 520, 560)
        table = FigureTable(tr("Shortcuts"), palette)
        lines = [
            (tr(row.menu), " ".join(map(tr, filter(None, (row.parent, row.name)))), row.shortcut)
            for row in COMMANDS
            if row.shortcut
        ]
        lines += [(tr(row.place), tr(row.what), spoken(row.keys)) for row in (*VIEW_KEYS, panel_keys())]
        rows = [
            Row((Cell(menu, "muted"), Cell(title), Cell(keys, is_strong=True))) for menu, title, keys in lines
        ]
        table.show_rows(
            (Column("Menu", False, 90), Column("What it does", False), Column("Keys", False, 150)), rows
        )
        _stack(self, tr("Keyboard"), table)


class GlossaryDialog(QDialog):
    """Help, Words: all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Words"))
        self.setAccessibleName(tr("Words"))
        self.setMinimumWidth(560)
        title = PlainLabel(tr("Words for what is paid and does nothing"))
        title.setFont(font("title"))
        lines = QFormLayout()
        lines.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        lines.setHorizontalSpacing(16)
        lines.setVerticalSpacing(8)
        for word, sentence in WORDS.items():
            name, told = PlainLabel(tr(word)), PlainLabel(tr(sentence))
            name.setFont(font("strong"))
            told.setWordWrap(True)
            lines.addRow(name, told)
        close = QPushButton(tr("Close"))
        close.setAccessibleName(tr("Close"))
        set_tip(close, tr("Close (Esc)"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(title)
        layout.addLayout(lines)
        layout.addStretch()
        layout.addLayout(foot(close))


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
    """Lays a dialog out: title, body, Close."""
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

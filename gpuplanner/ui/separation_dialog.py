"""Before "Separate automatically": a list of what moves and why; then one step of Undo."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.ui import numbers
from gpuplanner.ui.dialog_foot import cancel_button, foot
from gpuplanner.ui.dialog_size import resize_within_screen
from gpuplanner.ui.figure_cells import Cell, Column, Row
from gpuplanner.ui.figure_table import ROW_HEIGHT, FigureTable
from gpuplanner.ui.said import said as translated
from gpuplanner.ui.separation import Separation, SeparationMove, reason_of, stays_words
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font

AROUND_PX: Final = 190
"""Title, sentence, headings and buttons of the dialog."""
COLUMNS: Final = (
    Column("Workload", False, 210),
    Column("From", False, 104),
    Column("To", False, 104),
    Column("Why", False, is_cut_at_end=True),
    Column("$\nper month", True, 84),
)


class SeparationDialog(QDialog):
    """Told what would move; emits that it is to be done."""

    confirmed = Signal()

    def __init__(self, separation: Separation, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translated("Separate automatically"))
        self.setAccessibleName(translated("Separate automatically"))
        count = len(separation.moves)
        title = QLabel(translated("Separate automatically"))
        title.setFont(font("title"))
        said = QLabel(
            f"{numbers.counted(count, 'workload')} {'goes' if count == 1 else 'go'} to the pool of "
            f"{'its' if count == 1 else 'their'} class. {stays_words(separation)}"
            if count
            else f"Every card that may move stands in its class's pool. {stays_words(separation)}"
        )
        said.setProperty("role", "muted")
        said.setWordWrap(True)
        self.said = said
        self.table = FigureTable(translated("What moves"), palette)
        self.table.show_rows(COLUMNS, _rows(separation.moves))
        self.do = QPushButton(
            f"Separate {numbers.counted(count, 'workload')}" if count else translated("Close")
        )
        self.do.setAccessibleName(self.do.text())
        self.do.setToolTip(
            translated("One undo step (Enter)") if count else translated("Nothing to do (Enter)")
        )
        self.do.setProperty("primary", True)
        self.do.setFont(font("strong"))
        self.do.setDefault(True)
        self.do.clicked.connect(self._go_on if count else self.reject)
        cancel = cancel_button(self, translated("Leave every card where it is (Esc)"))
        cancel.setVisible(bool(count))
        self.table.setVisible(bool(count))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(said)
        layout.addWidget(self.table, 1)
        layout.addLayout(foot(cancel, self.do))
        resize_within_screen(self, 860, min(520, AROUND_PX + ROW_HEIGHT * (count + 2)) if count else 150)
        self.do.setFocus()

    def _go_on(self) -> None:
        self.accept()
        self.confirmed.emit()


def _rows(moves: tuple[SeparationMove, ...]) -> list[Row]:
    """The moves, and their sum: whole dollars that add up."""
    total = known_sum([move.usd_per_month for move in moves])
    written = largest_remainder([move.usd_per_month for move in moves], total)
    rows = [
        Row(
            (
                Cell(move.card.name, tip=move.card.key),
                Cell(move.origin.title, icon=move.origin.icon, icon_role=move.origin.value),
                Cell(move.target.title, icon=move.target.icon, icon_role=move.target.value),
                Cell(reason_of(move.card), "muted", tip="\n".join(move.card.classification.reasons)),
                Cell(numbers.whole(usd)),
            ),
            key=move.card.key,
        )
        for move, usd in zip(moves, written, strict=True)
    ]
    if len(rows) > 1:
        rows.append(
            Row((Cell("Together"), Cell(), Cell(), Cell(), Cell(numbers.whole(total))), is_total=True)
        )
    return rows

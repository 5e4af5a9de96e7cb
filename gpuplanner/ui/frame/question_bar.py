"""The row of a question: what is asked as a chip, kept as a plan or discarded; and the field where a change is said."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, add_named, set_tip
from gpuplanner.domain.edits.worded_changes import EXAMPLES
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import ElidedLabel, named_button
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.typed_field import TypedField
from gpuplanner.ui.words.translation import tr

FIELD_PX: Final = 210
ICON_PX: Final = 14


class QuestionBar(QWidget):
    """Told the question in words, and how what is typed is understood; says what the planner wants."""

    kept = Signal()
    discarded = Signal()
    typed = Signal(str)  # while a change is written
    said = Signal(str)  # the change is meant
    step_removed = Signal(str, int)  # of demand or price, and its number

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Question"))
        self.setFixedHeight(36)
        self._palette = palette
        self._steps: tuple[tuple[str, int, str], ...] | None = None
        self.chip = QFrame()
        self.chip.setObjectName("chip")
        self._icon = PlainLabel()
        self.words = ElidedLabel(step="strong")
        self.keep = named_button(
            tr("Keep as plan"), tr("Make it a plan of its own, named after the question; F2 renames it")
        )
        self.discard = named_button(
            tr("Discard"), tr("Back to the plan as it was; Undo brings the question back")
        )
        for link in (self.keep, self.discard):
            link.setProperty("link", True)
        self.keep.clicked.connect(self.kept)
        self.discard.clicked.connect(self.discarded)
        inside = QHBoxLayout(self.chip)
        inside.setContentsMargins(8, 0, 6, 0)
        inside.setSpacing(8)
        for widget in (self._icon, self.words, self.keep, self.discard):
            inside.addWidget(widget)
        self.none = ElidedLabel(
            tr(
                "Move a slider, type a value, drag a card or say a change: it is asked in a copy beside the plan."
            ),
            role="muted",
        )
        self.field = TypedField()
        self.field.setFixedWidth(FIELD_PX)
        self.field.setPlaceholderText(EXAMPLES[0])
        self.field.setAccessibleName(tr("A change from a day on"))
        set_tip(
            self.field,
            tr(
                "Demand of a workload, class, team or all, or prices of a GPU model: {first} (evenly up to then), "
                "H100 -20% from May (at once). Enter asks it",
                first=EXAMPLES[0],
            ),
        )
        self.field.textChanged.connect(self.typed)
        self.field.entered.connect(self.said)
        self.note = ElidedLabel(step="small")
        self.steps = QPushButton()
        self.steps.setProperty("menu", True)
        self.steps.setAutoDefault(False)
        self._menu = QMenu(self.steps)
        self.steps.setMenu(self._menu)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 1)
        layout.setSpacing(8)
        layout.addWidget(self.chip, 0)
        layout.addWidget(self.none, 0)
        layout.addStretch(1)
        layout.addWidget(self.note, 0)
        layout.addWidget(self.steps)
        layout.addWidget(self.field)
        self.show_palette(palette)
        self.show_question("")
        self.show_steps(())
        self.show_note("")

    def show_question(self, words: str) -> None:
        """What is asked; "" where nothing is."""
        self.chip.setVisible(bool(words))
        self.none.setVisible(not words)
        self.words.setText(tr("What if: {question}", question=words) if words else "")
        self.setAccessibleDescription(self.words.whole)

    def show_steps(self, steps: Sequence[tuple[str, int, str]]) -> None:
        """The dated changes of the plan: kind, number, words; each can be taken out."""
        if tuple(steps) == self._steps:
            return
        self._steps = tuple(steps)
        self.steps.setVisible(bool(steps))
        self._menu.clear()
        name = tr("Dated changes: {count}", count=len(steps))
        self.steps.setText(name)
        self.steps.setAccessibleName(name)
        set_tip(self.steps, tr("Choose one to take it out"))
        for kind, number, words in steps:
            add_named(
                self._menu,
                tr("Take out: {step}", step=words),
                lambda kind=kind, number=number: self.step_removed.emit(kind, number),
            )

    def show_note(self, words: str, *, is_refusal: bool = False) -> None:
        """How what is typed is understood, or why it is refused."""
        role = "red" if is_refusal else "muted"
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.field.setAccessibleDescription(words)
        if self.note.property("role") != role:
            self.note.setProperty("role", role)
            self.note.style().polish(self.note)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self._icon.setPixmap(icon("why", palette.accent).pixmap(QSize(ICON_PX, ICON_PX)))

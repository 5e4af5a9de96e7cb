"""The row of a question: its chip, Keep and Discard, and the field to say a change."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from gpuplanner.charts.kit.plain_text import add_named
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits.dates import EXAMPLES
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.fields import TypedField
from gpuplanner.ui.kit.layout import STRETCH, box, ground, named, row
from gpuplanner.ui.kit.type_scale import text_px

FIELD_PX: Final = 210
ICON_PX: Final = 14


class QuestionBar(QWidget):
    """Told the question in words, and how what is typed is understood; says what the planner wants."""

    kept = Signal()
    discarded = Signal()
    typed = Signal(str)  # while a change is written
    said = Signal(str)  # the change is meant
    step_removed = Signal(str, int)  # of demand or price, and its number
    change_opened = Signal()  # why the question changes the plan's cost by that much

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Question"))
        ground(self, "headline")
        self.setFixedHeight(text_px(36))
        self._steps: tuple[tuple[str, int, str], ...] | None = None
        self.chip = QFrame()
        self.chip.setObjectName("chip")
        self._icon = page_parts.Drawing("why", "accent", ICON_PX)
        self.words = page_parts.ElidedLabel(step="strong")
        why = tr("Why this number?")
        self.change = page_parts.named_button("", why, self.change_opened, called=why, is_link=True)
        keeps = tr("Named after the question; F2 renames it")
        self.keep = page_parts.named_button(tr("Keep as plan"), keeps, self.kept, is_link=True)
        drops = tr("Back to the plan; Undo brings it back")
        self.discard = page_parts.named_button(tr("Discard"), drops, self.discarded, is_link=True)
        words = (self._icon, self.words, self.change, self.keep, self.discard)
        asked = row(*words, margins=(8, 0, 6, 0), spacing=8)
        self.chip = box("chip", asked, QFrame())
        self.none = page_parts.ElidedLabel(
            tr("Move a slider, type a value or drag a card to try it in a copy."), role="muted"
        )
        says = tr(long_text("ask_examples", first=EXAMPLES[0]))
        self.field = named(TypedField(), tr("Dated change"), says)
        self.field.setFixedWidth(text_px(FIELD_PX))
        self.field.setPlaceholderText(EXAMPLES[0])
        self.field.textChanged.connect(self.typed)
        self.field.entered.connect(self.said)
        self.note = page_parts.ElidedLabel(step="small")
        self.steps = page_parts.named_button("")
        self.steps.setProperty("menu", True)
        self.menu = QMenu(self.steps)
        self.steps.setMenu(self.menu)
        changes = (self.note, self.steps, self.field)
        row(self.chip, self.none, STRETCH, *changes, on=self, margins=(12, 0, 12, 1), spacing=8)
        self.show_question("")
        self.show_steps(())
        self.show_note("")

    def show_question(self, words: str, change: str = "") -> None:
        """Show what is asked; empty for no question. change: of the plan's cost, with its period; empty if unknown."""
        self.change.setVisible(bool(change))
        self.change.setText(change)
        if change:
            self.change.setAccessibleName(change)
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
        self.menu.clear()
        name = tr("Dated changes: {count}", count=len(steps))
        self.steps.setText(name)
        named(self.steps, name, tr("Choose one to remove"))
        for kind, number, words in steps:
            out = tr("Remove: {step}", step=words)
            add_named(self.menu, out, lambda of=(kind, number): self.step_removed.emit(*of))

    def show_note(self, words: str, *, is_refusal: bool = False) -> None:
        """How what is typed is understood, or why it is refused."""
        page_parts.retell(self.note, words, "red" if is_refusal else "muted")
        self.note.setVisible(bool(words))
        self.field.setAccessibleDescription(words)

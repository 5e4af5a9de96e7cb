"""The tour: a few sentences that point at the parts of the window one after the other; it can be left at any time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Message, worded
from gpuplanner.ui.kit.drawing import draw_box
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.commands import MOVES, keys_of
from gpuplanner.ui.words.translation import spoken, tr

WIDTH: Final = 360
GAP: Final = 10


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step. part: the widget it points at, by its name in the window; needs_plan: it is of a plan, not of Today."""

    part: str
    title: Message
    sentence: Message
    needs_plan: bool = False


STEPS: Final = (
    TourStep("scenario_bar", worded("Today and plans"),
             worded("Today is what ran and what was paid, read only. A plan is what could be: "
                    "each step in it can be undone.")),
    TourStep("headline", worded("Every figure answers"),
             worded("Click any figure, or press F1: \u201cWhy this number?\u201d shows its "
                    "formula, its inputs and the rows "
             "behind it.")),
    TourStep("board", worded("One card, one workload"),
             worded("Drag cards from pool to pool, or press {keys}. Before you drop, the "
                    "column says what it changes "
             "in $ per month.", keys=MOVES), True),
    TourStep("docks.duration", worded("Terms under the load"),
             worded("Drag the edge of a layer, or press Up and Down on it: the table says what "
                    "another level costs."), True),
    TourStep("docks.recommendations", worded("What to sign"),
             worded("What to commit, by when to order it, and which contracts to let end. Every "
                    "row opens what it is about."),
             True),
    TourStep("scenario_bar.export", worded("Take it with you"),
             worded("The workbook has live formulas for procurement. {present} presents the plan on a projector.",
                    present=keys_of("present"))),
)  # fmt: skip


class Tour(QFrame):
    """Shows one step at a time in its window; says where it goes, and when it is over."""

    gone_to = Signal(int)
    left = Signal()

    def __init__(self, steps: Sequence[TourStep], palette: Palette, window: QWidget) -> None:
        super().__init__(window)
        self.steps, self.at, self._window = tuple(steps), 0, window
        self._target: QWidget | None = None
        self.setObjectName("popover")
        self.setAccessibleName(tr("Tour"))
        self.setFixedWidth(WIDTH)
        self.ring = Ring(palette, window)
        self.title, self.sentence, self.count = PlainLabel(), PlainLabel(), PlainLabel()
        self.title.setFont(font("title"))
        self.sentence.setFont(font("body"))
        self.sentence.setWordWrap(True)
        self.count.setFont(font("small"))
        self.count.setProperty("role", "muted")
        self.skip = QPushButton(tr("Skip the tour"))
        self.skip.setProperty("link", True)
        self.skip.setAccessibleName(tr("Skip the tour"))
        set_tip(self.skip, tr("Leave the tour (Esc). Help has it again."))
        self.skip.clicked.connect(self.leave)
        self.back = QPushButton(tr("Back"))
        self.back.setAccessibleName(tr("Back"))
        set_tip(self.back, tr("The step before (Left)"))
        self.back.clicked.connect(lambda: self.go_to(self.at - 1))
        self.following = QPushButton(tr("Next"))
        self.following.setProperty("primary", True)
        self.following.setFont(font("strong"))
        self.following.clicked.connect(lambda: self.go_to(self.at + 1))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for part in (self.skip, self.count):
            buttons.addWidget(part)
        buttons.addStretch(1)
        for part in (self.back, self.following):
            buttons.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(6)
        layout.addWidget(self.title)
        layout.addWidget(self.sentence)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        for keys in (Qt.Key.Key_Escape,):  # wherever the keyboard is
            QShortcut(QKeySequence(keys), self, self.leave)
        window.installEventFilter(self)

    def go_to(self, at: int) -> None:
        """Show a step; after the last one the tour is over."""
        if at >= len(self.steps):
            self.leave()
            return
        self.at = max(0, at)
        step, is_last = self.steps[self.at], self.at == len(self.steps) - 1
        self.title.setText(spoken(step.title))
        self.sentence.setText(spoken(step.sentence))
        self.count.setText(tr("{at} of {steps}", at=self.at + 1, steps=len(self.steps)))
        self.back.setEnabled(self.at > 0)
        self.following.setText(tr("Finish") if is_last else tr("Next"))
        self.following.setAccessibleName(self.following.text())
        set_tip(self.following, tr("Leave the tour") if is_last else tr("The next step (Right)"))
        self.skip.setVisible(not is_last)
        self.setAccessibleDescription(tr("{title}. {sentence}", title=step.title, sentence=step.sentence))
        self.gone_to.emit(self.at)

    def point_at(self, target: QWidget | None) -> None:
        """Stand beside a part of the window; in its middle where the part is not to be seen."""
        self._target = target
        self.show()
        self._stand()
        self.following.setFocus()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.ring.show_palette(palette)

    def leave(self) -> None:
        """The tour is over."""
        self._window.removeEventFilter(self)
        self.ring.hide()
        self.hide()
        self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stands anew when the window changes its size."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._stand()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go through the steps, Return presses the button that has the keyboard."""
        if event.key() == Qt.Key.Key_Right:
            self.go_to(self.at + 1)
        elif event.key() == Qt.Key.Key_Left:
            self.go_to(self.at - 1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            (focused if isinstance(focused, QPushButton) else self.following).click()
        else:
            super().keyPressEvent(event)

    def _stand(self) -> None:
        """Puts the ring around the part, and the card beside it; in the middle if the part is not to be seen."""
        window, target, layout = self._window, self._target, self.layout()
        assert layout is not None
        self.resize(WIDTH, layout.totalHeightForWidth(WIDTH))  # with its border
        is_seen = target is not None and target.isVisible() and not target.visibleRegion().isEmpty()
        self.ring.setVisible(is_seen)
        if is_seen and target is not None:
            place = QRect(target.mapTo(window, QPoint(0, 0)), target.size())
            self.ring.setGeometry(place.adjusted(-3, -3, 3, 3).intersected(window.rect()))
            self.ring.raise_()
        else:
            place = QRect(window.rect().center(), QSize(1, 1))
        self.move(place_beside(place, self.size(), window.rect()))
        self.raise_()


class Ring(QWidget):
    """A frame around the part that a step is about; the mouse goes through it."""

    def __init__(self, palette: Palette, window: QWidget) -> None:
        super().__init__(window)
        self._palette = palette
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("What the tour points at"))
        self.hide()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_box(QPainter(self), self.rect(), None, self._palette.focus, 6, 2)


def place_beside(target: QRect, size: QSize, room: QRect) -> QPoint:
    """Where a note of this size stands: below its target, left, right or above of it, wherever there is room first.

    Where there is none it lies over the lower right of the target.
    """
    left = min(max(room.left() + GAP, target.left()), room.right() - size.width() - GAP)
    top = min(max(room.top() + GAP, target.top()), room.bottom() - size.height() - GAP)
    places = (
        QPoint(left, target.bottom() + GAP),
        QPoint(target.left() - size.width() - GAP, top),
        QPoint(target.right() + GAP, top),
        QPoint(left, target.top() - size.height() - GAP),
    )
    for place in places:
        if room.contains(QRect(place, size)):
            return place
    corner = target.intersected(room).bottomRight()
    return QPoint(corner.x() - size.width() - GAP, corner.y() - size.height() - GAP)

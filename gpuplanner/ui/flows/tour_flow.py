"""The tour: offered once after the first project is opened, and again from Help; points at the window."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QWidget

from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.layout import STRETCH, column, named, row
from gpuplanner.ui.kit.page_parts import Ring, label, named_button, soon
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words.commands import MOVES, keys_of

# --- The tour: a few sentences that point at the parts of the window one after the other; it can be left at any time

WIDTH: Final = 360
GAP: Final = 10


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step. part: the widget it points at, by its name in the window; needs_plan: it is of a plan, not of Today."""

    part: str
    title: Message
    sentence: Message
    needs_plan: bool = False


PAGE, BOARD = "page.detail", "board"
PLACES: Final = {PAGE: "decisions", BOARD: "board"}
"""Parts of a plan of which one is seen at a time -> the place that is asked for."""
_SENTENCES: Final = words_table("tour_sentence")
OF_BOTH: Final = ("scenario_bar", "headline", "scenario_bar.export")
"""Parts of Today and of a plan."""
STEPS: Final = tuple(
    TourStep(
        part,
        title,
        worded(_SENTENCES[part].template, keys=MOVES, present=keys_of("present")),
        part not in OF_BOTH,
    )
    for part, title in words_table("tour_title").items()
)


class Tour(QFrame):
    """Shows one step at a time in its window, never over the figures or the next decisions.

    It says where it goes, and when it is over.
    """

    gone_to = Signal(int)
    left = Signal()

    def __init__(self, steps: Sequence[TourStep], window: QWidget, bars: Sequence[QWidget]) -> None:
        super().__init__(window)
        self.steps, self.at, self._window, self.bars = tuple(steps), 0, window, bars
        self._target: QWidget | None = None
        named(self, tr("Tour"), look="popover")
        self.ring = named(Ring(6, window), tr("Highlighted part"))
        self.title, self.sentence = label(step="title"), label(step="body", is_wrapped=True)
        self.count = label(role="muted", step="small")
        skip = tr("Leave (Esc); Help has the tour")
        self.skip = named_button(tr("Skip the tour"), skip, self.leave, is_link=True)
        back = tr("Previous step (Left)")
        self.back = named_button(tr("Back"), back, lambda: self.go_to(self.at - 1))
        self.following = named_button(tr("Next"), does=lambda: self.go_to(self.at + 1))
        named(self.following, step="strong").setProperty("primary", True)
        buttons = row(self.skip, self.count, STRETCH, self.back, self.following, spacing=8)
        column(self.title, self.sentence, 6, buttons, on=self, margins=(16, 12, 16, 12), spacing=6)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.leave)  # wherever the keyboard is
        for button, key in ((self.back, Qt.Key.Key_Left), (self.following, Qt.Key.Key_Right)):
            # before a button takes it to move the keyboard
            here = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(QKeySequence(key), self, button.click, context=here)
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
        self.count.setText(tr("{shown} of {total}", shown=self.at + 1, total=len(self.steps)))
        self.back.setEnabled(self.at > 0)
        self.following.setText(tr("Finish") if is_last else tr("Next"))
        tip = tr("Leave the tour") if is_last else tr("Next step (Right)")
        named(self.following, self.following.text(), tip)
        self.skip.setVisible(not is_last)
        self.setAccessibleDescription(tr("{first}. {second}", first=step.title, second=step.sentence))
        self.gone_to.emit(self.at)

    def point_at(self, target: QWidget | None) -> None:
        """Stand beside a part of the window; in its middle where the part is not to be seen."""
        self._target = target
        self.show()
        self._stand()
        self.following.setFocus()

    def leave(self) -> None:
        """The tour is over."""
        self._window.removeEventFilter(self)
        self.ring.hide()
        self.hide()
        self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stands anew when the window changes its size, or that of its texts."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self._stand()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses the button that has the keyboard."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            (focused if isinstance(focused, QPushButton) else self.following).click()
        else:
            super().keyPressEvent(event)

    def _stand(self) -> None:
        """Puts the ring around the part, and the card beside it; in the middle if the part is not to be seen."""
        window, target, layout = self._window, self._target, self.layout()
        assert layout is not None
        self.setFixedWidth(text_px(WIDTH))
        self.resize(self.width(), layout.totalHeightForWidth(self.width()))  # with its border
        is_seen = target is not None and target.isVisible() and not target.visibleRegion().isEmpty()
        self.ring.setVisible(is_seen)
        if is_seen and target is not None:
            place = QRect(target.mapTo(window, QPoint(0, 0)), target.size())
            self.ring.setGeometry(place.adjusted(-3, -3, 3, 3).intersected(window.rect()))
            self.ring.raise_()
            bars = (bar for bar in self.bars if bar.isVisible())
            under = (bar.mapTo(window, bar.rect().bottomLeft()).y() for bar in bars)
            place.setBottom(max((place.bottom(), *under)))
        else:
            place = QRect(window.rect().center(), QSize(1, 1))
        self.move(place_beside(place, self.size(), window.rect()))
        self.raise_()


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
    if (free := next((place for place in places if room.contains(QRect(place, size))), None)) is not None:
        return free
    corner = target.intersected(room).bottomRight()
    return QPoint(corner.x() - size.width() - GAP, corner.y() - size.height() - GAP)


# --- The tour in the window: offered once after the first project is opened, and again from the menu Help

AGAIN_MS: Final = 400


class TourFlow(QObject):
    """Told the session and how a part of the window is found by its name.

    tour: the one that is on; None while there is none.
    """

    def __init__(
        self, session: Session, settings: Settings, part_of: Callable[[str], QWidget], ways: Ways
    ) -> None:
        super().__init__(session.window)
        self.session, self._settings, self._part_of, self._ways = session, settings, part_of, ways
        self.tour: Tour | None = None
        self._came_from = ""
        self._focused: QWidget | None = None
        self._was_on_page = False
        self._is_offered = False
        self._asker = soon(self, self._offer, AGAIN_MS)
        session.asks.tour_asked.connect(self.start)
        session.evaluator.evaluated.connect(self._take)
        session.document.changed.connect(self._leave_empty)

    def offer_once(self) -> None:
        """Start by itself when the first project is shown, if it never did."""
        self._is_offered = not self._settings.is_tour_seen

    def start(self) -> None:
        """Begin with the first step."""
        session, window = self.session, self.session.window
        if self.tour is not None or window is None or not session.has_workspace:
            return
        self._is_offered = False
        self._settings.is_tour_seen = True
        self._came_from, self._focused = session.scenario, QApplication.focusWidget()
        self._was_on_page = self._part_of(PAGE).isVisible()
        plans = session.document.project.scenarios
        steps = [step for step in STEPS if plans or not step.needs_plan]
        tour = Tour(steps, window, [*map(self._part_of, ("headline", "strip"))])
        tour.gone_to.connect(self._point)
        tour.left.connect(self._end)
        self.tour = tour
        tour.go_to(0)

    def _point(self, at: int) -> None:
        """Brings the part of a step into sight, a plan or a panel, and points at it."""
        session, tour = self.session, self.tour
        if tour is None:
            return
        step = tour.steps[at]
        if step.needs_plan and session.scenario == TODAY:
            self._ways.scenario(session.document.project.scenarios[0].name)
        if step.part in PLACES or step.part.startswith("docks."):
            self._ways.panel(PLACES.get(step.part, step.part.removeprefix("docks.")))
        QTimer.singleShot(0, tour, lambda: tour.point_at(self._part_of(step.part)))  # once it has its place

    def _take(self, _: object) -> None:
        """Offers the tour a while after a project is there."""
        if self._is_offered and not self._asker.isActive():
            self._asker.start()

    def _offer(self) -> None:
        """Not over a dialog, and not before there is something to point at."""
        window = self.session.window
        if not self._is_offered or window is None:
            return
        if QApplication.activeModalWidget() is not None or not window.isVisible():
            self._asker.start()
        elif self.session.has_workspace:
            self.start()

    def _leave_empty(self, _: object) -> None:
        """Ends the tour when no project is left to point at."""
        if self.tour is not None and not self.session.has_workspace:
            self.tour.leave()

    def _end(self) -> None:
        """Takes the tour away; scenario and keyboard go back to where they were."""
        session, tour, self.tour = self.session, self.tour, None
        if tour is None:
            return
        tour.ring.deleteLater()
        tour.deleteLater()
        if session.has_workspace and session.scenario != TODAY:
            self._ways.panel(PLACES[PAGE if self._was_on_page else BOARD])
        if self._came_from == TODAY and session.has_workspace and session.scenario != TODAY:
            self._ways.scenario(TODAY)
        if self._focused is not None and self._focused.isVisible():
            self._focused.setFocus()

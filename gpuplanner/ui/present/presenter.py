"""Presenter mode: the pages of the brief on a full screen, turned by keys."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QCloseEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSlider, QWidget

from gpuplanner.charts.kit.chart_colours import mixed
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.brief import briefs, plan_pages
from gpuplanner.domain.brief.pages import Brief, Page, page_words, written
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.version import __version__

if TYPE_CHECKING:  # what paints charts is imported when the first page is shown
    from gpuplanner.charts.page_painter.page_look import Look
from gpuplanner.ui.present.hidden_names import HiddenNames
from gpuplanner.ui.present.pointer import Pointer

SHEET: Final = (1060.0, 596.0)
"""The least width and height of what a screen shows, in units of a page, and so how large its type is: a table's is
17 pixels high on 1280 of them."""
SHEET_MARGIN: Final = 32.0
SHEET_SCALES: Final = (1.3, 1.15, 1.0, 0.94, 0.88, 0.82, 0.76, 0.7)
YEAR_PX: Final = 44
"""What the slider of the year takes of the height, under its page."""
SHEET_LEAST: Final = 0.94
"""Type is not made smaller for want of height: what has no room comes on the next part of a page."""

_NEXT: Final = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Space)
_BACK: Final = (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace)
_MONTHS: Final = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
_LEAVE: Final = (Qt.Key.Key_Escape, Qt.Key.Key_F11)


class Presenter(QWidget):
    """Told what is shown; says when it is left, and which scenario is asked for (1 is Today).

    parts: what the screen shows one after the other, a page of the brief or a part of it; at: which of them.
    """

    left = Signal()
    scenario_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self._now_s = 0
        self._shown: ViewState | None = None
        self._weighed: Mapping[str, Any] | None = None
        self._brief: Brief | None = None
        self._picture = QPixmap()
        self.parts: tuple[Page, ...] = ()
        self.at = 0
        self._typed = ""
        self.names = HiddenNames()
        self.pointer = Pointer(self)
        self._scene: Callable[[int], Page] | None = None
        self.year = named(QSlider(Qt.Orientation.Horizontal, self), tr("Month of the plan"))
        self.year.setObjectName("year")
        self.year.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys turn pages
        self.year.valueChanged.connect(self._turn_year)
        self._keys: dict[Qt.Key, Callable[[], object]] = {
            **dict.fromkeys(_NEXT, lambda: self.go_to(self.at + 1)),
            **dict.fromkeys(_BACK, lambda: self.go_to(self.at - 1)),
            **dict.fromkeys(_LEAVE, self.close),
            Qt.Key.Key_Home: lambda: self.go_to(0),
            Qt.Key.Key_End: lambda: self.go_to(len(self.parts) - 1),
            Qt.Key.Key_L: lambda: self.pointer.choose(self.pointer.kind.following()),
            Qt.Key.Key_H: self.turn_names,
        }

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages of the brief as they are read here, each whole."""
        return self._brief.pages if self._brief is not None else ()

    def open_on(self, window: QWidget) -> None:
        """Fill the screen that a window is on."""
        screen = window.screen()
        self.setGeometry(screen.geometry())  # also where nobody manages windows
        self.showFullScreen()
        if self.windowHandle() is not None:
            self.windowHandle().setScreen(screen)
        self.activateWindow()
        self.setFocus()

    def show_state(self, shown: ViewState, now_s: int, weighed: Mapping[str, Any] | None = None) -> None:
        """Show what the window shows; the page stays.

        now_s: epoch seconds of the day of writing; weighed: what the brief has beside its evaluation, None
        until somebody worked it out.
        """
        self._shown, self._now_s, self._weighed = shown, now_s, weighed
        self._write()

    def recolour(self) -> None:
        """Other colours from now on, or figures in another locale."""
        self._write()

    def go_to(self, at: int) -> None:
        """Show a page; before the first and after the last there is none."""
        if (at := min(max(at, 0), len(self.parts) - 1)) != self.at:
            self.at = at
            self.draw()

    def turn_names(self) -> None:
        """Hide names, or say them again."""
        self.names.is_hiding = not self.names.is_hiding
        self._write()

    def _write(self) -> None:
        """The brief of what is shown, in the words and numbers of the window."""
        if self._shown is None:
            return
        told = presented(self._shown)
        if (given := self._weighed) is None:
            given = {} if self._shown.is_settling else {"is_asking": True}
        brief = briefs.plan_brief(told, self._now_s, __version__, **given)
        self._brief, advice = written(brief, self._say), told.advice
        seen = seen_in(told.project, self._now_s)
        self._scene = partial(plan_pages.month_scene, advice, seen) if advice else None
        with QSignalBlocker(self.year):
            self.year.setMaximum(len(advice.comparison) - 1 if advice else 0)
        self._lay_out()

    def _say(self, text: Text) -> str:
        """A text as it is read here: in the window's language, money and digits, names hidden where that is wanted."""
        assert self._shown is not None
        return spoken(self.names.in_text(text, self._shown.evaluation.project))

    def _lay_out(self) -> None:
        """Pages in parts that have room on this screen; the page that was shown stays."""
        from gpuplanner.charts.page_painter.page_layout import parts_of

        if self._brief is None:
            return
        key = self.parts[self.at].key if self.parts else ""
        nth = sum(part.key == key for part in self.parts[: self.at])
        look, parts = self.look(), list[Page]()
        for page in self._brief.pages:
            if page.key == "year" and self._scene is not None:
                parts.append(self._month(self._scene))
            parts += parts_of(page, self.room(page), look)
        self.parts = tuple(parts)
        mine = [at for at, part in enumerate(self.parts) if part.key == key]
        self.at = mine[min(nth, len(mine) - 1)] if mine else 0
        self.draw()

    def _month(self, scene: Callable[[int], Page]) -> Page:
        """The month that the slider stands at, as it is read here."""
        assert self._brief is not None, "a scene is of one"
        return written(replace(self._brief, pages=(scene(self.year.value()),)), self._say).pages[0]

    def _turn_year(self) -> None:
        """Shows the month that the slider stands at; all other parts stay."""
        if self._scene is not None:
            month = self._month(self._scene)
            self.parts = tuple(month if is_scene(part) else part for part in self.parts)
            self.draw()

    def room(self, page: Page) -> QRectF:
        """The screen in units of a page, without what a slider under it takes."""
        zoom = min(self.width() / SHEET[0], self.height() / SHEET[1])
        height = self.height() - YEAR_PX * is_scene(page)
        return QRectF(0, 0, self.width() / zoom, height / zoom)

    def look(self) -> "Look":
        """The palette of the window, as pages are painted."""
        from gpuplanner.charts.page_painter.page_look import Look

        palette = in_use()
        return Look(
            ground=palette.window,
            text=palette.text,
            muted=palette.muted,
            grid=palette.grid,
            edge=palette.edge,
            accent=palette.accent,
            red=palette.red,
            amber=palette.amber,
            amber_ground=mixed(palette.colour("amber"), palette.colour("window"), 0.1).name(),
            hatch=palette.hatch,
            existing=mixed(palette.colour("text"), palette.colour("window"), 0.5).name(),
            pools={pool: palette.lanes[lane_of(pool)].fill for pool in POOLS},
            terms=palette.terms,
            margin=SHEET_MARGIN,
            scales=SHEET_SCALES,
            least=SHEET_LEAST,
            say=self._say,
        )

    def draw(self) -> None:
        """Paints the part that is shown, once, so that the pointer moves over a picture of it."""
        from gpuplanner.charts.page_painter.page_layout import draw_page

        if self._brief is None:
            return
        part, count = self.parts[self.at], f"{self.at + 1} / {len(self.parts)}"
        if self._weighed is None and self._shown is not None and self._shown.advice is not None:
            count += "\u2026"  # pages of what is still worked out will come
        room = self.room(part)
        margin = round(SHEET_MARGIN * self.width() / room.width())
        self.year.setVisible(is_scene(part))
        self.year.setGeometry(margin, self.height() - YEAR_PX, self.width() - 2 * margin, YEAR_PX - 12)
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        picture.fill(in_use().colour("window"))  # its edges are blended with what lies there
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(picture.width() / room.width(), picture.width() / room.width())
        draw_page(painter, room, self._brief, part, count, self.look())
        painter.end()
        picture.setDevicePixelRatio(ratio)
        self._picture = picture
        self.setWindowTitle(tr("{page}, {count} \u2013 gpuplanner", page=part.kicker, count=count))
        words = tr("Page {count}, {page}: {title}", count=count, page=part.kicker, title=part.title)
        self.setAccessibleName(words)
        self.setAccessibleDescription(f"{self._say(page_words(part))} {self._brief.foot}")
        self.pointer.raise_()
        self.update()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture of the page."""
        QPainter(self).drawPixmap(0, 0, self._picture)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl and a digit choose a plan, other keys turn pages; what is no key of it goes on to the window.

        Digits alone are the number of a page, which Enter goes to.
        """
        key, typed, self._typed = Qt.Key(event.key()), self._typed, ""
        is_digit = Qt.Key.Key_1 <= key <= Qt.Key.Key_9
        if is_digit and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.scenario_asked.emit(int(key) - int(Qt.Key.Key_0))
        elif (
            self.year.isVisible() and key in _MONTHS and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self.year.setValue(self.year.value() + _MONTHS[key])
        elif event.text().isdecimal():
            self._typed = (typed + event.text())[-4:]
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and typed:
            self.go_to(int(typed) - 1)
        elif key in self._keys:
            self._keys[key]()
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another screen has room for other parts."""
        super().resizeEvent(event)
        self.pointer.setGeometry(self.rect())
        self._lay_out()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Says that the presentation is over."""
        super().closeEvent(event)
        self.left.emit()


def is_scene(page: Page) -> bool:
    """Whether a page is of a month of the year, which its slider chooses."""
    return page.key == "year" and bool(page.figures)


def presented(shown: ViewState) -> Evaluation:
    """What the window shows as an evaluation: the last advice and outlook that are known, none of the past.

    No advice before the first outlook of its plan: a page would show its savings as final.
    """
    advice = None if shown.is_today or shown.is_calculating else shown.advice
    return replace(shown.evaluation, advice=advice, outlook=shown.outlook, before=shown.before)

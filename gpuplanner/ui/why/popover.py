""" "Why this number?": a popover under a figure with its formula, inputs and rows, to read or to copy."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gpuplanner.charts.kit.plain_text import PlainLabel, on_button, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.words.commands import COPY_TABLE
from gpuplanner.ui.words.translation import spoken, tr

WIDTH = 640
LEAST_TABLE = 120
MARGIN = 8


class WhyPopover(QFrame):
    """Told an answer and the figure it belongs to; says which row was followed, goes back, and returns the keyboard."""

    followed = Signal(str)  # the figure of a row

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("popover")
        self.setAccessibleName(tr("Why this number?"))
        self._palette = palette
        self._why: Why | None = None
        self._origin: QWidget | None = None
        self._place: QRect | None = None
        self._before: list[Why] = []
        self.setFixedWidth(WIDTH)
        head = self._head()
        box = QFrame()
        box.setObjectName("box")
        inside = QVBoxLayout(box)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.setSpacing(4)
        self._formula = _label("", "strong")
        self._note = _label("", "small", "muted")
        for label in (self._formula, self._note):
            label.setWordWrap(True)
            inside.addWidget(label)
        self.table = FigureTable(tr("Rows"), palette)
        self.table.row_opened.connect(self.followed)
        self._remark = _label("", "small", "muted")
        self._remark.setWordWrap(True)
        self._pairs = QGridLayout()
        self._pairs.setHorizontalSpacing(10)
        self._pairs.setVerticalSpacing(4)
        self._pairs.setColumnStretch(0, 1)
        self._pairs.setColumnMinimumWidth(2, 8)
        self._pairs.setColumnStretch(3, 1)
        body = QVBoxLayout()
        body.setContentsMargins(16, 12, 16, 12)
        body.setSpacing(10)
        body.addLayout(head)
        body.addWidget(box)
        body.addWidget(self.table)
        body.addWidget(self._remark)
        body.addLayout(self._pairs)
        foot = self._foot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addLayout(body)
        layout.addWidget(foot)
        self.show_palette(palette)

    def _head(self) -> QHBoxLayout:
        """The title with the ways back and out."""
        ask = _label(tr("Why this number?"), "body", "muted")
        self._title = _label("", "title")
        self._title.setWordWrap(True)
        self.back = QToolButton()
        self.back.setAccessibleName(tr("Back"))
        set_tip(self.back, tr("Back to the figure before (Backspace)"))
        self.back.setIconSize(QSize(16, 16))
        self.back.clicked.connect(self.go_back)
        self._close = QToolButton()
        self._close.setAccessibleName(tr("Close"))
        set_tip(self._close, tr("Close (Esc)"))
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self.close)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(ask)
        words.addWidget(self._title)
        head = QHBoxLayout()
        head.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        head.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _foot(self) -> QFrame:
        """The way to copy the answer, and to the figures it leads on to."""
        foot = QFrame()
        foot.setObjectName("popover_foot")
        self.copy = QPushButton(tr("Copy as text"))
        self.copy.setAutoDefault(True)  # outside a dialog Enter would not press it
        self.copy.setAccessibleName(tr("Copy as text"))
        set_tip(self.copy, tr("Copy formula, rows and inputs ({keys})", keys=COPY_TABLE))
        self.copy.clicked.connect(self._copy)
        self._more = QHBoxLayout()
        self._more.setSpacing(8)
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.copy)
        row.addStretch(1)
        row.addLayout(self._more)
        return foot

    def show_why(self, why: Why, origin: QWidget, place: QRect | None = None) -> None:
        """Open under the figure, inside the window. place: of the figure in its widget, where it is not all of it."""
        self._origin, self._place, self._before = origin, place, []
        self._show(why)
        self.copy.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def answers(self) -> tuple[Why, ...]:
        """The answer that is shown, after those that Back leads to."""
        return () if self._why is None else (*self._before, self._why)

    def show_again(self, answers: tuple[Why, ...], origin: QWidget, place: QRect | None = None) -> None:
        """Open once more at the last of these answers, with the way that led to it."""
        self._origin, self._place, self._before = origin, place, list(answers[:-1])
        self._show(answers[-1])
        self._focus_first()

    def show_next(self, why: Why) -> None:
        """The answer for a row that was followed; back returns to the one before."""
        if self._why is not None:
            self._before.append(self._why)
        self._show(why)
        self._focus_first()

    def go_back(self) -> None:
        """The answer before."""
        if self._before:
            self._show(self._before.pop())
            self._focus_first()

    def _focus_first(self) -> None:
        """The rows, where one of them can be followed: the way goes on there."""
        rows = self._why.rows if self._why is not None else ()
        first = next((at for at, row in enumerate(rows) if row.key), None)
        if first is None:
            (self.back if self._before else self.copy).setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self.table.setCurrentIndex(self.table.model().index(first, 0))
            self.table.setFocus(Qt.FocusReason.PopupFocusReason)

    def _show(self, why: Why) -> None:
        """Shows an answer beside its figure, in the room that it needs."""
        self._why = why
        origin = self._origin
        assert origin is not None, "an answer belongs to a figure"
        self._title.setText(spoken(why.title))
        self._formula.setText(spoken(why.formula))
        self._note.setText(spoken(why.note))
        self.table.row_height = 23 if len(why.rows) <= 8 else 20
        self.table.show_rows((), ())  # another answer: its columns get widths of their own
        self.table.show_rows(why.columns, why.rows)
        self.table.fit_height()
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._remark.setText(spoken(why.remark))
        self._remark.setVisible(bool(why.remark))
        self._show_pairs(why)
        self._show_more(why)
        self.back.setVisible(bool(self._before))
        self._fit(origin)
        self._place_beside(origin)
        self.show()
        self._fit(origin)  # words that are styled may wrap otherwise
        self._place_beside(origin)

    def _place_beside(self, origin: QWidget) -> None:
        """Under the figure, or above it where there is more room; inside the screen wherever the figure is."""
        window = origin.window()  # a sheet may stand beside the main window
        main = self.parentWidget()
        if main is not None and window.width() < self.width() + 2 * MARGIN:
            window = main
        under = self._place or QRect(0, 0, origin.width(), origin.height() - 4)
        place = origin.mapToGlobal(under.bottomLeft() + QPoint(0, 4 if self._place else 0))
        right = window.mapToGlobal(QPoint(window.width() - self.width() - 8, 0)).x()
        left = window.mapToGlobal(QPoint(8, 0)).x()
        screen = origin.screen().availableGeometry()
        lowest = max(screen.top() + MARGIN, screen.bottom() - MARGIN - self.height())
        above = origin.mapToGlobal(under.topLeft()).y() - self.height() - 4
        is_above = place.y() > lowest and above >= screen.top() + MARGIN
        y = max(screen.top() + MARGIN, min(above if is_above else place.y(), lowest))
        x = max(left, min(place.x() + 4, right))
        self.move(max(screen.left(), min(x, screen.right() - self.width())), y)

    def _fit(self, origin: QWidget) -> None:
        """As tall as its text, but inside the screen: then the rows scroll and everything else stays in sight."""
        height = self._height_of_all()
        room = origin.screen().availableGeometry().height() - 2 * MARGIN
        if height > room:
            left = max(LEAST_TABLE, self.table.height() - (height - room))
            head = self.table.horizontalHeader().sizeHint().height() + 2
            self.table.setFixedHeight(left - (left - head) % self.table.row_height)  # whole rows: none is cut
            self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            height = self._height_of_all()
        self.resize(WIDTH, height)

    def _height_of_all(self) -> int:
        """The height of the whole answer in pixels, long texts wrapped."""
        layout = self.layout()
        assert layout is not None
        for inner in (*self.findChildren(QLayout), layout):
            inner.invalidate()  # texts set while it is hidden do not reach the layouts around them
        height = layout.totalHeightForWidth(WIDTH)
        self.resize(WIDTH, height)
        layout.activate()
        wrapped = (self._title, self._formula, self._note, self._remark)
        cut = [label.heightForWidth(label.width()) - label.height() for label in wrapped if label.text()]
        return height + sum(max(0, pixels) for pixels in cut)  # a frame's border can add a line

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.table.show_palette(palette)
        self._close.setIcon(icon("close", palette.muted))
        self.back.setIcon(icon("chevron_left", palette.muted))
        self.copy.setIcon(icon("copy", palette.text))

    def _show_pairs(self, why: Why) -> None:
        """Shows inputs and readings side by side."""
        _empty(self._pairs)
        for column, (title, pairs) in enumerate(
            ((tr("Inputs"), why.inputs), (why.readings_title, why.readings))
        ):
            if not pairs:
                continue
            self._pairs.addWidget(_label(title, "small_strong"), 0, 3 * column)
            for at, (name, value) in enumerate(pairs, 1):
                left = _label(name, "small", "" if value else "muted")
                self._pairs.addWidget(left, at, 3 * column)
                right = _label(value, "small", "muted" if column == 0 else "")
                self._pairs.addWidget(right, at, 3 * column + 1, Qt.AlignmentFlag.AlignRight)
        for widget in _widgets_in(self._pairs):
            widget.show()  # at once, too: what is hidden has no height to measure

    def _show_more(self, why: Why) -> None:
        """Shows a button for each figure that the answer leads on to."""
        _empty(self._more)
        for words, figure_id in why.more:
            button = QPushButton(on_button(spoken(words)))
            button.setAutoDefault(True)
            button.setAccessibleName(spoken(words))
            button.clicked.connect(lambda _=False, opens=figure_id: self.followed.emit(opens))
            self._more.addWidget(button)
            button.show()

    def _copy(self) -> None:
        """Puts formula, rows and inputs on the clipboard."""
        if self._why is not None:
            QGuiApplication.clipboard().setText(self._why.as_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies, Backspace goes back, Return presses the button that has the keyboard."""
        if event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._copy()
        elif event.key() == Qt.Key.Key_Backspace and self._before:
            self.go_back()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._close.hasFocus():
            self._close.click()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.back.hasFocus():
            self.go_back()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the keyboard back to the figure, if it is still there."""
        super().hideEvent(event)
        if self._origin is not None and isValid(self._origin):  # what is drawn anew meanwhile is gone
            self._origin.setFocus(Qt.FocusReason.PopupFocusReason)


def _widgets_in(layout: QLayout) -> list[QWidget]:
    """The widgets that stand in a layout."""
    items = (layout.itemAt(at) for at in range(layout.count()))
    return [widget for item in items if item is not None and (widget := item.widget()) is not None]


def _empty(layout: QLayout) -> None:
    """Takes all widgets out of a layout."""
    for widget in _widgets_in(layout):
        layout.removeWidget(widget)
        widget.hide()  # at once: it goes only when events have run
        widget.deleteLater()


def _label(text: Text, step: str, role: str = "") -> QLabel:
    label = PlainLabel(spoken(text))
    label.setFont(font(step))
    if role:
        label.setProperty("role", role)
    return label

"""The popover 'Why this number?' under a figure."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QWidget
from shiboken6 import isValid

from gpuplanner.charts.kit.plain_text import on_button
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import (
    RIGHT,
    STRETCH,
    TOP,
    box,
    column,
    emptied,
    grid,
    named,
    placed,
    row,
    share,
)
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button, tool_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.words.commands import COPY_TABLE

WIDTH = 640
LEAST_TABLE = 120
MARGIN = 8


class WhyPopover(QFrame):
    """Told an answer and the figure it belongs to; says which row was followed, goes back, and returns the keyboard."""

    followed = Signal(str)  # the figure of a row
    editor_asked = Signal(str)  # contract_id: its rate, which the answer lacks
    asking: Callable[[Why], str] = staticmethod(lambda why: "")  # the contract whose rate an answer lacks

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        named(self, tr("Why this number?"), look="popover")
        self.why: Why | None = None
        self._lacking = ""
        self._origin: QWidget | None = None
        self._place: QRect | None = None
        self._before: list[Why] = []
        self.setFixedWidth(text_px(WIDTH))
        head = self._head()
        self._formula, self._note = label(step="strong", is_wrapped=True), muted_label()
        formula = column(self._formula, self._note, margins=(12, 8, 12, 8), spacing=4)
        self.table = FigureTable(tr("Rows"))
        self.table.row_opened.connect(self.followed)
        self.remark_label = muted_label()
        self._pairs = grid(spacing=(10, 4), shares=(1, 0, 0, 1))
        self._pairs.setColumnMinimumWidth(2, 8)
        self.asked = named_button(tr("Enter a rate"), does=self._edit, is_link=True, takes_enter=True)
        parts = (head, box("box", formula, QFrame()), self.asked, self.table, self.remark_label, self._pairs)
        answer = column(*parts, margins=(16, 12, 16, 12), spacing=10)
        column(answer, self._foot(), on=self, margins=1, spacing=0)

    def _head(self) -> QHBoxLayout:
        """The title with the ways back and out."""
        ask = label(tr("Why this number?"), step="body", role="muted")
        self.title_label = label(step="title", is_wrapped=True)
        tip = tr("Back to the previous figure (Backspace)")
        self.back = tool_button(tr("Back"), tip, self.go_back, drawing="chevron_left")
        self.close_button = tool_button(tr("Close"), tr("Close (Esc)"), self.close, drawing="close")
        words = column(ask, self.title_label, spacing=2)
        return row(placed(self.back, TOP), share(words), placed(self.close_button, TOP))

    def _foot(self) -> QFrame:
        """The way to copy the answer, and to the figures it leads on to."""
        self.copy = named_button(
            tr("Copy as text"),
            tr("Copy formula, rows and inputs ({keys})", keys=COPY_TABLE),
            self._copy,
            takes_enter=True,  # outside a dialog it would not press it
            drawn=icon("copy", "text"),
        )
        self._more = row(spacing=8)
        return box("popover_foot", row(self.copy, STRETCH, self._more, margins=(12, 8, 12, 8)), QFrame())

    def show_why(self, why: Why, origin: QWidget, place: QRect | None = None) -> None:
        """Open under the figure, inside the window. place: of the figure in its widget, where it is not all of it."""
        self._origin, self._place, self._before = origin, place, []
        self._show(why)
        self._focus_first(self.copy)

    @property
    def answers(self) -> tuple[Why, ...]:
        """The answer that is shown, after those that Back leads to."""
        return () if self.why is None else (*self._before, self.why)

    def show_again(self, answers: tuple[Why, ...], origin: QWidget, place: QRect | None = None) -> None:
        """Open once more at the last of these answers, with the way that led to it."""
        self._origin, self._place, self._before = origin, place, list(answers[:-1])
        self._show(answers[-1])
        self._focus_first()

    def show_next(self, why: Why) -> None:
        """The answer for a row that was followed; back returns to the one before."""
        if self.why is not None:
            self._before.append(self.why)
        self._show(why)
        self._focus_first()

    def go_back(self) -> None:
        """The answer before."""
        if self._before:
            self._show(self._before.pop())
            self._focus_first()

    def _focus_first(self, first: QWidget | None = None) -> None:
        """The field of what is asked for, else this widget, else rows of which one can be followed."""
        if target := first if self.asked.isHidden() else self.asked:
            target.setFocus(Qt.FocusReason.PopupFocusReason)
            return
        rows = self.why.rows if self.why is not None else ()
        if (opening := next((at for at, row in enumerate(rows) if row.key), None)) is None:
            (self.back if self._before else self.copy).setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self.table.setCurrentIndex(self.table.model().index(opening, 0))
            self.table.setFocus(Qt.FocusReason.PopupFocusReason)

    def _show(self, why: Why) -> None:
        """Shows an answer beside its figure, in the room that it needs."""
        self.why = why
        origin = self._origin
        assert origin is not None, "an answer belongs to a figure"
        self.title_label.setText(spoken(why.title))
        self._formula.setText(spoken(why.formula))
        self._note.setText(spoken(why.note))
        self.table.row_height = 23 if len(why.rows) <= 8 else 20
        self.table.setAccessibleName(tr("{title}, as a table", title=why.formula or why.title))
        self.table.show_rows((), ())  # another answer: its columns get widths of their own
        self.table.show_whole(why.columns, why.rows)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.remark_label.show_text(why.remark)
        self._show_pairs(why)
        self._show_more(why)
        self._lacking = self.asking(why)
        self.asked.setVisible(bool(self._lacking))
        words = tr("Enter the rate of {name}…", name=self._lacking)
        named(self.asked, words).setText(on_button(words))
        self.back.setVisible(bool(self._before))
        self._fit(origin)
        self._place_beside(origin)
        self.show()
        self._fit(origin)  # words that are styled may wrap otherwise
        self._place_beside(origin)

    def _edit(self) -> None:
        """Goes, for the editor of the contract to come."""
        self.close()
        self.editor_asked.emit(self._lacking)

    def _place_beside(self, origin: QWidget) -> None:
        """Under the figure, or above it where there is more room; inside the screen wherever the figure is."""
        window = origin.window()  # a sheet may stand beside the main window
        if (main := self.parentWidget()) is not None and window.width() < self.width() + 2 * MARGIN:
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
        wrapped = (self.title_label, self._formula, self._note, self.remark_label)
        cut = [label.heightForWidth(label.width()) - label.height() for label in wrapped if label.text()]
        return height + sum(max(0, pixels) for pixels in cut)  # a frame's border can add a line

    def _show_pairs(self, why: Why) -> None:
        """Shows inputs and readings side by side."""
        emptied(self._pairs)
        for at_side, (title, pairs) in enumerate(
            ((tr("Inputs"), why.inputs), (why.readings_title, why.readings))
        ):
            if not pairs:
                continue
            self._pairs.addWidget(label(title, step="small_strong"), 0, 3 * at_side)
            for at, (name, value) in enumerate(pairs, 1):
                left = label(name, step="small", role="" if value else "muted")
                self._pairs.addWidget(left, at, 3 * at_side)
                right = label(value, step="small", role="" if at_side else "muted")
                self._pairs.addWidget(right, at, 3 * at_side + 1, RIGHT)
        for widget in _widgets_in(self._pairs):
            widget.show()  # at once, too: what is hidden has no height to measure

    def _show_more(self, why: Why) -> None:
        """Shows a button for each figure that the answer leads on to."""
        emptied(self._more)
        for words, figure_id in why.more:
            button = named_button(
                on_button(spoken(words)),
                does=lambda _=False, opens=figure_id: self.followed.emit(opens),
                called=words,
                takes_enter=True,
            )
            self._more.addWidget(button)
            button.show()

    def _copy(self) -> None:
        """Puts formula, rows and inputs on the clipboard."""
        if self.why is not None:
            QGuiApplication.clipboard().setText(self.why.as_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies, Backspace goes back, Return presses the button that has the keyboard."""
        if event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._copy()
        elif event.key() == Qt.Key.Key_Backspace and self._before:
            self.go_back()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.close_button.hasFocus():
            self.close_button.click()
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

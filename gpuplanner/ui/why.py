""" "Why this number?": a popover under a figure with its formula, inputs and rows, to read or to copy."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
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

from gpuplanner.ui.figure_table import FigureTable
from gpuplanner.ui.icons import icon
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font
from gpuplanner.ui.why_answer import Why

WIDTH = 640
LEAST_TABLE = 120
MARGIN = 8


class WhyPopover(QFrame):
    """Told an answer and the figure it belongs to; gives the keyboard back to it when closed."""

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("popover")
        self.setAccessibleName("Why this number?")
        self._palette = palette
        self._why: Why | None = None
        self._origin: QWidget | None = None
        self.setFixedWidth(WIDTH)
        ask = _label("Why this number?", "body", "muted")
        self._title = _label("", "title")
        self._title.setWordWrap(True)
        self._close = QToolButton()
        self._close.setAccessibleName("Close")
        self._close.setToolTip("Close (Esc)")
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self.close)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(ask)
        words.addWidget(self._title)
        head = QHBoxLayout()
        head.addLayout(words, 1)
        head.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
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
        self.table = FigureTable("Rows", palette)
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

    def _foot(self) -> QFrame:
        foot = QFrame()
        foot.setObjectName("popover_foot")
        self.copy = QPushButton("Copy as text")
        self.copy.setAutoDefault(True)  # outside a dialog Enter would not press it
        self.copy.setAccessibleName("Copy as text")
        self.copy.setToolTip("Copy formula, rows and inputs (Ctrl+C)")
        self.copy.clicked.connect(self._copy)
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.copy)
        row.addStretch(1)
        return foot

    def show_why(self, why: Why, origin: QWidget) -> None:
        """Open under the figure, inside the window."""
        self._why, self._origin = why, origin
        self._title.setText(why.title)
        self._formula.setText(why.formula)
        self._note.setText(why.note)
        self.table.row_height = 23 if len(why.rows) <= 8 else 20
        self.table.show_rows((), ())  # another answer: its columns get widths of their own
        self.table.show_rows(why.columns, why.rows)
        self.table.fit_height()
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._remark.setText(why.remark)
        self._remark.setVisible(bool(why.remark))
        self._show_pairs(why)
        self._fit(origin)
        window = self.window().parentWidget() or self.parentWidget()
        place = origin.mapToGlobal(QPoint(0, origin.height() - 4))
        right = window.mapToGlobal(QPoint(window.width() - self.width() - 8, 0)).x()
        screen = origin.screen().availableGeometry()
        lowest = max(screen.top() + MARGIN, screen.bottom() - MARGIN - self.height())
        self.move(min(place.x() + 4, right), min(place.y(), lowest))
        self.show()
        self.copy.setFocus(Qt.FocusReason.PopupFocusReason)

    def _fit(self, origin: QWidget) -> None:
        """As tall as its text, but inside the screen: then the rows scroll and everything else stays in sight."""
        height = self._height_of_all()
        room = origin.screen().availableGeometry().height() - 2 * MARGIN
        if height > room:
            self.table.setFixedHeight(max(LEAST_TABLE, self.table.height() - (height - room)))
            self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            height = self._height_of_all()
        self.resize(WIDTH, height)

    def _height_of_all(self) -> int:
        layout = self.layout()
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
        self.copy.setIcon(icon("copy", palette.text))

    def _show_pairs(self, why: Why) -> None:
        while self._pairs.count():
            item = self._pairs.takeAt(0)
            if item.widget():
                item.widget().hide()  # at once: it goes only when events have run
                item.widget().deleteLater()
        for column, (title, pairs) in enumerate((("Inputs", why.inputs), (why.readings_title, why.readings))):
            if not pairs:
                continue
            self._pairs.addWidget(_label(title, "small_strong"), 0, 3 * column)
            for at, (name, value) in enumerate(pairs, 1):
                left = _label(name, "small", "" if value else "muted")
                self._pairs.addWidget(left, at, 3 * column)
                right = _label(value, "small", "muted" if column == 0 else "")
                self._pairs.addWidget(right, at, 3 * column + 1, Qt.AlignmentFlag.AlignRight)

    def _copy(self) -> None:
        if self._why is not None:
            QGuiApplication.clipboard().setText(self._why.as_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._close.hasFocus():
            self._close.click()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().hideEvent(event)
        if self._origin is not None:
            self._origin.setFocus(Qt.FocusReason.PopupFocusReason)


def _label(text: str, step: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setFont(font(step))
    if role:
        label.setProperty("role", role)
    return label

"""Labels, buttons and choices of pages, always in plain text because names come from logs."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, QSignalBlocker, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QTableView,
    QToolButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.drawing import draw_box, fitting
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import font, text_px
from gpuplanner.ui.words.glossary import tip_of


class ElidedLabel(PlainLabel):
    """A line that ends in an ellipsis if too long; its tool tip then shows the whole text, or a given tip.

    Shorter texts are tried before the ellipsis.
    """

    def __init__(
        self,
        text: Text = "",
        *,
        role: str = "",
        step: str = "",
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        shorter: Text = "",
    ) -> None:
        """Create the label. role: in the style sheet; step: in the type scale; cut: position of the ellipsis; shorter:
        a text for
        narrow places.
        """
        super().__init__()
        self.whole, self._cut, self._tip, self._shorter = "", cut, "", tuple(filter(None, (spoken(shorter),)))
        if role:
            self.setProperty("role", role)
        if step:
            self.setFont(font(step))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: Text) -> None:
        self.whole = spoken(text)
        self.setAccessibleName(self.whole)
        self.updateGeometry()
        self._fit()

    def show_words(self, text: Text, *shorter: Text) -> None:
        """Show other texts. shorter: for narrow places, longest first."""
        self._shorter = tuple(map(spoken, shorter))
        self.setText(text)

    def shortest_px(self) -> int:
        """Width of the shortest words that are never cut."""
        return self.fontMetrics().horizontalAdvance(min((self.whole, *self._shorter), key=len)) + 4

    def show_tip(self, tip: Text) -> None:
        """Set a tool tip that is shown whether the text fits or not."""
        self._tip = spoken(tip)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.whole) + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as much of the text as fits."""
        room = self.contentsRect().width()
        words = fitting((self.whole, *self._shorter), self.font(), room)
        fitted = self.fontMetrics().elidedText(words, self._cut, room)
        if fitted != self.text():
            super().setText(fitted)
        set_tip(self, self._tip or (self.whole if fitted != self.whole else ""))


class FoldedLabel(PlainLabel):
    """A text on a few lines. Shorter texts are tried before one is cut; its tool tip then shows the whole text."""

    def __init__(self, *, lines: int, step: str = "") -> None:
        """Create the label. lines: the most that it takes, and its height. step: in the type scale."""
        super().__init__()
        self.whole, self._texts = "", tuple[str, ...]()
        if step:
            self.setFont(font(step))
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_lines(lines)

    def set_lines(self, lines: int) -> None:
        """Take so many lines of the font in use."""
        height = lines * self.fontMetrics().lineSpacing() + 2
        if height != self.maximumHeight():  # to measure texts is slow, and a drop changes no height
            self.setFixedHeight(height)
            self._fit()

    def show_words(self, *texts: Text) -> None:
        """Show the first of some texts that fits, the longest first."""
        self._texts = tuple(spoken(text) for text in texts)
        self.whole = self._texts[0]
        self.setAccessibleName(self.whole)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as much as fits."""
        if not self._texts:
            return
        fitted = next((text for text in self._texts if self._fits(text)), None)
        if fitted is None:
            fitted = self._texts[-1]
            while not self._fits(f"{fitted}\u2026"):
                fitted = fitted[:-1]
            fitted = f"{fitted}\u2026"
        if fitted != self.text():
            self.setText(fitted)
        set_tip(self, "" if fitted == self.whole else self.whole)

    def _fits(self, text: str) -> bool:
        """Return whether a text needs no more than the lines; a text that nothing shortens any more fits."""
        room = QRect(0, 0, max(self.width(), 1), 10_000)
        needed = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text)
        return len(text) < 2 or (needed.height() <= self.height() and needed.width() <= room.width())


def named_button(
    text: Text,
    tip: Text = "",
    does: Callable[..., object] | SignalInstance | None = None,
    *,
    called: Text = "",
    is_link: bool = False,
    takes_enter: bool = False,
    drawn: QIcon | None = None,
) -> QPushButton:
    """Return a button with its text as accessible name.

    tip: tool tip. does: callback or signal for a click. called: accessible name, if the text without "…" is too short.
    is_link: looks like a link. takes_enter: Enter presses this button while focused, instead of the dialog's default.
    drawn: icon.
    """
    words = spoken(text)
    button = named(QPushButton(words, autoDefault=takes_enter), called or words.strip(" \u2026"), tip)
    if is_link:
        button.setProperty("link", True)
    if drawn is not None:
        button.setIcon(drawn)
    if does is not None:
        button.clicked.connect(does)
    return button


def tool_button(
    name: Text,
    tip: Text = "",
    does: Callable[..., object] | SignalInstance | None = None,
    px: int = 16,
    *,
    text: Text = "",
    drawing: str = "",
    role: str = "muted",
) -> QToolButton:
    """Return a button with an icon or a short text, which does not take the keyboard focus.

    name: accessible name. does: callback or signal for a click. px: width of the icon. drawing: icon; role: its color
    in the palette.
    """
    button = named(QToolButton(), name, tip)
    button.setIconSize(QSize(px, px))
    button.setText(spoken(text))
    if drawing:
        button.setIcon(icon(drawing, role))
    if does is not None:
        button.clicked.connect(does)
    return button


def scrolled(
    body: QWidget | None,
    name: Text = "",
    *,
    is_wide: bool = False,
    takes_tab: bool = False,
    on: QScrollArea | None = None,
    ground: str = "raised",
) -> QScrollArea:
    """Return a frameless area that scrolls a page vertically in whole lines, or horizontally if is_wide.

    body: None if added later. takes_tab: Tab stops at the area. on: an existing area. ground: the palette's background
    color below the last line.
    """
    area = named(QScrollArea() if on is None else on, name)
    area.setWidgetResizable(True)
    if body is not None:
        area.setWidget(body)
        if not is_wide:
            CutLine(area, ground)
    area.setFrameShape(QFrame.Shape.NoFrame)
    if not takes_tab:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    (area.setVerticalScrollBarPolicy if is_wide else area.setHorizontalScrollBarPolicy)(never)
    return area


class CutLine(QWidget):
    """Hides lines at the lower edge of an area that are only partly visible, as tables do with rows."""

    def __init__(self, area: QScrollArea, ground: str = "raised") -> None:
        super().__init__(area)
        self._area: Any = area
        self._ground = ground
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self.update)
        bar.rangeChanged.connect(lambda *_: self.setGeometry(area.rect()))

    def paintEvent(self, event: QPaintEvent) -> None:
        body, place = self._area.widget(), self._area.viewport().geometry()
        edge, painter = place.height() - body.y(), QPainter(self)
        for child in {body.childAt(x, edge) for x in range(4, body.width(), 24)} - {None}:
            at = child.mapTo(self._area, QPoint())
            above = _above(child, place.bottom() + 1 - at.y())
            colour, top = in_use().colour(self._ground), place.bottom() + 1 - above
            painter.fillRect(at.x(), top, child.width(), above, colour)


def _above(widget: QWidget, y: int) -> int:
    """Return the pixels above height `y` that belong to a line cut by it; 0 for parts taller than lines."""
    view = widget.parent()
    if isinstance(view, QTableView):
        row = view.rowAt(y)
        return 0 if row < 0 else y - view.rowViewportPosition(row)
    if isinstance(widget, QLabel):
        above = (
            max(0, widget.height() - widget.heightForWidth(widget.width())) // 2 if widget.wordWrap() else 0
        )
        return max(0, y - above) % widget.fontMetrics().lineSpacing()
    return y if widget.height() <= text_px(48) else 0


class ElidedChoice(QComboBox):
    """A drop-down field that ends long texts in an ellipsis."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in the style, with an ellipsis for a long text."""
        if self.isEditable():
            super().paintEvent(event)
            return
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        text, cut = option.currentText, Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(text, cut, room.width())
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


def choice_of(
    name: Text,
    tip: Text,
    choices: Iterable[tuple[Text, object]],
    chosen: Callable[..., object] | None = None,
    letters: int = 0,
) -> QComboBox:
    """Return a drop-down field. choices: texts with their values. chosen: callback with the new index.
    letters: smallest width in characters; 0: the width of the longest text.
    """
    field = named(ElidedChoice(), name, tip)
    if letters:
        field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        field.setMinimumContentsLength(letters)
    refill(field, choices, None)
    if chosen is not None:
        field.currentIndexChanged.connect(chosen)
    return field


def refill(field: QComboBox, choices: Iterable[tuple[Text, object]], chosen: object) -> None:
    """Replace the choices of a field without a signal; selects the value `chosen`, otherwise the first."""
    with QSignalBlocker(field):
        field.clear()
        for words, value in choices:
            field.addItem(spoken(words), value)
        field.setCurrentIndex(max(0, field.findData(chosen)))


def press_beside(buttons: Sequence[QAbstractButton], event: QKeyEvent, back: Qt.Key, on: Qt.Key) -> bool:
    """Press the neighbor of the focused button for an arrow key. Returns whether there is one.

    back, on: keys for the previous and the next button.
    """
    here = next((at for at, button in enumerate(buttons) if button.hasFocus()), None)
    step = {back: -1, on: 1}.get(Qt.Key(event.key()))
    if here is None or step is None or not 0 <= here + step < len(buttons):
        return False
    buttons[here + step].setFocus(Qt.FocusReason.OtherFocusReason)
    buttons[here + step].click()
    return True


def passing_menu(of: QWidget | None) -> QMenu:
    """Return an empty menu that is deleted when it is closed: the window it is of would keep it for good."""
    menu = QMenu(of, toolTipsVisible=True)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def add_choice(menu: QMenu, words: str, does: Callable[[], object], *, is_chosen: bool) -> QAction:
    """Add a checkable menu entry. does: callback without arguments. is_chosen: checked now."""
    action = menu.addAction(words)
    action.setCheckable(True)
    action.setChecked(is_chosen)
    action.triggered.connect(lambda _: does())
    return action


def soon(owner: QObject, work: Callable[[], object] | SignalInstance, after_ms: int = 0) -> QTimer:
    """Return a timer that, once started, calls `work` one time after pending events and `after_ms` ms.

    owner: deletes the timer with itself.
    """
    timer = QTimer(owner, singleShot=True, interval=after_ms)
    timer.timeout.connect(work)
    return timer


def label(
    text: Text = "", *, step: str = "", role: str = "", is_wrapped: bool = False, of: QWidget | None = None
) -> PlainLabel:
    """Return a label in a step of the type scale and a role of the style sheet. is_wrapped: breaks lines.

    of: the field that it labels.
    """
    made = named(PlainLabel(text), role=role, step=step)
    made.setWordWrap(is_wrapped)
    set_tip(made, tip_of(text))
    if of is not None:
        made.setBuddy(of)
    return made


def muted_label(text: Text = "", *, is_wrapped: bool = True, of: QWidget | None = None) -> PlainLabel:
    """Return a small muted label. of: the field that it labels."""
    return label(text, role="muted", step="small", is_wrapped=is_wrapped, of=of)


def heading_label(text: Text) -> PlainLabel:
    """Return the heading of a part of a panel."""
    return label(text, step="title")


def retell(of: PlainLabel, text: Text, role: str, *shorter: Text) -> None:
    """Set a label's text and its role in the style sheet. shorter: texts for less room, the longest first."""
    if isinstance(of, ElidedLabel) and shorter:
        of.show_words(text, *shorter)
    else:
        of.setText(text)
    of.setProperty("role", role)
    font = of.font()
    of.style().unpolish(of)
    of.style().polish(of)
    of.setFont(font)  # polishing gives back the one that it had before the text size was changed


class Drawing(PlainLabel):
    """One of our icons in a color of the palette, `px` pixels wide."""

    def __init__(self, name: str = "", role: str = "muted", px: int = 16) -> None:
        super().__init__()
        self._px = px
        self.show_drawing(name, role)

    def show_drawing(self, name: str, role: str) -> None:
        """Show another icon; "" for none."""
        self._drawn = name, role
        self.recolour()

    def recolour(self) -> None:
        """Draw the icon in the palette's present color."""
        name, role = self._drawn
        self.setPixmap(icon(name, role).pixmap(self._px, self._px) if name else QPixmap())


class Ring(QWidget):
    """A focus ring around `places` of its parent, or around all of the parent if empty; ignores the mouse."""

    def __init__(self, corner_px: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._corner_px = corner_px
        self.places: tuple[QRect, ...] = ()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a ring around each place."""
        painter = QPainter(self)
        for place in self.places or (self.rect(),):
            draw_box(painter, place, None, in_use().focus, self._corner_px, 2)


def rule_line() -> QFrame:
    """Return a horizontal line."""
    made = QFrame()
    made.setObjectName("rule")
    return made

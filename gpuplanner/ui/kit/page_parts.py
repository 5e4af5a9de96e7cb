"""What pages are put together of: labels, buttons, card frames, folds, columns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
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

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip, spoken, tr
from gpuplanner.domain.message import Message, Text
from gpuplanner.ui.kit.layout import STRETCH, add, column, named, row, share
from gpuplanner.ui.kit.theme import draw_box, fitting, font, icon, in_use, text_px
from gpuplanner.ui.words.glossary import tip_of

# --- Labels, buttons and choices by their words: always plain text, since names come from logs ---


class ElidedLabel(PlainLabel):
    """One line that is cut to an ellipsis where it has no room; its tip then has all of it, or what it is told.

    Shorter words, where there are some, come before the cut.
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
        """role: of the style sheet; step: of the type scale; cut: where; shorter: words that need less room."""
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
        """Other words, and those that need less room, the longest first."""
        self._shorter = tuple(map(spoken, shorter))
        self.setText(text)

    def show_tip(self, tip: Text) -> None:
        """A tip of its own, whether the words fit or not."""
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
        """As much of the words as there is room for."""
        room = self.contentsRect().width()
        words = fitting((self.whole, *self._shorter), self.font(), room)
        fitted = self.fontMetrics().elidedText(words, self._cut, room)
        if fitted != self.text():
            super().setText(fitted)
        set_tip(self, self._tip or (self.whole if fitted != self.whole else ""))


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
    """A button that is called what it says, with its tip. does: what it is connected to; drawn: before its words.

    called: its accessible name, where its words without "…" are too short. is_link: it looks like a link. takes_enter:
    in a dialog Enter presses it while it has the keyboard; else Enter presses the dialog's own button.
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
    """A button with a picture, px wide, or a few words; a click leaves the keyboard where it is.

    name: what it is called; does: what it is connected to; drawing: the picture, role: of the palette.
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
    """An area without a frame over what is higher than its room, in whole lines; is_wide: what is wider instead.

    Tab passes it by unless takes_tab. body: None where it is made later. on: the area that it is, where that is there.
    ground: the colour, of the palette, of what is under its lines.
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
    """Paints over the lines at the lower edge of an area that have no room in full, as tables do over a cut row."""

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
    """How far above a height in a widget a line of it begins that goes over it; of what is higher than lines 0."""
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
    """A field whose list drops down: a text that has no room ends in an ellipsis."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """As the style does it, but a text that has no room ends in an ellipsis."""
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
    """A field whose list drops down: words, and what each stands for. chosen: told the place of another one; letters:
    it may get as narrow as so many, 0: as its widest words."""
    field = named(ElidedChoice(), name, tip)
    if letters:
        field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        field.setMinimumContentsLength(letters)
    refill(field, choices, None)
    if chosen is not None:
        field.currentIndexChanged.connect(chosen)
    return field


def refill(field: QComboBox, choices: Iterable[tuple[Text, object]], chosen: object) -> None:
    """Other choices in a field; the one that stands for `chosen` is shown, else the first. Nothing is told of it."""
    with QSignalBlocker(field):
        field.clear()
        for words, value in choices:
            field.addItem(spoken(words), value)
        field.setCurrentIndex(max(0, field.findData(chosen)))


def press_beside(buttons: Sequence[QAbstractButton], event: QKeyEvent, back: Qt.Key, on: Qt.Key) -> bool:
    """Press the button beside the one with the keyboard, where the key says so; whether there is one."""
    here = next((at for at, button in enumerate(buttons) if button.hasFocus()), None)
    step = {back: -1, on: 1}.get(Qt.Key(event.key()))
    if here is None or step is None or not 0 <= here + step < len(buttons):
        return False
    buttons[here + step].setFocus(Qt.FocusReason.OtherFocusReason)
    buttons[here + step].click()
    return True


def add_choice(menu: QMenu, words: str, does: Callable[[], object], *, is_chosen: bool) -> QAction:
    """An entry of a menu with a tick where it holds now. does: called without arguments."""
    action = menu.addAction(words)
    action.setCheckable(True)
    action.setChecked(is_chosen)
    action.triggered.connect(lambda _: does())
    return action


def soon(owner: QObject, work: Callable[[], object] | SignalInstance, after_ms: int = 0) -> QTimer:
    """A timer that, once started, does the work one time, when events have run; it goes with its owner."""
    timer = QTimer(owner, singleShot=True, interval=after_ms)
    timer.timeout.connect(work)
    return timer


def label(
    text: Text = "", *, step: str = "", role: str = "", is_wrapped: bool = False, of: QWidget | None = None
) -> PlainLabel:
    """Words in a step of the type scale and a role of the style sheet, in as many lines as they need if wrapped.

    of: the field that they are the name of.
    """
    made = named(PlainLabel(text), role=role, step=step)
    made.setWordWrap(is_wrapped)
    set_tip(made, tip_of(text))
    if of is not None:
        made.setBuddy(of)
    return made


def muted_label(text: Text = "", *, is_wrapped: bool = True, of: QWidget | None = None) -> PlainLabel:
    """Small, quiet words, in as many lines as they need where they are wrapped. of: the field that they name."""
    return label(text, role="muted", step="small", is_wrapped=is_wrapped, of=of)


def heading_label(text: Text) -> PlainLabel:
    """What a part of a panel is called."""
    return label(text, step="title")


def retell(of: PlainLabel, text: Text, role: str, *shorter: Text) -> None:
    """Set a label's text and its role in the style sheet. shorter: texts for less room, the longest first."""
    if isinstance(of, ElidedLabel) and shorter:
        of.show_words(text, *shorter)
    else:
        of.setText(text)
    of.setProperty("role", role)
    of.style().unpolish(of)
    of.style().polish(of)


class Drawing(PlainLabel):
    """A drawing of ours in a role of the palette, px wide."""

    def __init__(self, name: str = "", role: str = "muted", px: int = 16) -> None:
        super().__init__()
        self._px = px
        self.show_drawing(name, role)

    def show_drawing(self, name: str, role: str) -> None:
        """Another drawing; "" for none."""
        self._drawn = name, role
        self.recolour()

    def recolour(self) -> None:
        """Other colours from now on."""
        name, role = self._drawn
        self.setPixmap(icon(name, role).pixmap(self._px, self._px) if name else QPixmap())


class Ring(QWidget):
    """Frames around places of what it lies on, around all of it where it is told none; the mouse goes through it."""

    def __init__(self, corner_px: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._corner_px = corner_px
        self.places: tuple[QRect, ...] = ()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A ring around each place."""
        painter = QPainter(self)
        for place in self.places or (self.rect(),):
            draw_box(painter, place, None, in_use().focus, self._corner_px, 2)


def rule_line() -> QFrame:
    """A line from side to side."""
    made = QFrame()
    made.setObjectName("rule")
    return made


# --- The frame of a card on the audit page: title, unit beside it, a note at the right, and what it holds


class CardFrame(QFrame):
    """Told its words; widgets stand below each other in it."""

    def __init__(self, title: Text, muted: Text = "") -> None:
        super().__init__()
        named(self, spoken(title), look="card")
        self.title = title
        self._head = heading_label(title)
        self._muted, self._note = (ElidedLabel(words, role="muted", step="small") for words in (muted, ""))
        self.head = row(spacing=8)
        self.head.addStrut(18)  # titles of neighbours stand on one line, whatever is beside them
        add(self.head, self._head, self._muted, STRETCH, self._note)
        self.body = column(self.head, on=self, margins=(14, 8, 14, 8), spacing=2)

    def rename(self, title: str) -> None:
        """Another title, for screen readers too."""
        self.title = title
        self.setAccessibleName(spoken(title))
        self._head.setText(spoken(title))

    def say(self, muted: str) -> None:
        """What stands beside the title: a unit or a span of time."""
        self._muted.setText(muted)

    def note(self, text: Text) -> None:
        """What stands at the right: how the figures are to be read."""
        self._note.setText(text)


class EmptyState(QWidget):
    """What is missing in one sentence, and a button for what to do about it."""

    def __init__(self, title: Text, sentence: str, button: str, do: Callable[[], None]) -> None:
        super().__init__()
        head, words = label(spoken(title), step="strong"), muted_label(spoken(sentence))
        self.button = named_button(button, does=lambda _=False: do(), takes_enter=True)
        parts = (head, words, 4, row(self.button, STRETCH), STRETCH)
        column(*parts, on=self, margins=(0, 12, 0, 12), spacing=4)


# --- A section that folds: a heading with a chevron, and what stands under it while it is open ---


class Fold(QWidget):
    """Told its contents; says when it is opened or closed."""

    turned = Signal(bool)

    def __init__(self, title: Message, is_open: bool = False) -> None:
        super().__init__()
        self.head = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setText(spoken(title))
        self.head.setCheckable(True)
        self.head.setChecked(is_open)
        self.head.setFont(font("strong"))
        self.head.setProperty("fold", True)
        self.head.setIconSize(QSize(12, 12))
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = QWidget(visible=is_open)
        self.rows = column(on=self.body, margins=(0, 2, 0, 8), spacing=4)
        column(self.head, self.body, on=self, spacing=0)
        self.head.toggled.connect(self._turn)
        self._say()

    @property
    def is_open(self) -> bool:
        """Whether its contents are shown."""
        return self.head.isChecked()

    def _turn(self, is_open: bool) -> None:
        """Shows or hides what is under the heading."""
        self.body.setVisible(is_open)
        self._say()
        self.turned.emit(is_open)

    def _say(self) -> None:
        """Chevron, name and tip for open or folded."""
        is_open = self.head.isChecked()
        self.head.setIcon(icon("chevron_down" if is_open else "chevron_right", "muted"))
        title, lower = self.head.text(), self.head.text().lower()
        if is_open:
            self.head.setAccessibleName(tr("{value}, open", value=title))
            set_tip(self.head, tr("Fold {title}", title=lower))
        else:
            self.head.setAccessibleName(tr("{value}, folded", value=title))
            set_tip(self.head, tr("Open {title}", title=lower))


# --- Two columns of one page: beside each other where there is room for both, else the second below the first

BESIDE_FROM_PX: Final = 1000
"""Width from which both stand beside each other: a chart, and a table with names and six figures."""
_BETWEEN_PX: Final = 28
_BELOW: Final = QBoxLayout.Direction.TopToBottom
_BESIDE: Final = QBoxLayout.Direction.LeftToRight


class TwoColumns(QWidget):
    """Two layouts to be filled. spacing: between the parts of a column, and between columns that are one.

    A column of which nothing is shown takes no room.
    """

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._spacing, self._shares = spacing, (1, 1)
        self._both = QBoxLayout(_BELOW, self)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(spacing)
        self.first, self.second = column(spacing=spacing), column(spacing=spacing)
        add(self._both, share(self.first), share(self.second))

    @property
    def are_beside(self) -> bool:
        """Whether both stand beside each other now."""
        return self._both.direction() is _BESIDE

    def share(self, first: int, second: int) -> None:
        """How both share the height while they stand below each other; beside each other they are alike."""
        self._shares = (first, second)
        self._stretch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = _BESIDE if self.width() >= BESIDE_FROM_PX else _BELOW
        if wanted is not self._both.direction():
            self._both.setDirection(wanted)
            self._both.setSpacing(_BETWEEN_PX if wanted is _BESIDE else self._spacing)
            self._stretch()

    def event(self, event: QEvent) -> bool:
        """What is shown of a column changed: one without anything leaves the other its room."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._stretch()
            self._both.activate()  # in the same frame
        return super().event(event)

    def _stretch(self) -> None:
        shares = (1, 1) if self.are_beside else self._shares
        for at, (side, by) in enumerate(zip((self.first, self.second), shares, strict=True)):
            self._both.setStretch(at, 0 if side.isEmpty() else by)

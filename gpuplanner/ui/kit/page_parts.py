"""What pages are put together of: labels, card frames, folds, twins, columns, tabs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
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
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QTabBar,
    QTableView,
    QToolBar,
    QToolButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, add_named, set_tip, spoken, tr
from gpuplanner.domain.message import Message, Text
from gpuplanner.ui.kit.layout import STRETCH, add, column, named, row, share
from gpuplanner.ui.kit.theme import draw_box, font, icon, in_use, text_px
from gpuplanner.ui.words.commands import TABLE

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
        self.whole, self._cut, self._tip, self._shorter = "", cut, "", spoken(shorter)
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
        has_room = not self._shorter or self.fontMetrics().horizontalAdvance(self.whole) <= room
        fitted = self.fontMetrics().elidedText(self.whole if has_room else self._shorter, self._cut, room)
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

    called: to who listens, where its words are too short for that. is_link: it looks like a link. takes_enter: in a
    dialog Enter presses it while it has the keyboard; else Enter presses the dialog's own button.
    """
    button = named(QPushButton(spoken(text)), called or text, tip)
    button.setAutoDefault(takes_enter)
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
        for one in {body.childAt(x, edge) for x in range(4, body.width(), 24)} - {None}:
            at = one.mapTo(self._area, QPoint())
            above = _above(one, place.bottom() + 1 - at.y())
            painter.fillRect(
                at.x(), place.bottom() + 1 - above, one.width(), above, in_use().colour(self._ground)
            )


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
        option.currentText = self.fontMetrics().elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, room.width()
        )
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
    if of is not None:
        made.setBuddy(of)
    return made


def muted_label(text: Text = "", *, is_wrapped: bool = True, of: QWidget | None = None) -> PlainLabel:
    """Small, quiet words, in as many lines as they need where they are wrapped. of: the field that they name."""
    return label(text, role="muted", step="small", is_wrapped=is_wrapped, of=of)


def heading_label(text: Text) -> PlainLabel:
    """What a part of a panel is called."""
    return label(text, step="title")


def retell(of: PlainLabel, text: Text, role: str) -> None:
    """Other words in a label, in another role of the style sheet."""
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
        self.setObjectName("card")
        self.setAccessibleName(spoken(title))
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
        head, said = label(spoken(title), step="strong"), muted_label(spoken(sentence))
        self.button = named_button(button, does=lambda _=False: do(), takes_enter=True)
        parts = (head, said, 4, row(self.button, STRETCH), STRETCH)
        column(*parts, on=self, margins=(0, 12, 0, 12), spacing=4)


# --- A section that folds: a heading with a chevron, and what stands under it while it is open ---


class Fold(QWidget):
    """Told its contents; says when it is opened or closed."""

    turned = Signal(bool)

    def __init__(self, title: Message, is_open: bool = False) -> None:
        super().__init__()
        self.head = QToolButton()
        self.head.setText(spoken(title))
        self.head.setCheckable(True)
        self.head.setChecked(is_open)
        self.head.setFont(font("strong"))
        self.head.setProperty("fold", True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setIconSize(QSize(12, 12))
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = QWidget()
        self.body.setVisible(is_open)
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
        self.head.setAccessibleName(
            tr("{value}, open", value=self.head.text())
            if is_open
            else tr("{value}, folded", value=self.head.text())
        )
        set_tip(
            self.head,
            tr("Fold {title}", title=self.head.text().lower())
            if is_open
            else tr("Open {title}", title=self.head.text().lower()),
        )


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


# --- A chart and its table twin in one place: Ctrl+T or the button beside the title shows the other one


class Twins(QWidget):
    """Told the two once both are made; the chart comes first."""

    def __init__(self, frame: CardFrame, least_height: int) -> None:
        super().__init__()
        tip = tr("Show as table or as chart ({keys})", keys=TABLE)
        self.button = tool_button(
            tr("{title}: table or chart", title=frame.title), tip, self.turn, 14, drawing="group"
        )
        self.button.setFixedSize(22, 18)  # no higher than the title beside it
        frame.head.addWidget(self.button)
        self._layout = QStackedLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setMinimumHeight(least_height)

    def put(self, chart: QWidget, table: QWidget) -> None:
        """Show these two, the chart first."""
        self._layout.addWidget(chart)
        self._layout.addWidget(table)

    def turn(self) -> None:
        """Show the other one, and give it the keyboard."""
        self._layout.setCurrentIndex(1 - self._layout.currentIndex())
        if (seen := self._layout.currentWidget()) is not None:
            seen.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_both(self, is_known: bool) -> None:
        """Nothing to show as either where nothing is known."""
        self.setVisible(is_known)
        self.button.setVisible(is_known)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+T shows the other of chart and table."""
        if event.key() == Qt.Key.Key_T and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.turn()
        else:
            super().keyPressEvent(event)


# --- A row of the window under its menus: a tool bar that stays where it is and holds one widget


def bar_of(window: QMainWindow, name: str, widget: QWidget) -> QToolBar:
    """Add a widget as the next row under the menus."""
    bar = QToolBar(name)
    bar.setObjectName(name)
    bar.setMovable(False)
    bar.setFloatable(False)
    bar.toggleViewAction().setVisible(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.addWidget(widget)
    window.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
    window.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
    return bar


# --- Tabs over the views of one panel: one is down, its view is shown ----------------------------

ROOM: Final = 30
"""Pixels beside a tab's words, at most."""


def view_tabs(
    panel: QWidget, subject: str, views: Sequence[tuple[str, Message, Message]], show: Callable[[str], None]
) -> tuple[QHBoxLayout, dict[str, QToolButton]]:
    """A line with a tab for each view, given as (name, title, tip); the first is down. The line and the tabs by name.

    subject: what the panel is about, for the tabs' accessible names; show is told the name of a clicked tab.
    """
    group = QButtonGroup(panel)
    tabs: dict[str, QToolButton] = {}
    for at, (name, title, tip) in enumerate(views):
        called = tr("{subject}: {title}", subject=subject, title=title)
        button = tab_button(title, called, tip, lambda _=False, name=name: show(name))
        button.setChecked(at == 0)
        group.addButton(button)
        # narrow where it has to be, so that a panel is no wider than its dock; wider by itself, not without end
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setMaximumWidth(button.fontMetrics().horizontalAdvance(spoken(title)) + ROOM)
        tabs[name] = button
    return row(*tabs.values(), share(None, 0), margins=(10, 0, 12, 0), spacing=2), tabs


def tab_button(text: Text, name: Text, tip: Text, does: Callable[..., object]) -> QToolButton:
    """A button that stays down until another of its group is pressed."""
    button = tool_button(name, tip, does, text=text)
    button.setProperty("tab", True)
    button.setCheckable(True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


# --- Tabs that there is no room for: what is seen is whole, and an ellipsis at the end has a menu of all of them

SCROLLERS: Final = ("ScrollLeftButton", "ScrollRightButton")
"""What Qt calls its buttons where there are more tabs than room."""
BEFORE, AFTER = 8, 12
"""Pixels of a tab beside its words (the style sheet): a tab that has lost no more is whole."""
ELLIPSIS: Final = "\u2026"


class TabEdges(QObject):
    """Covers the rest of a tab at either edge of a bar, never the chosen one; it lives as long as the bar.

    In the place of Qt's two arrows stands the ellipsis: who presses it chooses among all tabs of the bar.
    """

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._scrollers = [bar.findChild(QToolButton, name) for name in SCROLLERS]
        for arrow in filter(None, self._scrollers):
            set_tip(arrow, tr("More panels this way; all are in the menu Panels"))
            arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it lies under the ellipsis
        self.covers = (self._cover(), self._cover())
        self.more = self._more()
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks again whenever the bar is painted: it says nothing of how far it has scrolled. A press that asks for
        the menu is no click on a tab."""
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.RightButton:
            return True
        if event.type() == QEvent.Type.Paint:
            place = self._end()
            for cover, cut in zip(self.covers, self.cut_off(place), strict=True):
                if not cut.isEmpty() and cover.geometry() != cut:
                    cover.setGeometry(cut)
                if cover.isHidden() != cut.isEmpty():
                    cover.setHidden(cut.isEmpty())
            if self.more.geometry() != place and not place.isEmpty():
                self.more.setGeometry(place)
            if self.more.isHidden() != place.isEmpty():
                self.more.setHidden(place.isEmpty())
                self.more.raise_()
        return super().eventFilter(watched, event)

    def _end(self) -> QRect:
        """Where Qt would show its arrows; empty where all tabs have room."""
        arrows = [button for button in self._scrollers if button is not None and button.isVisible()]
        left = min((arrow.x() for arrow in arrows), default=self._bar.width())
        return QRect(left, 0, self._bar.width() - left, self._bar.height())

    def cut_off(self, end: QRect) -> tuple[QRect, QRect]:
        """What is seen of tabs that are cut off, at the left and at the right; empty where all are whole."""
        bar, found = self._bar, [QRect(), QRect()]
        if not end.isEmpty():
            room = QRect(0, 0, end.left(), bar.height())
            for at in range(bar.count()):
                tab = bar.tabRect(at)
                seen = tab.intersected(room)
                if at != bar.currentIndex() and not seen.isEmpty():
                    if seen.left() - tab.left() > BEFORE:
                        found[0] = seen
                    elif tab.right() - seen.right() > AFTER:
                        found[1] = seen
        return found[0], found[1]

    def _cover(self) -> QFrame:
        """Of the bar's own colour."""
        cover = QFrame(self._bar)
        cover.setObjectName("panel")
        cover.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        cover.hide()
        return cover

    def _more(self) -> QToolButton:
        """The button at the end, with a menu of all tabs."""
        button = QToolButton(self._bar)
        button.setText(ELLIPSIS)
        button.setFont(font("strong"))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the bar itself is stepped through by keys
        button.setAccessibleName(tr("All tabs here"))
        set_tip(button, tr("All tabs here; every panel is in the menu Panels"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(button)
        menu.aboutToShow.connect(partial(self._fill, menu))
        button.setMenu(menu)
        button.hide()
        return button

    def _fill(self, menu: QMenu) -> None:
        """The tabs in their order, the chosen one ticked."""
        menu.clear()
        for at in range(self._bar.count()):
            action = menu.addAction(self._bar.tabText(at))
            action.setCheckable(True)
            action.setChecked(at == self._bar.currentIndex())
            action.triggered.connect(partial(self._choose, at))

    def _choose(self, at: int, _is_checked: bool = False) -> None:
        """Brings a tab to the front."""
        self._bar.setCurrentIndex(at)


# --- Tabs that there is no room for: which ones stay, and the menu that the others are in --------


def tabs_that_fit(widths: Mapping[str, int], current: str, room: int, more: int) -> tuple[str, ...]:
    """The names of the tabs to be shown, in their order: the first one, the current one, and what fits from the left.

    widths, room and more (of the menu's button) in pixels. All of them, where all fit.
    """
    names = tuple(widths)
    if sum(widths.values()) <= room:
        return names
    kept = list(dict.fromkeys([*names[:1], *([current] if current in widths else [])]))
    left = room - more - sum(widths[name] for name in kept)
    for name in names[1:]:
        if name in kept:
            continue
        if widths[name] > left:
            break
        kept.append(name)
        left -= widths[name]
    return tuple(name for name in names if name in kept)


def more_button() -> QToolButton:
    """The button at the end of the tabs, with a menu of those that are not seen."""
    button = _menu_button(tr("More plans"), tr("Plans that there is no room for"))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    return button


def from_button() -> QToolButton:
    """The button beside New plan, with a menu of what it may start from."""
    button = _menu_button(tr("New plan from"), tr("Add a plan that starts from another one"))
    button.setIcon(icon("chevron_down", "muted"))
    button.setIconSize(QSize(12, 12))
    return button


def _menu_button(name: str, tip: str) -> QToolButton:
    """A tab that opens a menu."""
    button = QToolButton()
    button.setProperty("tab", True)
    button.setFont(font("strong"))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setMenu(QMenu(button))
    button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
    return button


def fill_menu(button: QToolButton, names: Iterable[str], choose: Callable[[str], object]) -> None:
    """Let the menu of a button be of these names."""
    menu, wanted = button.menu(), list(names)
    if [action.data() for action in menu.actions()] == wanted:
        return
    menu.clear()
    for name in wanted:
        add_named(menu, name, lambda name=name: choose(name)).setData(name)

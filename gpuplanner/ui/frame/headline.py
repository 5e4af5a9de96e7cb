"""Over the board: the headline that answers "Why this number?", and the bar of plans, undo, Compare, Present."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QMenu, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import add_named, off_button, on_button, set_tip, spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.sentences import HORIZON_MEANINGS, HORIZON_NAMES
from gpuplanner.domain.edits.dates import EXAMPLES
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import page_parts, tabs, theme
from gpuplanner.ui.kit.fields import TypedField
from gpuplanner.ui.kit.layout import STRETCH, add, box, column, emptied, ground, named, row, share
from gpuplanner.ui.kit.page_parts import named_button, press_beside
from gpuplanner.ui.kit.theme import font, icon, text_px
from gpuplanner.ui.state.headline_figures import HeadlineFigure
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import plan_keys, with_keys

# --- The switch beside the headline: next month, month 12, or twelve months in all ---------------

WIDTH: Final = 86
SHORT: Final = {Horizon.TWELVE_MONTHS: worded("12 months")}
"""What they are called where there is little room."""


class HorizonSwitch(QWidget):
    """Three buttons, one of which is down; arrow keys go from one to the other."""

    horizon_chosen = Signal(object)  # Horizon

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Headline horizon"))
        self._group = QButtonGroup(self)
        self.buttons: dict[Horizon, QToolButton] = {}
        for horizon, name in HORIZON_NAMES.items():
            called, tip = tr("Headline, {horizon}", horizon=name), HORIZON_MEANINGS[horizon]
            button = self.buttons[horizon] = named(QToolButton(), called, tip, step="small")
            button.setText(spoken(SHORT.get(horizon, name)))
            button.setProperty("horizon", True)
            button.setCheckable(True)
            button.setMinimumWidth(max(text_px(WIDTH), theme.text_width(button.text(), font("total")) + 8))
            button.clicked.connect(lambda _=False, horizon=horizon: self.horizon_chosen.emit(horizon))
            self._group.addButton(button)
        column(*self.buttons.values(), on=self, margins=(6, 2, 4, 3), spacing=0)

    def show_horizon(self, horizon: Horizon | None) -> None:
        """Which one is down; None: none of them, as the slider of the year stands at another month."""
        self._group.setExclusive(horizon is not None)
        for one, button in self.buttons.items():
            button.setChecked(one is horizon)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose the one beside."""
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Up, Qt.Key.Key_Down):
            super().keyPressEvent(event)


# --- The headline: five or six figures in a row, each a flat button that answers "Why this number?"

HEIGHT = 78
VALUES_FROM, VALUES_TO = 25, 52
"""Pixels of a figure between its title and its second line, which are painted alone where nothing else changed."""
MOST_FIGURES = 7
FIRST_FIGURES = 3
"""The rest stands behind More."""
LINK_EDGE = 4
"""Pixels of the style of a link at each side of its text."""


class FigureButton(QAbstractButton):
    """One figure: heading with its unit, today's value, an arrow, the plan's value, and a second line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure: HeadlineFigure | None = None  # what it shows
        self.has_rule = False
        tip = tr("Open {name}", name=tr("Waiting"))
        self.link = named(page_parts.named_button("", tip, called=tip, is_link=True), step="small")
        self.link.setParent(self)  # over what its second line ends with
        self.is_tight = False  # set for all figures of a row at once: like things are equally large
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # it looks otherwise under the pointer
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(theme.text_px(HEIGHT) - 1)
        self.setAccessibleName(tr("Figure"))
        self.setMinimumWidth(text_px(110))

    def show_figure(self, figure: HeadlineFigure) -> None:
        """Show a figure."""
        # nothing behind it is painted with it: said here, for a style that is put on takes it back
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        if figure == self.figure and not figure.shares:  # shares are written in a paint
            return
        if self._is_beside_values(figure):
            self.update(0, theme.text_px(VALUES_FROM), self.width(), theme.text_px(VALUES_TO - VALUES_FROM))
        else:
            self.update()
        self.figure = figure
        value = tr("{now} now, {plan} in the plan", now=figure.now, plan=figure.plan)
        if not figure.now:
            value = figure.plan
        elif figure.is_asked:
            value = tr("{now} before, {plan} with the question", now=figure.now, plan=figure.plan)
        shares = ", ".join(f"{lane.title} {numbers.percent(share)}" for lane, share in figure.shares)
        second = figure.second[0] if figure.second else ""
        settling = tr("calculating") if figure.is_settling else ""
        title = f"{figure.title} {figure.unit}".strip()
        self.setAccessibleName(", ".join(filter(None, (title, value, shares, settling))))
        self.setAccessibleDescription(spoken(second))
        lines = [figure.tip, *(line for line in (figure.aside[:1] + figure.second[:1]) if line)]
        set_tip(self, "\n".join([*map(spoken, lines), tr("Why this number? Enter or F1")]))

    def show_waiting(self) -> None:
        """Nothing is known of it yet."""
        self.figure = None
        self.link.hide()
        self.setAccessibleName(tr("Figure, calculating"))
        set_tip(self, "")
        self.update()

    def _is_beside_values(self, figure: HeadlineFigure) -> bool:
        """Whether title, unit and second line are drawn already, and stay."""
        if (before := self.figure) is None or figure.shares or before.shares or self.hasFocus():
            return False
        of = attrgetter("title", "unit", "second", "icon", "is_bad")
        return bool(of(figure) == of(before))

    def sizeHint(self) -> QSize:
        return QSize(240, theme.text_px(HEIGHT) - 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and F1 ask why; on its link Return opens what that is of."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter or event.key() == Qt.Key.Key_F1:
            (self.link if is_enter and self.link.hasFocus() else self).click()
        else:
            super().keyPressEvent(event)

    def place_link(self) -> None:
        """Puts the link where its second line ends with one, which is not painted."""
        left, first, link = self._second_line(round(self.width() / theme.text_scale()) - 8)
        self.link.setVisible(bool(link))
        named(self.link, link).setText(link)
        self.link.adjustSize()
        at = left + theme.text_width(first, theme.base_font("small"))
        self.link.move(text_px(at) - LINK_EDGE, text_px(VALUES_TO + 8) - self.link.height() // 2)

    def _second_line(self, right: int) -> tuple[int, str, str]:
        """Where the second line begins, what it says in the longest form that fits, and the link that it ends with."""
        if (figure := self.figure) is None:
            return 16, "", ""
        left = 34 if figure.icon or figure.is_bad else 16
        second = theme.fitting(tuple(map(spoken, figure.second)), theme.base_font("small"), right - left)
        link = next((one for one in map(spoken, figure.links) if second.endswith(one)), "")
        return left, second.removesuffix(link), link

    def paintEvent(self, event: QPaintEvent) -> None:
        """The figure with title, values and second line; only what the event asks for is drawn."""
        painter, palette, figure = QPainter(self), theme.in_use(), self.figure
        area, is_pointed_at = event.rect(), self.underMouse() or self.isDown()
        painter.fillRect(area, palette.colour("surface" if is_pointed_at else "raised"))
        if self.has_rule:
            painter.fillRect(0, 0, 1, self.height(), palette.colour("line"))
        painter.save()
        left, right = 16, theme.in_text_size(painter, self.rect()).width() - 8
        if figure is None:
            place = QRect(left, VALUES_FROM, right - left, VALUES_TO - VALUES_FROM)
            theme.draw_text(painter, place, tr("Calculating"), theme.base_font("small"), palette.muted)
            painter.restore()
            return
        if area.top() < theme.text_px(VALUES_FROM):
            self._paint_title(painter, figure, left, right)
        if figure.shares:
            self._paint_shares(painter, figure, left, right)
        else:
            self._paint_values(painter, figure, left, right)
        if area.bottom() >= theme.text_px(VALUES_TO):
            self._paint_second(painter, figure, left, right)
        painter.restore()
        if self.hasFocus():
            theme.draw_box(painter, self.rect().adjusted(3, 3, -3, -3), None, palette.focus, 4, 2)

    def _paint_title(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """The title, and its unit where there is room."""
        palette, strong, small = theme.in_use(), theme.base_font("small_strong"), theme.base_font("small")
        drawn = theme.draw_text(painter, QRect(left, 8, right - left, 16), figure.title, strong, palette.text)
        unit_rect = QRect(left + drawn + 5, 8, right - left - drawn - 5, 16)
        if theme.text_width(figure.unit, small) <= unit_rect.width():
            theme.draw_text(painter, unit_rect, figure.unit, small, palette.muted)

    def _paint_second(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """The second line without its link, which is a button."""
        palette, small = theme.in_use(), theme.base_font("small")
        icon = "octagon" if figure.is_bad else figure.icon
        if icon:
            theme.draw_icon(painter, icon, palette.red if figure.is_bad else palette.amber, left, 53, 13)
        at, words, _ = self._second_line(right)
        colour = palette.red if figure.is_bad else palette.muted
        theme.draw_text(painter, QRect(at, VALUES_TO, right - at, 16), words, small, colour)

    @property
    def needs_tight(self) -> bool:
        """Whether its value, or both beside each other, have room only in a smaller size."""
        if (figure := self.figure) is None or figure.shares:
            return False
        beside = theme.text_width(figure.now, theme.base_font("now")) + 26 if figure.now else 0
        wanted = beside + theme.text_width(figure.plan, theme.base_font("figure"))
        return theme.text_px(wanted + 24) > self.width()  # less what `paintEvent` leaves at the sides

    def _paint_values(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """Today's value, an arrow and the plan's; today's is left out where there is no room."""
        palette = theme.in_use()
        if figure.is_settling:
            colour = palette.muted
        elif figure.is_good:
            colour = palette.green
        else:
            colour = palette.text
        at, top, height = left, VALUES_FROM, 26
        steps = ("body", "title") if self.is_tight else ("now", "figure")  # the plan's is always the larger
        now_font, plan_font = map(theme.base_font, steps)
        plan_width = theme.text_width(figure.plan, plan_font)
        now_width = theme.text_width(figure.now, now_font)
        if figure.now and now_width + plan_width + 26 <= right - left:
            rect = QRect(at, top + 1, now_width + 1, height)
            theme.draw_text(painter, rect, figure.now, now_font, palette.muted)
            theme.draw_icon(painter, "arrow", palette.muted, at + now_width + 6, top + 8, 13)
            at += now_width + 25
        theme.draw_text(painter, QRect(at, top, right - at + 6, height), figure.plan, plan_font, colour)
        aside = theme.fitting((*figure.aside, ""), theme.base_font("small"), right - at - plan_width - 8)
        beside = QRect(at + plan_width + 8, top + 3, right - at, height)
        theme.draw_text(painter, beside, aside, theme.base_font("small"), palette.muted)

    def _paint_shares(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """Shares of the classes as a bar, and below it in percent, with names where there is room."""
        palette, at = theme.in_use(), float(left)
        width, total = right - left - 4, sum(share for _, share in figure.shares) or 1.0
        for lane, of_all in figure.shares:
            part = width * of_all / total
            wide = max(0, round(at + part) - round(at) - 1)
            painter.fillRect(QRect(round(at), 32, wide, 8), palette.lane(lane))
            at += part
        texts = [f"{lane.title} {numbers.percent(share)}" for lane, share in figure.shares]
        if sum(theme.text_width(text, theme.base_font("small")) + 26 for text in texts) > width:
            texts = [numbers.percent(share) for _, share in figure.shares]
        place, small = left, theme.base_font("small")
        for (lane, _), text in zip(figure.shares, texts, strict=True):
            theme.draw_icon(painter, lane.icon, palette.lane(lane), place, 53, 13)
            room = QRect(place + 17, 52, right - place - 17, 16)
            place += theme.draw_text(painter, room, text, small, palette.muted) + 28


class Headline(QWidget):
    """The row of figures under the scenario bar."""

    why_asked = Signal(str)  # figure id
    waits_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, accessibleName=tr("Headline"))
        ground(self, "headline")
        self.setFixedHeight(text_px(HEIGHT))
        self._figures: tuple[HeadlineFigure, ...] = ()
        self._buttons = tuple(FigureButton() for _ in range(MOST_FIGURES))
        for number, button in enumerate(self._buttons):
            button.has_rule = number > 0
            button.clicked.connect(self._ask_why)
            button.link.clicked.connect(self.waits_asked)
        parts = (share(button, 2) for button in self._buttons)
        self._row = row(*parts, on=self, margins=(0, 0, 12, 1), spacing=0)
        self.horizon = HorizonSwitch()
        self._row.insertWidget(0, self.horizon)  # by Tab it comes last
        self.horizon.hide()
        self.more = named_button(tr("More"), tr("Other figures"), self._turn_more, is_link=True)
        self.more.setCheckable(True)
        self._row.addWidget(self.more)

    @property
    def buttons(self) -> tuple[FigureButton, ...]:
        """Those that show a figure."""
        return self._buttons[: len(self._figures)]

    def show_figures(self, figures: tuple[HeadlineFigure, ...]) -> None:
        """Show five figures, or six."""
        self._figures = figures
        for at, button in enumerate(self._buttons):
            button.setVisible(at < (len(figures) if self.more.isChecked() else FIRST_FIGURES))
            if at < len(figures):
                button.show_figure(figures[at])
                by = 3 if figures[at].shares else 2
                if self._row.stretch(at + 1) != by:  # else every edit would lay the row out again
                    self._row.setStretch(at + 1, by)
        self._row.activate()  # where there are more or fewer of them than before, they have their new widths
        self._even_out()

    def _turn_more(self) -> None:
        """Shows the other figures too, or the first alone again."""
        self.more.setText(tr("Less") if self.more.isChecked() else tr("More"))
        self.show_figures(self._figures)

    def show_waiting(self) -> None:
        """Of another project: nothing of the one before is shown."""
        self._figures = ()
        for button in self._buttons:
            button.show_waiting()

    def show_horizon(self, horizon: Horizon | None, *, is_plan: bool) -> None:
        """How far ahead the figures look; None: at a month of the year. Of Today there is nothing to choose."""
        self.horizon.setVisible(is_plan)
        self._buttons[0].has_rule = is_plan
        self.horizon.show_horizon(horizon)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._row.activate()  # the buttons have their new widths
        self._even_out()

    def _even_out(self) -> None:
        """All figures are small as soon as one must be, and links stand where their lines end now."""
        is_tight = any(button.needs_tight for button in self.buttons if not button.isHidden())
        for button in self.buttons:
            button.place_link()
            if button.is_tight is not is_tight:
                button.is_tight = is_tight
                button.update()

    def button_of(self, figure_id: str) -> FigureButton | None:
        """The button of a figure."""
        matching = (
            button for button in self.buttons if button.figure and button.figure.figure_id == figure_id
        )
        return next(matching, None)

    def _ask_why(self) -> None:
        """Asks for the figure of the button that was pressed."""
        button = self.sender()
        if isinstance(button, FigureButton) and button.figure is not None:
            self.why_asked.emit(button.figure.figure_id)


# --- The scenario bar: Today, the plans, a new plan, undo and redo, Compare, Present, and the one primary button

TAB_SIDE_PX: Final = 13
NAMED_FROM_PX: Final = 1000
"""Width of the bar from which New plan is more than its icon."""
NAME_AT_MOST_PX: Final = 180
"""Of a plan in its tab, where not all names have room."""
"""Padding and border of a tab at each side, for its own size hint knows only the lighter letters."""


class ScenarioBar(QWidget):
    """Tabs of the scenarios on the left, what acts on the whole project on the right."""

    scenario_chosen = Signal(str)
    plan_asked = Signal()
    plan_asked_from = Signal(str)
    plan_menu_asked = Signal(str, QPoint)

    def __init__(
        self, undo: QAction, redo: QAction, compare: QAction, present: QAction, export: QAction
    ) -> None:
        super().__init__(accessibleName=tr("Plan bar"))
        ground(self, "bar")
        self.setFixedHeight(text_px(40))
        self._names: tuple[str, ...] = ()
        self._current = ""
        self._tabs: dict[str, QToolButton] = {}
        self._tab_row = row(spacing=4)
        adds = with_keys(tr("Based on the plan shown"), "new_plan")
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.new_plan = named(QToolButton(toolButtonStyle=beside), tr("New plan"), adds, step="strong")
        self.new_plan.setIcon(icon("plus", "muted"))
        self.new_plan.setProperty("tab", True)
        self.new_plan.clicked.connect(self.plan_asked)
        self.more = tabs.more_button()
        self.new_from = tabs.from_button()
        self._undo, self._redo = _action_button(undo, "undo"), _action_button(redo, "redo")
        compares = compare.toolTip()
        drawn = icon("compare", "text", "muted")
        self.compare = page_parts.named_button(
            f" {tr('Compare')}", compares, compare.trigger, called=tr("Compare plans"), drawn=drawn
        )
        self.compare.setCheckable(True)
        compare.changed.connect(lambda: self._follow_compare(compare))
        presents = with_keys(
            tr("Full screen: arrows turn pages, L points, H hides names, Esc leaves"), "present"
        )
        drawn = icon("present", "text", "muted")
        self.present = page_parts.named_button(f" {tr('Present')}", presents, present.trigger, drawn=drawn)
        exports = with_keys(tr("A workbook with live formulas"), "export")
        drawn = icon("export", "on_accent", "muted")
        self.export = page_parts.named_button(
            f" {tr('Export workbook')}", exports, export.trigger, drawn=drawn
        )
        self.export.setProperty("primary", True)
        for button, action in ((self.present, present), (self.export, export)):
            action.changed.connect(lambda of=button, action=action: of.setEnabled(action.isEnabled()))
        for button in (self.compare, self.present, self.export):
            button.setFont(font("strong"))
        plans = (self._tab_row, self.more, self.new_plan, self.new_from)
        right = (self._undo, self._redo, 16, self.compare, self.present, self.export)
        row(*plans, STRETCH, *right, on=self, margins=(12, 0, 12, 1), spacing=4)

    def show_scenarios(self, names: tuple[str, ...], current: str) -> None:
        """Show Today and these plans, with one of them current."""
        if (names, current) == (self._names, self._current):
            return
        if names != self._names:
            self._names = names
            emptied(self._tab_row)
            self._tabs = {name: self._tab(name, number) for number, name in enumerate((TODAY, *names), 1)}
            before = self.new_plan.previousInFocusChain()
            assert before is not None, "the chain is a ring"
            add(self._tab_row, *self._tabs.values())
            for tab in self._tabs.values():
                QWidget.setTabOrder(before, tab)
                before = tab
        self._current = current
        self._paint_tabs()
        tabs.fill_menu(self.new_from, (TODAY, *names), self.plan_asked_from.emit)
        self.fit_tabs()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_tabs()

    def fit_tabs(self) -> None:
        """As many tabs as there is room for, the current one among them; the others are in a menu at their end."""
        self.new_plan.setText(f" {tr('New plan')}" if self.width() >= text_px(NAMED_FROM_PX) else "")
        right = (self._undo, self._redo, self.compare, self.present, self.export)
        others = (self.new_plan, self.new_from, *right)
        wide = (max(figure.sizeHint().width(), figure.minimumWidth()) + 4 for figure in others)
        room = self.width() - 12 - 16 - 12 - sum(wide)  # margins, and the gap between plans and buttons
        widths = {name: self._named_in(name, room) for name in self._tabs}
        more = self.more.sizeHint().width() + 24
        if sum(widths.values()) > room:
            most = min(NAME_AT_MOST_PX, room - more - widths.get(TODAY, 0) - 2 * TAB_SIDE_PX - 4)
            widths = {name: self._named_in(name, most) for name in self._tabs}
        shown = tabs.tabs_that_fit(widths, self._current, room, more)
        for name, tab in self._tabs.items():
            tab.setVisible(name in shown)
        hidden = [name for name in self._tabs if name not in shown]
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("{hidden} more", hidden=len(hidden)))
        tabs.fill_menu(self.more, hidden, self.scenario_chosen.emit)

    def _named_in(self, name: str, room: int) -> int:
        """Give a tab its name as far as there is room for it; returns the width, as wide as in bold, with a gap."""
        tab, metrics = self._tabs[name], QFontMetrics(font("total"))
        right = Qt.TextElideMode.ElideRight
        shown = tr(TODAY) if name == TODAY else metrics.elidedText(name, right, room)
        tab.setMinimumWidth(metrics.horizontalAdvance(shown) + 2 * TAB_SIDE_PX + (20 if name == TODAY else 0))
        tab.setText(on_button(shown))
        return tab.minimumWidth() + 4

    def _follow_compare(self, action: QAction) -> None:
        """The button can do what its action can."""
        self.compare.setEnabled(action.isEnabled())
        self.compare.setChecked(action.isChecked())

    def _tab(self, name: str, number: int) -> QToolButton:
        """The tab of Today or of a plan; as wide as its name in bold, so that choosing it moves nothing."""
        called = tr(TODAY) if name == TODAY else name
        tab = named(QToolButton(), tr("Plan {name}", name=called), step="strong")
        tab.setProperty("tab", True)
        tab.setCheckable(True)
        keys = plan_keys(number)
        if name == TODAY:
            tab.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            set_tip(tab, tr("Today: the past, read only ({shortcut})", shortcut=keys))
        else:
            set_tip(tab, tr("{name} ({note})", name=name, note=keys) if keys else spoken(name))
            tab.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            tab.customContextMenuRequested.connect(
                lambda place: self.plan_menu_asked.emit(name, tab.mapToGlobal(place))
            )
        tab.clicked.connect(lambda _=False, name=name: self._choose(name))
        return tab

    def _choose(self, name: str) -> None:
        """Says which scenario was chosen; the tab follows when it is shown."""
        self._paint_tabs()
        self.scenario_chosen.emit(name)

    def _paint_tabs(self) -> None:
        """The current tab in bold, and the lock of Today in its colour."""
        for name, tab in self._tabs.items():
            is_current = name == self._current
            tab.setChecked(is_current)
            tab.setFont(font("total" if is_current else "strong"))
            if name == TODAY:
                tab.setIcon(icon("lock", "text" if is_current else "muted"))


def _action_button(action: QAction, drawing: str) -> QToolButton:
    """A button that does what an action does, and looks as that is."""
    button = page_parts.tool_button("", does=action.trigger)
    button.setIcon(icon(drawing, "text", "muted"))
    button.setFixedSize(theme.text_px(30), theme.text_px(28))

    def follow() -> None:
        """Takes over name, tip and whether it can be pressed."""
        button.setEnabled(action.isEnabled())
        name, keys = off_button(action.text()), action.shortcut().toString()
        named(button, name, tr("{name} ({note})", name=name, note=keys))

    action.changed.connect(follow)
    follow()
    return button


# --- The row of a question: what is asked as a chip, kept as a plan or discarded; and the field where a change is said

FIELD_PX: Final = 210
ICON_PX: Final = 14


class QuestionBar(QWidget):
    """Told the question in words, and how what is typed is understood; says what the planner wants."""

    kept = Signal()
    discarded = Signal()
    typed = Signal(str)  # while a change is written
    said = Signal(str)  # the change is meant
    step_removed = Signal(str, int)  # of demand or price, and its number

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Question"))
        ground(self, "headline")
        self.setFixedHeight(text_px(36))
        self._steps: tuple[tuple[str, int, str], ...] | None = None
        self.chip = QFrame()
        self.chip.setObjectName("chip")
        self._icon = page_parts.Drawing("why", "accent", ICON_PX)
        self.words = page_parts.ElidedLabel(step="strong")
        keeps = tr("Named after the question; F2 renames it")
        self.keep = page_parts.named_button(tr("Keep as plan"), keeps, self.kept, is_link=True)
        drops = tr("Back to the plan; Undo brings it back")
        self.discard = page_parts.named_button(tr("Discard"), drops, self.discarded, is_link=True)
        asked = row(self._icon, self.words, self.keep, self.discard, margins=(8, 0, 6, 0), spacing=8)
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
        self._menu = QMenu(self.steps)
        self.steps.setMenu(self._menu)
        changes = (self.note, self.steps, self.field)
        row(self.chip, self.none, STRETCH, *changes, on=self, margins=(12, 0, 12, 1), spacing=8)
        self.show_question("")
        self.show_steps(())
        self.show_note("")

    def show_question(self, words: str) -> None:
        """What is asked; "" where nothing is."""
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
        self._menu.clear()
        name = tr("Dated changes: {count}", count=len(steps))
        self.steps.setText(name)
        named(self.steps, name, tr("Choose one to remove"))
        for kind, number, words in steps:
            out = tr("Remove: {step}", step=words)
            add_named(self._menu, out, lambda of=(kind, number): self.step_removed.emit(*of))

    def show_note(self, words: str, *, is_refusal: bool = False) -> None:
        """How what is typed is understood, or why it is refused."""
        page_parts.retell(self.note, words, "red" if is_refusal else "muted")
        self.note.setVisible(bool(words))
        self.field.setAccessibleDescription(words)

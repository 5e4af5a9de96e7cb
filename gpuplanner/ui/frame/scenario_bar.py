"""The scenario bar: Today, the plans, a new plan, Undo and Redo, Compare, Present."""

from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import off_button, on_button, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.kit import page_parts, tabs, type_scale
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, add, emptied, ground, named, row
from gpuplanner.ui.kit.type_scale import font, text_px
from gpuplanner.ui.words.commands import plan_keys, with_keys

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
        self.tabs: dict[str, QToolButton] = {}
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
            self.tabs = {name: self._tab(name, number) for number, name in enumerate((TODAY, *names), 1)}
            before = self.new_plan.previousInFocusChain()
            assert before is not None, "the chain is a ring"
            add(self._tab_row, *self.tabs.values())
            for tab in self.tabs.values():
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
        widths = {name: self._named_in(name, room) for name in self.tabs}
        more = self.more.sizeHint().width() + 24
        if sum(widths.values()) > room:
            most = min(NAME_AT_MOST_PX, room - more - widths.get(TODAY, 0) - 2 * TAB_SIDE_PX - 4)
            widths = {name: self._named_in(name, most) for name in self.tabs}
        shown = tabs.tabs_that_fit(widths, self._current, room, more)
        for name, tab in self.tabs.items():
            tab.setVisible(name in shown)
        hidden = [name for name in self.tabs if name not in shown]
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("{hidden} more", hidden=len(hidden)))
        tabs.fill_menu(self.more, hidden, self.scenario_chosen.emit)

    def _named_in(self, name: str, room: int) -> int:
        """Give a tab its name as far as there is room for it; returns the width, as wide as in bold, with a gap."""
        tab, metrics = self.tabs[name], QFontMetrics(font("total"))
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
        for name, tab in self.tabs.items():
            is_current = name == self._current
            tab.setChecked(is_current)
            tab.setFont(font("total" if is_current else "strong"))
            if name == TODAY:
                tab.setIcon(icon("lock", "text" if is_current else "muted"))


def _action_button(action: QAction, drawing: str) -> QToolButton:
    """A button that does what an action does, and looks as that is."""
    button = page_parts.tool_button("", does=action.trigger)
    button.setIcon(icon(drawing, "text", "muted"))
    button.setFixedSize(type_scale.text_px(30), type_scale.text_px(28))

    def follow() -> None:
        """Takes over name, tip and whether it can be pressed."""
        button.setEnabled(action.isEnabled())
        name, keys = off_button(action.text()), action.shortcut().toString()
        named(button, name, tr("{name} ({note})", name=name, note=keys))

    action.changed.connect(follow)
    follow()
    return button

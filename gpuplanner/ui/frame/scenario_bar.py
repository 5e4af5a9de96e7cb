"""The scenario bar: Today, the plans, a new plan, undo and redo, Compare, Present, and the one primary button."""

from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import off_button, on_button, set_tip
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.frame.tab_overflow import fill_menu, from_button, more_button, tabs_that_fit
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.commands import plan_keys, with_keys
from gpuplanner.ui.words.translation import spoken, tr

TAB_SIDE_PX: Final = 13
"""Padding and border of a tab at each side, for its own size hint knows only the lighter letters."""


class ScenarioBar(QWidget):
    """Tabs of the scenarios on the left, what acts on the whole project on the right."""

    scenario_chosen = Signal(str)
    plan_asked = Signal()
    plan_asked_from = Signal(str)
    plan_menu_asked = Signal(str, QPoint)

    def __init__(
        self,
        palette: Palette,
        undo: QAction,
        redo: QAction,
        compare: QAction,
        present: QAction,
        export: QAction,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Scenario bar"))
        self.setFixedHeight(40)
        self._palette = palette
        self._names: tuple[str, ...] = ()
        self._current = ""
        self._tabs: dict[str, QToolButton] = {}
        self._tab_row = QHBoxLayout()
        self._tab_row.setSpacing(4)
        self.new_plan = QToolButton()
        self.new_plan.setText(tr(" New plan"))
        self.new_plan.setAccessibleName(tr("New plan"))
        set_tip(self.new_plan, with_keys(tr("Add a plan that starts from the one shown"), "new_plan"))
        self.new_plan.setProperty("tab", True)
        self.new_plan.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.new_plan.setFont(font("strong"))
        self.new_plan.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.new_plan.clicked.connect(self.plan_asked)
        self.more = more_button()
        self.new_from = from_button()
        self._undo, self._redo = _action_button(undo), _action_button(redo)
        self.compare = QPushButton(tr(" Compare"))
        self.compare.setCheckable(True)
        self.compare.setAccessibleName(tr("Compare plans"))
        set_tip(self.compare, compare.toolTip())
        self.compare.setFont(font("strong"))
        self.compare.clicked.connect(compare.trigger)
        compare.changed.connect(lambda: self._follow_compare(compare))
        self.present = QPushButton(tr(" Present"))
        self.present.setAccessibleName(tr("Present"))
        set_tip(self.present, with_keys(tr("Present on a full screen; Esc leaves"), "present"))
        self.present.setFont(font("strong"))
        self.present.clicked.connect(present.trigger)
        present.changed.connect(lambda: self.present.setEnabled(present.isEnabled()))
        self.export = QPushButton(tr(" Export workbook"))
        self.export.setAccessibleName(tr("Export workbook"))
        set_tip(self.export, with_keys(tr("Export the plan as a workbook with live formulas"), "export"))
        self.export.setProperty("primary", True)
        self.export.setFont(font("strong"))
        self.export.clicked.connect(export.trigger)
        export.changed.connect(lambda: self.export.setEnabled(export.isEnabled()))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 1)
        layout.setSpacing(4)
        layout.addLayout(self._tab_row)
        layout.addWidget(self.more)
        layout.addWidget(self.new_plan)
        layout.addWidget(self.new_from)
        layout.addStretch(1)
        layout.addWidget(self._undo)
        layout.addWidget(self._redo)
        layout.addSpacing(16)
        layout.addWidget(self.compare)
        layout.addWidget(self.present)
        layout.addWidget(self.export)
        self.show_palette(palette)

    def show_scenarios(self, names: tuple[str, ...], current: str) -> None:
        """Show Today and these plans, with one of them current."""
        if (names, current) == (self._names, self._current):
            return
        if names != self._names:
            self._names = names
            for tab in self._tabs.values():
                self._tab_row.removeWidget(tab)
                tab.hide()  # at once: it goes only when the events of now are over
                tab.deleteLater()
            self._tabs = {name: self._tab(name, number) for number, name in enumerate((TODAY, *names), 1)}
            before = self.new_plan.previousInFocusChain()
            assert before is not None, "the chain is a ring"
            for tab in self._tabs.values():
                self._tab_row.addWidget(tab)
                QWidget.setTabOrder(before, tab)
                before = tab
        self._current = current
        self._paint_tabs()
        fill_menu(self.new_from, (TODAY, *names), self.plan_asked_from.emit)
        self._fit_tabs()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    def _fit_tabs(self) -> None:
        """As many tabs as there is room for, the current one among them; the others are in a menu at their end."""
        layout = self.layout()
        assert layout is not None
        margins = layout.contentsMargins()
        right = (self._undo, self._redo, self.compare, self.present, self.export)
        others = (self.new_plan, self.new_from, *right)
        taken = margins.left() + margins.right() + 16 + sum(one.sizeHint().width() + 4 for one in others)
        room = self.width() - taken
        widths = {name: tab.minimumWidth() + 4 for name, tab in self._tabs.items()}
        shown = tabs_that_fit(widths, self._current, room, self.more.sizeHint().width() + 24)
        for name, tab in self._tabs.items():
            tab.setVisible(name in shown)
        hidden = [name for name in self._tabs if name not in shown]
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("{hidden} more", hidden=len(hidden)))
        fill_menu(self.more, hidden, self.scenario_chosen.emit)

    def _follow_compare(self, action: QAction) -> None:
        """The button can do what its action can."""
        self.compare.setEnabled(action.isEnabled())
        self.compare.setChecked(action.isChecked())

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.new_plan.setIcon(icon("plus", palette.muted))
        self.new_from.setIcon(icon("chevron_down", palette.muted))
        self.compare.setIcon(icon("compare", palette.text, palette.muted))
        self.present.setIcon(icon("present", palette.text, palette.muted))
        self._undo.setIcon(icon("undo", palette.text, palette.muted))
        self._redo.setIcon(icon("redo", palette.text, palette.muted))
        self.export.setIcon(icon("export", palette.on_accent, palette.muted))
        self._paint_tabs()

    def _tab(self, name: str, number: int) -> QToolButton:
        """The tab of Today or of a plan; as wide as its name in bold, so that choosing it moves nothing."""
        tab = QToolButton()
        tab.setProperty("tab", True)
        tab.setCheckable(True)
        tab.setFont(font("strong"))
        tab.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        metrics = QFontMetrics(font("total"))
        shown = metrics.elidedText(tr(TODAY) if name == TODAY else name, Qt.TextElideMode.ElideRight, 180)
        icon_width = 20 if name == TODAY else 0
        tab.setMinimumWidth(metrics.horizontalAdvance(shown) + 2 * TAB_SIDE_PX + icon_width)
        tab.setText(on_button(shown))
        tab.setAccessibleName(tr("Scenario {name}", name=tr(TODAY) if name == TODAY else name))
        if name == TODAY:
            tab.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            set_tip(tab, tr("Today: the past as it was, read only ({shortcut})", shortcut=plan_keys(1)))
        else:
            set_tip(
                tab,
                tr("{name} ({shortcut})", name=name, shortcut=keys)
                if (keys := plan_keys(number))
                else spoken(name),
            )
            tab.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            tab.customContextMenuRequested.connect(
                lambda place, name=name, tab=tab: self.plan_menu_asked.emit(name, tab.mapToGlobal(place))
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
            tab.setChecked(name == self._current)
            tab.setFont(font("total" if name == self._current else "strong"))
            if name == TODAY:
                tab.setIcon(
                    icon("lock", self._palette.text if name == self._current else self._palette.muted)
                )


def _action_button(action: QAction) -> QToolButton:
    """A button that does what an action does, and looks as that is."""
    button = QToolButton()
    button.setFixedSize(30, 28)
    button.setIconSize(QSize(16, 16))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(action.trigger)

    def follow() -> None:
        """Takes over name, tip and whether it can be pressed."""
        button.setEnabled(action.isEnabled())
        button.setAccessibleName(off_button(action.text()))
        set_tip(
            button,
            tr(
                "{value} ({toString})",
                value=off_button(action.text()),
                toString=action.shortcut().toString(),
            ),
        )

    action.changed.connect(follow)
    follow()
    return button

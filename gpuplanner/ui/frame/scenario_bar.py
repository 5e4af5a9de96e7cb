"""The scenario bar: Today, the plans, undo and redo, Compare, Present; and the row of a question."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import add_named, off_button, on_button, set_tip, spoken, tr
from gpuplanner.domain.edits.dates import EXAMPLES
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.fields import TypedField
from gpuplanner.ui.kit.layout import STRETCH, add, box, emptied, named, row
from gpuplanner.ui.kit.theme import font, icon, text_px
from gpuplanner.ui.words.commands import plan_keys, with_keys

# --- The scenario bar: Today, the plans, a new plan, undo and redo, Compare, Present, and the one primary button

TAB_SIDE_PX: Final = 13
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
        self,
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
        self.setAccessibleName(tr("Plan bar"))
        self.setFixedHeight(40)
        self._names: tuple[str, ...] = ()
        self._current = ""
        self._tabs: dict[str, QToolButton] = {}
        self._tab_row = row(spacing=4)
        adds = with_keys(tr("Add a plan that starts from the one shown"), "new_plan")
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.new_plan = named(QToolButton(toolButtonStyle=beside), tr("New plan"), adds, step="strong")
        self.new_plan.setText(tr(" New plan"))
        self.new_plan.setIcon(icon("plus", "muted"))
        self.new_plan.setProperty("tab", True)
        self.new_plan.clicked.connect(self.plan_asked)
        self.more = page_parts.more_button()
        self.new_from = page_parts.from_button()
        self._undo, self._redo = _action_button(undo, "undo"), _action_button(redo, "redo")
        compares = compare.toolTip()
        drawn = icon("compare", "text", "muted")
        self.compare = page_parts.named_button(
            tr(" Compare"), compares, compare.trigger, called=tr("Compare plans"), drawn=drawn
        )
        self.compare.setCheckable(True)
        compare.changed.connect(lambda: self._follow_compare(compare))
        presents = with_keys(tr("Present on a full screen; Esc leaves"), "present")
        drawn = icon("present", "text", "muted")
        self.present = page_parts.named_button(
            tr(" Present"), presents, present.trigger, called=tr("Present"), drawn=drawn
        )
        exports, called = tr("Export the plan as a workbook with live formulas"), tr("Export workbook")
        exports = with_keys(exports, "export")
        drawn = icon("export", "on_accent", "muted")
        self.export = page_parts.named_button(
            tr(" Export workbook"), exports, export.trigger, called=called, drawn=drawn
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
        page_parts.fill_menu(self.new_from, (TODAY, *names), self.plan_asked_from.emit)
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
        widths = {name: self._named_in(name, room) for name in self._tabs}
        if sum(widths.values()) > room:
            widths = {name: self._named_in(name, NAME_AT_MOST_PX) for name in self._tabs}
        shown = page_parts.tabs_that_fit(widths, self._current, room, self.more.sizeHint().width() + 24)
        for name, tab in self._tabs.items():
            tab.setVisible(name in shown)
        hidden = [name for name in self._tabs if name not in shown]
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("{hidden} more", hidden=len(hidden)))
        page_parts.fill_menu(self.more, hidden, self.scenario_chosen.emit)

    def _named_in(self, name: str, room: int) -> int:
        """Give a tab its name as far as there is room for it; returns the width, as wide as in bold, with a gap."""
        tab, metrics = self._tabs[name], QFontMetrics(font("total"))
        shown = metrics.elidedText(tr(TODAY) if name == TODAY else name, Qt.TextElideMode.ElideRight, room)
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
            set_tip(tab, tr("Today: the past as it was, read only ({shortcut})", shortcut=keys))
        else:
            set_tip(tab, tr("{name} ({shortcut})", name=name, shortcut=keys) if keys else spoken(name))
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
    button.setFixedSize(30, 28)

    def follow() -> None:
        """Takes over name, tip and whether it can be pressed."""
        button.setEnabled(action.isEnabled())
        name, keys = off_button(action.text()), action.shortcut().toString()
        named(button, name, tr("{value} ({toString})", value=name, toString=keys))

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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Question"))
        self.setFixedHeight(36)
        self._steps: tuple[tuple[str, int, str], ...] | None = None
        self.chip = QFrame()
        self.chip.setObjectName("chip")
        self._icon = page_parts.Drawing("why", "accent", ICON_PX)
        self.words = page_parts.ElidedLabel(step="strong")
        keeps = tr("Make it a plan of its own, named after the question; F2 renames it")
        self.keep = page_parts.named_button(tr("Keep as plan"), keeps, self.kept, is_link=True)
        drops = tr("Back to the plan as it was; Undo brings the question back")
        self.discard = page_parts.named_button(tr("Discard"), drops, self.discarded, is_link=True)
        asked = row(self._icon, self.words, self.keep, self.discard, margins=(8, 0, 6, 0), spacing=8)
        self.chip = box("chip", asked, QFrame())
        self.none = page_parts.ElidedLabel(
            tr(
                "Move a slider, type a value, drag a card or say a change: it is asked in a copy beside the plan."
            ),
            role="muted",
        )
        says = tr(
            "Demand of a workload, class, team or all, or prices of a GPU model: {first} (evenly up to then), "
            "H100 -20% from May (at once). Enter asks it",
            first=EXAMPLES[0],
        )
        self.field = named(TypedField(), tr("A change from a day on"), says)
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
        named(self.steps, name, tr("Choose one to take it out"))
        for kind, number, words in steps:
            out = tr("Take out: {step}", step=words)
            add_named(self._menu, out, lambda of=(kind, number): self.step_removed.emit(*of))

    def show_note(self, words: str, *, is_refusal: bool = False) -> None:
        """How what is typed is understood, or why it is refused."""
        role = "red" if is_refusal else "muted"
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.field.setAccessibleDescription(words)
        if self.note.property("role") != role:
            self.note.setProperty("role", role)
            self.note.style().polish(self.note)

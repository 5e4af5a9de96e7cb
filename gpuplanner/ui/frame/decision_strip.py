"""Next decisions under the headline: three of them, each with its day, what it saves, and what can be said of it."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.next_decisions import BY_HAND
from gpuplanner.domain.message import Message, capital, worded
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.kit.layout import column, named, row, share
from gpuplanner.ui.kit.page_parts import ElidedLabel, label, named_button, passing_menu, retell, tool_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.state.commitment_words import decide_by_words
from gpuplanner.ui.words import numbers

SHOWN = 3
HEIGHT = 50
BETWEEN_PX = 34  # margin and spacing of a decision
DONE, LEAVE, TAKE, OPEN, WHY = "done", "leave", "take", "open", "why"
ACTIONS: Final = words_table("decision")
"""What can be done with a decision."""

BRACKETS = lazy_re(r" \([^()]*\)")
"""What a title leaves out where it has no room: the GPUs of a contract."""


def actions_of(decision: NextDecision) -> tuple[str, ...]:
    """What can be done with a decision, the nearest first; all of it is in its menu."""
    if not decision.is_in_plan:
        return (TAKE, OPEN, WHY)
    is_left_elsewhere = decision.unknown == BY_HAND or any(order.run for order in decision.orders)
    left = () if is_left_elsewhere else (LEAVE,)
    return (DONE, *left, OPEN, WHY) if decision.contract_id or decision.placed else (OPEN, *left, WHY)


def step_label(action: str, decision: NextDecision) -> Message:
    """Mark as done: End PO-108004 (40 H100)."""
    return worded("{title}: {value}", title=ACTIONS[action], value=decision.title)


def menu_of(decision: NextDecision, asks: Callable[[str, NextDecision], object], of: QWidget | None) -> QMenu:
    """What can be done with a decision. asks: told the action that was chosen."""
    menu = passing_menu(of)
    for action in actions_of(decision):
        entry = menu.addAction(spoken(ACTIONS[action]))
        entry.triggered.connect(lambda _=False, action=action: asks(action, decision))
    return menu


class DecisionView(QWidget):
    """One decision; emits what is to be done with it."""

    asked = Signal(str, object)  # one of ACTIONS, NextDecision

    def __init__(self) -> None:
        super().__init__()
        self.decision: NextDecision | None = None
        self._today_s: int | None = None
        self.title, self.saves = ElidedLabel(step="strong"), ElidedLabel(step="small")
        self.day = label(step="small")
        self.button = named_button(ACTIONS[DONE], does=self._ask_first, is_link=True, takes_enter=True)
        more, tip = worded("More"), worded("More actions")
        self.more = tool_button(more, tip, self._open_menu, text="\u22ef")
        words = row(self.day, share(self.saves), self.button, self.more, spacing=4)
        column(self.title, words, on=self, margins=(0, 5, 22, 3), spacing=0)

    def show_decision(self, decision: NextDecision | None, today_s: int) -> None:
        """Show a decision; none takes no room. today_s: epoch seconds. A drop changes none, and words are slow."""
        if decision is self.decision and today_s == self._today_s:
            return
        self.decision, self._today_s = decision, today_s
        self.setVisible(decision is not None)
        if decision is None:
            return
        self.title.show_words(decision.title, BRACKETS.sub("", spoken(decision.title), count=1))
        self.day.setVisible(decision.by_s is not None)
        if decision.by_s is not None:
            by, _, role = decide_by_words(decision.by_s, today_s)
            retell(self.day, tr("{day}:", day=tr("overdue") if role == "red" else by), role)
        role = "green" if (decision.usd_12_months or 0.0) > 0 else "muted"
        both = (decision.saves, decision.saves_shortly)
        words, shorter = both if decision.by_s is not None else map(capital, both)
        usd = () if decision.usd_12_months is None else (numbers.dollars(decision.usd_12_months),)
        retell(self.saves, words, role, shorter, *usd)
        action = actions_of(decision)[0]
        tip = tr("Record the notice or order") if decision.is_in_plan else ""
        named(self.button, step_label(action, decision), tip)
        self.button.setText(spoken(ACTIONS[action]))
        self.setAccessibleName(spoken(decision.text))
        set_tip(self, spoken(decision.text))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The amount comes before the button, whose action is in the menu too."""
        day_px = 0 if self.day.isHidden() else self.day.sizeHint().width()
        others_px = day_px + self.more.sizeHint().width() + self.button.sizeHint().width() + BETWEEN_PX
        self.button.setVisible(self.width() - others_px >= self.saves.shortest_px())

    def _open_menu(self) -> None:
        if self.decision is not None:
            below = self.more.mapToGlobal(self.more.rect().bottomLeft())
            menu_of(self.decision, self.asked.emit, self).popup(below)

    def _ask_first(self) -> None:
        if self.decision is not None:
            self.asked.emit(actions_of(self.decision)[0], self.decision)


class DecisionStrip(QFrame):
    """Told the next decisions of the plan that is shown; emits what is to be done with one, or asks for all."""

    asked = Signal(str, object)  # one of ACTIONS, NextDecision
    all_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Next decisions"), look="head")
        self.views = tuple(DecisionView() for _ in range(SHOWN))
        for view in self.views:
            view.asked.connect(self.asked)
        self.nothing = label(tr("No open decisions."), role="muted")
        tip = tr("All decisions with amounts, in Recommendations")
        self.all = named_button(tr("All"), tip, self.all_asked, is_link=True, takes_enter=True)
        parts = (share(view) for view in self.views)
        row(share(self.nothing), *parts, self.all, on=self, margins=(16, 0, 12, 0), spacing=0)
        self.setFixedHeight(text_px(HEIGHT))

    def wait(self) -> None:
        """Nothing can be pressed until other decisions are shown."""
        for view in self.views:
            view.setEnabled(False)

    def show_decisions(
        self, decisions: Sequence[NextDecision], count: int, today_s: int, *, is_settling: bool
    ) -> None:
        """Show the first of them. count: of all; is_settling: those of the plan before an edit, until it is known."""
        for at, view in enumerate(self.views):
            view.show_decision(decisions[at] if at < len(decisions) else None, today_s)
            view.setEnabled(not is_settling)
        self.nothing.setVisible(not decisions)
        self.nothing.setText(tr("Calculating…") if is_settling else tr("No open decisions."))
        self.all.setText(tr("All {count}", count=numbers.whole(count)))
        self.all.setVisible(count > len(decisions))

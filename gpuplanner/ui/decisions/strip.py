"""Next decisions under the headline: cards with the day, the act, its dollars, and what can be said of it."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.message import capital, worded
from gpuplanner.ui.decisions.actions import ACTIONS, DONE, actions_of, menu_of, step_label
from gpuplanner.ui.decisions.page_rows import number_and_day
from gpuplanner.ui.kit.layout import column, named, row, share
from gpuplanner.ui.kit.page_parts import ElidedLabel, FoldedLabel, label, named_button, retell, tool_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.state.commitment_words import until_words
from gpuplanner.ui.words import numbers

SHOWN: Final = 4
CARD_PX: Final = 290
"""The least width of a card, in the usual text size."""
HEIGHT: Final = 110
LOW_HEIGHT: Final = 50
LOW_WINDOW: Final = 500
"""Windows below this height, in the usual text size, show the day and the act of a decision alone."""


class DecisionCard(QFrame):
    """One decision; emits what is to be done with it."""

    asked = Signal(str, object)  # one of ACTIONS, NextDecision

    def __init__(self) -> None:
        super().__init__()
        named(self, look="card")
        self.decision: NextDecision | None = None
        self._today_s: int | None = None
        self.day = label(step="small")
        self.head = ElidedLabel(role="muted", step="small")
        self.title = FoldedLabel(lines=2, step="total")
        self.saves, self.commits = ElidedLabel(step="small"), ElidedLabel(role="muted", step="small")
        self.button = named_button(ACTIONS[DONE], does=self._ask_first, is_link=True, takes_enter=True)
        more, tip = worded("More"), worded("More actions")
        self.more = tool_button(more, tip, self._open_menu, text="\u22ef")
        self._below = QWidget()
        amounts = column(self.saves, self.commits, spacing=0)
        row(share(amounts), self.button, on=self._below, spacing=6)
        column(
            row(self.day, share(self.head), self.more, spacing=6),
            self.title,
            share(None),
            self._below,
            on=self,
            margins=(10, 3, 8, 4),
            spacing=1,
        )

    def show_decision(self, decision: NextDecision | None, today_s: int) -> None:
        """Show a decision; none takes no room. today_s: epoch seconds. A drop changes none, and words are slow."""
        if decision is self.decision and today_s == self._today_s:
            return
        self.decision, self._today_s = decision, today_s
        self.setVisible(decision is not None)
        if decision is None:
            return
        self.day.setVisible(decision.by_s is not None)
        if decision.by_s is not None:
            words, _, role = until_words(decision.by_s, today_s)
            retell(self.day, words, role)
        number = number_and_day(decision, today_s)
        self.head.setText(numbers.MIDDOT.join(filter(None, (number, spoken(decision.provider_words)))))
        self.title.show_words(decision.title, decision.title_shortly)
        is_saving = decision.kind != "question" and (decision.usd_12_months or 0.0) > 0
        role = "green" if is_saving else "muted"
        usd = () if decision.usd_12_months is None else (numbers.dollars(decision.usd_12_months),)
        retell(self.saves, capital(decision.saves), role, capital(decision.saves_shortly), *usd)
        self._show_commitment_and_wait(decision)
        action = actions_of(decision, today_s)[0]
        tip = tr("Record the notice or order") if decision.is_in_plan else ""
        named(self.button, step_label(action, decision), tip)
        self.button.setText(spoken(ACTIONS[action]))
        self.setAccessibleName(spoken(decision.text))
        set_tip(self, spoken(decision.text))

    def _show_commitment_and_wait(self, decision: NextDecision) -> None:
        """Show on one line what a decision commits, and in amber that jobs wait much longer after it."""
        usd = numbers.dollars(decision.committed_usd)
        now, commits = tr("Commits {usd} now", usd=usd), tr("Commits {usd}", usd=usd)
        forms: tuple[str, ...] = (now, commits, usd) if decision.committed_usd else ()
        waits, role = decision.waits, "muted"
        if waits is not None and waits.is_much_longer:
            lines = tuple(map(sentence, (waits.text, waits.text_without_range, waits.text_shortly)))
            both = tuple(numbers.MIDDOT.join((commits, line)) for line in lines) if forms else ()
            forms, role = (*both, *(lines[-1:] if forms else lines)), "amber"
        self.commits.setVisible(bool(forms))
        if forms:
            retell(self.commits, forms[0], role, *forms[1:])

    def set_low(self, is_low: bool) -> None:
        """Show the day and the act on one line alone; the menu and the tool tip have the rest."""
        self.title.set_lines(1 if is_low else 2)
        self._below.setVisible(not is_low)

    def _open_menu(self) -> None:
        if self.decision is not None and self._today_s is not None:
            below = self.more.mapToGlobal(self.more.rect().bottomLeft())
            menu_of(self.decision, self._today_s, self.asked.emit, self).popup(below)

    def _ask_first(self) -> None:
        if self.decision is not None and self._today_s is not None:
            self.asked.emit(actions_of(self.decision, self._today_s)[0], self.decision)


class DecisionStrip(QFrame):
    """Told the next decisions of the plan that is shown; emits what is to be done with one, or asks for all."""

    asked = Signal(str, object)  # one of ACTIONS, NextDecision
    all_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Next decisions"), look="head")
        self.views = tuple(DecisionCard() for _ in range(SHOWN))
        for view in self.views:
            view.asked.connect(self.asked)
        self.nothing = label(tr("No open decisions."), role="muted")
        tip = tr("All decisions of the plan")
        self.all = named_button(tr("All"), tip, self.all_asked, is_link=True, takes_enter=True)
        parts = (share(view) for view in self.views)
        row(share(self.nothing), *parts, self.all, on=self, margins=(12, 6, 12, 6), spacing=8)
        self._shown = self._count = 0

    def wait(self) -> None:
        """Nothing can be pressed until other decisions are shown."""
        for view in self.views:
            view.setEnabled(False)

    def show_calculating(self) -> None:
        """Show that the decisions of the plan aren't known yet."""
        self.show_decisions((), 0, 0, is_settling=True)

    def show_decisions(
        self, decisions: Sequence[NextDecision], count: int, today_s: int, *, is_settling: bool
    ) -> None:
        """Show the first of them. count: of all; is_settling: those of the plan before an edit, until it is known."""
        for place, view in enumerate(self.views):
            view.show_decision(decisions[place] if place < len(decisions) else None, today_s)
            view.setEnabled(not is_settling)
        self._shown, self._count = len(decisions), count
        self.nothing.setVisible(not decisions)
        self.nothing.setText(tr("Calculating…") if is_settling else tr("No open decisions."))
        self.all.setText(tr("All {count}", count=numbers.whole(count)))
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show as many cards as have room, three at least, and less of each where the window is low."""
        is_low = self.window() is not self and self.window().height() < text_px(LOW_WINDOW)
        self.setFixedHeight(text_px(LOW_HEIGHT if is_low else HEIGHT))
        for view in self.views:
            view.set_low(is_low)
        room = max(SHOWN - 1, self.width() // text_px(CARD_PX))
        for place, view in enumerate(self.views):
            view.setVisible(place < min(room, self._shown))
        self.all.setVisible(self._count > min(room, self._shown))

"""The year slider: the twelve months of a plan, and the month that the whole window shows."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtWidgets import QSlider, QWidget

from gpuplanner.app.background import Background
from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.brief.plan_pages import happens_sentences
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.happenings import Happening, happening
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import advise_month
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.message import capital
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.layout import STRETCH, ground, named, row
from gpuplanner.ui.kit.page_parts import label
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.state.view_state import ViewState, of_their_time
from gpuplanner.ui.words import numbers

# --- The year under one handle: a slider over the twelve months of a plan, which the whole window follows


LAST_MONTH: Final = 11
HEIGHT, SLIDER_PX, MONTH_PX = 30, 260, 232
TIP: Final = long_text("year_slider")


# --- The bar: the slider, which month it stands at, and what happens in it


class YearBar(QWidget):
    """Told what happens in a month; its slider says which one is asked for."""

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("The year"))
        ground(self, "headline")
        self.setFixedHeight(text_px(HEIGHT))
        self.slider = named(QSlider(Qt.Orientation.Horizontal), tr("Month of the plan"), TIP)
        self.slider.setMaximum(LAST_MONTH)
        self.slider.setObjectName("year")
        self.slider.setFixedWidth(text_px(SLIDER_PX))
        self.month = label(step="small_strong")
        self.month.setFixedWidth(text_px(MONTH_PX))
        row(self.slider, self.month, STRETCH, on=self, margins=(15, 0, 12, 1), spacing=12)

    def show_month(self, month: int, start_s: int, happens: str) -> None:
        """Stand at a month that starts then (epoch seconds); its tip, and what is read out, say what happens in it."""
        self._stand_at(month, can_move=True)
        days = numbers.span(start_s, start_s + (1 if month else COMPARED_MONTHS) * MONTH_S)
        title = capital(plan_month(month)) if month else tr("12 months")
        self.month.setText(tr("{title}: {value}", title=title, value=days))
        set_tip(self.month, happens)
        self.slider.setAccessibleDescription(f"{self.month.text()}. {happens}")

    def show_calculating(self) -> None:
        """Show that the plan's 12 months aren't known yet: there is no month to move to."""
        self._stand_at(0, can_move=False)
        self.month.setText(tr("12 months: calculating…"))
        set_tip(self.month, "")
        self.slider.setAccessibleDescription(self.month.text())

    def _stand_at(self, month: int, *, can_move: bool) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(month)
        self.slider.setEnabled(can_move)


def happens_words(found: Happening) -> str:
    """What happens in a month, in one line."""
    return numbers.MIDDOT.join(map(spoken, happens_sentences(found)))


# --- The flow: a month is asked for, worked out beside the window, and shown until the plan is another one


class YearFlow(QObject):
    """show: draws the state that the session has. The month that was asked for last is the one that is answered."""

    def __init__(self, session: Session, bar: YearBar, show: Callable[[ViewState], None]) -> None:
        super().__init__(session.window)
        self.session, self._bar, self._show = session, bar, show
        self._lane = Background(session.gestures.failed.emit, parent=self)
        self._cache = AdviceCache()  # of that advice too: two of them for good would be felt in memory
        self._of: Advice | None = None
        self._months: dict[int, Advice] = {}  # of that advice
        bar.slider.valueChanged.connect(self.show_month)

    def follow(self, shown: ViewState) -> ViewState:
        """What is to be shown of a new state: the month of the slider, or its first where the plan is another."""
        advice = None if shown.is_calculating else shown.advice
        month = self._bar.slider.value() if advice is self._of else 0
        if advice is not self._of:
            self._lane.cancel()
            self._of, self._months, self._cache = advice, {}, AdviceCache()
            self._say(shown, month)
        if advice is None:
            self._bar.show_calculating()
        return _in_month(shown, self._months.get(month), month)

    def show_month(self, month: int) -> None:
        """Show another month: what happens in it at once, the rest as soon as it is worked out."""
        state = self.session.view_state
        if state is None or state.is_today or state.at_start.evaluation.advice is None or self._of is None:
            return
        first, advice = state.at_start.evaluation, state.at_start.evaluation.advice
        self._say(state.at_start, month)
        self._lane.cancel()
        if month in {0, *self._months}:
            self._put(month, self._months.get(month, advice))
            return
        self._draw(_in_month(state.at_start, None, month))
        work = partial(advise_month, first.project, first.figures, advice, month, self._cache)
        self._lane.run(work, partial(self._put, month))

    def _put(self, month: int, advice: Advice) -> None:
        """Shows a month that is known."""
        self._months[month] = advice
        if (state := self.session.view_state) is not None:
            self._draw(_in_month(state.at_start, advice, month))

    def _draw(self, shown: ViewState) -> None:
        """Shows a state from now on."""
        self.session.view_state = shown
        self._show(shown)

    def _say(self, shown: ViewState, month: int) -> None:
        """The bar says which month it is, and what happens in it."""
        if shown.advice is not None and shown.advice.comparison:
            start_s, contracts = shown.advice.comparison[month].start_s, shown.evaluation.project.contracts
            end_s = start_s + (1 if month else COMPARED_MONTHS) * MONTH_S
            happenings = happening(shown.advice.orders, contracts, start_s, end_s)
            self._bar.show_month(month, start_s, happens_words(happenings))


def _in_month(first: ViewState, advice: Advice | None, month: int) -> ViewState:
    """A state of another month of its plan; advice None: it is worked out, and what is of the first month settles."""
    if not month:
        return first
    if advice is None:
        return replace(first, is_settling=True, first=first)
    evaluation = replace(first.evaluation, advice=advice)
    cards, usd = of_their_time(evaluation.figures.cards, advice.cards), advice.workload_usd
    return replace(
        first, evaluation=evaluation, advice=advice, cards=cards, usd=usd, month=month, first=first
    )

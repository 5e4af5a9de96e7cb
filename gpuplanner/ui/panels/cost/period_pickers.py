"""Choice of the two compared periods: halves, months, or the last days against the days before."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.variance import halves, month_periods
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.ui.kit.layout import column, row, share
from gpuplanner.ui.kit.page_parts import choice_of, muted_label
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words import numbers

Choice = tuple[str, Period]


def choices_of(window: Window) -> list[Choice]:
    """The periods to choose from, named by their dates; the halves come first."""
    before, after = halves(window)
    found = [(tr("First half"), before), (tr("Second half"), after)]
    for days in (30, 7):
        hours = days * 24
        if window.hours >= 2 * hours:
            earlier = Period(window.hours - 2 * hours, window.hours - hours)
            found.append((tr("{days} days before", days=days), earlier))
            found.append((tr("Last {days} days", days=days), Period(window.hours - hours, window.hours)))
    months = month_periods(window)
    if len(months) > 1:
        found += [(_days(window, period), period) for _, period in months]
    return found


def _days(window: Window, period: Period) -> str:
    start_s = window.start_s + period.first * HOUR_S
    return numbers.span(start_s, window.start_s + period.last * HOUR_S)


class PeriodPickers(QWidget):
    """Told the window; emits when the planner chose another period."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._window: Window | None = None
        self._choices: list[Choice] = []
        first, second = tr("First period"), tr("Second period")
        self.before, self.after = (choice_of(name, name, (), letters=11) for name in (first, second))
        self.dates = muted_label()
        to = muted_label(tr("to"), is_wrapped=False)
        line = row(share(self.before), to, share(self.after), spacing=6)
        column(line, self.dates, on=self, spacing=4)
        for box in (self.before, self.after):
            box.view().setAccessibleName(tr("{name}, choices", name=box.accessibleName()))
            box.currentIndexChanged.connect(lambda _: self._show_dates())
            box.currentIndexChanged.connect(lambda _: self.chosen.emit())

    @property
    def periods(self) -> tuple[Period, Period] | None:
        """The two that are chosen; None before a window is known."""
        if not self._choices:
            return None
        return self._choices[self.before.currentIndex()][1], self._choices[self.after.currentIndex()][1]

    def show_window(self, window: Window) -> None:
        """The periods of this window; another window begins with its halves."""
        if window == self._window:
            return
        self._window, self._choices = window, choices_of(window)
        for box, at in ((self.before, 0), (self.after, 1)):
            with QSignalBlocker(box):
                box.clear()
                for place, (name, period) in enumerate(self._choices):
                    box.addItem(spoken(name))
                    start_s, end_s = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
                    # its tool tip
                    span = numbers.span(start_s, end_s)
                    box.setItemData(place, f"{span}, {numbers.whole(period.hours)} h", 3)
                box.setCurrentIndex(at)
                box.view().setMinimumWidth(text_px(190))
        self._show_dates()

    def _show_dates(self) -> None:
        """Which days are compared; names such as "First half" do not say it."""
        if self._window is not None and self.periods is not None:
            before, after = (_days(self._window, period) for period in self.periods)
            self.dates.setText(tr("{start} to {end}", start=before, end=after))

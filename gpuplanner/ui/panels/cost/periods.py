"""Which two periods of the window are compared: halves, months, or the last days against those before."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.costs.periods import halves, month_periods
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

Choice = tuple[str, Period]


def choices_of(window: Window) -> list[Choice]:
    """The periods to choose from, named by their dates; the halves come first."""
    before, after = halves(window)
    found = [(tr("First half"), before), (tr("Second half"), after)]
    for days in (30, 7):
        hours = days * 24
        if window.hours >= 2 * hours:
            found.append(
                (
                    tr("{days} days before", days=days),
                    Period(window.hours - 2 * hours, window.hours - hours),
                )
            )
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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window: Window | None = None
        self._choices: list[Choice] = []
        self.before, self.after = QComboBox(), QComboBox()
        layout = QHBoxLayout()
        layout.setSpacing(6)
        self.dates = PlainLabel()
        self.dates.setFont(font("small"))
        self.dates.setProperty("role", "muted")
        self.dates.setWordWrap(True)
        both = QVBoxLayout(self)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(4)
        both.addLayout(layout)
        both.addWidget(self.dates)
        for box, name in ((self.before, tr("First period")), (self.after, tr("Second period"))):
            box.setAccessibleName(spoken(name))
            box.view().setAccessibleName(tr("{name}, choices", name=name))
            set_tip(box, spoken(name))
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(11)
            box.currentIndexChanged.connect(lambda _: self._show_dates())
            box.currentIndexChanged.connect(lambda _: self.chosen.emit())
        to = PlainLabel(tr("to"))
        to.setFont(font("small"))
        to.setProperty("role", "muted")
        layout.addWidget(self.before, 1)
        layout.addWidget(to)
        layout.addWidget(self.after, 1)

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
            box.blockSignals(True)
            box.clear()
            for place, (name, period) in enumerate(self._choices):
                box.addItem(spoken(name))
                start_s, end_s = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
                box.setItemData(
                    place, f"{numbers.span(start_s, end_s)}, {numbers.whole(period.hours)} h", 3
                )  # its tool tip
            box.setCurrentIndex(at)
            box.view().setMinimumWidth(190)
            box.blockSignals(False)
        self._show_dates()

    def _show_dates(self) -> None:
        """Which days are compared; names such as "First half" do not say it."""
        if self._window is not None and self.periods is not None:
            before, after = (_days(self._window, period) for period in self.periods)
            self.dates.setText(tr("{before} to {after}", before=before, after=after))

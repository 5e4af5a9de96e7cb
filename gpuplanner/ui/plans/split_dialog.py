"""Dialog: how a card is divided, by share, hour or hours of the week."""

from collections.abc import Callable, Iterable

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.trace import Trace, figure, parts_of
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.plan.splits import ShareSplit, Split, TimeSplit, WeekSplit
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, DAYS, HOUR_S, Window
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, grid, named, row
from gpuplanner.ui.kit.page_parts import choice_of, label
from gpuplanner.ui.plans.card_traces import GOES, STAYS, part_trace
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

Sizes = Callable[[Split], tuple[float, float]]
"""GPU-hours a month of the first and the second part."""
CHOICES: tuple[tuple[Message, tuple[int, ...]], ...] = (
    (worded("Monday to Friday"), tuple(range(5))),
    (worded("Saturday and Sunday"), (5, 6)),
    (worded("Every day"), tuple(range(7))),
    *((name, (day,)) for day, name in enumerate(DAYS)),
)


class SplitDialog(dialogs.AnsweringDialog):
    """Told a name, the window and how large parts would be; emits what is wanted."""

    split_chosen = QtCore.Signal(object, object)  # Split, Pool or None

    def __init__(
        self, name: str, pool: Pool, window: Window, sizes: Sizes, parent: QtWidgets.QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._sizes, self._pool = name, sizes, pool
        title, under = dialogs.title_and_note(
            dialogs.titled(self, tr("Split {name}", name=name), 600),
            tr("Two cards, only in this plan. Log and audit are unchanged. Times in UTC."),
        )
        self.setAccessibleName(tr("Split a workload"))
        self.share = _way(tr("By share"), tr("Its share of each hour"))
        self.time = _way(tr("At an hour"), tr("It runs from then on"))
        self.week = _way(tr("By hours of the week"), tr("It runs in these hours"))
        self._ways = QtWidgets.QButtonGroup(self)
        for way in (self.share, self.time, self.week):
            self._ways.addButton(way)
            way.toggled.connect(self._show_choice)
        self._make_fields(window)
        self.said = card_facts()
        self.said.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.said, None))
        self.do = dialogs.primary_button(tr("Split"), self._go_on)
        last = dialogs.foot(dialogs.cancel_button(self), self.do)
        dialogs.dialog_column(self, title, under, 4, self._fields(), 4, self.said, 8, last)
        self.share.setChecked(True)
        self.to.setCurrentIndex(self.to.findData(Pool.BURST if pool is not Pool.BURST else None))
        self._show_choice()

    def _make_fields(self, window: Window) -> None:
        """Makes every field, with its name; each shows anew what it means when it changes."""
        changed = self._show_choice
        self.percent = QtWidgets.QDoubleSpinBox(minimum=0.1, maximum=99.9, decimals=1, suffix=" %", value=30)
        self.percent.valueChanged.connect(changed)
        middle = _moment(window.start_s + window.hours // 2 * HOUR_S)
        self.at = QtWidgets.QDateTimeEdit(
            timeZone=QtCore.QTimeZone.utc(), displayFormat="d MMM yyyy HH:00", dateTime=middle
        )
        self.at.dateTimeChanged.connect(changed)
        for field, name in (
            (self.percent, tr("Share of the second part")),
            (self.at, tr("First hour of the second part, UTC")),
        ):
            named(field, name, name)
        begins = ((f"{hour:02}:00", hour) for hour in range(24))
        ends = ((f"{hour:02}:00", hour) for hour in range(1, 25))
        places = ((tr("Next to the first part"), None), *((lane_of(pool).title, pool) for pool in POOLS))
        self.days = _choice(tr("Days of the second part"), CHOICES)
        self.first, self.last = _choice(tr("From, UTC"), begins), _choice(tr("To, UTC"), ends)
        self.to = _choice(tr("Pool of the second part"), places)
        self.days.setMinimumWidth(184)
        self.first.setCurrentIndex(8)
        self.last.setCurrentIndex(17)
        for box in (self.days, self.first, self.last, self.to):
            box.currentIndexChanged.connect(changed)

    def _fields(self) -> QtWidgets.QGridLayout:
        """The three ways to divide, each with its own fields, and where the second part goes."""
        hours = (self.days, self.first, label(tr("to")), self.last)
        share, time = (self.share, row(self.percent, STRETCH)), (self.time, row(self.at, STRETCH))
        week = (self.week, row(*hours, STRETCH, spacing=6))
        to = (label(tr("Second part goes to")), row(self.to, STRETCH))
        return grid(share, time, week, to, spacing=(12, 8), shares=(0, 1))

    @property
    def split(self) -> Split | None:
        """What is chosen; None where it leaves a part empty."""
        if self.share.isChecked():
            return ShareSplit(round(self.percent.value() * 10))
        if self.time.isChecked():
            at_s = int(self.at.dateTime().toSecsSinceEpoch())
            return TimeSplit(at_s - at_s % HOUR_S)
        days, first, last = self.days.currentData(), self.first.currentData(), self.last.currentData()
        hours = tuple(24 * day + hour for day in days for hour in range(first, last))
        return WeekSplit(hours) if 0 < len(hours) < 168 else None

    def _show_choice(self) -> None:
        """How large the parts would be, or why they cannot be."""
        self.percent.setEnabled(self.share.isChecked())
        self.at.setEnabled(self.time.isChecked())
        for box in (self.days, self.first, self.last):
            box.setEnabled(self.week.isChecked())
        if (split := self.split) is None:
            refusal = tr("One part would be empty: choose some hours, not all.")
        else:
            first, second = self._sizes(split)
            refusal = "" if first and second else tr("One part would be empty: nothing runs then.")
            where = self.to.currentData()
            goes = tr("next to it") if where is None or where == self._pool else tr("to {where}", where=where)
            stays, moves = map(numbers.whole, largest_remainder([first, second]))
            stay = tr("{stays} GPU-h per month stay in {pool}", stays=stays, pool=self._pool)
            go = tr("{moves} GPU-h per month go {goes}", moves=moves, goes=goes)
            self.said.show_facts(((figure(STAYS), stay), (figure(GOES), go)), between=", ", after=".")
        if refusal:
            self.said.show_words(refusal)
        self.do.setEnabled(not refusal)
        set_tip(self.do, spoken(refusal) or tr("One undo step; Merge parts reverses it (Enter)"))

    def trace(self, figure_id: str) -> Trace:
        """Why a part would be as large as it is said. Errors: KeyError where it is not said."""
        kind, split = parts_of(figure_id)[0], self.split
        if kind not in (STAYS, GOES) or split is None:
            raise KeyError(figure_id)
        first, second = self._sizes(split)
        written = dict(zip((STAYS, GOES), largest_remainder([first, second]), strict=True))[kind]
        if isinstance(split, ShareSplit):
            percent = numbers.one_decimal(self.percent.value())
            how = tr("{value}% of every hour", value=percent)
        elif isinstance(split, TimeSplit):
            how = tr("from that hour on")
        else:
            how = tr("in the chosen hours of the week")
        return part_trace(kind, self._name, first, second, written or 0, how)

    def _go_on(self) -> None:
        """Closes, then says the split and the pool of its second part; None leaves it where it is."""
        if (split := self.split) is not None:
            self.accept()
            where = self.to.currentData()  # Qt gives a plain text back
            self.split_chosen.emit(split, None if where is None else Pool(where))


def _way(words: str, tip: str) -> QtWidgets.QRadioButton:
    """A choice of how to divide."""
    return named(QtWidgets.QRadioButton(words), words, tip)


def _choice(name: str, choices: Iterable[tuple[Text, object]]) -> QtWidgets.QComboBox:
    """A field to choose from, whose tip is its name."""
    return choice_of(name, name, choices)


def card_facts() -> FactsLabel:
    """A line of figures, each of which can be asked about."""
    made = named(FactsLabel(), step="body")
    made.setProperty("role", "")
    made.setWordWrap(True)
    return made


def _moment(at_s: int) -> QtCore.QDateTime:
    """Epoch seconds as a day and hour in UTC."""
    day = QtCore.QDate(1970, 1, 1).addDays(at_s // DAY_S)
    return QtCore.QDateTime(day, QtCore.QTime(at_s % DAY_S // HOUR_S, 0), QtCore.QTimeZone.utc())

"""Asks how a card is to be divided: by share, at an hour, or by hours of the week; and where the second part goes."""

from collections.abc import Callable

from PySide6.QtCore import QDate, QDateTime, QTime, QTimeZone, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDateTimeEdit,
    QDialog,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QRadioButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace, figure, parts_of
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.scenario.parting import ShareSplit, Split, TimeSplit, WeekSplit
from gpuplanner.domain.model.weekdays import DAYS
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, title_and_note
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.why.dialog_traces import GOES, STAYS, part_trace
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr

Sizes = Callable[[Split], tuple[float, float]]
"""GPU-hours a month of the first and the second part."""
CHOICES: tuple[tuple[Message, tuple[int, ...]], ...] = (
    (worded("Monday to Friday"), tuple(range(5))),
    (worded("Saturday and Sunday"), (5, 6)),
    (worded("Every day"), tuple(range(7))),
    *((name, (day,)) for day, name in enumerate(DAYS)),
)


class SplitDialog(QDialog):
    """Told a name, the window and how large parts would be; emits what is wanted."""

    split_chosen = Signal(object, object)  # Split, Pool or None
    figure_opened = Signal(
        str, object, object
    )  # figure id, the widget it stands in, and where (None: all of it)

    def __init__(
        self,
        name: str,
        pool: Pool,
        window: Window,
        sizes: Sizes,
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name = name
        self.setWindowTitle(tr("Split {name}", name=name))
        self.setAccessibleName(tr("Split a workload"))
        self.setMinimumWidth(600)
        self._sizes = sizes
        self._pool = pool
        title, under = title_and_note(
            tr("Split {name}", name=name),
            tr("Two cards of this plan; the log, the audit and other plans stay as they are. Times are UTC."),
        )
        self.share = _way(tr("By share"), tr("The second part has this share of the GPU time of every hour"))
        self.time = _way(tr("At an hour"), tr("The second part is what runs from then on"))
        self.week = _way(tr("By hours of the week"), tr("The second part is what runs in these hours"))
        self._ways = QButtonGroup(self)
        for way in (self.share, self.time, self.week):
            self._ways.addButton(way)
            way.toggled.connect(self._show_choice)
        self.percent = QDoubleSpinBox()
        self.percent.setRange(0.1, 99.9)
        self.percent.setDecimals(1)
        self.percent.setSuffix(" %")
        self.percent.setValue(30)
        self.at = QDateTimeEdit()
        self.at.setTimeZone(QTimeZone.utc())
        self.at.setDisplayFormat("d MMM yyyy HH:00")
        self.at.setDateTime(_moment(window.start_s + window.hours // 2 * HOUR_S))
        self.days = QComboBox()
        for choice, days in CHOICES:
            self.days.addItem(spoken(choice), days)
        self.days.setMinimumWidth(184)
        self.first, self.last = QComboBox(), QComboBox()
        for hour in range(24):
            self.first.addItem(f"{hour:02}:00", hour)
            self.last.addItem(f"{hour + 1:02}:00", hour + 1)
        self.first.setCurrentIndex(8)
        self.last.setCurrentIndex(17)
        self.to = QComboBox()
        for words, target in (
            (tr("Beside the first part"), None),
            *((lane_of(one).title, one) for one in POOLS),
        ):
            self.to.addItem(words, target)
        self.said = FactsLabel(palette)
        self.said.setFont(font("body"))
        self.said.setProperty("role", "")
        self.said.setWordWrap(True)
        self.said.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.said, None))
        self.do = primary_button(tr("Split"), self._go_on)
        self._name_fields()
        self._build(title, under)
        self.share.setChecked(True)
        self.to.setCurrentIndex(self.to.findData(Pool.BURST if pool is not Pool.BURST else None))
        self._show_choice()

    def _name_fields(self) -> None:
        """Gives every field its name, and shows anew what it means when it changes."""
        for field, name in (
            (self.percent, tr("Share of the second part")),
            (self.at, tr("Hour from which the second part runs, UTC")),
            (self.days, tr("Days of the second part")),
            (self.first, tr("From, UTC")),
            (self.last, tr("To, UTC")),
            (self.to, tr("Pool of the second part")),
        ):
            field.setAccessibleName(spoken(name))
            set_tip(field, spoken(name))
        self.percent.valueChanged.connect(self._show_choice)
        self.at.dateTimeChanged.connect(self._show_choice)
        for box in (self.days, self.first, self.last, self.to):
            box.view().setAccessibleName(box.accessibleName())
            box.currentIndexChanged.connect(self._show_choice)

    def _build(self, title: QLabel, under: QLabel) -> None:
        """Lays the three ways to divide out, each with its own fields."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        hours = QHBoxLayout()
        hours.setSpacing(6)
        for widget in (self.days, self.first, PlainLabel(tr("to")), self.last):
            hours.addWidget(widget)
        hours.addStretch(1)
        ways: tuple[tuple[QWidget, QWidget | QLayout], ...] = (
            (self.share, self.percent),
            (self.time, self.at),
            (self.week, hours),
        )
        for row, (way, field) in enumerate(ways):
            grid.addWidget(way, row, 0)
            holder = QHBoxLayout()
            if isinstance(field, QLayout):
                holder.addLayout(field)
            else:
                holder.addWidget(field)
            holder.addStretch(1)
            grid.addLayout(holder, row, 1)
        to = QHBoxLayout()
        to.addWidget(self.to)
        to.addStretch(1)
        grid.addWidget(PlainLabel(tr("Second part goes to")), 3, 0)
        grid.addLayout(to, 3, 1)
        layout = dialog_column(self, title, under)
        layout.addSpacing(4)
        layout.addLayout(grid)
        layout.addSpacing(4)
        layout.addWidget(self.said)
        layout.addSpacing(8)
        layout.addLayout(foot(cancel_button(self, tr("Leave the card whole (Esc)")), self.do))

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
        split = self.split
        if split is None:
            refusal = tr("One part would be empty: choose some hours of the week, not all.")
        else:
            first, second = self._sizes(split)
            refusal = "" if first and second else tr("One part would be empty: nothing runs then.")
            where = self.to.currentData()
            goes = tr("beside it") if where is None or where == self._pool else tr("to {where}", where=where)
            stays, moves = largest_remainder([first, second])
            self.said.show_facts(
                (
                    (
                        figure(STAYS),
                        tr(
                            "{stays} GPU-h per month stay in {pool}",
                            stays=numbers.whole(stays),
                            pool=self._pool,
                        ),
                    ),
                    (
                        figure(GOES),
                        tr("{moves} GPU-h per month go {goes}", moves=numbers.whole(moves), goes=goes),
                    ),
                ),
                between=", ",
                after=".",
            )
        if refusal:
            self.said.show_words(refusal)
        self.do.setEnabled(not refusal)
        set_tip(self.do, spoken(refusal) or tr("One undo step; Merge parts makes it whole again (Enter)"))

    def trace(self, figure_id: str) -> Trace:
        """Why a part would be as large as it is said. Errors: KeyError where it is not said."""
        kind, split = parts_of(figure_id)[0], self.split
        if kind not in (STAYS, GOES) or split is None:
            raise KeyError(figure_id)
        first, second = self._sizes(split)
        written = dict(zip((STAYS, GOES), largest_remainder([first, second]), strict=True))[kind]
        if isinstance(split, ShareSplit):
            how = tr(
                "{value}% of the GPU time of every hour", value=numbers.one_decimal(self.percent.value())
            )
        elif isinstance(split, TimeSplit):
            how = tr("what runs from that hour on")
        else:
            how = tr("what runs in the hours of the week that are chosen")
        return part_trace(kind, self._name, first, second, written or 0, how)

    def _go_on(self) -> None:
        """Closes, then says the split and the pool of its second part; None leaves it where it is."""
        split = self.split
        if split is not None:
            self.accept()
            where = self.to.currentData()  # Qt gives a plain text back
            self.split_chosen.emit(split, None if where is None else Pool(where))


def _way(words: str, tip: str) -> QRadioButton:
    """A choice of how to divide."""
    button = QRadioButton(spoken(words))
    button.setAccessibleName(spoken(words))
    set_tip(button, spoken(tip))
    return button


def _moment(at_s: int) -> QDateTime:
    """Epoch seconds as a day and hour in UTC."""
    day = QDate(1970, 1, 1).addDays(at_s // DAY_S)
    return QDateTime(day, QTime(at_s % DAY_S // HOUR_S, 0), QTimeZone.utc())

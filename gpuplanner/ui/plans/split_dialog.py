"""Asks how a card is to be divided, or several to stand as one; and why of the figures of such dialogs."""

from collections.abc import Callable, Iterable, Sequence

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import (
    Number,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    parts_of,
    product,
    summed,
)
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.plan_inputs import LONGEST_NAME, ShareSplit, Split, TimeSplit, WeekSplit
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, DAYS, HOUR_S, Window
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.cards.details import proposed_name
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, grid, named, row
from gpuplanner.ui.kit.page_parts import choice_of, label
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

# --- Why figures of dialogs are what they are: of what is not done yet, so that no plan answers for it

WHOLE = worded("Rows are rounded to add up; one may differ by 1.")
CARDS = (TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), TraceColumn(worded("$ per\nmonth"), "usd"))
MOVE, MOVES = "move_usd", "moves_usd"
STAYS, GOES = "part_stays", "part_goes"
MERGED_USD, MERGED_HOURS = "merging_usd", "merging_hours"


def _rows(cards: Iterable[tuple[CardFigures, float | None]]) -> list[TraceRow]:
    """Cards with what each costs."""
    return [
        TraceRow(card.name, (card.gpu_hours_per_month, usd), figure("card_usd", card.key))
        for card, usd in cards
    ]


def move_trace(card: CardFigures, usd: float | None, written: int | None) -> Trace:
    """What a card costs that would move, as it is written among the others."""
    value: Number = usd if written is None else written
    return summed(
        tr("Cost of {name} in its current pool", name=card.name),
        value,
        "usd",
        tr("Cost = monthly cost of the card in the plan before the move"),
        _rows([(card, usd)]),
        columns=CARDS,
        column=1,
        said_as=tr("per month"),
        note=WHOLE if written is not None and usd is not None and written != round(usd) else "",
    )


def moves_trace(cards: Sequence[tuple[CardFigures, float | None]]) -> Trace:
    """What all cards cost together that would move."""
    return summed(
        tr("Total of the moves"),
        known_sum(usd for _, usd in cards),
        "usd",
        tr("Total = Σ of the monthly cost of cards to move"),
        _rows(cards),
        columns=CARDS,
        column=1,
        said_as=tr("per month"),
        note=tr("Moved cost, not savings: see the headline. One undo step."),
    )


def part_trace(kind: str, name: str, first: float, second: float, written: int, how: str) -> Trace:
    """GPU-hours per month of one of two parts. how: what the second part is, in words."""
    whole = first + second
    own = first if kind == STAYS else second
    which = tr("First") if kind == STAYS else tr("Second")
    return product(
        tr("{which} part of {name}", which=which, name=name),
        written,
        "gpu_hours",
        tr(long_text("split_part", which=which, how=how)),
        (
            (tr("GPU-hours per month of the card"), whole, "gpu_hours"),
            (tr("Share of them"), own / whole if whole else 0.0, "exact"),
        ),
        said_as=tr("per month"),
        note="" if written == round(own) else tr("Rounded to add up; may differ by 1 GPU-h."),
    )


# --- Asks how a card is to be divided: by share, at an hour, or by hours of the week; and where the second part goes

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
        self.said = _facts()
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


def _facts() -> FactsLabel:
    """A line of figures, each of which can be asked about."""
    made = named(FactsLabel(), step="body")
    made.setProperty("role", "")
    made.setWordWrap(True)
    return made


def _moment(at_s: int) -> QtCore.QDateTime:
    """Epoch seconds as a day and hour in UTC."""
    day = QtCore.QDate(1970, 1, 1).addDays(at_s // DAY_S)
    return QtCore.QDateTime(day, QtCore.QTime(at_s % DAY_S // HOUR_S, 0), QtCore.QTimeZone.utc())


# --- Asks for the name of several cards that are to stand as one, and for its pool where they stand in several


class MergeDialog(dialogs.AnsweringDialog):
    """Told the cards, what they cost together and which names are taken; emits what is wanted."""

    merge_chosen = QtCore.Signal(str, object)  # name, Pool

    def __init__(
        self,
        cards: Sequence[CardFigures],
        usd: Sequence[float | None],
        taken: frozenset[str],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._taken, self._cards, self._usd = taken, tuple(cards), tuple(usd)
        dialogs.titled(self, tr("Merge cards"), 460)
        title, under = dialogs.title_and_note(
            tr("Merge {cards} into one", cards=numbers.counted(len(cards), "card")),
            tr(long_text("merged_card")),
        )
        proposed = proposed_name([card.name for card in cards])[:LONGEST_NAME]
        self.name = QtWidgets.QLineEdit(proposed, maxLength=LONGEST_NAME)
        named(self.name, tr("Card name"), tr("Card name"))
        self.name.selectAll()
        pools = ((lane_of(pool).title, None) for pool in POOLS)
        self.pool = choice_of(tr("Pool"), tr("Pool"), pools)
        hours = {pool: sum(card.gpu_hours_per_month for card in cards if card.pool is pool) for pool in POOLS}
        self.pool.setCurrentIndex(POOLS.index(max(POOLS, key=lambda pool: hours[pool])))
        self._sums = (
            (figure(MERGED_HOURS), tr("{gpu_hours} GPU-h", gpu_hours=numbers.whole(sum(hours.values())))),
            (figure(MERGED_USD), tr("{usd} per month", usd=numbers.dollars(known_sum(usd)))),
        )
        self.line = _facts()
        self.line.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.line, None))
        self.do = dialogs.primary_button(tr("Merge"), self._go_on)
        form = QtWidgets.QFormLayout(horizontalSpacing=12, verticalSpacing=8)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Pool"), self.pool)
        last = dialogs.foot(dialogs.cancel_button(self), self.do)
        dialogs.dialog_column(self, title, under, 4, form, self.line, 8, last)
        self.name.textChanged.connect(self._check)
        self._check()

    def trace(self, figure_id: str) -> Trace:
        """Why a sum is what it is. Errors: KeyError where it is none of the dialog's."""
        if (kind := parts_of(figure_id)[0]) not in (MERGED_USD, MERGED_HOURS):
            raise KeyError(figure_id)
        # What cards are together that would stand as one
        is_usd = kind == MERGED_USD
        return summed(
            tr("Cards together"),
            known_sum(self._usd) if is_usd else sum(card.gpu_hours_per_month for card in self._cards),
            "usd" if is_usd else "gpu_hours",
            tr("Together = Σ over the cards to merge"),
            _rows(zip(self._cards, self._usd, strict=True)),
            columns=CARDS,
            column=1 if is_usd else 0,
            said_as=tr("per month"),
        )

    def _check(self) -> None:
        """Says what the cards are together, or why they cannot have this name."""
        called = " ".join(self.name.text().split())
        refusal = "" if called else tr("Enter a name.")
        if called in self._taken:
            refusal = tr("Another merged card has this name.")
        if refusal:
            self.line.show_words(refusal)
        else:
            after = f". {tr('Take apart or Undo separates them.')}"
            self.line.show_facts(self._sums, f"{tr('Together')}: ", between=", ", after=after)
        self.do.setEnabled(not refusal)
        set_tip(self.do, spoken(refusal) or tr("One undo step (Enter)"))

    def _go_on(self) -> None:
        """Closes, then says name and pool of the merged card."""
        self.accept()
        self.merge_chosen.emit(self.name.text(), POOLS[self.pool.currentIndex()])

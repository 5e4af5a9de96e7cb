"""The table of a row's layers: sizes to set, utilization and cost."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSpinBox, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.plan.layers import ALL
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import cash, titles, writing
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.message import Text, worded
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import named, row
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.duration.level_words import READ_ONLY
from gpuplanner.ui.state.term_rows import TermRow
from gpuplanner.ui.tables.cell_painting import NOTE_PX
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.chart_palette import existing_colour, term_step
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

WIDE_FROM: Final = 540
_COLUMNS = (
    Column(title=titles.TERM, is_figure=False, is_cut_at_end=True),
    Column(title=LAYER["mean_gpus"].title, is_figure=True, width=80),
    Column(title=LAYER["utilization"].title),
    Column(title=TERM["break_even"].short),
    Column(title=LAYER["rate"].unit.label),
    Column(title=LAYER["cost_per_month"].unit.label),
)
_NARROW_COLUMNS = (
    _COLUMNS[0],
    replace(_COLUMNS[1], title=worded("GPUs,\nmean"), width=60),
    _COLUMNS[2],
    replace(_COLUMNS[3], title=worded("Break-\neven")),
    replace(_COLUMNS[4], title=worded("$ per\nGPU-h")),
    replace(_COLUMNS[5], title=worded("$ per\nmonth")),
)


class LevelSpin(QSpinBox):
    """GPUs of one layer: arrows change it by one block, with Shift by eight."""

    let_go = Signal()  # what follows is another gesture
    focused = Signal(bool)

    def __init__(self, term_months: int, name: Text, gpus: int, block: int) -> None:
        super().__init__()
        self.term_months = term_months
        self.tip = tr("GPUs committed for {term} (Up, Down; Shift: 8)", term=name)
        named(self, tr("GPUs for {term}", term=name), self.tip)
        self.setRange(0, 1_000_000)
        self.setSingleStep(block)
        self.setValue(gpus)
        self.setKeyboardTracking(False)
        self.setProperty("dense", True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.editingFinished.connect(self.let_go)

    def show_ring(self, has_ring: bool) -> None:
        """The ring of its twin, the edge in the chart."""
        if bool(self.property("ring")) != has_ring:
            self.setProperty("ring", has_ring)
            self.style().unpolish(self)
            self.style().polish(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 8, Qt.Key.Key_Down: -8}
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.key() in steps:
            self.stepBy(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self.let_go.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.let_go.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)


class LayersTable(FigureTable):
    """Told its rows; says which level the planner sets, and which are to be held."""

    level_set = Signal(int, int)  # term in months, GPUs
    level_let_go = Signal()
    hold_turned = Signal(int, bool)
    spin_focused = Signal(int, bool)

    def __init__(self) -> None:
        super().__init__(tr("Commitment layers"))
        self.spins: dict[int, LevelSpin] = {}
        self.locks: dict[int, QToolButton] = {}
        self._names: dict[int, Text] = {}
        self._shape: tuple[object, ...] = ()
        self._subject: Callable[[str], str] = lambda part: ""

    def show_layers(
        self,
        rows: Sequence[TermRow],
        total: TermRow,
        dollars: Mapping[int, int | None],
        block: int,
        held: Collection[int],
        *,
        is_quiet: bool,
        is_wide: bool,
        subject: Callable[[str], str] = lambda part: "",
    ) -> None:
        """Show these rows.

        dollars: $ a month in whole dollars, by place; held: terms whose level is held; subject: of a part of the row,
        for the figures that can be asked about.
        """
        self._subject = subject
        whole = [dollars.get(at) for at in range(len(rows))]
        known = [amount for amount in whole if amount is not None]
        cells = [
            self._row(row, amount, is_quiet=is_quiet, is_wide=is_wide)
            for row, amount in zip(rows, whole, strict=True)
        ]
        all_of_it = sum(known) if len(known) == len(whole) else None
        cells.append(self._row(total, all_of_it, is_quiet=is_quiet, is_wide=is_wide, is_total=True))
        shape = (is_wide, *((row.name, row.is_set) for row in rows))
        in_hand = None
        if shape != self._shape:
            in_hand = next((term for term, spin in self.spins.items() if spin.hasFocus()), None)
            self._shape = shape
            self.show_rows((), ())  # other rows: the spin boxes of before go with them
            self.spins, self.locks = {}, {}
        self.show_whole(_COLUMNS if is_wide else _NARROW_COLUMNS, cells)
        for at, one in enumerate(rows):
            if one.is_set and one.term_months:
                self._show_level(at, one, one.term_months, block, one.term_months in held)
        for before, after in pairwise(self.stops()):
            QWidget.setTabOrder(before, after)
        if in_hand is not None and in_hand in self.spins:
            self.spins[in_hand].setFocus(Qt.FocusReason.OtherFocusReason)

    def figure_of(self, widget: QWidget) -> str:
        """The figure of a level that is set in a box of the table; "" for what is none of them."""
        term = next((term for term, spin in self.spins.items() if spin is widget), None)
        subject = "" if term is None else self._subject(str(term))
        return figure("layer_gpus", subject) if subject else ""

    def set_read_only(self, is_read_only: bool) -> None:
        """Whether levels can be read only; each says why."""
        for term, spin in self.spins.items():
            for widget in (spin, self.locks[term]):
                widget.setEnabled(not is_read_only)
            self.locks[term].setVisible(not is_read_only)
            set_tip(spin, spoken(READ_ONLY) if is_read_only else spoken(spin.tip))

    def stops(self) -> list[QWidget]:
        """Where Tab goes, in reading order: each term's hold and its level, then the table."""
        both = [widget for term in self.spins for widget in (self.locks[term], self.spins[term])]
        return [*both, self]

    def _show_level(self, at: int, row: TermRow, months: int, block: int, is_held: bool) -> None:
        gpus = round(row.gpus) if row.set_gpus is None else row.set_gpus
        if months not in self.spins:
            self._names[months] = row.name
            self._make_level(at, months, gpus, block)
        spin, lock = self.spins[months], self.locks[months]
        with QSignalBlocker(spin):
            spin.setSingleStep(block)
            spin.setValue(gpus)
        lock.setChecked(is_held)
        self._tint(months, is_held)
        if (holder := self.indexWidget(self.model().index(at, 1))) is not None:
            holder.setContentsMargins(0, 0, 0, text_px(NOTE_PX) if row.note else 0)

    def _make_level(self, at: int, months: int, gpus: int, block: int) -> None:
        spin, lock = LevelSpin(months, self._names[months], gpus, block), QToolButton()
        spin.valueChanged.connect(lambda value: self.level_set.emit(months, value))
        spin.let_go.connect(self.level_let_go)
        spin.focused.connect(lambda is_focused: self.spin_focused.emit(months, is_focused))
        lock.setCheckable(True)
        lock.setProperty("hold", True)
        lock.setIconSize(QSize(12, 12))
        lock.setFixedSize(14, 19)
        lock.clicked.connect(lambda is_held: self.hold_turned.emit(months, is_held))
        holder = QWidget()
        row(lock, spin, on=holder, margins=(0, 2, 0, 2), spacing=1)
        holder.setFocusProxy(spin)
        self.setIndexWidget(self.model().index(at, 1), holder)
        self.spins[months], self.locks[months] = spin, lock

    def _tint(self, months: int, is_held: bool) -> None:
        lock = self.locks[months]
        lock.setIcon(icon("lock", "text") if is_held else icon("unlock", "muted"))
        name = self._names[months]
        tip = tr("Fix {name} and plan the others around it", name=name)
        if is_held:
            tip = tr("Release {name} to plan it again", name=name)
        named(lock, tr("Fix the level of {name}", name=name), tip)

    def _row(
        self, row: TermRow, money: int | None, *, is_quiet: bool, is_wide: bool, is_total: bool = False
    ) -> Row:
        palette, quiet = in_use(), "muted" if is_quiet else "text"
        usage = not row.existing and row.term_months == 0 and not row.is_unserved
        is_mean = usage or row.existing or is_total or row.is_unserved
        gpus = numbers.one_decimal(row.gpus) if is_mean else numbers.gpus(row.gpus)
        amount = numbers.whole(row.usd) if money is None else numbers.whole(float(money))
        swatch = ""
        if not is_total:
            step = term_step(palette, row.term_months or 0)
            swatch = existing_colour(palette) if row.existing else palette.terms[step]
            swatch = palette.red if row.is_unserved else swatch
        as_it_comes = worded("On demand has no idle cost.")
        not_there = as_it_comes if usage else LAYER["utilization"].unknown
        of_all = worded("Utilization of paid GPUs: a term's own, or all with on demand.")
        tip_of_use: Text = ""
        if row.used is None and not row.is_unserved:
            tip_of_use = not_there
        elif is_total:
            tip_of_use = of_all
        subject = self._subject(ALL if is_total else row.part)

        def ask(kind: str, value: float | None) -> str:
            return figure(kind, subject) if subject and value is not None else ""

        usd = row.usd if money is None else money
        rate = numbers.UNKNOWN if row.rate is None and is_total else numbers.rate(row.rate)
        needs_quote = row.rate is None and not is_total and not row.is_unserved
        if row.is_unserved:
            rate = numbers.UNKNOWN
        if needs_quote and row.existing:
            rate = tr(writing.NO_RATE)
        elif needs_quote and not is_wide:
            rate = tr("quote")  # the whole words would take the room of the term's name
        return Row(
            (
                Cell(text=row.name, swatch=swatch, is_hatched=usage, tip=row.note or row.tip),
                Cell(
                    text="" if row.is_set else gpus,
                    tip=tr(titles.MEAN_GPUS) if usage or is_total else "",
                    figure_id=""
                    if row.is_set
                    else ask("layer_unserved" if row.is_unserved else "layer_gpus", row.gpus),
                    value=row.gpus,
                ),
                written(
                    numbers.percent, row.used, quiet, tip=tip_of_use, figure_id=ask("layer_used", row.used)
                ),
                written(
                    numbers.percent,
                    row.break_even,
                    "muted",
                    tip=TERM["break_even"].glossary,
                    figure_id=ask("term_break_even", row.break_even),
                ),
                Cell(
                    text=rate,
                    role=quiet,
                    tip=(cash.OWED["owed"] if row.existing else LAYER["rate"]).unknown if needs_quote else "",
                    figure_id=ask("layer_rate", row.rate),
                    value=row.rate,
                ),
                Cell(
                    text=amount,
                    role=quiet,
                    tip=row.tip if row.is_unserved else numbers.cents(row.usd),
                    figure_id="" if row.is_unserved else ask("layer_usd", usd),
                    value=row.usd,
                ),
            ),
            is_total,
            note=row.note,
        )

"""Levels of one row as the planner sets, holds and tries them: as a table, in words, and drawn over its chart."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from textwrap import fill
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QSpinBox, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip, spoken, tr
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelValues
from gpuplanner.domain.commitment.outlook_words import cost_of_levels_sentences
from gpuplanner.domain.commitment.plan.layers import used_of
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import (
    LevelGround,
    cost_of_levels,
    level_ground,
    plan_at,
    regret_p90_usd,
    set_levels,
    values_of_row,
)
from gpuplanner.domain.evidence.layers import ALL
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import cash, titles, writing
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.cube import log_support, short_advice_words
from gpuplanner.domain.model.plan_inputs import HandLayer
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.kit.layout import named, row
from gpuplanner.ui.kit.theme import LIGHT, Palette, icon, in_use
from gpuplanner.ui.state.plan_money import WHAT_THE_ADVICE_MINIMISES, TermRow
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours, existing_colour, term_step
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

# --- Levels of one row as the planner sets, holds and tries them: what the panel Duration & commitment has in hand


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTrial:
    """One level as it is tried: what the plan changes by, how well the layer is used, and its regret; $ a month.

    horizon_usd: what the row is expected to cost more over horizon_months, in today's money (None: not known yet).
    """

    change_usd: float | None
    used: float | None
    regret_usd: float | None
    horizon_usd: float | None = None
    horizon_months: int = 0


class Levels:
    """Told the row that is looked at; answers within a frame."""

    def __init__(self) -> None:
        self._plan: PoolPlan | None = None
        self._shown: ViewState | None = None
        self._ground: LevelGround | None = None
        self._hand: tuple[HandLayer, ...] | None = None
        self._is_rest_advised = False
        self.tried: PoolPlan | None = None

    def look_at(self, plan: PoolPlan, shown: ViewState) -> None:
        """A row of the newest advice; what was being tried of another row is forgotten."""
        if plan is not self._plan:
            self._ground = None
        self._plan, self._shown, self.tried = plan, shown, None
        self._hand, self._is_rest_advised = None, False
        if not shown.is_today:
            scenario = shown.evaluation.project.scenario(shown.evaluation.scenario)
            self._hand = scenario.hand_layers.get((plan.pool, plan.gpu_model))
            self._is_rest_advised = (plan.pool, plan.gpu_model) in scenario.advised_around

    @property
    def as_set(self) -> PoolPlan:
        """The row as the planner set it: at once, while its advice is still of the levels before."""
        plan = self._known()
        if self._hand is None:
            return plan
        sizes = {level.term_months: level.gpus for level in set_levels(plan)} if self._is_rest_advised else {}
        sizes |= {level.term_months: level.gpus for level in self._hand}
        wanted = _levels(sizes)
        return plan if wanted == set_levels(plan) else self._at(wanted)

    def try_out(self, term_months: int, gpus: int) -> PoolPlan:
        """The row with another level of one term, all else as it is set."""
        sizes = {level.term_months: level.gpus for level in set_levels(self.as_set)}
        self.tried = self._at(_levels({**sizes, term_months: gpus}))
        return self.tried

    def trial_of(self, plan: PoolPlan, term_months: int) -> LevelTrial:
        """What is to be said of one level of a row as it is set or tried."""
        before, after = self._known().cost_per_month, plan.cost_per_month
        layers = [layer for layer in plan.layers if not layer.existing and layer.term_months == term_months]
        used = used_of(layers)
        levels, now, then = set_levels(plan), self.over_advice(plan), self.over_advice(self._known())
        return LevelTrial(
            change_usd=None if before is None or after is None else after - before,
            used=used,
            regret_usd=regret_p90_usd(self._ground_for(levels), levels, term_months),
            horizon_usd=None if now is None or then is None else now.usd - then.usd,
            horizon_months=0 if now is None else now.horizon_months,
        )

    def over_advice(self, plan: PoolPlan) -> CostOfLevels | None:
        """What the levels of a row cost more than the advice; None until the outlook is there."""
        values = self.values_of(plan)
        return None if values is None else cost_of_levels(plan, values)

    def values_of(self, plan: PoolPlan) -> LevelValues | None:
        """What levels of the row are expected to cost; None until the outlook is there."""
        if (shown := self._shown) is None or shown.outlook is None or shown.is_outlook_settling:
            return None
        return values_of_row(plan, shown.outlook.level_values)

    def held_terms(self, terms: Sequence[int]) -> tuple[int, ...]:
        """Of these terms, those whose level the planner holds: all, where the rest is paid by use."""
        if self._hand is None:
            return ()
        return tuple(terms) if not self._is_rest_advised else tuple(level.term_months for level in self._hand)

    def with_level(self, term_months: int, gpus: int) -> tuple[tuple[HandLayer, ...], bool]:
        """All levels with one of them set, and whether the rest is advised: as it was."""
        if self._is_rest_advised:
            held = {level.term_months: level.gpus for level in self._hand or ()}
            return _levels({**held, term_months: gpus}, with_none=True), True
        sizes = {level.term_months: level.gpus for level in set_levels(self.as_set)}
        return _levels({**sizes, term_months: gpus}), False

    def with_hold(
        self, term_months: int, is_held: bool, terms: Sequence[int]
    ) -> tuple[tuple[HandLayer, ...] | None, bool]:
        """The held levels with one more or one less; None where nothing is held any more. terms: all of the row.

        Where every term is held there is nothing left to advise: the rest is paid by use.
        """
        now = {level.term_months: level.gpus for level in set_levels(self.as_set)}
        held = {term: now.get(term, 0) for term in self.held_terms(terms)}
        if is_held:
            held[term_months] = now.get(term_months, 0)
        else:
            held.pop(term_months, None)
        if not held:
            return None, False
        is_all = set(held) >= set(terms)
        return _levels(held, with_none=not is_all), not is_all

    def _known(self) -> PoolPlan:
        assert self._plan is not None
        return self._plan

    def _at(self, levels: tuple[HandLayer, ...]) -> PoolPlan:
        return plan_at(self._ground_for(levels), levels)

    def _ground_for(self, levels: Sequence[HandLayer]) -> LevelGround:
        """The ground of the row, in blocks that fit the levels; kept as long as they do."""
        shown, plan, ground = self._shown, self._known(), self._ground
        assert shown is not None
        if ground is not None and all(level.gpus % ground.unit == 0 for level in levels):
            return ground
        taken: dict[str, float] = {}
        for other in shown.advice.pools if shown.advice else ():
            for layer in other.layers if other is not plan else ():
                if layer.offer_id is not None and layer.term_months:
                    gpus = layer.gpus if layer.offer_gpus is None else layer.offer_gpus
                    taken[layer.offer_id] = taken.get(layer.offer_id, 0.0) + gpus
        self._ground = level_ground(plan, taken, levels)
        return self._ground


def _levels(sizes: dict[int, int], *, with_none: bool = False) -> tuple[HandLayer, ...]:
    kept = sorted((term for term in sizes if sizes[term] or with_none), reverse=True)
    return tuple(HandLayer(term, sizes[term]) for term in kept)


# --- Words over the load duration chart: what a level under the hand comes to, and what the pale area is

LINE: Final = 64
"""Characters of a line in the narrowest panel."""
READ_ONLY: Final = worded("Layers of the last plan. To set them, open a plan.")
LATER_MONTH: Final = worded("Set levels in the first month: move the year slider there.")
OTHERS: Final = worded("Setting one level fixes the others. <a href='#'>Reset them to the advice</a>")
OTHERS_TIP: Final = worded("Keep the last level; the advice sets all others (Tab, Enter).")
LIVE_TIP: Final = long_text("level_live")


def live_words(trial: LevelTrial, *, is_wide: bool = True) -> str:
    """−$1,203 a month, +$31,400 in 60 months, 98.7% used, cost of being wrong $310; less where it is narrow."""
    said = [tr("{used} used", used=numbers.percent(trial.used)) if trial.used is not None else tr("no GPUs")]
    if trial.change_usd is not None and abs(trial.change_usd) >= 0.5:
        said.insert(0, tr("{value} per month", value=numbers.dollar_change(trial.change_usd)))
    has_horizon = trial.horizon_usd is not None and abs(trial.horizon_usd) >= 0.5
    if has_horizon:
        usd, months = numbers.dollar_change(trial.horizon_usd), numbers.counted(trial.horizon_months, "month")
        over = tr("{horizon_usd} in {months}", horizon_usd=usd, months=months)
        said.insert(len(said) - 1, over)
    if has_horizon and not is_wide:
        return ", ".join(said[:-1])
    if trial.regret_usd is not None:
        said.append(tr("cost of being wrong {usd}", usd=numbers.dollars(trial.regret_usd)))
    return ", ".join(said)


def levels_words(cost: CostOfLevels | None, values: LevelValues | None) -> str:
    """What the levels set by hand cost beside the advice, and what the advice minimises; lines broken by hand."""
    said = [] if cost is None or values is None else list(cost_of_levels_sentences(cost, values))
    lines = map(spoken, [*said, WHAT_THE_ADVICE_MINIMISES])
    return "\n".join(fill(line, LINE) for line in lines)


def others_label() -> QLabel:
    """What became of the other levels when one was set, and a link to have the advice set them."""
    label = MarkupLabel()
    label.setText(Markup(tr(OTHERS)))
    label.setObjectName("linked")  # shows that it has the keyboard
    label.setWordWrap(True)
    set_tip(label, tr(OTHERS_TIP))
    label.setAccessibleName(tr("Reset the other levels to the advice"))
    keys = Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    mouse = Qt.TextInteractionFlag.LinksAccessibleByMouse
    label.setTextInteractionFlags(keys | mouse)
    return label


def short_words(hours: int, palette: Palette) -> Markup:
    """The amber words for advice on a short log, as markup; empty for a long one."""
    words = short_advice_words(hours)
    amber = f"<span style='color:{palette.amber}'>\u25b2 {escaped(spoken(words))}</span><br>"
    return Markup(amber if words else "")


def against_words(cost: CostOfLevels | None, *, is_wide: bool = True) -> str:
    """Against advice: −$2,847 first month, +$3,054 in 60 months; empty where it is not known, or nothing."""
    if cost is None or max(abs(cost.usd), abs(cost.month_0_usd)) < 0.5:
        return ""
    now, later = numbers.dollar_change(cost.month_0_usd), numbers.dollar_change(cost.usd)
    months = numbers.counted(cost.horizon_months, "month")
    words = tr("{now} first month, {later} in {months}", now=now, later=later, months=months)
    return tr("Against advice: {said}", said=words) if is_wide else words


def limit_words(hours: int) -> str:
    """What a log of so many hours says not about layers: range, cost of being wrong, trend; empty for a long one."""
    notes = (note for note in log_support(hours) if note.figure in ("range", "trend"))
    return " ".join(spoken(note.message) for note in notes if note.message)


def idle_words(palette: Palette) -> str:
    """What the area of GPUs that stand idle is called: it fades towards the ground, which may be dark."""
    return tr("Dark: paid, idle") if palette.is_dark else tr("Pale: paid, idle")


# --- The load duration chart of one row of a plan: its bands, and the edges that a planner may move


def curve_of(plan: PoolPlan, palette: Palette, also: Collection[int] = (), *, can_move: bool = True) -> Any:
    """The LoadDuration of a row; charts are imported when the first one is shown.

    also: terms that have an edge though their level is 0, as while a hand holds them.
    """
    from gpuplanner.charts.plots import load_duration

    look = load_duration.CurveLook(
        existing=existing_colour(palette),
        term=lambda months: palette.terms[term_step(palette, months)],
        by_use=palette.terms[0],
        hatch=palette.hatch,
        unserved=palette.red,
        ground=palette.raised,
        line=palette.lanes[lane_of(plan.pool)].fill,
        say=spoken,
    )
    return load_duration.curve_of(plan, look, also, can_move=can_move)


def curve_table(curve: Any) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart in figures: headings, and for every twentieth of the hours GPUs in use and GPUs of each layer."""
    bands = list(reversed(curve.bands))
    rows = []
    for share in range(0, 101, 5):
        gpus = float(curve.gpus[min(len(curve.gpus) - 1, len(curve.gpus) * share // 100)])
        used = (round(curve.served(band, share), 9) for band in bands)  # processors differ in the last bit
        rows.append((f"{share}%", numbers.one_decimal(gpus), *(numbers.one_decimal(one) for one in used)))
    short = {titles.ON_DEMAND: "On\ndemand"}
    names = (short.get(band.name, band.name.replace(" ", "\n")) for band in bands)
    return (tr("Share of hours"), tr("In use"), *names), rows


def duration_sheet(plan: PoolPlan, shown: ViewState) -> Any:
    """What goes out with the chart of a row: no edge to take hold of, every fiftieth of the hours as its table."""

    def make(palette: Palette) -> QWidget:
        from gpuplanner.charts.plots.load_duration import LoadDurationChart

        chart = LoadDurationChart(chart_colours(palette))
        chart.show_curve(curve_of(plan, palette, can_move=False))
        return chart

    headings, rows = curve_table(curve_of(plan, LIGHT))
    lane = lane_of(plan.pool).title
    return sheet_of(
        tr(
            "Load duration and commitment: {lane}, {gpu_model}",
            lane=lane,
            gpu_model=plan.gpu_model or tr("unknown model"),
        ),
        tr(long_text("duration_described", demand_gpus=numbers.whole(len(plan.demand.hourly_gpus)))),
        source_words(shown),
        make,
        tuple(heading.replace("\n", " ") for heading in headings),
        lambda: rows,
    )


# --- The table of a row's layers: how much of each term, how well used, what it costs; sizes to set and to
# hold


WIDE_FROM: Final = 470
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
        gpus = round(row.gpus)
        if months not in self.spins:
            self._names[months] = row.name
            self._make_level(at, months, gpus, block)
        spin, lock = self.spins[months], self.locks[months]
        with QSignalBlocker(spin):
            spin.setSingleStep(block)
            spin.setValue(gpus)
        lock.setChecked(is_held)
        self._tint(months, is_held)

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
        name = tr("{term}, later", term=row.name) if row.later else row.name
        return Row(
            (
                Cell(text=name, swatch=swatch, is_hatched=usage, tip=row.later or row.tip),
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
        )

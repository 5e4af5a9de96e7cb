"""Under the layers: why they are so, screening curve, what they hang on, coverage, what to order."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from shiboken6 import isValid

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped
from gpuplanner.charts.kit.translation import by_count, sentence, spoken, tr
from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.plan.orders import orders_by_row
from gpuplanner.domain.commitment.result import BreakEven, Order, PoolPlan, vendors
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_sentence
from gpuplanner.domain.commitment.uncertainty.screening import Screening, screening_of
from gpuplanner.domain.commitment.words import price_paths
from gpuplanner.domain.commitment.words.coverage import coverage_sentences
from gpuplanner.domain.commitment.words.layers import layer_sentences, volatility_sentence
from gpuplanner.domain.commitment.words.plan_costs import npv_sentence, savings_rate_sentence
from gpuplanner.domain.evidence.plan.layers import ALL, row_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.reports.orders import SHORT_REASONS
from gpuplanner.domain.reports.plan_layers import layer_words, pool_words
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.ui.kit.fold import Fold
from gpuplanner.ui.kit.layout import add, column
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.type_scale import font, text_px
from gpuplanner.ui.state import commitment_words
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_row, filled_rows, written
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours, term_step
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.screening import ScreeningChart

# --- Rows of the sections of Duration & commitment: screening lines, break-evens, value of layers, orders

REGRET_TIP: Final = worded("Cost of being wrong: worst-path cost above perfect foresight")
CHEAPEST: Final = "\u2713 "
"""Before the amount of the way that costs least: a mark, not a colour."""


def screening_lines(screening: Screening, colours: Mapping[int, str], use_colour: str) -> list[Any]:
    """The lines of the chart: paying by use, and every term."""
    from gpuplanner.charts.plots.screening import ScreenLine

    return [
        ScreenLine(name=tr(titles.ON_DEMAND), colour=use_colour, idle_usd=0.0, busy_usd=screening.by_use_usd),
        *(
            ScreenLine(
                name=_name(term),
                colour=colours[term.term_months],
                idle_usd=term.compared_per_month or 0.0,
                busy_usd=term.compared_per_month or 0.0,
                crossing=term.break_even,
                is_cheapest=screening.is_cheapest(term),
            )
            for term in screening.terms
        ),
    ]


def screening_table(
    plan: PoolPlan, screening: Screening, colours: Mapping[int, str]
) -> tuple[Sequence[Column], list[Row]]:
    """Break-evens: what one GPU costs a month by term, and from which utilization on that is less than by use."""

    def asks(kind: str, term: BreakEven) -> str:
        return figure(kind, row_subject(plan, str(term.term_months)))

    def name(term: BreakEven) -> Cell:
        return Cell(text=_name(term), swatch=colours[term.term_months], is_strong=screening.is_cheapest(term))

    def compared(term: BreakEven) -> Cell:
        tip = tr("With the term's attrition and price decline")
        return written(numbers.whole, term.compared_per_month, tip=tip, figure_id=asks("compared", term))

    def break_even(term: BreakEven) -> Cell:
        share, asked_of = numbers.percent(term.break_even), asks("term_break_even", term)
        return Cell(text=share, is_strong=screening.is_cheapest(term), figure_id=asked_of)

    columns: tuple[Filled[BreakEven], ...] = (
        Filled(title=titles.TERM, is_figure=False, cell=name),
        Filled(
            title="$/GPU-h",
            cell=lambda term: written(numbers.rate, term.rate, figure_id=figure("offer_rate", term.offer_id)),
        ),
        Filled(
            title="One GPU, $\nper month",
            cell=lambda term: written(numbers.whole, term.one_gpu_per_month, figure_id=asks("one_gpu", term)),
        ),
        Filled(title="As\ncompared", cell=compared),
        Filled(title="Break-\neven", cell=break_even),
    )
    return columns, filled_rows(columns, screening.terms)


class _Value(NamedTuple):
    """Of a layer, or of all: $ a month on demand, of the layer, and the difference."""

    name: Text
    subject: str
    on_demand_usd: float
    layer_usd: float
    saved_usd: float


def _on_demand_cell(value: _Value) -> Cell:
    figure_id = figure("value", value.subject, "on_demand")
    return written(numbers.whole, value.on_demand_usd, figure_id=figure_id)


def _layer_cell(value: _Value) -> Cell:
    return written(numbers.whole, value.layer_usd, figure_id=figure("value", value.subject, "layer"))


def _saved_cell(value: _Value) -> Cell:
    role = "green" if value.saved_usd > 0.5 else "text"
    return written(numbers.change, value.saved_usd, role, figure_id=figure("value", value.subject, "value"))


VALUE_COLUMNS: Final[tuple[Filled[_Value], ...]] = (
    Filled(title="Layer", is_figure=False, cell=lambda value: value.name),
    Filled(title="On demand, $\nper month", cell=_on_demand_cell),
    Filled(title="Layer, $\nper month", cell=_layer_cell),
    Filled(title="Value, $\nper month", cell=_saved_cell),
)


def value_rows(plan: PoolPlan) -> list[Row]:
    """What each layer's GPU-hours would cost on demand, what the layer costs, and the difference."""
    found: list[_Value] = []
    for at, layer in enumerate(plan.layers):
        if layer.value_per_month is not None:
            found.append(
                _Value(
                    name=spoken(layer_words(layer, is_short=True)),
                    subject=row_subject(plan, str(at)),
                    on_demand_usd=layer.on_demand_per_month or 0.0,
                    layer_usd=layer.cost_per_month or 0.0,
                    saved_usd=layer.value_per_month,
                )
            )
    if not found:
        return []
    total = _Value(
        name=tr("All"),
        subject=row_subject(plan, ALL),
        on_demand_usd=sum(value.on_demand_usd for value in found),
        layer_usd=sum(value.layer_usd for value in found),
        saved_usd=sum(value.saved_usd for value in found),
    )
    return [*filled_rows(VALUE_COLUMNS, found), filled_row(VALUE_COLUMNS, total, is_total=True)]


def _day_cell(at_s: int) -> Cell:
    return written(numbers.short_date, at_s, tip=numbers.date(at_s))


def _what_cell(row: commitment_words.Commitments) -> Cell:
    name = tr("{first}, {second}", first=_ordered(row[0]), second=commitment_words.short_term(row))
    return Cell(text=name, tip=_offer_tip(row))


ORDER_COLUMNS: Final[tuple[Filled[commitment_words.Commitments], ...]] = (
    Filled(title="What", is_figure=False, cell=_what_cell),
    Filled(title="Order by", cell=lambda row: _day_cell(row[0].last_day_s)),
    Filled(title="Starts", cell=lambda row: _day_cell(row[0].start_s)),
    Filled(title="Ends", cell=lambda row: _day_cell(row[-1].end_s - 1)),
    Filled(
        title="Why",
        is_figure=False,
        width=76,
        cell=lambda row: Cell(text=SHORT_REASONS.get(row[0].reason, row[0].reason), role="muted"),
    ),
)


def order_rows(plan: PoolPlan, shown: ViewState) -> list[Row]:
    """The order calendar of a row: what to order by when, soonest first, those that continue each other as one."""
    orders = shown.advice.orders if shown.advice is not None else ()
    own = [order for order in orders if (order.pool, order.gpu_model) == (plan.pool, plan.gpu_model)]
    rows = sorted(
        orders_by_row(own),
        key=lambda row: (row[0].order_by_s, row[0].start_s, -row[0].term_months, row[0].row),
    )
    return filled_rows(ORDER_COLUMNS, rows)


def coming_words(plan: PoolPlan, orders: Sequence[Order]) -> dict[int, str]:
    """Return when the first GPUs of a term come of which a row has none yet, by its months.

    As 16 GPUs from 28 May 2027.
    """
    now = {layer.term_months for layer in plan.layers if layer.is_new and layer.gpus}
    own = [
        one for one in orders if (one.pool, one.gpu_model) == (plan.pool, plan.gpu_model) and one.is_certain
    ]
    words = {}
    for months in sorted({row.term_months for row in own} - now, reverse=True):
        of_term = [row for row in own if row.term_months == months]
        from_s = min(row.start_s for row in of_term)
        first = [row for row in of_term if row.start_s == from_s]
        gpus = sum(row.gpus for row in first)
        words[months] = by_count(
            gpus,
            "{gpus} GPU from {day}",
            "{gpus} GPUs from {day}",
            gpus=numbers.gpus(gpus),
            day=numbers.date(from_s),
        )
    return words


def _ordered(order: Order) -> str:
    """GPUs to sign; their model is told where it is not the row's."""
    return (
        commitment_words.bought_words([order])
        if commitment_words.is_mapped(order)
        else numbers.whole(order.gpus)
    )


def _offer_tip(row: commitment_words.Commitments) -> str:
    in_place = (f"{line[0].upper()}{line[1:]}" for line in commitment_words.in_place_of(row[:1]))
    seller = tr("With {vendors}", vendors=vendors(row))
    offer = tr("Offer {offer}", offer=row[0].offer_id)
    return "\n".join([numbers.capital(commitment_words.bought_for(row)), seller, offer, *in_place])


def _name(term: BreakEven) -> str:
    return spoken(term_words(term.term_months, term.term_days))


def _path_column(way: str, name: Message) -> Filled[PathCost]:
    """What one way of signing costs on each path."""

    def cell(cost: PathCost) -> Cell:
        usd, is_least = getattr(cost, way), way in price_paths.cheapest_ways(cost)
        words, tip = (CHEAPEST if is_least else "") + numbers.whole(usd), _path_tip(cost, way, is_least)
        figure_id = asked(usd, "path_usd", way, cost.path)
        return Cell(text=words, value=usd, is_strong=is_least, tip=tip, figure_id=figure_id)

    return Filled(title=worded("{way},\n$ in all", way=name), cell=cell)


def _path_cell(cost: PathCost) -> Cell:
    tip = tr("Prices, {where}", where=price_paths.PATH_WHERE[cost.path])
    return Cell(text=price_paths.PATH_NAMES[cost.path], tip=tip)


PATH_COLUMNS: Final[tuple[Filled[PathCost], ...]] = (
    Filled(title=worded("Prices"), is_figure=False, cell=_path_cell),
    *(_path_column(key, name) for key, name in price_paths.WAYS.items()),
)


def _path_tip(cost: PathCost, way: str, is_least: bool) -> str:
    if (regret := price_paths.regret_usd(cost, way)) is None:
        return ""
    more = tr("{usd} more than with foresight", usd=numbers.dollars(regret))
    return tr("Cheapest on this path; {more}", more=more) if is_least else more


# --- Under the layers: why they are so, screening curve, what they hang on, coverage and value, what to order

WHY, SCREEN, FLIPS, PATHS, VALUE, ORDERS = words_table("layers_section").values()
RULE_OF_THUMB: Final = long_text("rule_of_thumb")
SET_BY_YOU: Final = worded("Levels set by you have no tipping points. Use the advice.")


PATHS_OF_A_PLAN: Final = worded("Open a plan to see this.")
WORKING: Final = worded("Calculating…")


class DurationSections(QWidget):
    """Told a row of a plan as it is set or tried; asks for flip points while they are looked at."""

    flips_asked = Signal(object)  # Evaluation
    flips_left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._plan: PoolPlan | None = None
        self._shown: ViewState | None = None
        self.flips: tuple[FlipPoint, ...] | None = None
        self._flips_of: object = None
        self._is_seen = True
        self.screening = SeenChart(_new_screening, self._put, self._screening_sheet)
        self.folds = {
            title: Fold(title, is_open=title == WHY) for title in (WHY, SCREEN, FLIPS, PATHS, VALUE, ORDERS)
        }
        self.texts = {title: _text() for title in self.folds}
        self.tables = {
            title: FigureTable(spoken(name))
            for title, name in (
                (SCREEN, "Break-evens"),
                (PATHS, tr("Plan cost if prices fall, are cut, stay or rise")),
                (VALUE, tr("Value of each layer")),
                (ORDERS, tr("Orders")),
            )
        }
        for title, fold in self.folds.items():
            parts = (self.texts[title], self.tables.get(title))
            add(fold.rows, *(parts[::-1] if title == PATHS else parts))  # its words are about the figures
            fold.turned.connect(lambda _: self.draw())
        column(*self.folds.values(), on=self, spacing=0)
        self.texts[SCREEN].setText(tr(RULE_OF_THUMB))
        self.texts[SCREEN].setFont(font("small"))

    def show_row(self, plan: PoolPlan, shown: ViewState, *, is_trial: bool = False) -> None:
        """Show a row of a plan. is_trial: under the hand; only what follows it is drawn anew."""
        self._plan, self._shown = plan, shown
        if is_trial:
            self._show_why(plan)
        else:
            self.draw()

    def recolour(self) -> None:
        """Other colours from now on."""
        self.draw()

    def show_flips(self, points: tuple[FlipPoint, ...]) -> None:
        """The answer to what was asked last."""
        self.flips = points
        self.draw_flips()

    def show_no_flips(self, _: Exception) -> None:
        """They could not be worked out."""
        self.flips = None
        self.texts[FLIPS].setText(tr("Tipping points cannot be calculated."))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.draw()

    def show_seen(self, is_seen: bool) -> None:
        """Whether the panel is in front of others: what takes long is worked out only while somebody looks."""
        if not isValid(self):  # docks still tell of themselves while the window is taken apart
            return
        self._is_seen = is_seen
        if is_seen:
            self.draw()
        elif self.flips is None and self._flips_of is not None:
            self._flips_of = None
            self.flips_left.emit()

    # Inside

    def draw(self) -> None:
        plan, shown = self._plan, self._shown
        if plan is None or shown is None or not self.isVisible():
            return
        self._show_why(plan)
        if self.folds[SCREEN].is_open:
            self._show_screening(plan)
        if self.folds[FLIPS].is_open:
            self._ask_flips(shown)
        if self.folds[PATHS].is_open:
            self._show_paths(shown)
        if self.folds[VALUE].is_open:
            outlook = shown.outlook
            said: list[Message] = []
            if outlook is not None:
                assumptions = shown.evaluation.project.assumptions
                if not shown.is_today:
                    scenario = shown.evaluation.project.scenario(shown.evaluation.scenario)
                    assumptions = shown.evaluation.project.assumptions_in(scenario)
                said += coverage_sentences(outlook.coverage) if outlook.coverage is not None else ()
                said.append(npv_sentence(outlook.npv_usd, assumptions.horizon_months))
                said += [savings_rate_sentence(shown.advice.totals)] if shown.advice is not None else []
            self.texts[VALUE].setText(_paragraphs(said) or tr("Calculating…"))
            self.tables[VALUE].show_all(VALUE_COLUMNS, value_rows(plan))
        if self.folds[ORDERS].is_open:
            rows = order_rows(plan, shown)
            self.texts[ORDERS].setText("" if rows else tr("No orders in 12 months."))
            self.texts[ORDERS].setVisible(not rows)
            self.tables[ORDERS].show_all(ORDER_COLUMNS, rows)

    def _show_why(self, plan: PoolPlan) -> None:
        if self.folds[WHY].is_open:
            self.texts[WHY].setText(_paragraphs((*layer_sentences(plan), volatility_sentence(plan))))

    def _show_screening(self, plan: PoolPlan) -> None:
        if (screening := screening_of(plan)) is None:
            self.tables[SCREEN].hide()
            none = tr("No on-demand offers to compare.")
            self.texts[SCREEN].setText(none)
            self.screening.show(False)
            return
        self.texts[SCREEN].setText(tr(RULE_OF_THUMB))
        colours = _term_colours(screening, in_use())
        self.screening.ready().show_lines(screening_lines(screening, colours, in_use().hatch))
        self.screening.show()
        self.screening.menu.refresh()
        self.tables[SCREEN].show_all(*screening_table(plan, screening, colours))

    def _put(self, chart: "ScreeningChart") -> None:
        chart.setFixedHeight(text_px(170))
        self.folds[SCREEN].rows.insertWidget(1, chart)

    def _screening_sheet(self) -> Any:
        plan, shown = self._plan, self._shown
        screening = None if plan is None else screening_of(plan)
        if plan is None or shown is None or screening is None:
            return None

        def tell(made: "ScreeningChart", palette: Palette) -> None:
            made.show_lines(screening_lines(screening, _term_colours(screening, palette), palette.hatch))

        lines = screening_lines(screening, _term_colours(screening, in_use()), "")
        return sheet_of(
            tr("Screening curve: {plan}", plan=pool_words(plan)),
            tr("$ per GPU and month, by % of hours in use"),
            source_words(shown),
            self.screening.drawn(tell),
            (tr("% busy"), *(line.name for line in lines)),
            lambda: [
                (f"{share}%", *(numbers.whole(line.usd(share / 100)) for line in lines))
                for share in range(0, 101, 10)
            ],
        )

    def _ask_flips(self, shown: ViewState) -> None:
        if shown.is_today or shown.is_settling or not self._is_seen:
            return
        evaluation = shown.evaluation
        plan = (evaluation.project.cube, evaluation.project.scenario(evaluation.scenario))
        if self._flips_of is None or self._flips_of != plan:
            self._flips_of, self.flips = plan, None
            self.texts[FLIPS].setText(tr("Calculating…"))
            self.flips_asked.emit(evaluation)
        self.draw_flips()

    def draw_flips(self) -> None:
        if (plan := self._plan) is None:
            return
        if plan.by_hand.is_set:
            self.texts[FLIPS].setText(tr(SET_BY_YOU))
        elif self.flips is not None:
            own = (plan.pool, plan.gpu_model)
            flips = [flip for flip in self.flips if (flip.pool, flip.gpu_model) == own]
            flips.sort(key=lambda flip: abs(flip.at - flip.value))
            self.texts[FLIPS].setText(
                _paragraphs([joined((flip_sentence(flip, is_named=False), ".")) for flip in flips])
                or tr("No usual growth, volatility, price decline or attrition makes another term best.")
            )

    def _show_paths(self, shown: ViewState) -> None:
        """Of the whole plan: what prices do, they do to all of it."""
        outlook = shown.outlook
        paths = () if outlook is None or shown.is_today else outlook.price_paths
        if outlook is None or not paths:
            self.tables[PATHS].hide()
            self.texts[PATHS].setText(tr(PATHS_OF_A_PLAN if shown.is_today else WORKING))
            return
        scenario = shown.evaluation.project.scenario(shown.evaluation.scenario)
        months = shown.evaluation.project.assumptions_in(scenario).horizon_months
        changes = price_paths.price_changes_sentences(scenario.price_changes)
        hang = [f"{sentence(one.message)}." for one in outlook.checks if one.code == "terms_hang_on_prices"]
        horizon = tr(long_text("price_paths", months=numbers.whole(months)))
        paragraphs = [*hang, *price_paths.paths_sentences(paths, months), *changes, horizon]
        self.texts[PATHS].setText(_paragraphs(paragraphs))
        # The paths of prices, what each way of signing costs on them, and the worst regret of each way
        wrong = [Cell(text=tr("If wrong"), tip=tr(REGRET_TIP))]
        for key in price_paths.WAYS:
            worst = price_paths.worst_regret(paths, key)
            usd = None if worst is None else worst.usd
            wrong.append(written(numbers.whole, usd, figure_id=asked(usd, "path_wrong", key)))
        rows = filled_rows(PATH_COLUMNS, paths, lambda cost: cost.path)
        self.tables[PATHS].show_all(PATH_COLUMNS, [*rows, Row(tuple(wrong), is_total=True)])


def _paragraphs(sentences: Sequence[Text]) -> Markup:
    """Sentences as paragraphs with a little room between them; names are data, never markup."""
    last = len(sentences) - 1
    return Markup(
        "".join(
            f"<p style='margin-top:0; margin-bottom:{0 if at == last else 5}px'>{escaped(spoken(sentence))}</p>"
            for at, sentence in enumerate(sentences)
        )
    )


def _term_colours(screening: Screening, palette: Palette) -> dict[int, str]:
    return {term.term_months: palette.terms[term_step(palette, term.term_months)] for term in screening.terms}


def _text() -> QLabel:
    made = MarkupLabel()
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return made


def _new_screening(palette: Palette) -> "ScreeningChart":
    from gpuplanner.charts.plots.screening import ScreeningChart

    return ScreeningChart(chart_colours(palette))

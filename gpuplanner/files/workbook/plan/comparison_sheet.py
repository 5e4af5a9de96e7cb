"""Comparison: twelve months side by side: nothing signed, the plan as advised, and its layers held."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from gpuplanner.domain.commitment.asked_rows import MONTHS_OF_HOURS
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.book.contract import month_start_s
from gpuplanner.domain.reports.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.demand_months import DemandAhead, means_by_part
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.workloads_sheet import part_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, added, formula, known, lift, scaled, when
from gpuplanner.files.workbook.kit.figure_cells import figure_field, text_field
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED, NOTHING, USAGE
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_advised import (
    MONTHS,
    SHEET,
    AdvisedMonths,
    HoldKey,
    MonthInputs,
    by_month,
)


class MonthPlans:
    """Tables of mean GPUs and $ by month. main: the sheet's first table, whose `price` column is there."""

    def __init__(
        self, sheet: MonthInputs, main: Table, prices: Prices, hours: HourSheet, pools: Table, layers: Table
    ) -> None:
        self.sheet, self.inputs, self.named = sheet, sheet.inputs, sheet.named
        self.main, self.prices, self.hours, self.pools, self.layers = main, prices, hours, pools, layers

    def left_over(self, ahead: DemandAhead) -> Table:
        """What contracts leave over with nothing signed, and what it costs on demand."""
        table = self.sheet.table(
            "With nothing signed: left over by the contracts, mean GPUs",
            len(self.inputs.pairs_of_nothing),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("rate", "On demand, $ per GPU-h", "rate"),
                *by_month("usd", "usd", "$, "),
                *self._by_part("mean"),
            ),
        )
        zero = lift(0)
        needs = [
            *(self.prices.plan[pair] for pair in self.inputs.pairs),
            *(self.prices.unplanned[pair] for pair in self.inputs.unplanned_pairs),
        ]
        rates = [
            *(self.pools.cell("on_demand", place) for place in range(len(self.inputs.pairs))),
            *(self.prices.on_demand(self.prices.unplanned[pair]) for pair in self.inputs.unplanned_pairs),
        ]
        for place, pair in enumerate(self.inputs.pairs_of_nothing):
            self.sheet.names(table, place, pair)
            rate = table.put("rate", place, rates[place])
            self._means(ahead, "all", pair, table, place, zero, None)
            runs = [one for one in self.inputs.advice.planned_runs if (one.pool, one.gpu_model) == pair]
            for month in MONTHS:
                hours, price = self._gpu_hours(ahead, table, place, month), self.main.cell("price", month)
                of_runs = sum(one.nothing_gpu_hours[month] for one in runs)
                if of_runs:  # planned work with an end, which no slice has
                    hours = hours + of_runs
                stepped = self.prices.use_in(needs[place], month)
                usd = known([rate], scaled(hours * rate * price, stepped))
                is_served = not self.prices.is_refused(needs[place])
                table.put(f"usd{month}", place, when(hours < NOTHING, 0, usd) if is_served else 0)
        return table

    def _by_part(self, style: str, word: str = "") -> tuple[Field, ...]:
        """A column for each part of a month."""
        return tuple(
            Field(f"m{part}", f"{word}{part_words(self.inputs, part)}", style, 11)
            for part in range(len(self.inputs.parts))
        )

    def _means(
        self,
        ahead: DemandAhead,
        which: str,
        pair: sheet_inputs.PairKey,
        table: Table,
        place: int,
        low: Expr,
        size: Expr | None,
    ) -> None:
        """Mean GPUs above some in each part."""
        parts = len(self.inputs.parts)
        means_by_part(self.hours, table, place, partial(ahead.left_over, which, pair), parts, low, size)

    def _gpu_hours(self, ahead: DemandAhead, table: Table, place: int, month: int) -> Expr:
        """GPU-hours of a month: of each part its mean for its hours."""
        parts = self.inputs.parts_of(month)
        return added([table.cell(f"m{part}", place) * ahead.dates.hours[part] for part in parts])

    def held(self, ahead: DemandAhead) -> tuple[Table, Table]:
        """Layers held at their sizes: what each costs in each month, and what is paid by the hour beside them."""
        rows = [
            place for place in range(self.layers.size) if self.layers.cell("kind", place).value == COMMITTED
        ]
        models = {offer.offer_id: offer.gpu_model for offer in self.prices.listed}
        signed = self.sheet.table(
            "Layers held: those of Commitment, each renewed when it ends, at the prices of that month",
            len(rows),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                figure_field(LAYER["term_months"]),
                Field("gpus", "GPUs", "mean"),
                figure_field(LAYER["rate"]),
                *by_month("usd", "usd", "$, "),
            ),
        )
        for place, row in enumerate(rows):
            pair = self.inputs.pairs[int(self.layers.cell("pool_row", row).number) - 1]
            self.sheet.names(signed, place, pair)
            need = self.prices.plan[pair]
            size = "paid" if self.prices.are_whole(need) else "gpus"
            term, gpus, rate = (
                signed.put(key, place, self.layers.cell(source, row))
                for key, source in (("term_months", "term_months"), ("gpus", size), ("rate", "rate"))
            )
            fall, offer = self.named.assumptions["delta"], self.layers.cell("offer_id", row)
            for month in MONTHS:
                since = month // int(term.number) * int(term.number)
                price = formula("(1-{fall})^(INT({month}/{term})*{term})", fall=fall, month=month, term=term)
                stepped = self.prices.steps.when_signed(models.get(str(offer.value)), since)
                usd = known([rate], scaled(gpus * rate * price, stepped) * self.named.hours_per_month)
                signed.put(f"usd{month}", place, when(gpus.equals(0), 0, usd))
        last = [place for place in range(self.layers.size) if self.layers.cell("kind", place).value == USAGE]
        used = self.sheet.table(
            "Layers held: what they leave, mean GPUs paid by the hour",
            len(last),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("from", "From GPU", "mean"),
                Field("r_flex", "Usage rate, $ per GPU-h", "rate"),
                *by_month("usd", "usd", "$, "),
                *self._by_part("mean", "Busy, "),
            ),
        )
        for place, row in enumerate(last):
            pair_place = int(self.layers.cell("pool_row", row).number) - 1
            pair = self.inputs.pairs[pair_place]
            self.sheet.names(used, place, pair)
            low = used.put("from", place, self.layers.cell("below", row))
            rate = used.put("r_flex", place, self.pools.cell("r_flex", pair_place))
            self._means(ahead, "existing", pair, used, place, low, None)
            for month in MONTHS:
                stepped = self.prices.steps.of_blend([pair], month)
                hours = self._gpu_hours(ahead, used, place, month)
                at_prices = scaled(hours * rate * self.main.cell("price", month), stepped)
                used.put(f"usd{month}", place, when(hours < NOTHING, 0, known([rate], at_prices)))
        return signed, used


CHART_ROWS: Final = 22

MAIN_FIELDS = (
    Field("month", "Month", "count", 16),
    Field("start", "From (UTC)", "date", 14),
    Field(
        "nothing", "Do nothing, $", "usd", 20, "Contracts that run on, and what they leave over on demand."
    ),
    Field(
        "plan",
        "Plan as advised, $",
        "usd",
        14,
        "Orders and follow-ups of the app, at the prices of this book; what they leave is paid by the hour.",
    ),
    Field("less", "As advised less do nothing, $", "change", 14),
    Field(
        "held",
        "Plan with layers held, $",
        "usd",
        14,
        "The layers of Commitment for all twelve months, each renewed when it ends.",
    ),
    Field("held_less", "Layers held less do nothing, $", "change", 14),
    Field("all_contracts", "Do nothing: contracts, $", "usd", 14, "Every row that runs through the month."),
    Field("open_usd", "Do nothing: on demand, $", "usd", 14),
    Field("contracts", "Both plans: existing contracts, $", "usd", 14, "Used or idle."),
    Field("signed", "As advised: orders, $", "usd", 15),
    Field("usage", "As advised: by the hour, $", "usd", 15),
    Field("held_signed", "Layers held: layers, $", "usd", 15),
    Field("held_usage", "Layers held: by the hour, $", "usd", 15),
    Field("price", "Prices, share of today's", "ratio", 12, "(1 - price fall) ^ month."),
    Field(
        "same",
        "Contracts as exported",
        "count",
        11,
        "1: contracts run in this month as when the book was written. 0: a start or end was moved in it, which demand "
        "of parts of months cannot follow here: change it in the app.",
    ),
    Field("contracts_h", "Contracts, h as exported", "number", 11),
    Field("numbered_h", "The same, each times its number", "number", 11),
)
SUMMED: Final = tuple(field.key for field in MAIN_FIELDS[2:-4])
"""Columns of $, which the sum of the twelve months has."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sheet's table of months, the list of orders with the row of each, and the months' sums, by column."""

    table: Table
    orders: Table | None
    places: Mapping[HoldKey, int]
    sums: Mapping[str, Expr]


def write_comparison(
    book: Book,
    inputs: sheet_inputs.Inputs,
    named: Named,
    prices: Prices,
    contracts: Contracts,
    hours: HourSheet,
    pools: Pools,
    commitment: Commitment,
    ahead: DemandAhead,
) -> Comparison:
    """Write the sheet, and the columns of Demand that later months need."""
    row = book.title(
        SHEET,
        "Comparison",
        "What each of the next twelve months costs along today's level of demand, as contracts end and prices fall. "
        f"{MONTHS_OF_HOURS}",
        (
            "As advised: the app's orders and follow-ups, at the prices, contracts and growth of this book. "
            "Layers held: the layers of Commitment, with sizes typed there, renewed when they end."
        ),
        *((sheet_inputs.SERVES_LESS,) if inputs.serves_less else ()),
    )
    main = Table(book, SHEET, row, COMPARED_MONTHS, MAIN_FIELDS, name="Months")
    main.widen()
    book.sheets[SHEET].freeze_panes(main.first_row, 2)
    book.sheets[SHEET].print_up_to(main.end_row + CHART_ROWS - 1, main.column_of("held_usage"))
    sheet = MonthInputs(book, inputs, named, contracts, main.end_row + CHART_ROWS)
    for month in MONTHS:
        main.put("month", month, month)
        main.put("start", month, day_number(month_start_s(inputs.project.plan_window, month)))
        main.put("price", month, sheet.price(lift(month)))
        main.put("same", month, sheet.same_contracts(main, month))
    plans = MonthPlans(sheet, main, prices, hours, pools.table, commitment.layers)
    advised = AdvisedMonths(sheet, main, prices, hours, pools.table)
    advised.write_orders()
    ahead.growth = sheet.growth()
    advised.write_by_hour(ahead)
    held = plans.held(ahead)
    left = plans.left_over(ahead)
    for month in MONTHS:
        _month(main, sheet, month, left, advised, held)
    sums = _sums(book, main)
    add_months_chart(book, main, SHEET, main.end_row + 2, 0, (1000, 380))
    return Comparison(main, advised.orders, advised.places, sums)


def _month(
    main: Table,
    sheet: MonthInputs,
    month: int,
    left: Table,
    advised: AdvisedMonths,
    held: tuple[Table, Table],
) -> None:
    """One row of the months: each way's parts, and their sums."""
    put, same = main.put, main.cell("same", month).equals(1)

    def dated(content: Expr) -> Expr:
        """An amount, unknown once the contracts' dates were changed."""
        return when(same, content, DASH)

    advice, is_use_known = sheet.inputs.evaluation.advice, not sheet.inputs.audit.unknown_contracts
    is_asked = advice is not None and bool(advice.asked_models)  # then nobody knows what contracts leave over

    all_usd = put("all_contracts", month, sheet.contracts_usd("all", month))
    open_usd = put("open_usd", month, dated(left.range(f"usd{month}").known_sum()) if is_use_known else DASH)
    nothing = put("nothing", month, known([all_usd, open_usd], all_usd + open_usd))
    usd = put("contracts", month, sheet.contracts_usd("existing", month))
    layers, beside = (table.range(f"usd{month}").known_sum() for table in held)
    for keys, signed, usage in (
        (("plan", "less", "signed", "usage"), advised.signed(month), advised.usage(month)),
        (("held", "held_less", "held_signed", "held_usage"), layers, beside),
    ):
        parts = [
            usd,
            put(keys[2], month, dated(signed)),
            put(keys[3], month, DASH if is_asked else dated(usage)),
        ]
        whole = put(keys[0], month, known(parts, parts[0] + parts[1] + parts[2]))
        less = DASH if sheet.inputs.serves_less else known([nothing, whole], whole - nothing)
        put(keys[1], month, less)


def _sums(book: Book, main: Table) -> dict[str, Expr]:
    """The twelve months together, by column."""
    book.write(SHEET, main.end_row, 0, "Sum", "total")
    book.write(SHEET, main.end_row, 1, "", "total")
    sums = {}
    for key in SUMMED:
        style = "change.total" if key.endswith("less") else "usd.total"
        total = main.range(key).known_sum()
        sums[key] = book.write(SHEET, main.end_row, main.column_of(key), total, style)
    return sums


def add_months_chart(
    book: Book, main: Table, sheet: str, row: int, column: int, size: tuple[int, int]
) -> None:
    """A chart of the three ways month by month, on any sheet."""
    chart = book.workbook.add_chart({"type": "column"})
    for key, name, color in (
        ("nothing", "Do nothing", "#7D8695"),
        ("plan", "Plan as advised", "#4B45C6"),
        ("held", "Plan with layers held", "#B9B6EA"),
    ):
        chart.add_series(
            {
                "name": name,
                "categories": f"={main.range('start').area}",
                "values": f"={main.range(key).area}",
                "fill": {"color": color},
                "gap": 60,
            }
        )
    chart.set_title(
        {"name": book.in_currency("Twelve months, $ per month"), "name_font": {"size": 12}, "overlay": False}
    )
    chart.set_x_axis({"num_format": "d mmm yy", "text_axis": True})
    chart.set_y_axis(
        {"num_format": "#,##0", "min": 0, "major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}}}
    )
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": size[0], "height": size[1]})
    book.sheets[sheet].insert_chart(row, column, chart)

"""Comparison: twelve months side by side, with nothing signed, the plan as advised and its layers held, by formulas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.commitment.requests.asked_rows import MONTHS_OF_HOURS
from gpuplanner.domain.model.book.contract_months import month_start_s
from gpuplanner.files.workbook.demand.dated_demand import DatedDemand, DatedMonths
from gpuplanner.files.workbook.demand.demand_months import LaterMonths, MonthsAhead
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.month_left_over import live_growth
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import day_number
from gpuplanner.files.workbook.kit.checks import Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, known, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_advised import AdvisedMonths
from gpuplanner.files.workbook.plan.comparison_inputs import MONTHS, SHEET, MonthInputs
from gpuplanner.files.workbook.plan.comparison_plans import MonthPlans
from gpuplanner.files.workbook.plan.given_up import write_given_up

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
        "1: the same contracts run through this month as when the book was written. 0: an end or start was "
        "changed here, which months this book cannot tell: change it in the app.",
    ),
)
SUMMED: Final = tuple(field.key for field in MAIN_FIELDS[2:-2])
"""Columns of $, which the sum of the twelve months has."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sheet's table of months, its sums over all of them, by column, and what of it is checked against the app."""

    table: Table
    sums: Mapping[str, Expr]
    checks: Sequence[Check] = ()


def write_comparison(
    book: Book,
    inputs: Inputs,
    named: Named,
    prices: Prices,
    contracts: Contracts,
    hours: HourSheet,
    pools: Pools,
    commitment: Commitment,
    dated: DatedDemand | None = None,
) -> Comparison:
    """Write the sheet, and the columns of Demand that later months need. dated: of a plan with dates, its demand."""
    row = book.title(
        SHEET,
        "Comparison",
        "What each of the next twelve months costs along today's level of demand, as contracts end and prices fall. "
        f"{MONTHS_OF_HOURS}",
        (
            "As advised: the app's orders and follow-ups, at the prices, contracts and growth of this book. "
            "Layers held: the layers of Commitment, with sizes typed there, renewed when they end."
        ),
        *((SERVES_LESS,) if inputs.serves_less else ()),
    )
    main = Table(book, SHEET, row, COMPARED_MONTHS, MAIN_FIELDS, name="Months")
    main.widen()
    book.sheets[SHEET].freeze_panes(main.first_row, 2)
    book.sheets[SHEET].print_up_to(main.end_row + CHART_ROWS - 1, main.column_of("held_usage"))
    sheet = MonthInputs(book, inputs, named, contracts, main.end_row + CHART_ROWS)
    for month in MONTHS:
        main.put("month", month, month)
        main.put("start", month, day_number(month_start_s(inputs.project.plan_window, month)))
        main.put("price", month, sheet.price(Expr(str(month), float(month), True)))
        main.put("same", month, sheet.same_contracts(month))
    plans = MonthPlans(sheet, main, prices, hours, pools.table, commitment.layers)
    advised = AdvisedMonths(sheet, main, prices, hours, pools.table)
    advised.write_orders()
    factors = sheet.growth(live_growth(inputs))
    capacities = sheet.capacities()
    months: MonthsAhead = (
        LaterMonths(hours, inputs, contracts, capacities, factors)
        if dated is None
        else DatedMonths(dated, capacities, factors, sheet.gpus_of_contracts())
    )
    advised.write_by_hour(months)
    of_given_up = write_given_up(sheet, hours, months)
    held = plans.held(months)
    left = plans.left_over(months)
    for month in MONTHS:
        _month(main, sheet, month, left, advised, held)
    sums = _sums(book, main)
    add_months_chart(book, main, SHEET, main.end_row + 2, 0, (1000, 380))
    return Comparison(main, sums, of_given_up)


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
        {
            "num_format": "#,##0",
            "min": 0,
            "major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}},
        }
    )
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": size[0], "height": size[1]})
    book.sheets[sheet].insert_chart(row, column, chart)

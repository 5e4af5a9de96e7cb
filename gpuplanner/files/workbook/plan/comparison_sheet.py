"""Comparison: twelve months side by side, with nothing signed and with the plan, by formulas over the Demand sheet."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.model.book.contract_months import month_start_s
from gpuplanner.files.workbook.demand.demand_months import LaterMonths
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.month_left_over import live_growth
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Field, Table, day_number
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, known, when
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_inputs import MONTHS, SHEET, MonthInputs
from gpuplanner.files.workbook.plan.comparison_plans import MonthPlans

CHANGED: Final = "inputs_changed"
"""The named cell of Checks that counts inputs changed since the export."""
CHART_ROWS: Final = 22

MAIN_FIELDS = (
    Field("month", "Month", "count", 16),
    Field("start", "From (UTC)", "date", 14),
    Field(
        "nothing", "Do nothing, $", "usd", 14, "Contracts that run on, and what they leave over on demand."
    ),
    Field("plan", "Plan, $", "usd", 14),
    Field("less", "Plan less do nothing, $", "change", 14),
    Field("all_contracts", "Do nothing: contracts, $", "usd", 14, "Every row that runs through the month."),
    Field("open_usd", "Do nothing: on demand, $", "usd", 14),
    Field("contracts", "Plan: existing contracts, $", "usd", 14, "Used or idle."),
    Field("signed", "Plan: new commitments, $", "usd", 15),
    Field("usage", "Plan: paid by use, $", "usd", 15),
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sheet's table of months."""

    table: Table


def write_comparison(
    book: Book,
    inputs: Inputs,
    named: Named,
    prices: Prices,
    contracts: Contracts,
    hours: HourSheet,
    pools: Pools,
    commitment: Commitment,
) -> Comparison:
    """Write the sheet, and the columns of Demand that later months need."""
    row = book.title(
        SHEET,
        "Comparison",
        "What each of the next twelve months costs along today's level of demand, as contracts end and prices fall.",
        (
            "Later months follow the app's plan while the inputs are as exported. Once one is changed, the layers "
            "of Commitment keep their sizes and are renewed when they end, as in the app with layers set by hand."
        ),
    )
    held = _follows(book, row)
    main = Table(book, SHEET, row + 2, COMPARED_MONTHS, MAIN_FIELDS, name="Months")
    main.widen()
    book.sheets[SHEET].freeze_panes(main.first_row, 2)
    book.sheets[SHEET].print_area(0, 0, main.end_row + CHART_ROWS - 1, main.column_of("usage"))
    sheet = MonthInputs(book, inputs, named, contracts, main.end_row + CHART_ROWS)
    for month in MONTHS:
        main.put("month", month, month)
        main.put("start", month, day_number(month_start_s(inputs.project.plan_window, month)))
        main.put("price", month, sheet.price(Expr(str(month), float(month), True)))
        main.put("same", month, sheet.same_contracts(month))
    plans = MonthPlans(sheet, main, prices, hours, pools.table, commitment.layers)
    factors = sheet.growth(live_growth(inputs))
    months = LaterMonths(hours, inputs, contracts, sheet.capacities(), factors)
    tables = plans.left_over(months), plans.advised(months), *plans.held(months)
    for month in MONTHS:
        _month(main, sheet, month, held, *tables)
    _sums(book, main)
    add_months_chart(book, main, SHEET, main.end_row + 2, 0, (1000, 380))
    return Comparison(main)


def _follows(book: Book, row: int) -> Expr:
    """The cell that says whether later months are as advised; true where the layers are held."""
    book.write(SHEET, row, 0, "Later months", "strong")
    formula = Expr(f'IF({CHANGED}>0,"layers held","as advised")', "as advised", True)
    cell = book.write(SHEET, row, 1, formula, "strong.input")
    note = "as advised while inputs are as exported: a formula; write “as advised” or “layers held” over it to keep one"
    book.write(SHEET, row, 2, note, "note")
    book.sheets[SHEET].data_validation(
        row, 1, row, 1, {"validate": "list", "source": ["as advised", "layers held"]}
    )
    return Expr(f'{book.name("comparison_follows", cell).text}="layers held"', 0.0)


def _month(
    main: Table,
    sheet: MonthInputs,
    month: int,
    held: Expr,
    left: Table,
    advised: Table,
    held_signed: Table,
    held_used: Table,
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
    signed = put(
        "signed",
        month,
        dated(
            when(
                held,
                held_signed.range(f"usd{month}").known_sum(),
                advised.range(f"signed{month}").known_sum(),
            )
        ),
    )
    usage = put(
        "usage",
        month,
        DASH
        if is_asked
        else dated(
            when(
                held,
                held_used.range(f"usd{month}").known_sum(),
                advised.range(f"usage{month}").known_sum(),
            )
        ),
    )
    plan = put("plan", month, known([usd, signed, usage], usd + signed + usage))
    put("less", month, known([nothing, plan], plan - nothing))


def _sums(book: Book, main: Table) -> None:
    """The twelve months together."""
    book.write(SHEET, main.end_row, 0, "Sum", "total")
    book.write(SHEET, main.end_row, 1, "", "total")
    for key in ("nothing", "plan", "less", "all_contracts", "open_usd", "contracts", "signed", "usage"):
        style = "change.total" if key == "less" else "usd.total"
        book.write(SHEET, main.end_row, main.column_of(key), main.range(key).known_sum(), style)


def add_months_chart(
    book: Book, main: Table, sheet: str, row: int, column: int, size: tuple[int, int]
) -> None:
    """A chart of both ways month by month, on any sheet."""
    chart = book.workbook.add_chart({"type": "column"})
    for key, name, color in (("nothing", "Do nothing", "#7D8695"), ("plan", "Plan", "#4B45C6")):
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
        {"name": book.in_currency("Twelve months, $ a month"), "name_font": {"size": 12}, "overlay": False}
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

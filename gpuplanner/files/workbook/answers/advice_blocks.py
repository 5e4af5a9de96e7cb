"""Blocks below the twelve months: calendar months, commitments, cost of limits, cost per business unit."""

from itertools import chain
from typing import Final

from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment.calendar_costs import calendar_costs
from gpuplanner.domain.commitment.listed_order import in_list, place_of
from gpuplanner.domain.commitment.plan.orders import at_list, due_at_once_usd, is_new, liability_usd
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.uncertainty.limit_costs import binds_words
from gpuplanner.domain.evaluation import Evaluation, business_of
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.plan import LIMIT
from gpuplanner.domain.figures.unit_costs import BUSINESS
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.domain.reports.costs import BUSINESS_COSTS
from gpuplanner.domain.reports.savings import LIMITS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import PAIR_FIELDS, Inputs, put_pair
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import CENT, Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Operands,
    Range,
    by_row,
    call,
    formula,
    known,
    known_sum_where,
    lift,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import fields_of, figure_field, live, maybe, write_figures
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_MONTHS
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison
from gpuplanner.files.workbook.plan.order_rows import SETUP, Orders
from gpuplanner.lazy_dataclass import replace

FIRST_WIDTH: Final = 46
WAYS: Final = (("nothing", "Do nothing, $"), ("plan", "Plan as advised, $"))
CALENDAR_FIELDS: Final = (
    Field(key="begins", heading="Calendar month", style="month", width=46),
    Field(key="days", heading="Days of the twelve months in it", style="mean"),
    *(Field(key=key, heading=title, style="usd", width=16) for key, title in WAYS),
    Field(key="saved", heading="Saved as advised, $", style="change", width=16),
)


def write_calendar(named: Named, comparison: Comparison, row: int) -> tuple[int, list[Check], Table | None]:
    """Write the table from a row on; the next free row, what is checked: that nothing is lost on the way, and the
    table.

    A log that counts its time from 0 has no calendar: nothing is written.
    """
    inputs, book = named.inputs, named.book
    months = len(calendar_costs(inputs.advice))
    if not months:
        return row, [], None
    title = "By calendar month: a month of 730 hours is paid evenly over its days"
    starts = comparison.table.range("start")
    length = named.hours_per_month / 24
    table = Table(book=book, sheet=CALC_MONTHS, row=row, size=months, fields=CALENDAR_FIELDS, section=title)
    first = comparison.table.cell("start", 0)
    for place in range(months):
        if place:
            begin = table.put("begins", place, call("EDATE", table.cell("begins", place - 1), 1))
        else:
            begin = table.put("begins", place, formula("DATE(YEAR({first}),MONTH({first}),1)", first=first))
        inside = _inside(starts, begin, length)
        table.put("days", place, call("SUMPRODUCT", inside))
        for key, _ in WAYS:
            table.put(key, place, _paid(comparison.table.range(key), inside, length))
        nothing, plan = table.cell("nothing", place), table.cell("plan", place)
        saved = None if inputs.serves_less else known([nothing, plan], nothing - plan)
        table.put("saved", place, saved)
    table.put_below("begins", "Sum", "strong.total")
    table.put_below("days", table.range("days").sum(), "mean.strong.total")
    checks = []
    for key, title in WAYS:
        whole, total = comparison.sums[key], table.range(key).known_sum()
        table.put_below(key, total, "usd.strong.total")
        checks.append(
            Check(
                group="Calendar months add up to the twelve",
                what=title,
                app=whole,
                here=total,
                tolerance=CENT,
            )
        )
    table.put_below("saved", table.range("saved").known_sum(), "change.strong.total")
    return table.end_row + 2, checks, table


def _inside(starts: Range, begin: Expr, length: Expr) -> Range:
    """Days of each month of 730 hours that lie in a month of the calendar: its earlier end less its later beginning.

    The least and the most of two, and what is above nothing, by absolute values: a spreadsheet's MIN takes no rows.
    """
    ends, after = by_row("({starts}+{length})", starts=starts, length=length), call("EDATE", begin, 1)
    least = by_row("({ends}+{after}-ABS({ends}-{after}))/2", ends=ends, after=after)
    most = by_row("({starts}+{begin}+ABS({starts}-{begin}))/2", starts=starts, begin=begin)
    return by_row("(({both}+ABS({both}))/2)", both=by_row("({least}-{most})", least=least, most=most))


def _paid(amounts: Range, inside: Range, length: Expr) -> Expr:
    """$ of the months by the days inside; the dash where a month is unknown."""
    unknown = formula("SUMPRODUCT(--ISTEXT({amounts}))>0", amounts=amounts)
    given: Operands = {"amounts": amounts, "inside": inside, "length": length}
    return when(unknown, DASH, formula("SUMPRODUCT({amounts},{inside})/({length})", **given))


LIABILITY_FIELDS: Final = (*PAIR_FIELDS, *fields_of("advice_blocks.liability", of=ORDER))
TO_OWN: Final = (figure_field(ORDER["capex_per_gpu"], 15), figure_field(ORDER["due_at_once"], 15))
"""After these, where GPUs are bought to be owned; the last alone where something is only paid upfront."""
SUM_FIELDS: Final = (
    Field(key="what", heading="Commitment over whole terms; of owned GPUs over their life", width=46),
    Field(key="usd", heading="$", style="usd"),
)


def write_liability(
    book: Book, commitment: Commitment, comparison: Comparison, row: int
) -> tuple[int, list[Check], Table]:
    """Write it from a row on; the next free row, what is checked against the app, and the orders over their terms.

    The day of the book decides what is to be signed now and what is over: as in the brief.
    """
    inputs, orders = comparison.advised.inputs, comparison.advised.orders
    approval = approval_on(inputs.advice, inputs.project, inputs.generated_at_s)
    left = approval.left
    buys = any(order.is_bought for order in left)
    pays = any(order.due_at_once for order in left)
    sums = Table(
        book=book, sheet=CALC_MONTHS, row=row, size=8 if pays else 7, fields=SUM_FIELDS, section="Commitment"
    )
    start = sums.end_row + 1
    over = f"; {approval.over_words}" if approval.over else ""
    title = f"Orders of twelve months, over their whole terms{over}"
    fields: tuple[Field, ...] = LIABILITY_FIELDS
    if buys:
        named = {"is_now": "To sign or buy now (1 yes)"}
        fields = (
            *(replace(one, heading=named.get(one.key, one.heading)) for one in LIABILITY_FIELDS),
            TO_OWN[0],
        )
    fields = (*fields, SETUP) if orders.table.has(SETUP.key) else fields
    fields = (*fields, TO_OWN[1]) if pays else fields
    watch = Watch(title="Orders over their terms")
    table = Table(
        book=book, sheet=CALC_MONTHS, row=start, size=len(left), fields=fields, watch=watch, section=title
    )
    book.write(CALC_MONTHS, start, 5, "now: order before", "muted_right")
    until = book.write(
        CALC_MONTHS, start, 6, day_number(approval.seen.counted_from_s + MONTH_S), "date.fixed"
    )
    waits = (approval.seen.counted_from_s + MONTH_S - approval.seen.renewed_until_s) / DAY_S
    limits = {True: until, False: until - waits if waits > 0 else until}  # what only renews an order waits
    places = in_list(inputs.evaluation.listed_orders)
    for place, order in enumerate(left):
        _order(table, place, order, orders, pays=pays)
        in_orders = places.get(place_of(order))
        table.put("order_no", place, 0 if in_orders is None else in_orders.listed.number)
        by = orders.cell("start", order) - orders.cell("ahead_h", order) / 24
        table.put(
            "is_now", place, formula("IF(ROUND({by}-{until},6)<0,1,0)", by=by, until=limits[is_new(order)])
        )
        table.put("is_new", place, float(order in approval.now or order in approval.later))
    now, later = (table.range("is_now"), 1), (table.range("is_now"), 0)
    new = (table.range("is_new"), 1)
    bound = commitment.total("existing_lock")
    liability, listed = table.range("liability"), table.range("listed")
    lines: list[tuple[str, Expr]] = [
        ("Existing contracts, for the months left", bound),
        (f"Orders to sign{' and GPUs to buy' if buys else ''} now", known_sum_where(liability, now)),
        ("Orders later in the twelve months", known_sum_where(liability, later)),
    ]
    for place, (what, usd) in enumerate(lines):
        sums.fill(place, what=what, usd=usd)
    cells = [sums.cell("usd", place) for place in range(3)]
    sums.put("what", 3, "In all", "strong")
    sums.put("usd", 3, known(cells, cells[0] + cells[1] + cells[2]), "usd.strong.total")
    beside = [
        ("Orders now, at today's list", known_sum_where(listed, now)),
        ("New orders later, at the prices expected then", known_sum_where(liability, later, new)),
        ("New orders later, at today's list", known_sum_where(listed, later, new)),
    ]
    if pays:
        due = known_sum_where(table.range("due_at_once"), now)
        beside.append((f"Due at once now: upfront, set-up{', and for GPUs bought' if buys else ''}", due))
    for place, (what, usd) in enumerate(beside, 4):
        sums.fill(place, what=what, usd=usd)
    both = known(cells[1:], cells[1] + cells[2])
    listed_usd = liability_usd(at_list(approval.later, inputs.counted_offers))
    app: list[tuple[str, float | None, Expr]] = [
        ("Commitment now, $", approval.usd, cells[1]),
        ("Commitment in all, $", approval.in_all_usd, both),
        ("New orders later, $", liability_usd(approval.later), sums.cell("usd", 5)),
        ("New orders later at today's list, $", listed_usd, sums.cell("usd", 6)),
    ]
    if pays:
        app.append(("Due at once now, $", due_at_once_usd(approval.now), sums.cell("usd", 7)))
    checks = [as_in_app(name, value, cell) for name, value, cell in app if value is not None]
    return table.end_row + 1, checks, table


def _order(table: Table, place: int, order: Order, orders: Orders, *, pays: bool) -> None:
    """One order, as on Calc orders. pays: something is due at once."""
    put_pair(table, place, Row(order.pool, order.gpu_model))
    table.put("order_by", place, orders.cell("order_by", order))
    copies = {
        key: table.put(key, place, orders.cell(key, order))
        for key in ("offer_id", "bought_gpus", "term_hours", "rate", "upfront_per_gpu")
    }
    given = {key: maybe(copies[key]) if key == "rate" else copies[key] for key in ORDER_INPUTS}
    table.put("liability", place, live(ORDER, "liability", given))
    table.put("listed", place, live(ORDER, "liability", given | {"rate": maybe(orders.listed_rate(order))}))
    given |= {"setup_per_gpu": lift(0.0), "capex_per_gpu": lift(0.0)}
    for key in filter(table.has, ("setup_per_gpu", "capex_per_gpu")):
        given[key] = table.put(key, place, orders.cell(key, order))
    if pays:
        table.put("due_at_once", place, live(ORDER, "due_at_once", given))


ORDER_INPUTS: Final = ("bought_gpus", "term_hours", "rate", "upfront_per_gpu")


WIDTH: Final = 16
OPERANDS: Final = {
    "limit_cost": ("plan", "plan_without_limit"),
    "limit_cost_in_year": ("plan_in_year", "without_limit_in_year"),
}
"""What each cost is worked out from: the app's figures."""


def write_limits(book: Book, inputs: Inputs, row: int) -> int:
    """Write the block from a row on; the answer is the next free row."""
    rows = inputs.outlook.limits
    if not rows:
        return row
    fields = [Field(key="limit", heading="Limit", width=FIRST_WIDTH)]
    for cost, operands in OPERANDS.items():
        fields += [figure_field(LIMIT[key], WIDTH, style="usd.fixed") for key in operands]
        fields.append(figure_field(LIMIT[cost], WIDTH, style="change"))
    fields.append(Field(key="why", heading="What it changes", style="muted"))
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(rows),
        fields=fields,
        watch=Watch(title="Limits"),
        section=str(LIMITS.title),
    )
    for place, one in enumerate(rows):
        table.put("limit", place, one.limit.words)
        keys = chain.from_iterable(OPERANDS.values())
        cells = {key: maybe(table.put(key, place, one.inputs[key])) for key in keys}
        write_figures(table, place, LIMIT, cells, OPERANDS)
        table.put("why", place, binds_words(one))
    return table.end_row + 1


SPEND: Final = "business_cost"
INPUTS: Final = ("value", "counted_share", SPEND, "unserved")
MAYBE: Final = (SPEND, "unserved")
ROUNDING: Final = 1e-6
"""$ each, which may be a fraction of a cent."""
OF_THE_LOG: Final = "month of the log: nobody asked what went unserved in it"
FORMULAS: Final = ("counted_value", "cost_each")
BUSINESS_FIELDS: Final = (
    *fields_of("advice_blocks.business", of=BUSINESS),
    figure_field(BUSINESS[SPEND], style="usd.fixed"),
    figure_field(BUSINESS["unserved"], style="hours.fixed"),
    *(figure_field(BUSINESS[key]) for key in FORMULAS),
    Field(key="why", heading="Description", style="muted"),
)


def write_business(book: Book, evaluation: Evaluation, comparison: Comparison, row: int) -> list[Check]:
    """Write the block from a row on; nothing without figures. What is checked of it against the app.

    Counts and the spend of months of the log are the app's; month 12 of the plan is that of the twelve months, and the
    rest is live.
    """
    found = business_of(evaluation)
    if not found:
        return []
    watch, title = Watch(title="Business figures"), BUSINESS_COSTS.title
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(found),
        fields=BUSINESS_FIELDS,
        watch=watch,
        section=title,
    )
    checks = []
    for place, one in enumerate(found):
        table.fill(place, name=one.name, key=one.key, month=one.month)
        cells = {key: table.put(key, place, getattr(one, key)) for key in INPUTS if key != SPEND}
        of_plan = comparison.table.cell("plan", comparison.table.size - 1)
        spend: Content = of_plan if one.is_planned else one.business_cost
        cells[SPEND] = table.put(SPEND, place, spend, "usd" if one.is_planned else None)
        operands = {key: maybe(cell) if key in MAYBE else cell for key, cell in cells.items()}
        write_figures(table, place, BUSINESS, operands, FORMULAS)
        table.put("why", place, one.unknown or _of_plan(one))
        title = ", ".join(
            filter(None, (f"{BUSINESS['cost_each'].title}: {one.name}", one.key, one.month, "$"))
        )
        checks.append(as_in_app(title, one.cost_each, table.cell("cost_each", place), tolerance=ROUNDING))
    return checks


def _of_plan(one: BusinessCost) -> str:
    """Of which month a row is, and what its $ have not."""
    if not one.is_planned:
        return OF_THE_LOG
    less = "; unserved demand has no cost" if one.unserved else ""
    return f"month 12 of the plan, at the count of {one.held_from}{less}"

"""Check list: control totals, identities and figures of the app beside those of the book, and one status of all."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.workbook.answers import exported_sheet
from gpuplanner.files.workbook.answers.summary_sheet import SUMMARY_FIGURES, Summary
from gpuplanner.files.workbook.demand import audit_sheet, leaks_sheet, pools_sheet
from gpuplanner.files.workbook.inputs import assumptions_sheet, contracts_sheet, workloads_sheet
from gpuplanner.files.workbook.inputs.demand_sheet import HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words, model_words
from gpuplanner.files.workbook.kit import expressions
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import (
    CENT,
    CHANGES,
    TOTAL,
    UNSOUND,
    Check,
    Light,
    add_light_colors,
    as_in_app,
)
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.sheets import CHECK_LIST
from gpuplanner.files.workbook.plan.commitment_sheet import COMMITTED, EXISTING, UNSERVED, USAGE, Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import MOVED, NO_RATE, WAYS, Comparison
from gpuplanner.lazy_dataclass import dataclass


def totals(summary: Summary) -> Iterator[Check]:
    """Every figure of the plan as in the app."""
    for figure in SUMMARY_FIGURES:
        app, here = summary.app[figure.key], summary.worked_out[figure.key]
        tolerance = CENT if figure.style in ("usd", "change") else 1e-6
        yield as_in_app(figure.title, app, here, tolerance=tolerance)


def months(
    inputs: Inputs, comparison: Comparison, commitment: Commitment, summary: Summary
) -> Iterator[Check]:
    """Each month as in the app, and that layers and idle contracts come to month 0 as long as no size was changed."""
    for month, row in enumerate(inputs.advice.comparison):
        for (key, name), app in zip(WAYS.items(), (row.do_nothing_usd, row.plan_usd), strict=True):
            here = comparison.table.cell(key, month)
            yield as_in_app(f"{name}, {plan_month(month)}, $", app, here, "Month as in the app")
    if inputs.advice.unknown_models and inputs.advice.totals.plan is not None:
        return  # what the plan costs is known, and how much of it stands idle is not
    layers, total = commitment.total("plan_usd"), summary.worked_out["plan_usd_per_month"]
    shown = expressions.formula("IF(ISNUMBER({total}),{total},{layers})", total=total, layers=layers)
    yield Check(
        group="Layers and idle contracts are the first month, $",
        what="the plan",
        app=layers,
        here=shown,
        tolerance=CENT,
        kind="total",
    )


def leaks_total(inputs: Inputs, leaks: leaks_sheet.LeakCells) -> Iterator[Check]:
    """The list's total as the app has it, and that each leak counts no more than it is."""
    app = inputs.audit.leaks_total
    hours, counted = leaks.leaks.range("gpu_hours"), leaks.leaks.range("counted_gpu_hours")
    none_over = expressions.formula(
        "SUMPRODUCT(--({counted}>{hours}+0.000001))", counted=counted, hours=hours
    )
    each = "Leaks, each GPU-hour once"
    yield as_in_app(f"{each}, GPU-h", app.counted_gpu_hours, leaks.total_gpu_hours, tolerance=1e-5)
    yield as_in_app(f"{each}, $ per month", app.counted_per_month, leaks.total_usd)
    yield Check(
        group="Leaks that count more than their GPU-hours",
        what="all leaks",
        app=0.0,
        here=none_over,
        tolerance=0,
    )


GREEN, RED, CHANGED = "green", "red", "changed"
_WORDS: Final = {"none": expressions.DASH, "unknown": "not known", "green": GREEN, "red": RED}
INPUTS_CHANGED: Final = "inputs_changed"
"""The named cell that counts inputs changed since the export."""

MONTHS: Final = "Totals and months"
ORDERS: Final = "Orders and FOCUS rows"
DEMAND: Final = "Demand"
TEAMS: Final = "Contracts, leaks, teams"
BREAK_EVEN: Final = str(titles.BREAK_EVEN)
FORMULAS: Final = "Formulas, inputs unchanged"
PARTS: Final = (MONTHS, ORDERS, DEMAND, TEAMS, BREAK_EVEN, FORMULAS)
"""The groups of checks on Method and checks."""

FIELDS = fields_of("checks")

FAILS_AT_MOST: Final = 8
"""Checks that fail, which are listed above all of them."""
FAR: Final = 10_000_000
"""Added to the row of a check that holds: it comes after all that fail."""
COLUMNS: Final = "Columns that are left"
SOUND: Final = "Inputs that are no sound number"
AGAIN: Final = "Formulas that are others than written"
CALCULATED: Final = "Calculated cells are all formulas"
FIGURES: Final = "Calculated numbers, together"
AS_EXPORTED: Final = "Cells that are not as exported"
PARTS_OF_PAID: Final = (
    "useful_in_window",
    "allocated_idle_in_window",
    "unallocated_in_window",
    "paid_in_window",
)
"""The first three add up to the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The sheets that are checked. of_months, of_orders and so on: the checks that the sheets have of their own."""

    contracts: contracts_sheet.Contracts
    hours: HourSheet
    audit: audit_sheet.AuditCells
    leaks: leaks_sheet.LeakCells
    workloads: workloads_sheet.Workloads
    pools: pools_sheet.Pools
    commitment: Commitment
    comparison: Comparison
    summary: Summary
    of_months: Sequence[Check]
    of_orders: Sequence[Check]
    of_break_even: Sequence[Check]
    of_teams: Sequence[Check]


def _of(part: str, checks: Iterable[Check]) -> Iterator[tuple[str, Check]]:
    """Yield checks with their group."""
    return ((part, check) for check in checks)


def _of_sum(total: float) -> float:
    """Return the tolerance of a sum of many numbers, which programs round differently."""
    return 1e-6 + 1e-9 * abs(total)


def _of_exported(exported: exported_sheet.Exported) -> Iterator[Check]:
    """Yield the checks that inputs, columns and formulas are as exported."""
    for title, changed in exported.checks:
        yield Check(group=AS_EXPORTED, what=title, app=0.0, here=changed, tolerance=0, kind="input")
    for sheet, count, here in exported.columns:
        yield Check(group=COLUMNS, what=sheet, app=count, here=here, tolerance=0)
    if exported.wrong:
        yield Check(group=SOUND, what="all sheets: listed below", app=0.0, here=UNSOUND, tolerance=0)
    for title, here in exported.again:
        yield Check(group=AGAIN, what=title, app=0.0, here=here, tolerance=0)


def write_checks(book: Book, inputs: Inputs, sheets: Written) -> Light:
    """Write all checks, and below them the inputs as exported; the status of the book."""
    watched = exported_sheet.watch(book)
    first = [
        *_of(MONTHS, totals(sheets.summary)),
        *_of(MONTHS, months(inputs, sheets.comparison, sheets.commitment, sheets.summary)),
        *_of(TEAMS, leaks_total(inputs, sheets.leaks)),
        *_of(MONTHS, sheets.of_months),
        *_of(BREAK_EVEN, sheets.of_break_even),
        *_of(ORDERS, sheets.of_orders),
        *_of(TEAMS, sheets.of_teams),
    ]
    last = [
        *_identities(inputs, sheets),
        *(
            (FORMULAS, Check(group=CALCULATED, what=title, app=count, here=here, tolerance=0))
            for title, count, here in exported_sheet.calculated(book)
        ),
        *(
            (
                FORMULAS,
                Check(group=FIGURES, what=title, app=sums, here=here, tolerance=_of_sum(sums), kind="total"),
            )
            for title, sums, here in exported_sheet.figures(book)
        ),
        *_of(DEMAND, _columns(sheets.hours)),
    ]
    row = book.title(
        CHECK_LIST,
        "Green: both amounts agree. Not known: both are unknown. Red: the book is damaged or differs from the app. "
        "Changed: an input was changed after the export, so totals may differ.",
    )
    size = len(first) + watched.checks + len(last)
    top = row + FAILS_AT_MOST + 5
    exported = exported_sheet.write_exported(book, watched, top + size + 3)
    checks = [*first, *_of(FORMULAS, _of_exported(exported)), *last]
    table = Table(book=book, sheet=CHECK_LIST, row=top, size=size, fields=FIELDS)
    table.widen()
    book.sheets[CHECK_LIST].freeze_panes(row, 0)
    book.sheets[CHECK_LIST].autofilter(table.first_row - 1, 0, table.end_row - 1, len(FIELDS) - 1)
    places = [place for place, (_, check) in enumerate(checks) if check.kind == "input"]
    changed_range = table.range("status", places[0], places[-1] + 1)
    for place, (part, check) in enumerate(checks):
        table.fill(place, group=check.group, what=check.what, part=part)
        app = table.put("app", place, check.app)
        here = table.put("here", place, check.here)
        tolerance = table.put("tolerance", place, check.tolerance)
        given: expressions.Operands = {"app": app, "here": here, "tolerance": tolerance, **_WORDS}
        given["both"] = expressions.formula("AND(ISNUMBER({app}),ISNUMBER({here}))", **given)
        gap = expressions.formula('IFERROR(IF({both},{here}-{app},{none}),"error")', **given)
        given["gap"] = table.put("difference", place, gap)
        given["agree"] = expressions.formula("IF({both},ABS({gap})<={tolerance},{app}={here})", **given)
        given["failed"] = _when_failed(check.kind, changed_range)
        status = expressions.formula(
            "IFERROR(IF({agree},IF({app}={none},{unknown},{green}),{failed}),{red})", **given
        )
        table.put("status", place, status)
    return _head(book, row, table, exported, sheets.comparison)


def _head(
    book: Book, row: int, table: Table, exported: exported_sheet.Exported, comparison: Comparison
) -> Light:
    """Write the status and the failed checks above all checks."""
    statuses, parts = table.range("status"), table.range("part")
    changed_lists = expressions.call("COUNTIF", statuses, CHANGED)
    book.write(CHECK_LIST, row, 2, "Lists with changed inputs", "muted_right")
    book.name(INPUTS_CHANGED, book.write(CHECK_LIST, row, 3, changed_lists, "count"))
    book.write(CHECK_LIST, row + 1, 2, "Inputs that are no number", "muted_right")
    wrong = expressions.of_the_book(f'COUNTIF({exported.wrong},">0")', 0.0) if exported.wrong else 0
    book.name(UNSOUND.text, book.write(CHECK_LIST, row + 1, 3, wrong, "count"))
    book.write(CHECK_LIST, row, 4, "Failed checks", "muted_right")
    failed = book.write(CHECK_LIST, row, 5, expressions.call("COUNTIF", statuses, RED), "count")
    book.write(CHECK_LIST, row + 1, 4, "Changed inputs", "muted_right")
    changed = book.write(CHECK_LIST, row + 1, 5, expressions.of_the_book(exported.total, 0.0), "count")
    book.write(CHECK_LIST, row + 2, 4, "Checks", "muted_right")
    number = book.write(CHECK_LIST, row + 2, 5, expressions.call("ROWS", statuses), "count")
    _what_fails(book, table, row + 3)
    months_table = comparison.table
    usd = [months_table.range("nothing"), months_table.range("plan")]
    changes = exported_sheet.changes_in_words(exported, months_table.range("same"), MOVED, usd, NO_RATE)
    agreeing = [place for place, word in enumerate(statuses.values) if word not in (RED, CHANGED)]
    return Light(
        checks=_light(book, table, row, exported),
        changes=expressions.of_the_book(CHANGES, changes.value),
        changed_words=changes,
        failed=failed,
        changed=changed,
        number=number,
        parts={
            part: (
                list(parts.values).count(part),
                expressions.of_the_book(
                    f'COUNTIF({parts.text},"{part}")-COUNTIFS({parts.text},"{part}",{statuses.text},"{RED}")'
                    f'-COUNTIFS({parts.text},"{part}",{statuses.text},"{CHANGED}")',
                    float(sum(parts.values[place] == part for place in agreeing)),
                ),
            )
            for part in PARTS
        },
        changed_cells=exported_sheet.first_changes(exported),
    )


def _what_fails(book: Book, table: Table, row: int) -> None:
    """Write the first failed checks from a row on."""
    book.write(CHECK_LIST, row, 0, "Failed checks: check, subject, in the app, in this book", "section")
    statuses = table.range("status")
    reds = [place for place, word in enumerate(statuses.values) if word == RED]
    for number in range(FAILS_AT_MOST):
        at = f'SUMPRODUCT(SMALL(({statuses.text}<>"{RED}")*{FAR}+ROW({statuses.text}),{number + 1}))-{table.first_row}'
        for column, key in enumerate(("group", "what", "app", "here")):
            cells = table.range(key)
            value = cells.values[reds[number]] if number < len(reds) else ""
            text = f'IF(COUNTIF({statuses.text},"{RED}")>{number},INDEX({cells.text},{at}),"")'
            book.write(
                CHECK_LIST,
                row + 1 + number,
                column,
                expressions.of_the_book(text, value),
                FIELDS[column].style,
            )


def _when_failed(kind: str, inputs: expressions.Range) -> expressions.Expr | str:
    """What a failed check says: red, or changed where a reader's edit explains it. inputs: what checks of those say."""
    if kind == "total":
        words: expressions.Operands = {"inputs": inputs, "changed": CHANGED, "red": RED}
        return expressions.formula("IF(COUNTIF({inputs},{changed})>0,{changed},{red})", **words)
    return RED if kind == "must" else CHANGED


def _light(book: Book, table: Table, row: int, exported: exported_sheet.Exported) -> expressions.Expr:
    """Writes the one light over all checks: any red makes it red, else any changed makes it say so.

    Where it is red it names the cell that is no number, or else the first check that fails and the first cell that is
    another.
    """
    statuses = table.range("status")
    words = list(statuses.values)
    reds, changes = words.count(RED), words.count(CHANGED)
    count = f'COUNTIF({statuses.text},"{RED}")'
    changed = f'COUNTIF({statuses.text},"{CHANGED}")'
    groups, whats, apps = (table.range(key) for key in ("group", "what", "app"))
    unknown = f'SUMPRODUCT(({groups.text}="{TOTAL}")*({apps.text}="{expressions.DASH}"))'
    of_totals = [app for group, app in zip(groups.values, apps.values, strict=True) if group == TOTAL]
    count_of, missing = len(of_totals), of_totals.count(expressions.DASH)
    value = f"{GREEN}: all checks agree with the app"
    value += f"; totals that neither knows: {missing} of {count_of}" if missing else ""
    at_first = f'MATCH("{RED}",{statuses.text},0)'
    first = f'INDEX({groups.text},{at_first})&", "&INDEX({whats.text},{at_first})'
    failed = f'{count}&" of {table.size} checks fail, first: "&{first}'
    if exported.wrong:
        is_wrong = f'COUNTIF({exported.wrong},">0")>0'
        cell = f"INDEX({exported.lines},MATCH(1,INDEX(--({exported.wrong}>0),0),0))"
        another = f'IF({exported.total}>0,"; "&{exported.line(1)},"")'
        failed = f"IF({is_wrong},{cell},{failed}&{another})"
    if reds:
        at = words.index(RED)
        value = f"{RED}: {reds} of {table.size} checks fail, first: {groups.values[at]}, {whats.values[at]}"
    elif changes:
        value = f"{CHANGED}: inputs changed since the export, Check list has the totals that follow"
    text = (
        f'IF({count}>0,"{RED}: "&{failed},'
        f'IF({changed}>0,"{CHANGED}: inputs changed since the export, Check list has the totals that follow",'
        f'"{GREEN}: all checks agree with the app"'
        f'&IF({unknown}>0,"; totals that neither knows: "&{unknown}&" of {count_of}","")))'
    )
    book.write(CHECK_LIST, row, 0, "All checks", "light")
    light = book.write(CHECK_LIST, row, 1, expressions.of_the_book(text, value), "light")
    named = book.name("all_checks", light)
    add_light_colors(book, CHECK_LIST, row, 1, row, 1)
    add_light_colors(book, CHECK_LIST, *table.area("status", "status"))
    return named


def _identities(inputs: Inputs, sheets: Written) -> Iterator[tuple[str, Check]]:
    """Checks of what must hold whatever a reader enters: GPU-hours of demand are the same on every sheet."""
    audit, pools, hours = sheets.audit, sheets.pools.table, sheets.hours
    cube_hours = inputs.evaluation.project.cube.total / MILLI_GPU_SECONDS_PER_GPU_HOUR
    planned_hours = sum(float(gpus.sum()) for gpus in inputs.ground.plan.now.values())
    planned_hours /= MILLI_GPU_SECONDS_PER_GPU_HOUR
    planned_hours += inputs.hours * float(pools.range("runs_mean").numbers().sum())
    streams, rows = audit.overflow.range("demand").sum(), sheets.workloads.table.range("logged").sum()
    of_pools = pools.range("gpu_hours").sum()
    counted, title = expressions.call("COUNT", hours.column("hour").range), str(titles.HOURS_OF_THE_WINDOW)
    yield from _of(
        DEMAND,
        (
            Check(
                group="GPU-hours as logged",
                what="Audit: all streams of the lookback period",
                app=cube_hours,
                here=streams,
                tolerance=1e-5,
            ),
            Check(
                group="GPU-hours as logged",
                what="Calc workloads: all rows",
                app=cube_hours,
                here=rows,
                tolerance=1e-5,
            ),
            Check(
                group="GPU-hours as planned",
                what="Calc pools: all pools and models",
                app=planned_hours,
                here=of_pools,
                tolerance=1e-5,
            ),
        ),
    )
    yield from _of(TEAMS, _cluster_identities(inputs, audit))
    yield from _of(TEAMS, _capacity_identities(hours.named, sheets.contracts.table))
    yield from _of(ORDERS, _plan_identities(inputs, sheets.workloads.table, pools, sheets.commitment))
    of_hours = Check(
        group=title, what="Calc demand: hours listed", app=hours.named.window_hours, here=counted, tolerance=0
    )
    yield (DEMAND, of_hours)


def _cluster_identities(inputs: Inputs, audit: audit_sheet.AuditCells) -> Iterator[Check]:
    """For each cluster: used and overflow are the demand, and the parts of what is paid are the whole."""
    table = audit.clusters
    for place, cluster in enumerate(inputs.clusters):
        mine, what = (audit.overflow.range("number"), place + 1), cluster_words(cluster)
        served = table.cell("used_gpu_hours", place) + expressions.sum_where(
            audit.overflow.range("overflow"), mine
        )
        demand = expressions.sum_where(audit.overflow.range("demand"), mine)
        yield Check(
            group="Used + overflow = demand, GPU-h", what=what, app=demand, here=served, tolerance=1e-5
        )
        *parts, paid = (table.cell(key, place) for key in PARTS_OF_PAID)
        if paid.is_known and all(part.is_known for part in parts):
            total = expressions.known(parts, parts[0] + parts[1] + parts[2])
            yield Check(
                group="Useful + allocated idle + idle = paid, $",
                what=what,
                app=paid,
                here=total,
                tolerance=CENT,
            )


def _capacity_identities(named: assumptions_sheet.Named, contracts: Table) -> Iterator[Check]:
    """For each contract: its GPUs times its hours in the window are its GPU-hours."""
    for place, contract in enumerate(named.inputs.contracts):
        gpus, begins, ends = (contracts.cell(key, place) for key in ("gpus_used", "from_h", "to_h"))
        expected = gpus * contracts_sheet.hours_in(begins, ends, expressions.lift(0), named.window_hours)
        paid = contracts.cell("paid_gpu_hours", place)
        yield Check(
            group="GPUs x hours = paid, GPU-h",
            what=contract.contract_id,
            app=expected,
            here=paid,
            tolerance=1e-5,
        )


def _plan_identities(
    inputs: Inputs, workloads: Table, pools: Table, commitment: Commitment
) -> Iterator[Check]:
    """For each pool and model: the layers serve all the demand that contracts leave."""
    layers = commitment.layers
    for place, (pool, model) in enumerate(inputs.pairs):
        mine = (layers.range("pool_row"), place + 1)
        busy = [
            expressions.sum_where(layers.range("busy_gpus"), mine, (layers.range("kind"), kind))
            for kind in (EXISTING, USAGE, UNSERVED)
        ]
        held = expressions.by_row(
            "{busy}*({rows}={row})*({kinds}={kind})",
            busy=layers.range("busy_gpus"),
            rows=mine[0],
            row=mine[1],
            kinds=layers.range("kind"),
            kind=COMMITTED,
        )
        busy.append(expressions.call("SUMPRODUCT", held, layers.range("paid_hours")) / HOURS_PER_MONTH)
        what, demand = f"{pool} {model_words(model)}", pools.cell("now_mean", place)
        yield Check(
            group="Layers cover the demand, mean GPUs",
            what=what,
            app=demand,
            here=expressions.added(busy),
            tolerance=1e-6,
        )
    usd, plan_usd = pools.range("usd"), commitment.total("layers_usd")
    if not usd.unknown and plan_usd.is_known:
        whole, of_runs = usd.known_sum(), pools.range("runs_usd").known_sum()
        yield Check(
            group="Pools add up to the layers, $", what="all pools", app=plan_usd, here=whole, tolerance=CENT
        )
        template = "({usd}-{runs_usd})*({mean}-{runs}<1E-9)"  # orders that run before anybody's work begins
        means = {"mean": pools.range("mean"), "runs": pools.range("runs_mean")}
        nobodys = expressions.by_row(template, usd=usd, runs_usd=pools.range("runs_usd"), **means)
        shares = [workloads.range("plan").known_sum(), of_runs, expressions.call("SUMPRODUCT", nobodys)]
        whose, every = "all workloads, planned runs, nobody's orders", expressions.added(shares)
        yield Check(
            group="Workloads add up to the pools, $",
            what=whose,
            app=whole,
            here=expressions.known(shares[:2], every),
            tolerance=CENT,
        )


def _columns(hours: HourSheet) -> Iterator[Check]:
    """Every column of Calc demand: inputs by two control totals and a count, formulas by being formulas."""
    index, size = hours.column("hour").range, float(hours.hours)
    for column in {column.letters: column for column in hours.columns.values()}.values():
        what, cells = f"{column.letters}: {column.heading}", column.range.text
        if column.is_input:
            yield from _control_totals(column, what, index, hours.hours)
        else:
            count = expressions.of_the_book(f"SUMPRODUCT(_xlfn.ISFORMULA({cells})*ISNUMBER({cells}))", size)
            yield Check(
                group="Column of Calc demand is all formulas", what=what, app=size, here=count, tolerance=0
            )


def _control_totals(column: HourColumn, what: str, index: expressions.Range, hours: int) -> Sequence[Check]:
    """Sum, hour-weighted sum and count of a column of demand, as the app had them."""
    total = float(column.values.sum())
    moment = float((column.values * np.arange(hours)).sum())
    weighted = expressions.call("SUMPRODUCT", index, column.range)
    return (
        Check(
            group="Column of Calc demand, sum",
            what=what,
            app=total,
            here=column.range.sum(),
            tolerance=1e-6 + 1e-13 * abs(total),
        ),
        Check(
            group="Column of Calc demand, hour-weighted",
            what=what,
            app=moment,
            here=weighted,
            tolerance=1e-5 + 1e-12 * abs(moment),
        ),
        Check(
            group="Column of Calc demand, numbers",
            what=what,
            app=float(hours),
            here=expressions.call("COUNT", column.range),
            tolerance=0,
        ),
    )

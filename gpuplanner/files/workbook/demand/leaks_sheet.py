"""Leaks and Chargeback: what of the window does nothing, and who pays for it."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit.chargeback import Charge, Charges
from gpuplanner.domain.audit.cost_result import NO_JOB, ChargeBy, shared_words
from gpuplanner.domain.audit.leak_list import LEAK_RULES
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.evaluation import charges_of
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.plan.scenario import LeakDecision
from gpuplanner.domain.reports.costs import CHARGES, largest_first
from gpuplanner.domain.reports.leaks import LEAKS
from gpuplanner.domain.reports.report import Medium
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import rate_cell
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words
from gpuplanner.files.workbook.kit import figure_cells
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.cells import written_date
from gpuplanner.files.workbook.kit.checks import CENT, Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import Expr, known_sum_where, sum_where
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import AUDIT, CHARGEBACK
from gpuplanner.lazy_dataclass import dataclass, replace

OF_LEAK = figure_cells.figure_fields(LEAKS, 13)
SUMMED = tuple(field.key for field in OF_LEAK)
"""Figures of the parts that add up to those of their leak."""

LEAK_FIELDS = (
    figure_cells.text_field(LEAKS, "title", 28),
    figure_cells.text_field(LEAKS, "where", 40),
    *OF_LEAK,
    figure_cells.text_field(LEAKS, "decided", 22),
    Field(key="why", heading="Why, or who does it", width=34),
    figure_cells.text_field(LEAKS, "action", 78),
    Field(key="number", heading="Leak no.", style="count", width=8),
)

PART_FIELDS = (
    Field(key="name", heading="Behind it"),
    Field(key="id", heading="Key or contract"),
    *(figure_cells.figure_field(LEAK[key], 12) for key in SUMMED),
    *figure_cells.fields_of("leaks.part", figure_cells.text_field(LEAKS, "where", 12), of=LEAK),
)

KEPT = ("number", *SUMMED)
"""What the sums of each leak read."""


@dataclass(frozen=True, slots=True)
class LeakCells:
    """The sheet's tables, and the two totals."""

    leaks: Table
    parts: Table
    total_gpu_hours: Expr
    total_usd: Expr


def write_leaks(named: Named, contracts: Table) -> LeakCells:
    """Write the sheet. contracts: the table of Contract inputs with what was used, complete.

    GPU-hours of parts come from the app (they are read hour by hour), but for contracts that hardly anyone used; rates
    of contracts, all sums, and what counts once are formulas.
    """
    book, inputs = named.book, named.inputs
    leaks = inputs.audit.leaks
    row = book.title(
        AUDIT, COUNTED_ONCE, "$ of a part = GPU-h x rate / months of the lookback period.", title="Leaks"
    )
    table = Table(book=book, sheet=AUDIT, row=row, size=len(leaks), fields=LEAK_FIELDS)
    table.widen()
    count, title = sum(len(leak.parts) for leak in leaks), "Workloads and contracts of the leaks"
    parts = Table(
        book=book,
        sheet=AUDIT,
        row=table.end_row + 2,
        size=count,
        fields=PART_FIELDS,
        kept=KEPT,
        section=title,
    )
    for key in ("rate", "left_gpu_hours", "still_left_gpu_hours"):
        column = parts.column_of(key)
        book.sheets[AUDIT].set_column(column, column, 12)
    _parts(parts, inputs, named, contracts)
    for place, leak in enumerate(leaks):
        _leak(table, parts, place, leak, inputs.scenario.decision_on(leak.leak_id))
    book.write(AUDIT, table.end_row, 0, "Total, each GPU-h once", "strong")
    total = table.put_below("counted_gpu_hours", table.range("counted_gpu_hours").sum(), "hours.strong")
    usd = table.put_below("counted_per_month", table.range("counted_per_month").known_sum(), "usd.strong")
    return LeakCells(table, parts, total, usd)


def _leak(table: Table, parts: Table, place: int, leak: Leak, decision: LeakDecision | None) -> None:
    """Writes a leak: its figures summed over its parts, what to do, and what was decided."""
    of_leak = (parts.range("number"), table.put("number", place, place + 1))
    table.fill(place, title=LEAK_RULES[leak.code].title, where=str(leak.subject).removeprefix(": "))
    for key in SUMMED:
        add_up = known_sum_where if LEAK[key].unit.key == "usd" else sum_where
        table.put(key, place, add_up(parts.range(key), of_leak))
    table.put("action", place, leak.action)
    if decision is not None:
        table.put("decided", place, f"{decision.status}, {written_date(decision.at_s)}")
        table.put("why", place, decision.reason or decision.owner)


def _parts(parts: Table, inputs: Inputs, named: Named, contracts: Table) -> None:
    """Writes the workloads and contracts behind all leaks.

    A GPU-hour that an earlier leak counted counts no more.
    """
    names = {workload.key: workload.name for workload in inputs.evaluation.project.workloads}
    ran = {workload.key: workload.gpu_hours for workload in inputs.evaluation.project.workloads}
    place_of = {contract.contract_id: place for place, contract in enumerate(inputs.contracts)}
    left: dict[tuple[str, str], Expr] = {}
    rows = [(number, leak, part) for number, leak in enumerate(inputs.audit.leaks, 1) for part in leak.parts]
    for place, (number, leak, part) in enumerate(rows):
        parts.fill(place, number=number, name=names.get(part.id, part.id), id=part.id)
        parts.fill(place, kind=part.kind, leak=LEAK_RULES[leak.code].title, where=cluster_words(leak.cluster))
        contract = place_of[part.id] if part.kind == "contract" else None
        idle: Expr | None = None
        paid: Expr | float | None = part.rate
        if contract is not None:
            idle = contracts.cell("paid_gpu_hours", contract) - contracts.cell("used_gpu_hours", contract)
            paid = rate_cell(contracts, "idle_rate", contract)
        rate = parts.put("rate", place, paid)
        hours = parts.put(
            "gpu_hours", place, idle if idle is not None and leak.code == "unmaterialised" else part.gpu_hours
        )
        of = (part.kind, part.id)
        before = parts.put("left_gpu_hours", place, left.get(of) or (ran[part.id] if idle is None else idle))
        operands: figure_cells.Cells = {
            "gpu_hours": hours,
            "rate": figure_cells.maybe(rate),
            "left_gpu_hours": before,
            "months": named.window_months,
        }
        figure_cells.write_figures(parts, place, LEAK, operands, (*SUMMED, "still_left_gpu_hours"))
        left[of] = parts.cell("still_left_gpu_hours", place)
    parts.finish()


CHARGES_SUMMED: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")
"""Figures of workloads that add up to those of their team."""
OF_TEAM: Final = CHARGES[ChargeBy.TEAM]

TEAM_FIELDS: Final = (
    figure_cells.text_field(OF_TEAM, "called", 30),
    Field(key="workloads", heading="Workloads", style="count", width=12),
    *(figure_cells.figure_field(CHARGE[key], 14) for key in CHARGES_SUMMED),
    figure_cells.figure_field(CHARGE["total_in_window"], 14),
)
BUDGET_FIELDS: Final = figure_cells.fields_of("leaks.budget", of=CHARGE)
"""Where a team has one."""
NUMBER: Final = Field(key="number", heading="Team no.", style="count", width=8)
CHARGE_FIELDS: Final = (
    Field(key="workload", heading="Workload"),
    Field(key="cluster", heading="Cluster"),
    *(figure_cells.figure_field(CHARGE[key], 14) for key in CHARGES_SUMMED),
    *figure_cells.fields_of("leaks.charge", of=CHARGE),
    NUMBER,
)
CHARGES_KEPT: Final = ("number", *CHARGES_SUMMED, "total_in_window")
"""What the sums of each team read."""


def write_chargeback(named: Named, paid: Expr) -> list[Check]:
    """Write the sheet; what of it is checked. paid: $ of all contracts in the window, the cell of the sheet Audit.

    GPU-hours and $ of workloads come from the app, which shares every hour out; all that adds them up is a formula.
    """
    book, inputs = named.book, named.inputs
    drawn = _charges(inputs)
    row = book.title(
        CHARGEBACK,
        f"Cost of the lookback period by team: contracts, overflow and idle GPUs; {shared_words(drawn.rule)}.",
        "A statement of one team: filter the lower table by the team's name.",
        title="Chargeback",
    )
    budgets = BUDGET_FIELDS if any(one.budget_per_month is not None for one in drawn.rows) else ()
    fields = (*TEAM_FIELDS, *budgets, NUMBER)
    teams = Table(
        book=book,
        sheet=CHARGEBACK,
        row=row,
        size=len(drawn.rows),
        fields=fields,
        watch=Watch(title="Chargeback", values=True),
    )
    teams.widen()
    book.sheets[CHARGEBACK].freeze_panes(teams.first_row, 1)
    row, count = teams.end_row + 2, sum(len(one.parts) for one in drawn.rows)
    title = "Cost of each workload"
    parts = Table(
        book=book,
        sheet=CHARGEBACK,
        row=row,
        size=count,
        fields=CHARGE_FIELDS,
        kept=CHARGES_KEPT,
        section=title,
    )
    _charge_parts(parts, inputs, drawn.rows)
    for place, one in enumerate(drawn.rows):
        _team(teams, parts, place, one, drawn.whole, named)
    book.write(CHARGEBACK, teams.end_row, 0, titles.ALL_OF_IT, "strong")
    sums = {
        key: teams.put_below(
            key, teams.range(key).known_sum(), "hours.strong" if key == "gpu_hours" else "usd.strong"
        )
        for key in (*CHARGES_SUMMED, "total_in_window")
    }
    return _checks(drawn, sums, paid)


def _charges(inputs: Inputs) -> Charges:
    """Teams of the window, most charged first as the window lists them."""
    found = charges_of(inputs.evaluation)
    return replace(found, rows=tuple(OF_TEAM.rows_in(Medium.WINDOW, found)))


def _charge_parts(parts: Table, inputs: Inputs, rows: Sequence[Charge]) -> None:
    """Write the workloads of each team, most charged first, and idle GPUs that none of its jobs answers for."""
    names = {workload.key: workload.name for workload in inputs.evaluation.project.workloads}
    place = 0
    for number, row in enumerate(rows, 1):
        for part in sorted(row.parts, key=largest_first):
            workload = names[part.key] if part.key else str(NO_JOB)
            parts.fill(place, workload=workload, key=part.key, cluster=cluster_words(part.cluster))
            cells = {
                key: figure_cells.maybe(parts.put(key, place, getattr(part, key))) for key in CHARGES_SUMMED
            }
            figure_cells.write_figures(parts, place, CHARGE, cells, ("total_in_window",))
            parts.fill(place, team=row.called, number=number)
            place += 1
    parts.finish()


def _team(teams: Table, parts: Table, place: int, row: Charge, whole: Charge, named: Named) -> None:
    """Write a team: its sums over its workloads, and what is left of its budget."""
    of_team = (parts.range("number"), teams.put("number", place, place + 1))
    teams.fill(place, called=row.called, workloads=sum(1 for part in row.parts if part.key))
    for key in CHARGES_SUMMED:
        # words in a column are looked for only where there are any: it is a pass over all rows for each team
        add_up = sum_where if getattr(whole, key) is not None else known_sum_where
        teams.put(key, place, add_up(parts.range(key), of_team))
    cells = {key: figure_cells.maybe(teams.cell(key, place)) for key in CHARGES_SUMMED}
    figure_cells.write_figures(teams, place, CHARGE, cells, ("total_in_window",))
    if row.budget_per_month is None:
        return
    of_budget: figure_cells.Cells = {
        "budget_per_month": teams.put("budget_per_month", place, row.budget_per_month),
        "months": named.window_months,
        "total_in_window": figure_cells.maybe(teams.cell("total_in_window", place)),
    }
    figure_cells.write_figures(teams, place, CHARGE, of_budget, ("budget_in_window", "left_in_window"))
    if row.used_up_s is not None:
        teams.put("used_up", place, day(row.used_up_s))


def _checks(drawn: Charges, sums: Mapping[str, Expr], paid: Expr) -> list[Check]:
    """All teams together as the app has it; and what they are charged is what contracts cost, and overflow.

    Where no job ran nobody is charged for anything.
    """
    whole = drawn.whole
    checks = [
        as_in_app("Chargeback, $ in the lookback period", whole.total_in_window, sums["total_in_window"])
    ]
    if drawn.rows and whole.direct_in_window is not None and whole.idle_in_window is not None:
        shared = sums["direct_in_window"] + sums["idle_in_window"]
        checks.append(
            Check(
                group="Chargeback adds up",
                what="served and idle: paid, $ in the lookback period",
                app=paid,
                here=shared,
                tolerance=CENT,
                kind="total",
            )
        )
    return checks

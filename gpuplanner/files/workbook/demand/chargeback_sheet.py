"""Chargeback: each team with what it is charged and its budget, and under them what each workload adds to it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.costs.charge_rows import Charge, Charges
from gpuplanner.domain.audit.costs.charge_words import NO_JOB, ChargeBy, shared_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.costs.chargeback import CHARGE
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.reports.chargeback import CHARGES, charges_of, largest_first
from gpuplanner.domain.reports.report import Medium
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, known_sum_where, sum_where
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, text_field, write_figures
from gpuplanner.files.workbook.kit.watch import Watch

SHEET = "Chargeback"
SUMMED: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")
"""Figures of workloads that add up to those of their team."""
OF_TEAM: Final = CHARGES[ChargeBy.TEAM]

TEAM_FIELDS: Final = (
    text_field(OF_TEAM, "called", 30),
    Field("workloads", "Workloads", "count", 12),
    *(figure_field(CHARGE[key], 14) for key in SUMMED),
    figure_field(CHARGE["total_in_window"], 14),
)
BUDGET_FIELDS: Final = (
    Field("budget_per_month", "Budget, $ per month", "usd.fixed", 14),
    figure_field(CHARGE["budget_in_window"], 14),
    figure_field(CHARGE["left_in_window"], 14),
    Field("used_up", "Used up in the month from", "date", 14, "From the app: of the plan's twelve months."),
)
"""Where a team has one."""
NUMBER: Final = Field("number", "Team no.", "count", 8)
PART_FIELDS: Final = (
    Field("workload", "Workload"),
    Field("cluster", "Cluster"),
    *(figure_field(CHARGE[key], 14) for key in SUMMED),
    figure_field(CHARGE["total_in_window"], 14),
    Field("team", "Team"),
    Field("key", "Key", "muted"),
    NUMBER,
)
KEPT: Final = ("number", *SUMMED, "total_in_window")
"""What the sums of each team read."""


def write_chargeback(book: Book, inputs: Inputs, named: Named, paid: Expr) -> list[Check]:
    """Write the sheet; what of it is checked. paid: $ of all contracts in the window, the cell of the sheet Audit.

    GPU-hours and $ of workloads come from the app, which shares every hour out; all that adds them up is a formula.
    """
    drawn = _charges(inputs)
    row = book.title(
        SHEET,
        "Who pays",
        f"The window by team: what served its jobs, and what overflowed; {shared_words(drawn.rule)}.",
        "A statement of one team: filter the lower table by the team's name.",
    )
    budgets = BUDGET_FIELDS if any(one.budget_per_month is not None for one in drawn.rows) else ()
    fields = (*TEAM_FIELDS, *budgets, NUMBER)
    teams = Table(book, SHEET, row, len(drawn.rows), fields, watch=Watch("Who pays", values=True))
    teams.widen()
    book.sheets[SHEET].freeze_panes(teams.first_row, 1)
    total_row = teams.end_row
    book.write(SHEET, total_row + 2, 0, "What each workload adds to it", "section")
    count = sum(len(one.parts) for one in drawn.rows)
    parts = Table(book, SHEET, total_row + 3, count, PART_FIELDS, kept=KEPT)
    _parts(parts, inputs, drawn.rows)
    for place, one in enumerate(drawn.rows):
        _team(teams, parts, place, one, drawn.whole, named)
    book.write(SHEET, total_row, 0, titles.ALL_OF_IT, "strong")
    sums = {
        key: book.write(
            SHEET,
            total_row,
            teams.column_of(key),
            teams.range(key).known_sum(),
            "hours.strong" if key == "gpu_hours" else "usd.strong",
        )
        for key in (*SUMMED, "total_in_window")
    }
    return _checks(drawn, sums, paid)


def _charges(inputs: Inputs) -> Charges:
    """Teams of the window, most charged first as the window lists them."""
    found = charges_of(inputs.evaluation)
    return replace(found, rows=tuple(OF_TEAM.rows_in(Medium.WINDOW, found)))


def _parts(parts: Table, inputs: Inputs, rows: Sequence[Charge]) -> None:
    """Write the workloads of each team, most charged first, and idle GPUs that none of its jobs answers for."""
    names = {workload.key: workload.name for workload in inputs.evaluation.project.workloads}
    place = 0
    for number, row in enumerate(rows, 1):
        for part in sorted(row.parts, key=largest_first):
            parts.put("workload", place, names[part.key] if part.key else str(NO_JOB))
            parts.put("key", place, part.key)
            parts.put("cluster", place, cluster_words(part.cluster))
            cells = {key: maybe(parts.put(key, place, getattr(part, key))) for key in SUMMED}
            write_figures(parts, place, CHARGE, cells, ("total_in_window",))
            parts.put("team", place, row.called)
            parts.put("number", place, number)
            place += 1
    parts.finish()


def _team(teams: Table, parts: Table, place: int, row: Charge, whole: Charge, named: Named) -> None:
    """Write a team: its sums over its workloads, and what is left of its budget."""
    number = teams.put("number", place, place + 1)
    mine = (parts.range("number"), number)
    teams.put("called", place, row.called)
    teams.put("workloads", place, sum(1 for part in row.parts if part.key))
    for key in SUMMED:
        # words in a column are looked for only where there are any: it is a pass over all rows for each team
        add_up = sum_where if getattr(whole, key) is not None else known_sum_where
        teams.put(key, place, add_up(parts.range(key), mine))
    cells = {key: maybe(teams.cell(key, place)) for key in SUMMED}
    write_figures(teams, place, CHARGE, cells, ("total_in_window",))
    if row.budget_per_month is None:
        return
    of_budget = {
        "budget_per_month": surely(teams.put("budget_per_month", place, row.budget_per_month)),
        "months": surely(named.window_months),
        "total_in_window": maybe(teams.cell("total_in_window", place)),
    }
    write_figures(teams, place, CHARGE, of_budget, ("budget_in_window", "left_in_window"))
    if row.used_up_s is not None:
        teams.put("used_up", place, day(row.used_up_s))


def _checks(drawn: Charges, sums: Mapping[str, Expr], paid: Expr) -> list[Check]:
    """All teams together as the app has it; and what they are charged is what contracts cost, and overflow.

    Where no job ran nobody is charged for anything.
    """
    whole = drawn.whole
    app = DASH if whole.total_in_window is None else whole.total_in_window
    checks = [
        Check(
            "Total as in the app", "Chargeback, $ in the window", app, sums["total_in_window"], CENT, "total"
        )
    ]
    if drawn.rows and whole.direct_in_window is not None and whole.idle_in_window is not None:
        shared = sums["direct_in_window"] + sums["idle_in_window"]
        checks.append(
            Check("Chargeback adds up", "served and idle: paid, $ in the window", paid, shared, CENT, "total")
        )
    return checks

"""Rows of the Utilization panel: clusters, contracts, GPU models or teams, with their lines and what is unknown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.use.contention import Contention
from gpuplanner.domain.audit.use.use_by import Use, WindowUse
from gpuplanner.domain.commitment.evidence.trace_use_rows import use_subject
from gpuplanner.domain.figures.use import FLAG_PERCENT
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.worded import worded
from gpuplanner.ui.state.use_views import VIEWS, uses_of
from gpuplanner.ui.tables.cells import Bar, Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

Ask = Callable[[str, float | None], str]
"""Kind of figure and its value -> its id; "" where the value is unknown."""

NOT_STATED: Final = worded("not stated")
ALL_KEY: Final = "all"
NO_ACTIVITY: Final = worded(
    "Unknown: not every GPU job here has an activity figure. Import DCGM data, or a log that has it."
)
NO_CAPACITY: Final = worded("Unknown: no GPUs are paid for here. Import the contract.")
NO_PRICE: Final = worded("Unknown: no on-demand price to compare with. Import prices.")
BY_USE: Final = worded("Paid by use, so there is nothing to break even against.")
NO_RATE: Final = worded("Unknown: a contract has no rate. Enter its rate.")
NO_COST: Final = worded("Unknown: some of its cost needs a rate that nobody states. Import prices.")
FLAG: Final = FLAG_PERCENT / 100

_SUPPLY: Final = (
    Column("", False, 62, scale=((0.0, "0"), (1.0, "100%"))),
    Column("Utilization"),
    Column("Break-\neven"),
    Column("Activity"),
    Column("$ per\nmonth"),
)
_TEAMS: Final = (
    Column("GPU-h"),
    Column("Share"),
    Column("Mean\nGPUs"),
    Column("Activity"),
    Column("$ per\nmonth"),
)
CONTENTION_COLUMNS: Final = (
    Column("Contended hours", False),
    Column("Hours"),
    Column("GPU-h\nbeyond"),
    Column("Training beside\ninference, h"),
)


def columns_of(view: str) -> tuple[Column, ...]:
    """The columns of a view."""
    return (Column(VIEWS[view][1], False), *(_TEAMS if view == "teams" else _SUPPLY))


def use_rows(view: str, use: WindowUse, contracts: Sequence[Contract]) -> tuple[Row, ...]:
    """One row each, and their sum where there are several; keys are places in `uses_of`, or ALL_KEY."""
    uses = uses_of(view, use)
    usd = known_sum(row.usd_per_month for row in uses)
    money = largest_remainder([row.usd_per_month for row in uses], usd)
    rows = []
    for place, (row, whole) in enumerate(zip(uses, money, strict=True)):
        mine = [contract for contract in contracts if _is_of(view, row.name, contract)]
        ask = _asker(view, row)
        cells = _team_cells(row, whole, ask) if view == "teams" else _supply_cells(row, whole, mine, ask)
        rows.append(
            Row(
                (Cell(name_of(row), is_strong=True, tip=f"{name_of(row)}\n{_facts(row)}"), *cells),
                key=str(place),
            )
        )
    if len(rows) > 1:
        title = tr("All {rows}", rows=numbers.whole(len(rows)))
        whole = None if usd is None else round(usd)
        everything = use.everything
        ask = _asker(view, None)
        cells = (
            _all_teams_cells(everything, whole, ask)
            if view == "teams"
            else _supply_cells(everything, whole, contracts, ask)
        )
        rows.append(Row((Cell(title, tip=_facts(everything)), *cells), is_total=True, key=ALL_KEY))
    return tuple(rows)


def name_of(row: Use) -> str:
    """The name of a row; what the log does not state is said."""
    return row.name or NOT_STATED


def contention_rows(contention: Mapping[str, Contention], names: Mapping[str, str]) -> tuple[Row, ...]:
    """One row for each cluster that was asked for more than it had. names: of workloads, by key."""
    rows = []
    for cluster, found in contention.items():
        if found.contention_hours:
            shared = [names.get(key, key) for key in found.shared_training]
            rows.append(
                Row(
                    (
                        Cell(cluster or NOT_STATED, is_strong=True),
                        Cell(
                            numbers.whole(found.contention_hours),
                            figure_id=figure("contended", cluster, "hours"),
                        ),
                        Cell(
                            numbers.whole(found.overflow_gpu_hours),
                            figure_id=figure("contended", cluster, "beyond"),
                        ),
                        Cell(
                            numbers.whole(found.beside_inference_hours),
                            tip=_shared_tip(shared),
                            figure_id=figure("contended", cluster, "beside"),
                        ),
                    ),
                    key=cluster,
                )
            )
    return tuple(rows)


def why_no_map(row: Use) -> str:
    """One sentence for a map that has nothing known in it."""
    if row.hours_of_week.capacity is not None and not row.capacity_gpu_hours:
        name = numbers.capital(name_of(row))
        return tr(
            "{name}: no GPUs are paid for in the window, so utilization is unknown. Import its contract.",
            name=name,
        )
    return ""


def _is_of(view: str, name: str | None, contract: Contract) -> bool:
    return {
        "clusters": contract.cluster,
        "contracts": contract.contract_id,
        "gpu_models": contract.gpu_model,
    }.get(view) == name


def _asker(view: str, row: Use | None) -> Ask:
    """The figure of a value of a row (None: of their sum); "" where it is unknown."""
    subject = use_subject(row)
    return lambda kind, value: "" if value is None else figure(kind, subject, view)


def _supply_cells(row: Use, money: int | None, contracts: Sequence[Contract], ask: Ask) -> tuple[Cell, ...]:
    flagged, share = row.below_40_percent, row.utilization
    below = (
        tr("Used less than {flag_percent}% of its GPU-hours.", flag_percent=FLAG_PERCENT) if flagged else ""
    )
    marks = tr("Solid mark: the 40% flag. Dashed mark: break-even.")
    bar = (
        None
        if share is None
        else Bar(share, "amber" if flagged else "neutral", FLAG, row.break_even_utilization)
    )
    return (
        Cell(bar=bar, tip=NO_CAPACITY if bar is None else below or marks),
        Cell(
            numbers.percent(share),
            icon="triangle" if flagged else "",
            icon_role="amber",
            tip=NO_CAPACITY if share is None else below,
            figure_id=ask("use_utilization", share),
        ),
        _break_even_cell(row, contracts, ask),
        _activity_cell(row, ask),
        _money_cell(money, row, NO_RATE, ask)
        if row.capacity_gpu_hours
        else Cell(numbers.UNKNOWN, tip=NO_CAPACITY),  # nobody said what is paid: that is not 0
    )


def _activity_cell(row: Use, ask: Ask) -> Cell:
    tip = "" if row.activity is not None else NO_ACTIVITY
    return Cell(numbers.percent(row.activity), tip=tip, figure_id=ask("use_activity", row.activity))


def _break_even_cell(row: Use, contracts: Sequence[Contract], ask: Ask) -> Cell:
    share = row.break_even_utilization
    if share is not None:
        return Cell(numbers.percent(share), figure_id=ask("use_break_even", share))
    if any(not contract.is_committed for contract in contracts):
        return Cell("n/a", "muted", tip=BY_USE)
    return Cell(numbers.UNKNOWN, tip=NO_PRICE if contracts else NO_CAPACITY)


def _team_cells(row: Use, money: int | None, ask: Ask) -> tuple[Cell, ...]:
    return (
        Cell(numbers.whole(row.gpu_hours), figure_id=ask("use_hours", row.gpu_hours)),
        Cell(numbers.percent(row.share), figure_id=ask("use_share", row.share)),
        Cell(numbers.one_decimal(row.mean_gpus), figure_id=ask("use_mean", row.mean_gpus)),
        _activity_cell(row, ask),
        _money_cell(money, row, NO_COST, ask),
    )


def _all_teams_cells(everything: Use, money: int | None, ask: Ask) -> tuple[Cell, ...]:
    """The sum of all teams: all GPU time, at what their workloads cost and not at what is paid."""
    tip = "" if money is not None else NO_COST
    return (
        *_team_cells(everything, money, ask)[:-1],
        Cell(numbers.whole(money), tip=tip, figure_id=ask("use_usd", money)),
    )


def _money_cell(money: int | None, row: Use, unknown: str, ask: Ask) -> Cell:
    tip = unknown if money is None else numbers.cents(row.usd_per_month)
    return Cell(numbers.whole(money), tip=tip, figure_id=ask("use_usd", money))


def _facts(row: Use) -> str:
    """GPU-hours behind a row's share: in the tool tip, to a tenth."""
    mean = numbers.one_decimal(row.mean_gpus)
    parts = [
        tr(
            "{gpu_hours} GPU-h asked for, {mean} GPUs on average",
            gpu_hours=numbers.one_decimal(row.gpu_hours),
            mean=mean,
        )
    ]
    if row.capacity_gpu_hours is not None:
        paid = numbers.one_decimal(row.capacity_gpu_hours)
        parts.append(
            tr(
                "{used_gpu_hours} used of {paid} GPU-h paid",
                used_gpu_hours=numbers.one_decimal(row.used_gpu_hours),
                paid=paid,
            )
        )
    if row.overflow_gpu_hours:
        parts.append(
            tr(
                "{overflow_gpu_hours} GPU-h served by no contract",
                overflow_gpu_hours=numbers.one_decimal(row.overflow_gpu_hours),
            )
        )
    return "\n".join(parts)


def _shared_tip(names: Sequence[str]) -> str:
    if not names:
        return tr("No training ran beside inference in these hours.")
    shown = ", ".join(names[:6])
    return tr("Training that ran then: {shown}", shown=shown) + (
        tr(" and {names} more", names=len(names) - 6) if len(names) > 6 else ""
    )

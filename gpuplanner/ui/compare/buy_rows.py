"""What a plan buys: its layers by pool, GPU model and term, in whole dollars that add up to the plan."""

from dataclasses import replace

from gpuplanner.app.questions.comparing import Comparison, Side
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.evidence.compare_answers import in_plan
from gpuplanner.domain.commitment.evidence.plan_evidence import row_subject
from gpuplanner.domain.commitment.plan.totals import paid_gpus
from gpuplanner.domain.commitment.plan.whole_dollars import idle_dollars, term_dollars
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.ui.compare.figure_rows import asked
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.term_rows import TermRow, term_rows
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_colours import existing_colour, term_step
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import tr

COLUMNS = (
    Column("Pool", False, 92),
    Column("GPU", False, 56),
    Column(titles.TERM, False),
    Column("GPUs"),
    Column(titles.USED),
    Column("$ per\nGPU-h"),
    Column("\n$ per month"),
)

NARROW = (0, 1, 2, 3, 6)
"""The columns that stay where there is little room."""

Bought = dict[tuple[object, ...], float]


def buy_table(
    comparison: Comparison, at: int, palette: Palette, *, is_narrow: bool
) -> tuple[tuple[Column, ...], list[Row]]:
    """Columns and rows of side `at`, in a narrow place without use and rate."""
    rows = buy_rows(comparison, at, palette)
    if not is_narrow:
        return COLUMNS, rows
    kept = [replace(row, cells=tuple(row.cells[place] for place in NARROW)) for row in rows]
    return tuple(COLUMNS[place] for place in NARROW), kept


def buy_rows(comparison: Comparison, at: int, palette: Palette) -> list[Row]:
    """Rows of side `at`; what differs from the other sides is strong, so that it is seen first."""
    side = comparison.sides[at]
    others = [_bought(other) for other in comparison.sides if other is not side]
    rows: list[Row] = []
    plans = sorted(side.advice.pools, key=lambda plan: (POOLS.index(plan.pool), plan.gpu_model or "\uffff"))
    last_pool = None
    for plan in plans:
        dollars = term_dollars(side.advice, plan)
        for row in _there(plan):
            key = (plan.pool, plan.gpu_model, row.name)
            is_other = any(abs(bought.get(key, 0.0) - row.gpus) > 1e-6 for bought in others)
            amount = dollars.get((row.existing, row.category, None if row.existing else row.term_months))
            is_first = plan.pool is not last_pool
            made = _row(plan, row, amount, palette, is_first=is_first, is_other=is_other)
            rows.append(_asked(made, at, row_subject(plan, row.part)))
            last_pool = plan.pool
    for idle, usd in zip(side.advice.idle_existing, idle_dollars(side.advice), strict=True):
        model = idle.gpu_model or ""
        gpus = Cell(numbers.one_decimal(idle.gpus), figure_id=in_plan(at, figure("idle_gpus", model)))
        money = Cell(numbers.whole(usd), figure_id=asked(usd, in_plan(at, figure("idle_usd", model))))
        none = Cell(numbers.UNKNOWN, "muted")
        tip = tr("Contracts that run on and serve nothing.")
        rows.append(Row((Cell(tr(titles.IDLE), "muted", tip=tip), Cell(idle.gpu_model or tr("unknown"), "muted"),
                         Cell(tr("Existing contracts"), swatch=existing_colour(palette)), gpus, none,
                         Cell(), money)))  # fmt: skip
    rows.append(_total(side, at))
    return rows


def _there(plan: PoolPlan) -> list[TermRow]:
    """The layers of a pool that hold any GPUs."""
    return [row for row in term_rows(plan, ()) if row.gpus > 1e-9]


def _bought(side: Side) -> Bought:
    """GPUs by pool, GPU model and layer, to see what another plan buys otherwise."""
    return {
        (plan.pool, plan.gpu_model, row.name): row.gpus for plan in side.advice.pools for row in _there(plan)
    }


def _row(
    plan: PoolPlan, row: TermRow, amount: int | None, palette: Palette, *, is_first: bool, is_other: bool
) -> Row:
    """A layer as a row; sizes that the plan beside it has not are strong."""
    lane = lane_of(plan.pool)
    is_usage = not row.existing and row.term_months == 0
    step = term_step(palette, row.term_months or 0)
    swatch = existing_colour(palette) if row.existing else palette.terms[step]
    is_mean = is_usage or row.existing
    gpus = numbers.one_decimal(row.gpus) if is_mean else numbers.gpus(row.gpus)
    pool = (
        Cell(lane.title, icon=lane.icon, icon_role=f"lane:{lane.value}") if is_first else Cell(tip=lane.title)
    )
    used = numbers.UNKNOWN if is_usage else numbers.percent(row.used)
    tip = tr("Not so in the plan beside it") if is_other else ""
    return Row(
        (
            pool,
            Cell(plan.gpu_model or tr("unknown"), "muted"),
            Cell(row.name, swatch=swatch, is_hatched=is_usage, is_strong=is_other, tip=tip),
            Cell(gpus, is_strong=is_other, tip=tr(titles.MEAN_GPUS) if is_mean else ""),
            Cell(used, "muted", tip=tr("Used as it comes: nothing of it is unused.") if is_usage else ""),
            Cell(numbers.rate(row.rate)),
            Cell(numbers.whole(amount), is_strong=is_other, tip=numbers.cents(row.usd)),
        )
    )


def _asked(row: Row, at: int, subject: str) -> Row:
    """A row of layers whose GPUs, use, rate and dollars can be asked about."""
    *names, gpus, used, rate, usd = row.cells
    kinds = ("layer_gpus", "layer_used", "layer_rate", "layer_usd")
    cells = (
        replace(cell, figure_id=asked(cell.text, in_plan(at, figure(kind, subject))))
        for kind, cell in zip(kinds, (gpus, used, rate, usd), strict=True)
    )
    return replace(row, cells=(*names, *cells))


def _total(side: Side, at: int) -> Row:
    """The row of the whole plan: mean GPUs paid for, utilization and dollars."""
    totals = side.advice.totals
    gpus = paid_gpus(side.advice)
    return Row(
        (
            Cell(tr("Plan"), is_strong=True),
            Cell(),
            Cell(),
            Cell(
                numbers.one_decimal(gpus),
                is_strong=True,
                tip=tr("Mean GPUs paid for"),
                figure_id=asked(gpus, in_plan(at, "plan_gpus::")),
            ),
            Cell(
                numbers.percent(totals.effective_utilization_plan),
                is_strong=True,
                figure_id=asked(totals.effective_utilization_plan, in_plan(at, "plan_utilization::")),
            ),
            Cell(),
            Cell(
                numbers.whole(totals.plan),
                is_strong=True,
                figure_id=asked(totals.plan, in_plan(at, "plan_usd::")),
            ),
        ),
        is_total=True,
    )

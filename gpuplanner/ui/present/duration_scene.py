"""Scene Duration: the load of one pool and GPU model with the layers that the plan puts under it."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.domain.commitment.result import Advice, Layer, PoolPlan
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.panels.duration.chart import curve_of
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.big_table import BigRow, BigTable
from gpuplanner.ui.present.large_type import large_chart_colours
from gpuplanner.ui.present.scene import Content, Seen, label, missing, of_the_plan, of_the_window, plan_first
from gpuplanner.ui.state.term_rows import TermRow, term_rows, total_row
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.chart_colours import existing_colour, term_step
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import by_count, spoken, tr

NAMES_PX = 132
HEADINGS = ("", worded("GPUs"), titles.USED, worded("$ per month"))


def content(seen: Seen) -> Content:
    """The most expensive row of the plan first; `seen.row` counts on from there, round and round."""
    shown = seen.view_state
    title = tr("How much of the load is there all the time")
    if shown.is_today:
        what = tr("Today has no layers to choose: it is the past.")
        return missing(title, what, plan_first(shown, tr("to see what it commits.")), of_the_window(shown))
    foot = of_the_plan(shown)
    if shown.advice is None:
        return missing(title, tr("The advice is being worked out."), tr("It appears here by itself."), foot)
    rows = rows_of(shown.advice)
    if not rows:
        return missing(
            title, tr("No demand in this plan."), tr("Import a job log, or choose another window."), foot
        )
    plan = rows[seen.row % len(rows)]
    if not shown.evaluation.project.offers:
        foot = tr("Without prices there are no layers: import a price list. {foot}", foot=foot)
    from gpuplanner.charts.plots.load_duration import LoadDurationChart

    chart = LoadDurationChart(large_chart_colours(seen.palette))
    chart.names_axis.setWidth(NAMES_PX)
    chart.show_curve(curve_of(plan, seen.palette, can_move=False))
    chart.setAccessibleName(tr("Load duration curve with its layers"))
    chart.getPlotItem().getAxis("bottom").setStyle(hideOverlappingLabels=40)  # room for half of "100"
    chart.setMinimumSize(200, 160)
    lines = [*_table_rows(plan, shown, seen.palette), *_others(plan, rows)]
    table = BigTable(tr("Layers"), [spoken(one) for one in HEADINGS], lines, seen.palette)
    body = QWidget()
    body.setObjectName("page")
    left = QVBoxLayout()
    left.setSpacing(8)
    left.addWidget(label(tr("GPUs in use, by % of the hours"), "small", "muted"))
    left.addWidget(chart, 1)
    layout = QHBoxLayout(body)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(32)
    layout.addLayout(left, 6)
    layout.addWidget(table, 7)
    if len(rows) > 1:
        at = seen.row % len(rows) + 1
        which = tr(
            "{at} of {rows} pools and GPU models (Tab for the next); Ask counts all, and later orders.",
            at=at,
            rows=len(rows),
        )
        foot = f"{which} {foot}"
    return Content(
        _title(plan), body, f"{chart.accessibleDescription()} {table.accessibleDescription()}", foot
    )


def rows_of(advice: Advice) -> list[PoolPlan]:
    """Pools and GPU models with demand, the most expensive first; without dollars the largest."""
    return sorted(advice.pools, key=lambda plan: (-(plan.cost_per_month or 0.0), -plan.mean_gpus))


def _title(plan: PoolPlan) -> str:
    """How many GPUs of this pool and model to commit, or that there are none."""
    name, bought = _name(plan), _bought(plan)
    if not bought:
        return tr("{name}: nothing new to commit", name=name)
    return by_count(
        bought,
        "{name}: commit {bought} GPU to begin with",
        "{name}: commit {bought} GPUs to begin with",
        name=name,
        bought=numbers.gpus(bought),
    )


def _table_rows(plan: PoolPlan, shown: ViewState, palette: Palette) -> list[BigRow]:
    """The layers in the order of the chart, with their sum."""
    rows = [row for row in term_rows(plan, shown.offers) if row.gpus > 0]
    money = scene_dollars.parts([row.usd for row in rows], plan.cost_per_month)
    made = [
        BigRow(
            (
                str(row.name),
                numbers.gpus(row.gpus),
                numbers.percent(row.used) if row.used is not None else "",
                usd,
            ),
            swatch=_swatch(row, palette),
            pattern=palette.hatch if row.term_months == 0 else "",
        )
        for row, usd in zip(reversed(rows), reversed(money), strict=True)  # as they lie in the chart
    ]
    total = total_row(plan, rows, tr("In all"))
    usd = scene_dollars.parts([plan.cost_per_month], plan.cost_per_month)[0]
    used = numbers.percent(total.used) if total.used is not None else ""
    made.append(BigRow((str(total.name), numbers.gpus(total.gpus), used, usd), is_total=True))
    return made


def _others(plan: PoolPlan, rows: list[PoolPlan]) -> list[BigRow]:
    """The other pools and GPU models with new GPUs: how many the plan commits in each, and what those cost."""
    others = [row for row in rows if row is not plan and _bought(row)]
    if not others:
        return []
    made = [BigRow((tr("New GPUs elsewhere"),), is_heading=True)]
    made += [
        BigRow((_name(row), numbers.gpus(_bought(row)), "", scene_dollars.amount(_new_usd(row))))
        for row in others
    ]
    return made


def _bought(plan: PoolPlan) -> float:
    """GPUs of all new commitments."""
    return sum(layer.gpus for layer in _new(plan))


def _new_usd(plan: PoolPlan) -> float | None:
    """What new commitments cost a month; None if a rate is unknown."""
    return known_sum(layer.cost_per_month for layer in _new(plan))


def _new(plan: PoolPlan) -> list[Layer]:
    """The layers that are new commitments."""
    return [layer for layer in plan.layers if not layer.existing and layer.term_months]


def _name(plan: PoolPlan) -> str:
    """Pool and GPU model."""
    return tr(
        "{title}, {gpu_model}", title=lane_of(plan.pool).title, gpu_model=plan.gpu_model or "unknown model"
    )


def _swatch(row: TermRow, palette: Palette) -> str:
    """The layer's colour in the chart."""
    if row.existing:
        return existing_colour(palette)
    return palette.terms[term_step(palette, row.term_months or 0)]

"""Scene Compare: the same workloads today and with the plan, in dollars by pool, and what changes besides."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.charts.kit.colours import mixed
from gpuplanner.domain.commitment.comparison.horizons import saved_share
from gpuplanner.domain.commitment.comparison.savings import step_usd
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.figure_row import BigFigure, figure_row, figures_in_words
from gpuplanner.ui.present.large_type import roomy
from gpuplanner.ui.present.scene import (
    Content,
    Seen,
    label,
    missing,
    name_of_plan,
    of_the_plan,
    of_the_window,
    plan_first,
)
from gpuplanner.ui.present.split_bar import Part, SplitBar
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr

UNUSED_ON_GROUND = 0.2
LETTERS_IN_LINE: Final = 32


@dataclass(frozen=True, slots=True)
class Spend:
    """$ a month of one side: of each pool's work, of what is paid and not used, and in all."""

    pools: dict[Pool, float | None]
    unused: float | None
    total: float | None


def content(seen: Seen) -> Content:
    """Two bars on one scale, and figures now and with the plan."""
    shown = seen.view_state
    title = tr("What changes")
    if shown.is_today:
        remedy = plan_first(shown, tr("to compare it with today."))
        return missing(title, tr("Today is only compared with a plan."), remedy, of_the_window(shown))
    foot = of_the_plan(shown)
    if shown.advice is None:
        return missing(title, tr("The advice is being worked out."), tr("It appears here by itself."), foot)
    if not shown.cards:
        return missing(title, tr("No jobs yet."), tr("Import a job log to see what they cost."), foot)
    now, plan = spend_today(shown), spend_planned(shown.advice)
    if now.total is None and plan.total is None:
        remedy = tr("Import prices: the plan needs them, and what is used today beyond the contracts.")
        return missing(title, tr("What it costs is unknown, today and with the plan."), remedy, foot)
    scale = max(now.total or 0.0, plan.total or 0.0) or 1.0
    body = QWidget()
    body.setObjectName("page")
    layout = QVBoxLayout(body)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(roomy(8))
    words_of = []
    before = name_of_today(shown)
    beside = _beside(shown)
    for name, spend, lines in ((before, now, ()), (_name_in_line(shown), plan, beside)):
        heading = tr("{name}, {words} per month", name=name, words=scene_dollars.amount(spend.total))
        layout.addWidget(label(spoken(heading), "title"))
        words_of.append(f"{heading}:")
        if spend.total is None:
            what = tr("Import contracts to see it.") if spend is now else tr("A rate is missing: see Prices.")
            layout.addWidget(label(spoken(what), "body", "muted"))
            words_of.append(what)
        else:
            bar = SplitBar(_parts(spend, scale, seen.palette), seen.palette, lines)
            layout.addWidget(bar, 4)
            words_of.append(f"{bar.accessibleName()}. {' '.join(texts[0] for texts, _ in lines)}")
        layout.addSpacing(roomy(14))
    layout.addStretch(1)
    figures = _figures(shown, shown.advice)
    layout.addWidget(figure_row(figures))
    foot = tr(
        "Pools have what jobs use here; on Board each has the unused hours of its new GPUs too. {foot}",
        foot=foot,
    )
    return Content(_title(shown), body, f"{' '.join(words_of)} {figures_in_words(figures)}", foot)


def _name_in_line(shown: ViewState) -> str:
    """The plan's name, where the heading has one line for it and the dollars; the scene's head has it whole."""
    name = name_of_plan(shown)
    return name if len(name) <= LETTERS_IN_LINE else tr("This plan")


def name_of_today(shown: ViewState) -> str:
    """What the plan is compared with: today's spend, which nobody knows without contracts."""
    return tr("Today") if shown.evaluation.project.contracts else tr("All on demand")


def spend_today(shown: ViewState) -> Spend:
    """Today's dollars of the same workloads, in the pools where the plan has them."""
    audit = shown.evaluation.audit
    usd = {row.key: row.usd_per_month for row in audit.workloads}
    pools = {
        pool: known_sum(usd.get(card.key) for card in shown.cards if card.pool is pool) for pool in POOLS
    }
    return Spend(pools, audit.unused_per_month, audit.spend)


def spend_planned(advice: Advice) -> Spend:
    """The plan's dollars of each pool less what its new layers are paid for and do not serve, which is unused."""
    pools: dict[Pool, float | None] = {}
    for pool in POOLS:
        plans = [plan for plan in advice.pools if plan.pool is pool]
        amounts = [plan.cost_per_month for plan in plans]
        amounts += [
            None if layer.unused_per_month is None else -layer.unused_per_month
            for plan in plans
            for layer in plan.layers
            if not layer.existing and layer.term_months
        ]
        pools[pool] = known_sum(amounts)
    totals = advice.totals
    return Spend(pools, totals.unused_plan, totals.plan)


def _parts(spend: Spend, scale: float, palette: Palette) -> list[Part]:
    """The bar of a spend by pool, its unused part last.

    Amounts are rounded to add up, widths share one scale.
    """
    amounts = [*(spend.pools[pool] for pool in POOLS), spend.unused]
    written = scene_dollars.parts(amounts, spend.total)
    parts = []
    for pool, usd, text in zip(POOLS, amounts, written, strict=False):
        lane = lane_of(pool)
        colours = palette.lanes[lane]
        parts.append(
            Part(
                tr("{title}, used", title=lane.title),
                text,
                max(0.0, usd or 0.0) / scale,
                colours.fill,
                colours.on_fill,
            )
        )
    ground = mixed(palette.colour("text"), palette.colour("window"), UNUSED_ON_GROUND).name()
    share = max(0.0, spend.unused or 0.0) / scale
    parts.append(Part(tr(WINDOW["unused_per_month"].title), written[-1], share, ground, palette.text))
    return parts


def _title(shown: ViewState) -> str:
    """What the plan saves or costs more against doing nothing."""
    savings = shown.advice.totals.savings_vs_do_nothing if shown.advice else None
    if savings is None:
        return tr("What the plan costs")
    if not round(savings):
        return tr("The same work for the same money")
    change = (
        tr("{words} less per month", words=scene_dollars.amount(abs(savings)))
        if savings > 0
        else tr("{words} more per month", words=scene_dollars.amount(abs(savings)))
    )
    if not shown.evaluation.project.contracts:
        return tr("The same work for {change} than all on demand", change=change)
    return tr("The same work for {change} than doing nothing", change=change)


def _beside(shown: ViewState) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Beside the plan's bar: against doing nothing first, then against today with what demand did by itself apart."""
    totals = shown.advice.totals if shown.advice else None
    saved = totals.savings_vs_do_nothing if totals else None
    share = None if totals is None else saved_share(saved, totals.do_nothing)
    if totals is None or share is None:
        return ()
    change = -share
    text = f"{'+' if round(change, 3) > 0 else ''}{numbers.percent(change)}"
    than = tr("{text} against doing nothing", text=text)
    lines: list[tuple[tuple[str, ...], str]] = [((than, text), "green" if round(change, 3) < 0 else "text")]
    today = totals.savings
    if today is not None:
        side = tr("below") if today >= 0 else tr("above")
        before = spoken(name_of_today(shown)).lower()
        far = tr("{usd} {side} {before}", usd=scene_dollars.amount(abs(today)), side=side, before=before)
        demand = step_usd(shown.outlook.savings_steps, "demand") if shown.outlook else None
        if demand and round(demand):
            sign = "+" if demand > 0 else ""
            apart = tr(
                "{far}, demand {sign}{usd} of it", far=far, sign=sign, usd=scene_dollars.amount(demand)
            )
            lines.append(((apart, far), "muted"))
        else:
            lines.append(((far,), "muted"))
    band = shown.outlook.uncertainty if shown.outlook else None
    if band is None:
        lines.append(((tr("P10\u2013P90 settling"),), "muted"))
    elif band.p10_usd_per_month is not None:
        low, high = scene_dollars.amount(band.p10_usd_per_month), scene_dollars.amount(band.p90_usd_per_month)
        band_said = tr("{low} to {high}", low=low, high=high)
        lines.append(
            (
                (
                    tr("P10\u2013P90 of the plan: {band_said}", band_said=band_said),
                    f"P10\u2013P90: {band_said}",
                    band_said,
                ),
                "muted",
            )
        )
    return tuple(lines)


def _figures(shown: ViewState, advice: Advice) -> list[BigFigure]:
    """Utilization, unused spend, lock-in and the twelve months, today's beside the plan's."""
    audit, totals = shown.evaluation.audit, advice.totals
    has_today = bool(shown.evaluation.project.contracts)
    months = [(month.do_nothing_usd, month.plan_usd) for month in advice.comparison]
    figures = [
        BigFigure(
            spoken(PLAN["effective_utilization_plan"].title),
            numbers.percent(totals.effective_utilization_plan),
            numbers.percent(audit.effective_utilization) if has_today else "",
            tr("of GPU-h paid"),
        ),
        BigFigure(
            tr(WINDOW["unused_per_month"].title),
            scene_dollars.amount(totals.unused_plan),
            scene_dollars.amount(audit.unused_per_month) if has_today else "",
            tr("per month"),
        ),
        BigFigure(
            spoken(PLAN["lock_in_months"].title),
            numbers.one_decimal(totals.lock_in_months),
            numbers.one_decimal(audit.lock_in_now_months) if has_today else "",
            tr("months, weighted by $"),
        ),
    ]
    if months:
        nothing, planned = known_sum(one for one, _ in months), known_sum(one for _, one in months)
        figures.append(
            BigFigure(
                tr("Next {months}", months=numbers.counted(len(months), "month")),
                scene_dollars.amount(planned),
                note=tr("doing nothing: {words}", words=scene_dollars.amount(nothing)),
            )
        )
    return figures

"""Scene Board: the three pools with their most expensive workloads."""

from gpuplanner.domain.commitment.plan.whole_dollars import idle_dollars
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.pool_columns import ColumnFacts, PoolColumns, WorkloadLine
from gpuplanner.ui.present.scene import Content, Seen, missing, of_the_plan, of_the_window
from gpuplanner.ui.state.view_state import LaneSums, ViewState, lane_of_card, lane_sums
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import LANES, Lane
from gpuplanner.ui.words.translation import by_count, tr


def content(seen: Seen) -> Content:
    """The pools of the board; cards in review stand in their likely pool, where the board counts them too."""
    shown = seen.view_state
    foot = of_the_window(shown) if shown.is_today else of_the_plan(shown)
    if not shown.cards:
        return missing(
            tr("Which workloads, in which pool"),
            tr("No jobs yet."),
            tr("Import a job log to see its workloads."),
            foot,
        )
    lanes: dict[Lane, list[CardFigures]] = {lane: [] for lane in LANES}
    for card in shown.cards:
        lanes[lane_of_card(card)].append(card)
    sums = lane_sums(shown, lanes)
    advice = None if shown.is_today else shown.advice
    idle = known_sum(idle_dollars(advice)) if advice is not None else 0
    pools = [lane for lane in LANES if lane.pool is not None]
    money = _written([sums[lane].whole_usd_per_month for lane in pools], idle, advice)
    largest = max((_size(shown, card) for card in shown.cards), default=0.0)
    columns = [
        _column(seen, [card for card in shown.cards if card.pool is lane.pool], sums[lane], usd, largest)
        for lane, usd in zip(pools, money, strict=False)
    ]
    body = PoolColumns(columns, seen.palette)
    if idle:
        foot = tr(
            "What stands idle in existing contracts, {money} per month, is in no column. {foot}",
            money=money[-1],
            foot=foot,
        )
    return Content(_title(seen, len(shown.cards), bool(idle)), body, body.accessibleDescription(), foot)


def _written(pools: list[int | None], idle: float | None, advice: Advice | None) -> list[str]:
    """$ of each pool, then of what stands idle: with a plan they add up to its title as they are written."""
    total = advice.totals.plan if advice else None
    if total is None:
        return [scene_dollars.amount(usd) for usd in (*pools, idle)]
    return scene_dollars.parts([*pools, idle], total)


def _title(seen: Seen, cards: int, has_idle: bool) -> str:
    """How many workloads run, and what the plan costs for them a month."""
    shown, workloads = seen.view_state, numbers.counted(cards, "workload")
    if shown.is_today:
        return by_count(
            cards, "Where {workloads} runs today", "Where {workloads} run today", workloads=workloads
        )
    usd = shown.advice.totals.plan if shown.advice else None
    if usd is None:
        return workloads
    beside = tr(" and idle existing contracts") if has_idle else ""
    return tr(
        "{workloads}{beside}, {words} per month",
        workloads=workloads,
        beside=beside,
        words=scene_dollars.amount(usd),
    )


def _has_money(shown: ViewState) -> bool:
    """Whether any card's dollars are known."""
    return any(shown.usd.get(card.key) is not None for card in shown.cards)


def _size(shown: ViewState, card: CardFigures) -> float:
    """What the length of a bar is: dollars, and without any the GPU-hours."""
    return (shown.usd.get(card.key) or 0.0) if _has_money(shown) else card.gpu_hours_per_month


def _column(seen: Seen, cards: list[CardFigures], sums: LaneSums, money: str, largest: float) -> ColumnFacts:
    """money: $ a month as written; largest: of all columns, so that bars are as long as their amounts in each."""
    usd, has_money = seen.view_state.usd, _has_money(seen.view_state)
    order = sorted(cards, key=lambda card: (-(usd.get(card.key) or 0.0), -card.gpu_hours_per_month, card.key))
    lines = tuple(
        WorkloadLine(
            seen.names.workload(card.key, card.name),
            scene_dollars.beside_others(usd.get(card.key), largest)
            if has_money
            else tr(
                "{gpu_hours_per_month} GPU-h", gpu_hours_per_month=numbers.whole(card.gpu_hours_per_month)
            ),
            _size(seen.view_state, card) / (largest or 1.0),
        )
        for card in order
    )
    count, hours = (
        numbers.counted(len(cards), "workload"),
        tr(
            "{gpu_hours_per_month} GPU-h per month",
            gpu_hours_per_month=numbers.whole(sums.gpu_hours_per_month),
        ),
    )
    review = tr(", {in_review} in review", in_review=numbers.whole(sums.in_review)) if sums.in_review else ""
    return ColumnFacts(
        sums.lane,
        money,
        (f"{count}{review}{numbers.MIDDOT}{hours}", f"{count}{review}", count),
        lines,
    )

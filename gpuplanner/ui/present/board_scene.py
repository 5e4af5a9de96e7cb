"""Scene Board: the three pools with their dearest workloads."""

from gpuplanner.domain.commitment.whole_dollars import idle_dollars
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.ui import numbers
from gpuplanner.ui.lanes import LANES, Lane
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.pool_columns import ColumnFacts, PoolColumns, WorkloadLine
from gpuplanner.ui.present.scene import Content, Seen, missing, of_the_plan, of_the_window
from gpuplanner.ui.shown import LaneSums, lane_of_card, lane_sums


def content(seen: Seen) -> Content:
    """The pools of the board; cards in review stand in their likely pool, where the board counts them too."""
    shown = seen.shown
    foot = of_the_window(shown) if shown.is_today else of_the_plan(shown)
    if not shown.cards:
        return missing(
            "Which workloads, in which pool", "No jobs yet.", "Import a job log to see its workloads.", foot
        )
    lanes: dict[Lane, list[CardFigures]] = {lane: [] for lane in LANES}
    for card in shown.cards:
        lanes[lane_of_card(card)].append(card)
    sums = lane_sums(shown, lanes)
    columns = [
        _column(seen, [card for card in shown.cards if card.pool is lane.pool], sums[lane])
        for lane in LANES
        if lane.pool is not None
    ]
    body = PoolColumns(columns, seen.palette)
    idle = [] if shown.is_today or shown.advice is None else idle_dollars(shown.advice)
    known = sum(usd for usd in idle if usd is not None)
    if known:
        foot = f"{foot} Existing contracts that stand idle, {scene_dollars.said(known)} a month, are in no column."
    return Content(_title(seen, len(shown.cards)), body, body.accessibleDescription(), foot)


def _title(seen: Seen, cards: int) -> str:
    shown, workloads = seen.shown, numbers.counted(cards, "workload")
    if shown.is_today:
        return f"Where {workloads} {'runs' if cards == 1 else 'run'} today"
    usd = shown.advice.totals.plan_usd_per_month if shown.advice else None
    money = "" if usd is None else f", {scene_dollars.said(usd)} a month"
    return f"{workloads}{money}"


def _column(seen: Seen, cards: list[CardFigures], sums: LaneSums) -> ColumnFacts:
    usd = seen.shown.usd
    has_money = any(usd.get(card.key) is not None for card in cards)
    order = sorted(cards, key=lambda card: (-(usd.get(card.key) or 0.0), -card.gpu_hours_per_month, card.key))

    def size(card: CardFigures) -> float:
        return (usd.get(card.key) or 0.0) if has_money else card.gpu_hours_per_month

    largest = max((size(card) for card in cards), default=0.0)
    lines = tuple(
        WorkloadLine(
            seen.names.workload(card.key, card.name),
            scene_dollars.beside_others(usd.get(card.key), largest)
            if has_money
            else f"{numbers.whole(card.gpu_hours_per_month)} GPU-h",
            size(card) / (largest or 1.0),
        )
        for card in order
    )
    count, hours = (
        numbers.counted(len(cards), "workload"),
        f"{numbers.whole(sums.gpu_hours_per_month)} GPU-h a month",
    )
    review = f", {numbers.whole(sums.in_review)} in review" if sums.in_review else ""
    money = None if sums.whole_usd_per_month is None else float(sums.whole_usd_per_month)
    return ColumnFacts(
        sums.lane,
        scene_dollars.said(money),
        (f"{count}{review}{numbers.MIDDOT}{hours}", f"{count}{review}", count),
        lines,
    )

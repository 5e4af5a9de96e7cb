"""What levels set by hand cost beside the advice, in words: month 0, the whole horizon, and why."""

from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.recursion.price_levels import over
from gpuplanner.domain.figures.typed import amount, percent, whole
from gpuplanner.domain.message import Message, Text, worded, worded_count

NOTHING_USD = 0.5
"""What rounds to nothing is not said."""


def cost_of_levels_sentences(cost: CostOfLevels, values: LevelValues) -> tuple[Message, ...]:
    """The total first, then each level that costs more or less than the advice for the same GPUs.

    cost: in $; below 0 the levels cost less. One sentence where there is nothing to tell.
    """
    horizon = cost.horizon_months
    if max(abs(cost.usd), abs(cost.month_0_usd)) < NOTHING_USD:
        return (
            worded(
                "These levels cost what the advice costs, in month 0 and over {horizon} months.",
                horizon=whole(horizon),
            ),
        )
    first = worded(
        "Against the advice these levels cost {month_0_usd} in month 0, and are expected to cost "
        "{usd} over {horizon} months, in today's money, with the advice followed once they end.",
        month_0_usd=_more(cost.month_0_usd),
        usd=_more(cost.usd),
        horizon=whole(horizon),
    )
    return (
        first,
        *(_level(level, values) for level in cost.levels if abs(level.usd) >= NOTHING_USD),
    )


def _level(level: LevelCost, values: LevelValues) -> Message:
    """One level: its GPUs and term, what it costs more or less, and why."""
    term = level.term_months
    many = worded_count(level.gpus, "{gpus} GPU", "{gpus} GPUs", gpus=whole(level.gpus))
    what = (
        worded_count(term, "{many} for {term} month", "{many} for {term} months", many=many, term=whole(term))
        if term
        else worded("{many} paid by use", many=many)
    )
    return worded(
        "{what}: {usd} over {horizon_months} months, {level}.",
        what=what,
        usd=_more(level.usd),
        horizon_months=whole(values.horizon_months),
        level=_why(level, values),
    )


def _why(level: LevelCost, values: LevelValues) -> Message:
    """Why a level costs more, or less, than the advice for the same GPUs."""
    term = level.term_months
    if level.usd < 0:
        return worded("because the advice may not sign so long a term on so short a log")
    if not term:
        return worded("where the advice signs")
    if level.month_0_usd >= 0:
        return worded("of which ${month_0_usd} in month 0", month_0_usd=whole(level.month_0_usd))
    prices, end = float(over(values.use_prices, term + 1)[term]), 1 - (1 - values.churn) ** term
    moved = (
        worded("{share} lower", share=percent(1 - prices))
        if prices <= 1
        else worded("{share} higher", share=percent(prices - 1))
    )
    return worded(
        "though ${month_0_usd} less in month 0: it is paid to its end, by when prices are expected "
        "to be {moved} and the chance that its demand has ended is {end}",
        month_0_usd=whole(-level.month_0_usd),
        moved=moved,
        end=percent(end),
    )


def _more(usd: float) -> Text:
    """$ more or less, in words; the same under half a dollar."""
    if abs(usd) < NOTHING_USD:
        return worded("the same")
    far = amount(abs(usd))
    return worded("{usd} more", usd=far) if usd > 0 else worded("{usd} less", usd=far)

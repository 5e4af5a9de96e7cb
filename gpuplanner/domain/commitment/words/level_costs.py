"""What levels set by hand cost beside the advice, in words."""

from typing import Final

from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.comparison import NOTHING_USD, more_words
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.figures.typed import percent, whole
from gpuplanner.domain.message import Message, worded, worded_count

THE_SAME: Final = worded("the same")


def cost_of_levels_sentences(cost: CostOfLevels, values: LevelValues) -> tuple[Message, ...]:
    """The total first, then each level that costs more or less than the advice for the same GPUs.

    cost: in $; below 0 the levels cost less. One sentence where there is nothing to tell.
    """
    horizon = whole(cost.horizon_months)
    if max(abs(cost.usd), abs(cost.month_0_usd)) < NOTHING_USD:
        same = worded(
            "These levels cost as much as the advice, in the first month and over {horizon} months.",
            horizon=horizon,
        )
        return (same,)
    first = worded(
        "Against the advice: {month} in the first month, expected {usd} over {horizon} months (present "
        "value). Later orders follow the advice.",
        month=more_words(cost.month_0_usd, THE_SAME),
        usd=more_words(cost.usd, THE_SAME),
        horizon=horizon,
    )
    return (first, *(_level(level, values) for level in cost.levels if abs(level.usd) >= NOTHING_USD))


def _level(level: LevelCost, values: LevelValues) -> Message:
    """One level: its GPUs and term, what it costs more or less, and why."""
    term = level.term_months
    many = worded_count(level.gpus, "{gpus} GPU", "{gpus} GPUs", gpus=whole(level.gpus))
    gpus_and_term = (
        worded_count(term, "{many} for {term} month", "{many} for {term} months", many=many, term=whole(term))
        if term
        else worded("{many} on demand", many=many)
    )
    return worded(
        "{name}: {usd} over {horizon_months} months, {level}.",
        name=gpus_and_term,
        usd=more_words(level.usd, THE_SAME),
        horizon_months=whole(values.horizon_months),
        level=_why(level, values),
    )


def _why(level: LevelCost, values: LevelValues) -> Message:
    """Why a level costs more, or less, than the advice for the same GPUs."""
    term = level.term_months
    if level.usd < 0:
        return worded("as the log is too short for this term")
    if not term:
        return worded("where the advice signs")
    if level.month_0_usd >= 0:
        return worded("of which ${month} in the first month", month=whole(level.month_0_usd))
    prices, end = float(rates.over(values.use_prices, term + 1)[term]), 1 - (1 - values.churn) ** term
    moved = (
        worded("{share} lower", share=percent(1 - prices))
        if prices <= 1
        else worded("{share} higher", share=percent(prices - 1))
    )
    return worded(
        "but ${month} less in the first month. It is paid to its end. By then, prices are expected to be "
        "{moved}, and its demand has ended with a chance of {end}",
        month=whole(-level.month_0_usd),
        moved=moved,
        end=percent(end),
    )

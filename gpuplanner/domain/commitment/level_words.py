"""What levels set by hand cost beside the advice, in words: month 0, the whole horizon, and why."""

from gpuplanner.domain.commitment.result import CostOfLevels, LevelCost, LevelValues

NOTHING_USD = 0.5
"""What rounds to nothing is not said."""


def cost_of_levels_sentences(cost: CostOfLevels, values: LevelValues) -> tuple[str, ...]:
    """The total first, then each level that costs more or less than the advice for the same GPUs."""
    horizon = cost.horizon_months
    if max(abs(cost.usd), abs(cost.month_0_usd)) < NOTHING_USD:
        return (f"These levels cost what the advice costs, in month 0 and over {horizon} months.",)
    first = (
        f"Against the advice these levels cost {_more(cost.month_0_usd)} in month 0, and are expected to cost "
        f"{_more(cost.usd)} over {horizon} months, in today's money, with the advice followed once they end."
    )
    return (
        first,
        *(_level(level, values) for level in cost.levels if abs(level.usd) >= NOTHING_USD),
    )


def _level(level: LevelCost, values: LevelValues) -> str:
    term = level.term_months
    many = f"{level.gpus:,.0f} GPU{'' if level.gpus == 1 else 's'}"
    what = f"{many} for {term} month{'' if term == 1 else 's'}" if term else f"{many} paid by use"
    return f"{what}: {_more(level.usd)} over {values.horizon_months} months, {_why(level, values)}."


def _why(level: LevelCost, values: LevelValues) -> str:
    term = level.term_months
    if level.usd < 0:
        return "because the advice may not sign so long a term on so short a log"
    if not term:
        return "where the advice signs"
    if level.month_0_usd >= 0:
        return f"of which ${level.month_0_usd:,.0f} in month 0"
    fall, end = 1 - (1 - values.price_fall) ** term, 1 - (1 - values.churn) ** term
    return (
        f"though ${-level.month_0_usd:,.0f} less in month 0: it is paid to its end, by when prices are expected to be "
        f"{fall:.0%} lower and the chance that its demand has ended is {end:.0%}"
    )


def _more(usd: float) -> str:
    if abs(usd) < NOTHING_USD:
        return "the same"
    return f"${abs(usd):,.0f} {'more' if usd > 0 else 'less'}"

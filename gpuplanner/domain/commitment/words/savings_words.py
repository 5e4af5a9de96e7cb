"""Where savings come from, in the words of the window, the terminal and the documents."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.comparison.savings import STEPS
from gpuplanner.domain.commitment.comparison.savings_buy import SavingsBuy
from gpuplanner.domain.commitment.outlook_result import SavingsStep
from gpuplanner.domain.figures.typed import amount, decimals, gpus, whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import largest_remainder

STEP_NAMES: Final = {
    "demand": worded("Demand as it is now"),
    "ending": worded("Contracts that end"),
    "terms": worded("Terms and rates"),
    "separation": worded("Moves between pools"),
    "spot": worded("Spot"),
}
"""In the order of the steps. Separate pools are something else: pools that share nothing, beside one pool for all."""

STEP_MEANINGS: Final = {
    "demand": worded("The log at the demand of next month: what came or fell away by itself. No saving."),
    "ending": worded(
        "Nothing signed: contracts that end or begin, what they leave over on demand. No saving."
    ),
    "terms": worded("What signing saves where everything runs where it does today, without spot."),
    "separation": worded(
        "What changes where work runs in the plan's pools, not where it does today; no spot."
    ),
    "spot": worded("What runs on spot."),
}

assert tuple(STEP_NAMES) == tuple(STEP_MEANINGS) == STEPS

SAVING_STEPS: Final = ("terms", "separation", "spot")
"""They make up the savings against doing nothing."""
OTHER_STEPS: Final = ("demand", "ending")
"""What came or fell away by itself: no saving. With the savings against doing nothing, today less the plan."""


def avoided_words(audit: Audit) -> Text:
    """What separate pools avoid beside their $, in one sentence; empty where the log has none of it."""
    hours, usd = audit.contended_hours, audit.premium_usd_per_month
    if not (hours or usd):
        return ""
    beside = whole(audit.interference_hours)
    if usd is None:
        return worded(
            "Separate pools avoid what no $ of the plan holds: {hours} contended hours in the window, {beside} of them "
            "with training beside inference. The premium that inference pays at equal terms is unknown: an offer or a "
            "rate is missing.",
            hours=whole(hours),
            beside=beside,
        )
    return worded(
        "Separate pools avoid what no $ of the plan holds: {hours} contended hours in the window, {beside} of them "
        "with training beside inference, and a premium of {usd} per month at equal terms over the cheapest offers that "
        "fit inference.",
        hours=whole(hours),
        beside=beside,
        usd=amount(usd),
    )


def bought_words(buy: SavingsBuy) -> Text:
    """What the savings would buy, at which rate; why that is unknown where it is."""
    if buy.unknown:
        return worded("What the savings would buy is unknown. {why}", why=buy.unknown)
    return worded(
        "The savings would buy {gpu_hours} GPU-hours per month by use, {gpus} GPUs for as long as they last, at "
        "${rate} per GPU-hour: what the plan pays by use for one more.",
        gpu_hours=whole(buy.bought_gpu_hours_per_month or 0.0),
        gpus=gpus(buy.bought_gpus or 0.0),
        rate=decimals(buy.marginal_rate or 0.0, 2),
    )


def saved_dollars(
    steps: Sequence[SavingsStep], names: Sequence[str], total: float | None, beside: float | None = None
) -> list[int | None]:
    """Whole dollars that each named step takes off a month; with `beside` they add up to the rounded total.

    All unknown where one of them or the total is.
    """
    by_name = {one.step: one.saved_per_month for one in steps}
    amounts = [by_name.get(name) for name in names]
    if total is None or None in amounts:
        return [None] * len(names)
    return largest_remainder(amounts, float(round(total) - round(beside or 0.0)))

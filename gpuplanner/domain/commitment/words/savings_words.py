"""Where savings come from, in the words of the window, the terminal and the documents."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.plan.savings import STEPS
from gpuplanner.domain.commitment.result import SavingsStep
from gpuplanner.domain.figures.typed import amount, whole
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
    """What separate pools avoid beside their $: the log's contended hours, and what inference pays at equal terms.

    Empty where the log has neither.
    """
    hours, usd = audit.contended_hours, audit.premium_usd_per_month
    if not (hours or usd):
        return ""
    if usd is None:
        return worded(
            "Separate pools avoid what no $ of the plan holds: {hours} contended hours in the window. The premium that "
            "inference pays at equal terms is unknown: an offer or a rate is missing.",
            hours=whole(hours),
        )
    return worded(
        "Separate pools avoid what no $ of the plan holds: {hours} contended hours in the window, and a premium of "
        "{usd} a month at equal terms over the cheapest offers that fit inference.",
        hours=whole(hours),
        usd=amount(usd),
    )


def saved_dollars(
    steps: Sequence[SavingsStep], names: Sequence[str], total: float | None, beside: float | None = None
) -> list[int | None]:
    """Whole dollars that each named step takes off a month; with `beside` they add up to the rounded total.

    All unknown where one of them or the total is.
    """
    by_name = {one.step: one.usd_per_month for one in steps}
    amounts = [None if usd is None else -usd for usd in map(by_name.get, names)]
    if total is None or None in amounts:
        return [None] * len(names)
    return largest_remainder(amounts, float(round(total) - round(beside or 0.0)))

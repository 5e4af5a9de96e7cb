"""Where savings come from, in words: their steps, and what they would buy."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.outlook_result import Outlook, SavingsStep
from gpuplanner.domain.commitment.plan.comparison import STEPS, SavingsBuy, step_usd
from gpuplanner.domain.commitment.plan.twelve_months import LEAST_GPU_HOURS
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.typed import amount, decimals, gpus, whole
from gpuplanner.domain.message import Text, capital, joined, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.book.contract import in_force, mean_gpus
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS
from gpuplanner.domain.model.project import Project

STEP_NAMES: Final = {
    "demand": worded("Demand now"),
    "ending": worded("Contracts starting or ending"),
    "terms": worded("Terms and rates"),
    "separation": worded("Moves between pools"),
    "spot": worded("Spot"),
    **DEMAND_CUTS,
}
"""In the order of the steps. Separate pools are something else: pools that share nothing, beside one pool for all."""

STEP_MEANINGS: Final = {
    "demand": worded("Next month's demand: work started or ended. Not a saving."),
    "ending": worded("No new orders: contracts end or start, the rest runs on demand. Not a saving."),
    "terms": worded("Savings from new orders, with all work where it runs today, without spot."),
    "separation": worded("Effect of the plan's pools, without spot."),
    "spot": worded("Effect of spot."),
    "right_size": worded("Fixed-size services, resized to their busiest hour at target activity."),
    "autoscale": worded("Then they follow each hour's need."),
    "idle_ended": worded("Ends idle development."),
}
assert tuple(STEP_NAMES) == tuple(STEP_MEANINGS) == (*STEPS, *DEMAND_CUTS)

SAVING_STEPS: Final = ("terms", "separation", "spot")
"""With the cuts of demand that are accepted they make up the savings against doing nothing."""
OTHER_STEPS: Final = ("demand", "ending")
"""What came or fell away by itself: no saving. With the savings against doing nothing, today less the plan."""


def by_itself(project: Project, outlook: Outlook | None) -> tuple[Text, float | None]:
    """What came or fell away by itself is called, and its $ a month: demand; where contracts began or ended while the
    log ran, both steps, for its hours count by how recent they are, and so does what was paid in them."""
    window, steps = project.window, () if outlook is None else outlook.savings_steps
    held = sum(mean_gpus(contract, window) for contract in project.contracts)
    if held == sum(contract.gpus for contract in in_force(project.contracts, window.end_s - 1)):
        return worded("demand"), step_usd(steps, "demand")
    return worded("demand and contracts"), known_sum(step_usd(steps, name) for name in OTHER_STEPS)


def no_savings_words(advice: Advice | None) -> Text:
    """Return why no savings are known although the plan's cost is: the plan or do nothing leaves demand unserved.

    Empty where they are known.
    """
    if advice is None or advice.totals.plan is None or advice.totals.savings_vs_do_nothing is not None:
        return ""
    if not advice.unserved:
        hours = sum(month.do_nothing_unserved_gpu_hours for month in advice.comparison)
        if hours < LEAST_GPU_HOURS:
            return ""
        return worded(
            "Not comparable: do nothing leaves {gpu_hours} GPU-h unserved in 12 months.",
            gpu_hours=whole(hours),
        )
    left = [capital(joined((check.message, "."))) for check in advice.checks if check.code == "unserved"]
    return joined((worded("Unknown: the plan leaves demand unserved."), *left), " ")


def avoided_words(audit: Audit) -> Text:
    """What separate pools avoid beside their $, in one sentence; empty where the log has none of it."""
    hours, premium = audit.contended_hours, audit.premium
    usd = premium.usd_per_month
    if not (hours or usd):
        return ""
    avoided = worded(
        "Separate pools also avoid {hours} hours over capacity ({both} with training and inference).",
        hours=whole(hours),
        both=whole(audit.interference_hours),
    )
    if usd is None:
        return joined((avoided, worded("Consolidation premium unknown: an offer or rate is missing.")), " ")
    saved = worded(
        "Consolidation premium avoided at equal terms: {usd} per month (rate {rate}, idle {idle}).",
        usd=amount(usd),
        rate=amount(premium.rate_usd_per_month),
        idle=amount(premium.idle_usd_per_month),
    )
    return joined((avoided, saved), " ")


def bought_words(buy: SavingsBuy) -> Text:
    """What the savings would buy, at which rate; why that is unknown where it is."""
    if buy.unknown:
        return worded("GPU-hours for the savings are unknown. {why}", why=buy.unknown)
    return worded(
        "At the plan's on-demand rate of ${rate}, the savings buy {hours} GPU-hours per month ({gpus} GPUs).",
        hours=whole(buy.bought_gpu_hours_per_month or 0.0),
        gpus=gpus(buy.bought_gpus or 0.0),
        rate=decimals(buy.marginal_rate or 0.0, 2),
    )


def saved_dollars(
    steps: Sequence[SavingsStep], names: Sequence[str], total: float | None, beside: float | None = None
) -> list[int | None]:
    """Whole dollars that each named step takes off a month; with `beside` they add up to the rounded total.

    All unknown where one of them or the total is.
    """
    by_name = {step.step: step.saved_per_month for step in steps}
    amounts = [by_name.get(name) for name in names]
    if total is None or None in amounts:
        return [None] * len(names)
    return largest_remainder(amounts, float(round(total) - round(beside or 0.0)))

"""From today's spend to the plan's: the steps of the bridge, and what each of twelve months costs either way."""

from typing import Final

from gpuplanner.domain.audit.evidence.trace_forms import less
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.plan.whole_dollars import layer_dollars
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.state.waterfall_steps import Amount
from gpuplanner.ui.words.translation import tr

STEPS: Final = (
    (
        "contracts",
        worded("Ending"),
        worded("contracts"),
        worded("What the plan pays of today's contracts, less what they cost now"),
    ),
    (
        "overflow",
        titles.OVERFLOW,
        worded("no more"),
        worded("What ran beyond the contracts, at on-demand rates"),
    ),
    (
        "signed",
        worded("Newly"),
        worded("signed"),
        worded("GPUs \u00d7 rate \u00d7 730 h of what the plan signs"),
    ),
    (
        "by_use",
        titles.PAID,
        worded("by use"),
        worded("On demand and spot, for the GPU-hours that the layers leave over"),
    ),
)
"""Part of the plan's spend, two lines of its name, and what it is."""


def plan_amounts(shown: ViewState) -> tuple[Amount, ...]:
    """Six bars in whole dollars: today, what ends, overflow no more, what is signed, what is paid by use, the plan.

    Law: today and the four steps are the plan, wherever all of them are known. What is signed and paid by use are the
    dollars of the layers as every panel writes them; what ends takes what is rounded away.
    """
    advice = shown.advice
    totals = advice.totals if advice else None
    today = _whole(totals.today if totals else None)
    overflow = _whole(known_sum(less(row.overflow_per_month) for row in shown.evaluation.audit.clusters))
    plan = _whole(totals.plan if totals else None)
    is_known = advice is not None and bool(advice.pools) and is_priced(advice.pools)
    signed, by_use = (
        (_layers(advice, True), _layers(advice, False)) if advice is not None and is_known else (None, None)
    )
    others = (today, overflow, signed, by_use)
    rest = None if plan is None or None in others else plan - sum(one for one in others if one is not None)
    known = {"contracts": rest, "overflow": overflow, "signed": signed, "by_use": by_use}
    return (
        Amount(tr("Today"), "", today, "start", tr("Contracts, and overflow at on-demand rates"), "spend::"),
        *(Amount(name, note, known[part], "step", tip, f"plan_{part}::") for part, name, note, tip in STEPS),
        Amount(tr("Plan"), "", plan, "result", tr("What the plan costs in its first month"), "plan_usd::"),
    )


def _whole(usd: float | None) -> int | None:
    """In whole dollars; None stays None."""
    return None if usd is None else round(usd)


def _layers(advice: Advice, is_signed: bool) -> int | None:
    """Whole dollars of new commitments, or of what is paid by use."""
    whole = [
        usd
        for (_, _, is_existing, _, term_months, _), usd in layer_dollars(advice).items()
        if not is_existing and bool(term_months) == is_signed
    ]
    return None if None in whole else sum(usd for usd in whole if usd is not None)

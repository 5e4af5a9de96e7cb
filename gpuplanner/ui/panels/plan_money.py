"""From today's spend to the plan's: the steps of the bridge, and what each of twelve months costs either way."""

from typing import Final

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.waterfall_steps import Amount

STEPS: Final = (
    ("contracts", "Ending", "contracts", "What the plan pays of today's contracts, less what they cost now"),
    ("overflow", "Overflow", "no more", "What ran beyond the contracts, at on-demand rates"),
    ("signed", "Newly", "signed", "GPUs \u00d7 rate \u00d7 730 h of what the plan signs"),
    ("by_use", "Paid", "by use", "On demand and spot, for the GPU-hours that the layers leave over"),
)
"""Part of the plan's spend, two lines of its name, and what it is."""


def plan_amounts(shown: Shown) -> tuple[Amount, ...]:
    """Six bars: today, what becomes of contracts and of overflow, what is signed, what is paid by use, the plan.

    Law: today and the four steps are the plan, wherever all of them are known.
    """
    advice = shown.advice
    totals = advice.totals if advice else None
    today = totals.current_usd_per_month if totals else None
    paid = known_sum(row.cost_usd_per_month for row in shown.evaluation.audit.clusters)
    kept, signed, by_use = parts_of_plan(advice) if advice else (None, None, None)
    contracts = None if kept is None or paid is None else kept - paid
    overflow = None if today is None or paid is None else paid - today
    known = {"contracts": contracts, "overflow": overflow, "signed": signed, "by_use": by_use}
    return (
        Amount("Today", "", today, "start", "Contracts, and overflow at on-demand rates", "spend::"),
        *(Amount(name, note, known[part], "step", tip, f"plan_{part}::") for part, name, note, tip in STEPS),
        Amount(
            "Plan",
            "",
            totals.plan_usd_per_month if totals else None,
            "result",
            "What the plan costs in its first month",
            "plan_usd::",
        ),
    )


def parts_of_plan(advice: Advice) -> tuple[float | None, float | None, float | None]:
    """$ a month of the plan: existing contracts (used and idle), new commitments, and what is paid by use."""
    existing: list[float | None] = [idle.usd_per_month for idle in advice.idle_existing]
    signed: list[float | None] = []
    by_use: list[float | None] = []
    for plan in advice.pools:
        for layer in plan.layers:
            kind = existing if layer.existing else signed if layer.term_months else by_use
            kind.append(layer.usd_per_month)
    return known_sum(existing), known_sum(signed), known_sum(by_use)

"""Where every figure with a formula is seen, itself or in one that stands on it, by subject: media of `readings`.

`why` is the answers to "Why this number?", of which a figure without one may be an operand. A rendering that a formula
moves and that is not named here is as wrong as one that it does not move.
"""

from typing import Final

EVERYWHERE: Final = "json terminal brief workbook why"
PAGES: Final = "json terminal brief why"
COSTS: Final = "json terminal why"

SHOWN: Final[dict[str, dict[str, str]]] = {
    "contract": {
        "paid_gpu_hours": "why",
        "idle_gpu_hours": EVERYWHERE,
        "utilization": EVERYWHERE,
        "below_40_percent": PAGES,
        "break_even_utilization": EVERYWHERE,
        "paid_in_window": EVERYWHERE,
        "allocated_in_window": EVERYWHERE,
        "unused_in_window": EVERYWHERE,
        "paid_per_month": "why",
        "committed_per_month": COSTS,
        "on_demand_per_month": COSTS,
        "allocated_per_month": "why",
        "unused_per_month": PAGES,
    },
    "cluster": {
        "utilization": PAGES,
        "below_40_percent": PAGES,
        "non_training_utilization": PAGES,
        "non_training_idle_share": PAGES,
        "spent_in_window": EVERYWHERE,
        "useful_in_window": "json",
        "allocated_idle_in_window": "json",
        "cost_per_month": PAGES,
        "allocated_per_month": PAGES,
        "unallocated_per_month": PAGES,
        "stranded_metered": PAGES,
        "stranded_audit": PAGES,
        "literal_reading": "why",
        "overflow_per_month": "why",
        "idle_while_training": "json terminal brief",  # why: contracts and their idle time in those hours
        "scaled_to_all_hours": PAGES,
    },
    "window": {
        "effective_utilization": "json brief workbook why",
        "spend": EVERYWHERE,
        "unused": "json brief workbook why",
    },
    "use": {
        "gpu_hours": COSTS,
        "share": "json why",
        "mean_gpus": "json why",
        "utilization": COSTS,
        "below_40_percent": "json terminal",
        "break_even_utilization": COSTS,
        "cost_per_month": COSTS,
    },
    "team": {"share": COSTS, "mean_gpus": COSTS},
    "class": {"share": PAGES},
    "leak": {
        "leaked_in_window": EVERYWHERE,
        "average_rate": "why",
        "gpu_hours_per_month": "why",
        "leaked_per_month": EVERYWHERE,
        "counted_gpu_hours": EVERYWHERE,
        "still_left_gpu_hours": EVERYWHERE,
        "counted_gpu_hours_per_month": "why",
        "counted_per_month": EVERYWHERE,
    },
    "layer": {
        "utilization": EVERYWHERE,
        "cost_per_month": EVERYWHERE,
        "mean_rate": "why",
        "unused_per_month": "brief workbook",
        "on_demand_per_month": "json brief why",
        "value_per_month": "json brief why",
    },
    "term": {
        "one_gpu_per_month": "why",
        "by_use_per_month": "json why",
        "compared_per_month": "json why",
        "break_even": "json why",
    },
    "plan": {
        "savings_vs_do_nothing": EVERYWHERE,
        "savings": EVERYWHERE,
        "savings_percent": "json workbook",
        "effective_savings_rate": "json terminal workbook",
        "effective_utilization_plan": "json brief workbook why",
        "lock_in_months": "json brief workbook why",
    },
    "run": {"mean_gpus": COSTS, "mean_rate": "window"},
    "model_part": {"share_of_workload": COSTS, "cost_per_month": COSTS},
    "endpoint": {"active_per_month": COSTS, "inactive_per_month": COSTS},
    "traffic": {
        "tokens": COSTS,
        "cost_per_million_tokens": COSTS,
        "cost_per_million_generated_tokens": "json why",
    },
    "equal_terms": {"cost_with_idle": "why"},
    "premium": {
        "paid_utilization": COSTS,
        "offer_utilization": COSTS,
        "paid_per_used": "why",
        "offer_per_used": "why",
        "premium_per_month": COSTS,
    },
    "experiment": {"cost_in_window": "why", "cost_per_job": "why"},
    "period": {
        "inefficiency": COSTS,
        "rate": COSTS,
        "cost_of_used": COSTS,
        "cost_per_month": COSTS,
        "used_per_month": COSTS,
        "paid_per_month": COSTS,
        "idle_per_month": COSTS,
    },
    "change": {
        "change_per_month": COSTS,
        "volume_per_month": COSTS,
        "efficiency_per_month": COSTS,
        "price_per_month": COSTS,
        "mix_per_month": COSTS,
    },
    "workload_change": {"gpu_hours_per_month": COSTS, "volume_per_month": COSTS},
    "contract_change": {
        "paid_gpu_hours_per_month": "json",
        "idle_gpu_hours_per_month": COSTS,
        "efficiency_per_month": COSTS,
        "price_per_month": COSTS,
    },
}

IN_OTHER_FIGURES: Final[dict[str, str]] = {}

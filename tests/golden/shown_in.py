"""Where every figure with a formula is seen, itself or in one that stands on it, by subject: media of `readings`.

`why` is the answers to "Why this number?", of which a figure without one may be an operand; `window` what no table has.
"""

from typing import Final

from gpuplanner.domain.figures.window import SHARES

EVERYWHERE: Final = "json terminal brief workbook why"
PAGES: Final = "json terminal brief why"
COSTS: Final = "json terminal why"
IN_PROVIDERS: Final = "one_provider"
"""What `plan --one-provider` answers, which plans twice for each provider."""
IN_COMPARE: Final = "compare"
"""Between two plans: the tests of Compare hold it, no medium here shows it."""
IN_DIALOG: Final = "dialog"
"""Before an edit is done, where it is asked for: the tests of the dialog hold it."""
IN_TRACK: Final = "track"
"""What the command `track` answers, of a plan and a later log."""
IN_QUEUE: Final = "queue"
"""What the command `queue` answers, which replays a log."""
IN_AWARD: Final = "award"
"""What the command `award` answers, which plans many times: a medium of its own."""
IN_DIVIDED: Final = "divided"
"""The answers about the parts of a divided workload."""
LISTED: Final = "json terminal workbook why"

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
        "committed_per_month": "why",
        "on_demand_per_month": "why",
        "allocated_per_month": "why",
        "unused_per_month": PAGES,
    },
    "contract_month": {"cost_per_month": EVERYWHERE, "no_more_per_month": "why"},
    "offer_pair": {"below": "why"},
    "owned": {
        "capital_per_month": "json terminal workbook why",
        "power_per_month": "json terminal workbook why",
        "space_per_month": "json terminal workbook why",
        "owned_per_month": "json terminal workbook why",
        "rate": "json terminal workbook why",
        "rate_in_use": "why",
    },
    "energy": {
        "drawn_share": "json terminal workbook why",
        "drawn_kwh": "json terminal workbook",
        "drawn_kg_co2": "json terminal workbook",
        "kwh_per_month": "json terminal workbook why",
        "kg_co2_per_month": "json terminal workbook why",
        "peak_kw": "json terminal workbook why",
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
        "mean_paid_gpus": "brief",
        "idle_while_training": "json terminal brief",  # why: contracts and their idle time in those hours
        "scaled_to_all_hours": "json brief workbook why",
    },
    "window": {
        "effective_utilization": "json brief workbook why",
        "spend": EVERYWHERE,
        "unused_per_month": "json brief workbook why",
    },
    "series": {"paid_per_month": "brief", "usd_share": EVERYWHERE},
    "published": dict.fromkeys(("at_long_run", "to_long_run"), EVERYWHERE),
    "bill": {"hidden_share": EVERYWHERE},
    "equivalent": dict.fromkeys(("h100_gpu_hours", "h100_rate"), LISTED),
    "model_premium": {"premium": LISTED},
    "price_gap": {"gap": LISTED},
    "quality": dict.fromkeys(SHARES, "json workbook why"),
    "use": {
        "gpu_hours": LISTED,
        "share": "json",
        "mean_gpus": "json",
        "utilization": LISTED,
        "below_40_percent": "workbook",
        "break_even_utilization": COSTS,
        "cost_per_month": LISTED,
    },
    "team": {"share": LISTED, "mean_gpus": COSTS},
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
        "paid_gpu_hours_per_month": "why",
        "mean_rate": "why",
        "unused_per_month": "brief workbook",
        "on_demand_per_month": "json brief why",
        "beside_on_demand": "brief why",
        "value_per_month": "json brief why",
        "bound": "json brief workbook why",
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
        "cost_of_separation": EVERYWHERE,
    },
    "path": {"regret": PAGES},
    "step": {"worth_per_month": IN_COMPARE},
    "business": {"counted_value": COSTS, "cost_each": COSTS},
    "retraining": {"cost_per_run": COSTS},
    "past_run": {"longer_share": "json terminal workbook"},
    "one_provider": {"beside_plan": IN_PROVIDERS},
    "savings_step": {"saved_per_month": "json terminal brief why", "saved_in_year": "json terminal"},
    "next_decision": {
        "decision_saves": "json terminal brief why",
        "saves_over_term": "json terminal workbook",
    },
    "savings_buy": {
        "marginal_rate": "json terminal brief why",
        "bought_gpu_hours_per_month": "json terminal brief why",
        "bought_gpus": "json terminal brief why",
    },
    "limit": dict.fromkeys(("limit_cost", "limit_cost_in_year"), "json terminal"),
    "stop": dict.fromkeys(("stop_saves", "stop_saves_in_year"), IN_DIALOG),
    "order": {
        "spread_rate": PAGES,
        "cost_per_month": PAGES,
        "liability": "json brief",
        "due_at_once": "json terminal brief workbook",
    },
    "ahead": {"saved": LISTED, "changed": "json terminal why"},
    "award": dict.fromkeys(("liability", "prepaid", "at_plan_rate", "saves_beside_plan"), IN_AWARD),
    "quote": dict.fromkeys(("saves", "margin", "margin_share"), IN_AWARD),
    "track": {"moved": IN_TRACK},
    "track_quarter": {"actual": IN_TRACK},
    "track_workload": {"more": IN_TRACK},
    "burn_down": dict.fromkeys(
        ("committed_gpu_hours", "left_gpu_hours", "committed_cost", "used_cost", "left_cost"), IN_TRACK
    ),
    "vendor": dict.fromkeys(("awarded_share", "saves"), IN_AWARD),
    "card": {
        "gpu_hours_per_month": "why",
        "mean_gpus": "why",
        "cost_today": EVERYWHERE,
        "change_per_month": "why",
    },
    "card_part": {"cost_per_month": IN_DIVIDED},
    "spot": {"between_hours": "why", "lost_with_checkpoints": "why", "lost_without_checkpoints": "json why"},
    "idle_share": {"idle_in_window": COSTS},
    "own_idle": {"own_idle": COSTS},
    "charge_part": {
        "share_of_workload": COSTS,
        "direct_in_window": COSTS,
        "idle_in_window": COSTS,
        "overflow_in_window": COSTS,
    },
    "charge": {"total_in_window": COSTS, "budget_in_window": COSTS, "left_in_window": COSTS},
    "budget_month": {"charged_in_month": "json terminal"},
    "run": {"mean_gpus": COSTS, "mean_rate": "window", "run_kwh": "json why", "run_kg_co2": "json"},
    "model_part": {"share_of_workload": COSTS, "cost_per_month": COSTS},
    "endpoint": {"active_per_month": COSTS, "inactive_per_month": COSTS},
    "traffic": {
        "tokens": COSTS,
        "cost_per_million_tokens": COSTS,
        "cost_per_million_generated_tokens": "json",
    },
    "equal_terms": {"cost_with_idle": COSTS},
    "premium": {
        "paid_utilization": "json terminal",
        "offer_utilization": "json terminal",
        "paid_per_used": "why",
        "offer_per_used": "why",
        "premium_per_month": COSTS,
        "rate_premium_per_month": "json",
        "idle_premium_per_month": "json",
    },
    "experiment": {"cost_in_window": "json terminal", "cost_per_job": "json terminal"},
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
        "change_per_month": "json",
        "volume_per_month": COSTS,
        "efficiency_per_month": COSTS,
        "price_per_month": COSTS,
        "mix_per_month": "json terminal",
    },
    "workload_change": {"gpu_hours_per_month": "json why", "volume_per_month": "json why"},
    "contract_change": {
        "paid_gpu_hours_per_month": "json",
        "idle_gpu_hours_per_month": "json why",
        "efficiency_per_month": "json why",
        "price_per_month": "json why",
    },
    "sizing": {
        "memory_gb": LISTED,
        "ttft_ms": LISTED,
        "way_share": COSTS,
        "gpus_peak": LISTED,
        "gpu_hours_per_month_flat": LISTED,
        "peak_provisioning_gpu_hours": LISTED,
        "cost_per_month": LISTED,
        "needed_per_month": "why",
        "autoscaled_per_month": "json why",
        "peak_provisioning_per_month": LISTED,
        "cost_per_million_tokens": LISTED,
    },
    "site_set": {"round_trip_ms": LISTED},
    "way": {"round_trip_ms": "terminal workbook why"},
    "owed": {"owed": "json terminal workbook"},
    "cash": {"cash": "json terminal workbook"},
    "up_front": {"least_discount": IN_DIALOG},
    "waiting": dict.fromkeys(
        ("share_over_1h", "mean_h", "utilization", "waited_with_room", "usd_per_month"), IN_QUEUE
    ),
    "held": dict.fromkeys(("useful_rate", "idle_nights"), LISTED),
}

INPUTS: Final[dict[str, str]] = {
    "by_gpu_model.used_gpu_hours": "counted hour by hour",
    "by_team.usd_per_month": "sum of its workloads",
    "comparison.use_usd": "month by month, from the layers that are in force",
    "contracts.used_gpu_hours": "counted hour by hour",
    "hardware_fit_pools.amber_usd_per_month": "sum of workloads",
    "leaks.gpu_hours": "counted by its rule",
    "leaks.parts.gpu_hours": "counted by its rule",
    "mix.gpu_hours_now": "sum of its workloads, by what serves their hours",
    "mix.gpu_hours_plan": "sum of its cards, by what serves their hours",
    "mix.usd_now": "sum of its workloads, by what serves their hours",
    "orders.rate_usd_per_gpu_hour": "rate of its offer",
    "pools.mean_gpus": "of the demand curve",
    "series.gpu_hours": "counted hour by hour",
    "unit_costs.endpoints.premium.offer_usd_per_gpu_hour": "offer rate",
    "unit_costs.endpoints.usd_per_month": "its share of what its cluster's hours cost",
    "unit_costs.models.gpu_hours": "counted hour by hour",
    "workloads.usd_per_month": "its share of what its cluster's hours cost",
}
"""Fields that no formula makes and that may be as large as a figure that stands on them."""

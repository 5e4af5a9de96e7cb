"""Rows of inputs and what each formula makes of them, worked out by hand: no formula of the product is called here."""

GPU_H = 3_600_000

# 64 GPUs for 730 h are 46,720 GPU-h; 17,520 of them used, at $2.50 against $4.00 on demand, over two months.
CONTRACT = {
    "gpus": [64.0, 64.0, 8.0, 8.0],
    "run_hours": [730.0, 730.0, 0.0, 100.0],
    "used_gpu_hours": [17_520, 18_688, 0, None],
    "committed_rate": [2.5, None, 2.0, 2.0],
    "on_demand_rate": [4.0, 4.0, None, 4.0],
    "rate": [2.5, 3.0, None, 2.0],
    "full_rate": [
        2.5,
        6.0,
        None,
        2.0,
    ],  # the second is take-or-pay: 18,688 h at 6 and 28,032 h at 1 are 46,720 h at 3
    "idle_rate": [2.5, 1.0, None, 2.0],
    "months": [2.0, 2.0, 2.0, 2.0],
}
OF_CONTRACT = {
    "paid_gpu_hours": [46_720.0, 46_720.0, 0.0, 800.0],
    "idle_gpu_hours": [29_200.0, 28_032.0, 0.0, None],
    "utilization": [0.375, 0.4, None, None],
    "below_40_percent": [1.0, 0.0, 0.0, None],  # exactly 40% is not below it
    "break_even_utilization": [0.625, None, None, 0.5],
    "paid_in_window": [116_800.0, 140_160.0, 0.0, 1_600.0],  # nothing costs nothing, also without a rate
    "allocated_in_window": [43_800.0, 112_128.0, 0.0, None],
    "unused_in_window": [73_000.0, 28_032.0, 0.0, None],
    "paid_per_month": [58_400.0, 70_080.0, 0.0, 800.0],
    "committed_per_month": [58_400.0, None, 0.0, 800.0],
    "on_demand_per_month": [93_440.0, 93_440.0, 0.0, 1_600.0],
    "allocated_per_month": [21_900.0, 56_064.0, 0.0, None],
    "unused_per_month": [36_500.0, 14_016.0, 0.0, None],
}

# 8 GPUs for a month of 730 h at $2.50; no rate; half a GPU at $4
CONTRACT_MONTH = {"gpus": [8.0, 8.0, 0.5], "month_hours": [730.0] * 3, "rate": [2.5, None, 4.0]}
OF_CONTRACT_MONTH = {
    "cost_per_month": [14_600.0, None, 1_460.0],
    "no_more_per_month": [-14_600.0, None, -1_460.0],
}
# $3 beside $4 is a quarter below; $6 half above; one of them unknown
OFFER_PAIR = {"rate": [3.0, 6.0, None, 3.0], "chosen_rate": [4.0, 4.0, 4.0, None]}
OF_OFFER_PAIR = {"below": [0.25, -0.5, None, None]}

# $40,000 over 50 months without a cost of capital, a quarter left at the end; $1,000 for a month at 100% a month,
# half of it left; nobody states a price
OWNED = {
    "capex_per_gpu": [40_000.0, 1_000.0, None],
    "residual_share": [0.25, 0.5, 0.0],
    "wacc": [0.0, 4_095.0, 0.1],
    "life_months": [50.0, 1.0, 48.0],
    "kw_per_gpu": [1.25, 2.0, 0.0],
    "pue": [1.25, 1.5, 1.25],
    "month_hours": [730.0, 730.0, 730.0],
    "price_per_kwh": [0.125, 0.25, 0.0],
    "space_per_kw_month": [160.0, 0.0, 0.0],
    "staff_per_month": [40.0, 0.0, 0.0],
    "used_share": [0.5, 0.0, 0.5],
}
OF_OWNED = {
    "capital_per_month": [600.0, 1_500.0, None],
    "power_per_month": [142.578125, 547.5, 0.0],
    "space_per_month": [200.0, 0.0, 0.0],
    "owned_per_month": [982.578125, 2_047.5, None],
    "rate": [982.578125 / 730, 2_047.5 / 730, None],
    "rate_in_use": [982.578125 / 365, None, None],
}

# 100 GPU-h in use of which half is measured at 50%, 40 idle, of 2 kW at PUE 1.5 and a quarter of a kg; nobody
# knows their power; nothing measured and no grid factor
ENERGY = {
    "in_use_gpu_hours": [100.0, 100.0, 8.0],
    "idle_gpu_hours": [40.0, 0.0, 0.0],
    "rated_kw": [2.0, None, 1.0],
    "measured_share": [0.5, 1.0, 0.0],
    "activity": [0.5, 0.5, 0.0],
    "idle_share": [0.25, 0.25, 0.25],
    "power_share": [0.75, 0.75, 0.75],
    "pue": [1.5, 1.5, 1.25],
    "grid_kg_per_kwh": [0.25, 0.25, None],
    "drawn_peak_kw": [2.5, None, 4.0],
}
OF_ENERGY = {
    "drawn_share": [0.6875, 0.625, 0.75],
    "drawn_kwh": [157.5, None, 6.0],
    "drawn_kg_co2": [39.375, None, None],
    "kwh_per_month": [236.25, None, 7.5],
    "kg_co2_per_month": [59.0625, None, None],
    "peak_kw": [3.75, None, 5.0],
}

# Half of what was used without training was idle; a cluster without a contract; one of which nobody said what it uses.
CLUSTER = {
    "paid_gpu_hours": [1_000, 0, 800],
    "used_gpu_hours": [375, 0, None],
    "activity": [0.5, None, 0.75],
    "training_hours": [40.0, 0.0, 10.0],
    "non_training_hours": [60.0, 100.0, 90.0],
    "non_training_used_gpu_hours": [100, 0, None],
    "non_training_paid_gpu_hours": [400, 0, 700],
    "overflow_gpu_hours": [8, 5, None],
    "overflow_in_window": [32.0, 20.0, None],
    "eligible_overflow_in_window": [24.0, 16.0, None],
    "paid_in_window": [2_000.0, 0.0, 1_600.0],
    "allocated_in_window": [750.0, 0.0, None],
    "unallocated_in_window": [1_250.0, 0.0, None],
    "non_training_unallocated_in_window": [600.0, 0.0, None],
    "months": [0.5, 0.5, 0.5],
}
OF_CLUSTER = {
    "mean_paid_gpus": [10.0, 0.0, 8.0],
    "utilization": [0.375, None, None],
    "below_40_percent": [1.0, 0.0, None],
    "non_training_utilization": [0.25, None, None],
    "non_training_idle_share": [0.75, None, None],
    "spent_in_window": [2_024.0, 16.0, None],
    "useful_in_window": [375.0, None, None],
    "allocated_idle_in_window": [375.0, None, None],
    "cost_per_month": [4_000.0, 0.0, 3_200.0],
    "allocated_per_month": [1_500.0, 0.0, None],
    "unallocated_per_month": [2_500.0, 0.0, None],
    "stranded_metered": [1_200.0, 0.0, None],
    "stranded_audit": [3_000.0, None, None],
    "literal_reading": [1_000.0, None, None],
    "overflow_per_month": [48.0, 32.0, None],
    "idle_while_training": [1_300.0, 0.0, None],
    "scaled_to_all_hours": [1_800.0, None, None],
}

WINDOW = {
    "paid_gpu_hours": [1_000, 0],
    "used_gpu_hours": [375, None],
    "spent_in_window": [2_040.0, None],
    "unallocated_in_window": [1_250.0, None],
    "months": [0.5, 0.5],
}
OF_WINDOW = {
    "effective_utilization": [0.375, None],
    "spend": [4_080.0, None],
    "unused_per_month": [2_500.0, None],
}

# 1,000 GPU-h of 2,500 paid were used and 500 more asked for, of 6,000 that all asked for in 100 h, at half of what on
# demand costs; a model that nobody pays for, whose demand is all of it; one of which nobody said what it uses.
USE = {
    "used_gpu_hours": [1_000, 0, None, 1],
    "overflow_gpu_hours": [500, 800, None, 0],
    "all_gpu_hours": [6_000, 800, 6_000, 0],
    "hours": [100.0, 100.0, 100.0, 100.0],
    "paid_gpu_hours": [2_500, 0, 800, 4],
    "committed_rate": [2.0, None, 2.0, 3.0],
    "on_demand_rate": [4.0, 4.0, None, 4.0],
    "activity": [0.5, None, None, 0.25],
    "paid_in_window": [5_000.0, 0.0, None, 12.0],
    "months": [0.5, 0.5, 0.5, 0.5],
}
OF_USE = {
    "gpu_hours": [1_500.0, 800.0, None, 1.0],
    "share": [0.25, 1.0, None, None],
    "mean_gpus": [15.0, 8.0, None, 0.01],
    "utilization": [0.4, None, None, 0.25],
    "below_40_percent": [0.0, 0.0, None, 1.0],  # exactly 40% is not below it
    "break_even_utilization": [0.5, None, None, 0.75],
    "cost_per_month": [10_000.0, 0.0, None, 24.0],
}
TEAM = {
    "gpu_hours": [1_500, 0],
    "all_gpu_hours": [6_000, 0],
    "hours": [100.0, 100.0],
    "activity": [0.5, None],
    "cost_per_month": [3_000.0, None],
}
OF_TEAM = {"share": [0.25, None], "mean_gpus": [15.0, 0.0]}

# 600 GPU-h at $2.50 over two months; of 900 that stood idle 600 were left; of 100 the leaks above it left none.
LEAK = {
    "gpu_hours": [600.0, 900.0, 100.0, 50.0, 100.0],
    "rate": [2.5, 4.0, None, None, 2.0],
    "left_gpu_hours": [1_000.0, 600.0, 0.0, 80.0, 0.0],
    "months": [2.0, 2.0, 2.0, 2.0, 2.0],
}
OF_LEAK = {
    "leaked_in_window": [1_500.0, 3_600.0, None, None, 200.0],
    "average_rate": [2.5, 4.0, None, None, 2.0],
    "gpu_hours_per_month": [300.0, 450.0, 50.0, 25.0, 50.0],
    "leaked_per_month": [750.0, 1_800.0, None, None, 100.0],
    "counted_gpu_hours": [600.0, 600.0, 0.0, 50.0, 0.0],
    "still_left_gpu_hours": [400.0, 0.0, 0.0, 30.0, 0.0],
    "counted_gpu_hours_per_month": [300.0, 300.0, 0.0, 25.0, 0.0],
    "counted_per_month": [750.0, 1_200.0, 0.0, None, 0.0],  # nothing costs nothing, also without a rate
}

# 300 of 1,200 GPU-hours are a quarter; where nothing ran there is no share.
CLASS = {
    "workloads": [3.0, 1.0, 0.0],
    "jobs": [40.0, 2.0, 0.0],
    "gpu_hours": [300, 1_200, 0],
    "all_gpu_hours": [1_200, 1_200, 0],
    "cost_per_month": [900.0, None, 0.0],
}
OF_CLASS = {"share": [0.25, 1.0, None]}

# 8 GPUs for 730 h, a layer without a rate, GPUs paid by use (4 on average, of at most 10), a term of 10 days, none.
LAYER = {
    "gpus": [8.0, 8.0, 10.0, 5.0, 0.0],
    "busy_gpus": [6.0, 2.0, 4.0, 5.0, 0.0],
    "mean_gpus": [8.0, 8.0, 4.0, 5.0, 0.0],
    "rate": [2.5, None, 4.0, 3.0, 2.0],
    "paid_hours": [730.0, 730.0, 730.0, 240.0, 730.0],
    "on_demand_rate": [4.0, 4.0, 4.0, 4.0, None],
    "term_months": [12.0, 3.0, None, 1.0, 36.0],
}
OF_LAYER = {
    "utilization": [0.75, 0.25, 0.4, 1.0, None],
    "cost_per_month": [14_600.0, None, 11_680.0, 3_600.0, 0.0],
    "paid_gpu_hours_per_month": [5_840.0, 5_840.0, 2_920.0, 1_200.0, 0.0],
    "mean_rate": [2.5, None, 4.0, 3.0, None],
    "unused_per_month": [3_650.0, None, 0.0, 0.0, 0.0],
    "on_demand_per_month": [17_520.0, 5_840.0, 11_680.0, 4_800.0, None],
    "value_per_month": [2_920.0, None, 0.0, 1_200.0, None],
    "beside_on_demand": [-2_920.0, None, 0.0, -1_200.0, None],
    "bound": [175_200.0, None, None, 3_600.0, 0.0],
}
# $2 for a term over which half of demand and prices last, against $4 by use; against an unknown rate; with something
# paid upfront.
TERM = {
    "spread_rate": [2.0, 2.0, 1.875],
    "by_use_rate": [4.0, None, 4.0],
    "kept": [0.5, 0.5, 0.75],
    "month_hours": [730.0] * 3,
}
OF_TERM = {
    "one_gpu_per_month": [1_460.0, 1_460.0, 1_368.75],
    "by_use_per_month": [2_920.0, None, 2_920.0],
    "compared_per_month": [2_920.0, 2_920.0, 1_825.0],
    "break_even": [1.0, None, 0.625],
}
# A plan that saves, one that costs more than today, one of which nothing is known, and one of nothing.
PLAN = {
    "today": [1_000.0, 500.0, None, 0.0],
    "do_nothing": [800.0, 1_000.0, 900.0, 0.0],
    "plan": [600.0, 750.0, None, 0.0],
    "on_demand_equivalent": [1_200.0, 1_000.0, 900.0, 0.0],
    "used_gpus": [30.0, 8.0, 4.0, 0.0],
    "paid_gpus": [40.0, 16.0, None, 0.0],
    "bound": [7_200.0, 1_500.0, 100.0, 0.0],
    "apart": [600.0, 750.0, None, 0.0],
    "joint": [550.0, 800.0, 100.0, 0.0],
}
OF_PLAN = {
    "savings_vs_do_nothing": [200.0, 250.0, None, 0.0],
    "savings": [400.0, -250.0, None, 0.0],
    "savings_percent": [40.0, -50.0, None, None],
    "effective_savings_rate": [0.5, 0.25, None, None],
    "effective_utilization_plan": [0.75, 0.5, None, None],
    "lock_in_months": [12.0, 2.0, None, None],
    "cost_of_separation": [50.0, -50.0, None, 0.0],
}
# $8,000 where $7,500 would have done; the cheapest way itself; one that rounding puts under the cheapest; unknown
PATH = {"expected": [8_000.0, 7_500.0, 7_499.5, None], "least_expected": [7_500.0, 7_500.0, 7_500.0, 7_500.0]}
OF_PATH = {"regret": [500.0, 0.0, 0.0, None]}
STEP = {"plan_before": [1_000.0, 900.0, None], "plan_after": [900.0, 950.0, 950.0]}
OF_STEP = {"worth_per_month": [-100.0, 50.0, None]}
# a step that saves 100, one that costs 50, one whose end is unknown
SAVINGS_STEP = {
    "cost_before": [1_000.0, 900.0, None],
    "cost_after": [900.0, 950.0, 950.0],
    "year_before": [12_000.0, 11_000.0, None],
    "year_after": [11_000.0, 11_400.0, 11_400.0],
}
OF_SAVINGS_STEP = {"saved_per_month": [100.0, -50.0, None], "saved_in_year": [1_000.0, -400.0, None]}
# one that saves 1,000 in the year; one that costs 400 and then saves 100 a month for 24 months; an unknown year
NEXT_DECISION = {
    "year_without": [5_000.0, 4_000.0, None],
    "year_with": [4_000.0, 4_400.0, 1.0],
    "saves_in_month_12": [80.0, 100.0, 100.0],
    "months_after": [None, 24.0, 24.0],
}
OF_NEXT_DECISION = {"decision_saves": [1_000.0, -400.0, None], "saves_over_term": [None, 2_000.0, None]}
# $7,300 saved, at $10,000 for 4,000 GPU-h ($2.50): 2,920 GPU-h, 4 GPUs; nothing by use; no savings known
SAVINGS_BUY = {
    "savings_vs_do_nothing": [7_300.0, 7_300.0, None],
    "by_use_per_month": [10_000.0, 0.0, 10_000.0],
    "by_use_gpu_hours_per_month": [4_000.0, 0.0, 4_000.0],
    "month_hours": [730.0, 730.0, 730.0],
}
# 1,000 orders, half of the month in the window, $250 spent in it; no hour of it; nobody knows what was spent
BUSINESS = {
    "value": [1_000.0, 1_000.0, 1_000.0],
    "counted_share": [0.5, 0.0, 1.0],
    "business_cost": [250.0, None, None],
    "unserved": [730.0, 0.0, None],
}
OF_BUSINESS = {"counted_value": [500.0, 0.0, 1_000.0], "cost_each": [0.5, None, None]}
OF_SAVINGS_BUY = {
    "marginal_rate": [2.5, None, 2.5],
    "bought_gpu_hours_per_month": [2_920.0, None, None],
    "bought_gpus": [4.0, None, None],
}
# a limit that costs, one that gives work up, and one beside a plan of which nobody knows a price
LIMIT = {
    "plan": [1_250.0, 800.0, 700.0],
    "plan_without_limit": [1_000.0, 1_000.0, None],
    "plan_in_year": [14_000.0, 9_000.0, 8_400.0],
    "without_limit_in_year": [12_500.0, 12_000.0, None],
}
# workloads whose GPUs are given back, some that leave paid GPUs idle, and a plan that nobody knows
STOP = {
    "plan": [1_250.0, 800.0, None],
    "plan_after_stop": [1_000.0, 800.0, 600.0],
    "plan_in_year": [14_000.0, 9_000.0, None],
    "after_stop_in_year": [12_500.0, 8_400.0, 7_000.0],
}
OF_STOP = {"stop_saves": [250.0, 0.0, None], "stop_saves_in_year": [1_500.0, 600.0, None]}
OF_LIMIT = {"limit_cost": [250.0, -200.0, None], "limit_cost_in_year": [1_500.0, -3_000.0, None]}
# a plan that saves $200 and costs $50 more than before the question; one that costs less; two of which something lacks
AHEAD = {
    "do_nothing": [800.0, 900.0, None, 500.0],
    "plan": [600.0, 950.0, 400.0, None],
    "before": [550.0, 1_000.0, None, 450.0],
}
OF_AHEAD = {"saved": [200.0, -50.0, None, None], "changed": [50.0, -50.0, None, None]}

# 300 GPU-h in 75 h for $900; of a run without a rate the hours are known.
# half of $100; a quarter of nothing; at a rate that nobody states
IDLE_SHARE = {
    "shared_in_window": [100.0, 0.0, None],
    "held_gpu_hours": [4, 1, 1],
    "all_held_gpu_hours": [8, 4, 4],
}
OF_IDLE_SHARE = {"idle_in_window": [50.0, 0.0, None]}
OWN_IDLE = {"team_idle": [50.0, None], "gpu_hours": [1, 1], "team_gpu_hours": [5, 5]}
OF_OWN_IDLE = {"own_idle": [10.0, None]}
CHARGE_PART = {
    "gpu_hours": [2, 3],
    "workload_gpu_hours": [8, 3],
    "workload_direct": [40.0, 7.0],
    "workload_idle": [16.0, None],
    "workload_overflow": [8.0, 0.0],
}
OF_CHARGE_PART = {
    "share_of_workload": [0.25, 1.0],
    "direct_in_window": [10.0, 7.0],
    "idle_in_window": [4.0, None],
    "overflow_in_window": [2.0, 0.0],
}
# $16 of a budget of $20; without a budget; over it; unknown
CHARGE = {
    "gpu_hours": [2.0, 2.0, 2.0, 2.0],
    "direct_in_window": [10.0, 10.0, 10.0, 10.0],
    "idle_in_window": [4.0, 4.0, 4.0, None],
    "overflow_in_window": [2.0, 2.0, 2.0, 2.0],
    "budget_per_month": [40.0, None, 30.0, 30.0],
    "months": [0.5, 0.5, 0.5, 0.5],
}
OF_CHARGE = {
    "total_in_window": [16.0, 16.0, 16.0, None],
    "budget_in_window": [20.0, None, 15.0, 15.0],
    "left_in_window": [4.0, None, -1.0, None],
}
BUDGET_MONTH = {"plan_in_month": [900.0, None], "team_in_plan": [30.0, 30.0], "all_in_plan": [90.0, 90.0]}
OF_BUDGET_MONTH = {"charged_in_month": [300.0, None]}

RUN = {
    "gpu_hours": [300.0, 10.0],
    "hours": [75.0, 5.0],
    "cost": [900.0, None],
    "workload_kwh_per_month": [120.0, None],
    "workload_kg_per_month": [30.0, 8.0],
    "months": [3.0, 3.0],
    "workload_gpu_hours": [400.0, 40.0],
}
OF_RUN = {
    "mean_gpus": [4.0, 2.0],
    "mean_rate": [3.0, None],
    "run_kwh": [270.0, None],
    "run_kg_co2": [67.5, 6.0],
}

# 30 of 40 GPU-h of a workload that cost $80 a month
MODEL_PART = {
    "gpu_hours": [30.0, 10.0],
    "workload_gpu_hours": [40.0, 40.0],
    "workload_cost_per_month": [80.0, None],
}
OF_MODEL_PART = {"share_of_workload": [0.75, 0.25], "cost_per_month": [60.0, None]}

# $1,680 a month, a quarter of it at work
ENDPOINT = {"cost_per_month": [1680.0, 1680.0, None], "activity": [0.25, None, 0.25]}
OF_ENDPOINT = {"active_per_month": [420.0, None, None], "inactive_per_month": [1260.0, None, None]}

# $9 for 2 million tokens read and 1 million generated; none generated; none at all
TRAFFIC = {
    "cost": [9.0, 9.0, 9.0, None],
    "context_tokens": [2e6, 3e6, 0.0, 5.0],
    "generated_tokens": [1e6, 0.0, 0.0, 5.0],
}
OF_TRAFFIC = {
    "tokens": [3e6, 3e6, 0.0, 10.0],
    "cost_per_million_tokens": [3.0, 3.0, None, None],
    "cost_per_million_generated_tokens": [9.0, None, None, None],
}

# 100 GPU-h at $3 used half, at $2 used whole
EQUAL_TERMS = {"served_gpu_hours": [100.0, 100.0], "rate": [3.0, 2.0], "utilization": [0.5, 1.0]}
OF_EQUAL_TERMS = {"cost_with_idle": [600.0, 200.0]}
PREMIUM = {
    "compared_gpu_hours": [100.0, 100.0],
    "paid_rate": [3.0, 3.0],
    "offer_rate": [1.5, None],
    "paid_in_window": [600.0, 600.0],
    "offer_in_window": [250.0, None],
    "months": [2.0, 2.0],
}
OF_PREMIUM = {
    "paid_utilization": [0.5, 0.5],
    "offer_utilization": [0.6, None],
    "paid_per_used": [6.0, 6.0],
    "offer_per_used": [2.5, None],
    "premium_per_month": [175.0, None],
    "rate_premium_per_month": [75.0, None],  # 100 GPU-h x ($3 - $1.50) in two months
    "idle_premium_per_month": [100.0, None],
}

# $30 a month for two months, over 4 jobs
EXPERIMENT = {"jobs": [4.0, 0.0, 4.0], "cost_per_month": [30.0, 30.0, None], "months": [2.0, 2.0, 2.0]}
OF_EXPERIMENT = {"cost_in_window": [60.0, 60.0, None], "cost_per_job": [15.0, None, None]}

# 5 of 10 GPUs used for 365 h at $2, a month being 730 h; nothing used; nothing paid for; no rate
PERIOD = {
    "used_gpu_hours": [1825.0, 0.0, 0.0, 100.0],
    "paid_gpu_hours": [3650.0, 3650.0, 0.0, 200.0],
    "paid_cost": [7300.0, 7300.0, 0.0, None],
    "hours": [365.0, 365.0, 365.0, 730.0],
    "hours_per_month": [730.0, 730.0, 730.0, 730.0],
    "overflow_cost": [0.0, 0.0, 0.0, 0.0],
}
OF_PERIOD = {
    "inefficiency": [2.0, None, None, 2.0],
    "rate": [2.0, 2.0, None, None],
    "cost_of_used": [4.0, None, None, None],
    "cost_per_month": [14_600.0, 14_600.0, 0.0, None],
    "used_per_month": [3650.0, 0.0, 0.0, 100.0],
    "paid_per_month": [7300.0, 7300.0, 0.0, 200.0],
    "idle_per_month": [3650.0, 7300.0, 0.0, 100.0],
}

# used 5 -> 10 GPUs, paid 10 -> 12 at $2 -> $3, for a month of 730 h: test_variance has the same by hand
CHANGE = {
    "cost_before": [14_600.0, None, 3650.0],
    "cost_after": [26_280.0, 100.0, 5000.0],
    "used_before": [3650.0, 10.0, 3650.0],
    "used_after": [7300.0, 20.0, 7300.0],
    "paid_after": [8760.0, 50.0, 100.0],
    "idle_before": [3650.0, 10.0, 10.0],
    "idle_after": [1460.0, 30.0, 30.0],
    "used_rate": [4.0, None, 4.0],
    "idle_rate": [2.0, None, 2.0],
    "idle_scale": [2.0, None, 2.0],
    "price_before": [2.0, None, 2.0],
}
OF_CHANGE = {
    "change_per_month": [11_680.0, None, 1350.0],
    "volume_per_month": [14_600.0, None, 14_600.0],
    "efficiency_per_month": [-11_680.0, None, 20.0],
    "price_per_month": [8760.0, None, 4800.0],
    "mix_per_month": [0.0, None, 10_950.0],
}
WORKLOAD_CHANGE = {"used_before": [10.0, 5.0], "used_after": [25.0, 4.0], "used_rate": [4.0, None]}
OF_WORKLOAD_CHANGE = {"gpu_hours_per_month": [15.0, -1.0], "volume_per_month": [60.0, None]}
CONTRACT_CHANGE = {
    "paid_before": [100.0, 10.0],
    "paid_after": [180.0, 10.0],
    "idle_before": [40.0, 5.0],
    "idle_after": [30.0, 1.0],
    "paid_growth": [1.5, 1.0],
    "idle_scale": [0.5, None],
    "idle_rate": [2.0, None],
    "own_rate": [3.0, 0.0],
    "price_before": [2.5, None],
}
OF_CONTRACT_CHANGE = {
    "paid_gpu_hours_per_month": [80.0, 0.0],
    "idle_gpu_hours_per_month": [-10.0, -4.0],
    "efficiency_per_month": [20.0, None],
    "price_per_month": [15.0, None],
}

# 365 GPU-h in half a month, planned twice with its log; none; planned work, as often as it is
CARD = {
    "gpu_hours": [365, 0, 73],
    "times": [2.0, 1.5, 1.0],
    "months": [0.5, 0.5, 0.5],
    "month_hours": [730.0, 730.0, 730.0],
    "cost_in_window": [40.0, None, 0.0],
    "today": [100.0, None, 50.0],
    "in_plan": [80.0, 70.0, 75.0],
}
OF_CARD = {
    "gpu_hours_per_month": [1_460.0, 0.0, 146.0],
    "mean_gpus": [2.0, 0.0, 0.2],
    "cost_today": [80.0, None, 0.0],
    "change_per_month": [-20.0, None, 25.0],
}
# 30 of 40 GPU-h of what costs $80; all of what nobody knows; nothing of it
CARD_PART = {
    "gpu_time": [30.0 * GPU_H, 10.0 * GPU_H, 0.0],
    "all_gpu_time": [40.0 * GPU_H, 10.0 * GPU_H, 10.0 * GPU_H],
    "all_cost_per_month": [80.0, None, None],
}
OF_CARD_PART = {"cost_per_month": [60.0, None, 0.0]}

# 4 GPUs at $2 for a year of 730-h months with $876 upfront and $24 of set-up each;
# 10 days of 2 GPUs, of $30,000 each to own; no rate
ORDER = {
    "gpus": [3.0, 2.0, 1.0],
    "bought_gpus": [4.0, 2.0, 1.0],
    "rate": [2.0, 3.0, None],
    "upfront_per_gpu": [876.0, 0.0, 0.0],
    "setup_per_gpu": [24.0, 0.0, 10.0],
    "capex_per_gpu": [0.0, 30_000.0, None],
    "term_months": [12.0, 1.0, 3.0],
    "term_hours": [8_760.0, 240.0, 2_190.0],
    "paid_hours": [730.0, 240.0, 730.0],
}
OF_ORDER = {
    "spread_rate": [2.1, 3.0, None],
    "cost_per_month": [6_132.0, 1_440.0, None],
    "liability": [73_584.0, 1_440.0, None],
    "due_at_once": [3_600.0, 60_000.0, None],
}

# 16 GPUs at $2 for a year of 730-h months with $100 upfront each, $2.25 in the plan; 5 of another model for the work
# of 8; without a rate in the plan
AWARD = {
    "gpus": [16.0, 8.0, 8.0],
    "bought_gpus": [16.0, 5.0, 8.0],
    "rate": [2.0, 4.0, 1.0],
    "upfront_per_gpu": [100.0, 0.0, 50.0],
    "term_months": [12.0, 1.0, 1.0],
    "term_hours": [8_760.0, 730.0, 730.0],
    "plan_rate": [2.25, 2.0, None],
}
OF_AWARD = {
    "liability": [281_920.0, 14_600.0, 6_240.0],
    "prepaid": [1_600.0, 0.0, 400.0],
    "at_plan_rate": [315_360.0, 11_680.0, None],
    "saves_beside_plan": [33_440.0, -2_920.0, None],
}
# an award of $300 that would be $340 without it, worth $2.50 at $2; nobody else serves; worth less than it asks
QUOTE = {
    "rate": [2.0, 4.0, 2.0],
    "cost_with": [300.0, 300.0, 300.0],
    "cost_without": [340.0, None, 300.0],
    "worth_rate": [2.5, None, 1.5],
    "is_far_from_market": [0.0, 1.0, None],
}
OF_QUOTE = {"saves": [40.0, None, 0.0], "margin": [0.5, None, -0.5], "margin_share": [0.25, None, -0.25]}
# a quarter of it; of nothing
VENDOR = {
    "awarded": [25.0, 0.0],
    "awarded_in_all": [100.0, 0.0],
    "cost_with": [100.0, 0.0],
    "cost_without": [140.0, None],
}
# 6 GPUs for 100 h at $2, 25 h of them left; without an end; without a rate
BURN_DOWN = {
    "gpus": [6.0, 1.0, 2.0],
    "rate": [2.0, 3.0, None],
    "life_hours": [100.0, None, 100.0],
    "left_hours": [25.0, None, 10.0],
    "used_gpu_hours": [360.0, 5.0, 0.0],
}
OF_BURN_DOWN = {
    "committed_gpu_hours": [600.0, None, 200.0],
    "left_gpu_hours": [150.0, None, 20.0],
    "committed_cost": [1_200.0, None, None],
    "used_cost": [720.0, 15.0, None],
    "left_cost": [300.0, None, None],
}

# A node is interrupted every 200 h: two nodes every 100 h; half an hour to write, every 2 h; 4 h to restart.
SPOT = {
    "node_hours": [200.0, 64.0],
    "nodes": [2, 4],
    "checkpoint_hours": [0.5, 0.25],
    "interval_hours": [2.0, 4.0],
    "restart_hours": [4.0, 2.0],
    "longest_hours": [42.0, 12.0],
}
OF_SPOT = {
    "between_hours": [100.0, 16.0],
    "lost_with_checkpoints": [0.3, 0.3125],
    "lost_without_checkpoints": [0.25, 0.5],
}

# 400 of 500 hours; 8 jobs of which 6 have an id; a log without GPU time; one that kept no counts.
QUALITY = {
    "hours": [500, 0, 10],
    "busy_hours": [400, 0, 10],
    "jobs": [8, 1, 4],
    "with_id": [6, 1, None],
    "with_name": [4, 0, None],
    "with_user": [2, 1, None],
    "naive": [2, 0, None],
    "zero_length": [1, 1, None],
    "gpu_time": [16.0, 0.0, None],
    "with_model": [12.0, 0.0, None],
    "with_activity": [2.0, 0.0, None],
}
OF_QUALITY = {
    "time_coverage": [0.8, None, 1.0],
    "id_coverage": [0.75, 1.0, None],
    "name_coverage": [0.5, 0.0, None],
    "user_coverage": [0.25, 1.0, None],
    "gpu_model_coverage": [0.75, None, None],
    "activity_coverage": [0.125, None, None],
    "naive_time_share": [0.25, 0.0, None],
    "zero_length_share": [0.125, 1.0, None],
}

# 3 replicas of 4 GPUs, a month of 730 h, of which an autoscaler holds 5,000 GPU-h: at $2 and $5 by the hour, for 10
# million tokens; no offer, and no tokens; by the hour alone; of a size that is not known; no traffic at all
SIZING = {
    "weights_gb": [140.0, 16.0, 8.0, 70.0, 0.5],
    "cache_gb": [2.5, 0.0, 1.25, None, 0.25],
    "way_ms": [4.0, 0.0, 4.0, 4.0, 10.0],
    "wait_ms": [1.5, None, 0.0, 2.0, 0.5],
    "prefill_ms": [16.25, 8.0, 2.0, None, 4.0],
    "tensor_parallel": [4.0, 2.0, 1.0, 8.0, 1.0],
    "replicas_peak": [3.0, 1.0, 2.0, None, 0.0],
    "month_hours": [730.0] * 5,
    "gpu_hours_per_month_autoscaled": [5_000.0, 1_460.0, 365.0, None, 0.0],
    "rate": [2.0, None, 4.0, 2.0, 2.0],
    "on_demand_rate": [5.0, None, 4.0, 5.0, None],
    "tokens_per_month": [10e6, 0.0, 2e6, 10e6, 0.0],
}
OF_SIZING = {
    "memory_gb": [142.5, 16.0, 9.25, None, 0.75],
    "ttft_ms": [21.75, None, 6.0, None, 14.5],
    "way_share": [0.1839080459770115, None, 0.6666666666666666, None, 0.6896551724137931],
    "gpus_peak": [12.0, 2.0, 2.0, None, 0.0],
    "gpu_hours_per_month_flat": [8_760.0, 1_460.0, 1_460.0, None, 0.0],
    "peak_provisioning_gpu_hours": [3_760.0, 0.0, 1_095.0, None, 0.0],
    "cost_per_month": [17_520.0, None, 5_840.0, None, 0.0],
    "needed_per_month": [10_000.0, None, 1_460.0, None, 0.0],
    "autoscaled_per_month": [25_000.0, None, 1_460.0, None, None],
    "peak_provisioning_per_month": [7_520.0, None, 4_380.0, None, 0.0],
    "cost_per_million_tokens": [1_752.0, None, 2_920.0, None, None],
}
# 40.5 ms there, and as long back
SITE_SET = {"mean_one_way_ms": [40.5, None]}
WAY = {"one_way_ms": [40.5, None, 0.0]}

BY_HAND: dict[str, tuple[dict[str, list], dict[str, list]]] = {
    "contract": (CONTRACT, OF_CONTRACT),
    "contract_month": (CONTRACT_MONTH, OF_CONTRACT_MONTH),
    "offer_pair": (OFFER_PAIR, OF_OFFER_PAIR),
    "owned": (OWNED, OF_OWNED),
    "energy": (ENERGY, OF_ENERGY),
    "plan_energy": ({key: [1.0] for key in ("kwh_per_month", "kg_co2_per_month", "peak_kw")}, {}),
    "cluster": (CLUSTER, OF_CLUSTER),
    "window": (WINDOW, OF_WINDOW),
    # $1,460 in half a month; a class of $400 of $1,600; rates are missing
    "series": (
        {
            "paid_in_window": [1_460.0, None],
            "months": [0.5, 1.0],
            "class_usd": [400.0, None],
            "classes_usd": [1_600.0, 0.0],
        },
        {"paid_per_month": [2_920.0, None], "usd_share": [0.25, None]},
    ),
    # inference of $3,000 and training of $1,000; a rate is missing
    "published": (
        {"inference_per_month": [3_000.0, None], "training_per_month": [1_000.0, 500.0]},
        {"at_long_run": [4_000.0, 2_000.0], "to_long_run": [1_000.0, None]},
    ),
    # a model at $8 of which an H100 at $2.50 does half the work; no ratio is stated
    "equivalent": (
        {"gpu_hours": [900.0, 10.0], "rate": [8.0, 2.0], "ratio": [0.5, None]},
        {"h100_gpu_hours": [1_800.0, None], "h100_rate": [4.0, None]},
    ),
    "model_premium": (
        {
            "gpu_hours": [1_000.0, 10.0],
            "rate": [8.0, 2.0],
            "against_rate": [2.5, 1.0],
            "ratio": [0.5, None],
            "months": [2.0, 1.0],
        },
        {"premium": [1_500.0, None]},
    ),
    # 27,000 beside 100,000 of GPUs; a bill without GPUs; a rate of exchange is missing
    "bill": (
        {
            "gpu_billed": [100_000.0, 0.0, 10.0],
            "storage_billed": [12_000.0, 5.0, None],
            "network_billed": [6_000.0, 0.0, 1.0],
            "support_billed": [5_000.0, 0.0, 1.0],
            "egress_billed": [4_000.0, 1.0, 1.0],
        },
        {"hidden_share": [0.27, None, None]},
    ),
    "quality": (QUALITY, OF_QUALITY),
    "use": (USE, OF_USE),
    "team": (TEAM, OF_TEAM),
    "class": (CLASS, OF_CLASS),
    "leak": (LEAK, OF_LEAK),
    "layer": (LAYER, OF_LAYER),
    "term": (TERM, OF_TERM),
    "plan": (PLAN, OF_PLAN),
    "path": (PATH, OF_PATH),
    "step": (STEP, OF_STEP),
    "savings_step": (SAVINGS_STEP, OF_SAVINGS_STEP),
    "next_decision": (NEXT_DECISION, OF_NEXT_DECISION),
    "savings_buy": (SAVINGS_BUY, OF_SAVINGS_BUY),
    "separation": ({}, {}),
    "business": (BUSINESS, OF_BUSINESS),
    "retraining": (
        {"runs": [4.0, 0.0, 2.0], "days_between": [7.0, None, None], "runs_cost": [100.0, 0.0, None]},
        {"cost_per_run": [25.0, None, None]},
    ),
    "one_provider": (
        {
            "served": [1.0, 1.0],
            "from_scratch": [1.0, 1.0],
            "alone_year": [130.0, None],
            "plan_year": [100.0, 100.0],
        },
        {"beside_plan": [30.0, None]},
    ),
    "limit": (LIMIT, OF_LIMIT),
    "stop": (STOP, OF_STOP),
    "ahead": (AHEAD, OF_AHEAD),
    "order": (ORDER, OF_ORDER),
    "award": (AWARD, OF_AWARD),
    "quote": (QUOTE, OF_QUOTE),
    "track": ({"before": [100.0, 40.0, None], "after": [130.0, 15.0, 1.0]}, {"moved": [30.0, -25.0, None]}),
    "track_quarter": (
        {
            "planned": [100.0, 100.0],
            "demand": [10.0, 10.0],
            "mix": [-4.0, -4.0],
            "decision": [0.5, None],
            "price": [-20.0, 0.0],
            "rest": [0.25, 0.0],
        },
        {"actual": [86.75, None]},
    ),
    "burn_down": (BURN_DOWN, OF_BURN_DOWN),
    "track_workload": (
        {"planned_gpu_hours": [1_000.0, 10.0], "came_gpu_hours": [1_500.0, 4.0], "planned_rate": [3.0, None]},
        {"more": [1_500.0, None]},
    ),
    "run_kind": ({}, {}),
    # an H200 at $4.50 a month in which an H100 is $2.75, and one in which nobody sells one
    "price_gap": ({"rate": [4.5, 4.0], "against_rate": [2.75, None]}, {"gap": [1.75, None]}),
    "vendor": (VENDOR, {"awarded_share": [0.25, None], "saves": [40.0, None]}),
    "card": (CARD, OF_CARD),
    "card_part": (CARD_PART, OF_CARD_PART),
    "spot": (SPOT, OF_SPOT),
    "idle_share": (IDLE_SHARE, OF_IDLE_SHARE),
    "own_idle": (OWN_IDLE, OF_OWN_IDLE),
    "charge_part": (CHARGE_PART, OF_CHARGE_PART),
    "charge": (CHARGE, OF_CHARGE),
    "budget_month": (BUDGET_MONTH, OF_BUDGET_MONTH),
    "run": (RUN, OF_RUN),
    "model_part": (MODEL_PART, OF_MODEL_PART),
    "model": ({}, {}),
    "endpoint": (ENDPOINT, OF_ENDPOINT),
    "traffic": (TRAFFIC, OF_TRAFFIC),
    "equal_terms": (EQUAL_TERMS, OF_EQUAL_TERMS),
    "premium": (PREMIUM, OF_PREMIUM),
    "experiment": (EXPERIMENT, OF_EXPERIMENT),
    "period": (PERIOD, OF_PERIOD),
    "change": (CHANGE, OF_CHANGE),
    "workload_change": (WORKLOAD_CHANGE, OF_WORKLOAD_CHANGE),
    "contract_change": (CONTRACT_CHANGE, OF_CONTRACT_CHANGE),
    "sizing": (SIZING, OF_SIZING),
    "site_set": (SITE_SET, {"round_trip_ms": [81.0, None]}),
    "way": (WAY, {"round_trip_ms": [81.0, None, 0.0]}),
    # 64 GPUs at $2.50 for 100 hours more; a contract without a rate
    "owed": (
        {"gpus": [64.0, 8.0], "rate": [2.5, None], "hours_left": [100.0, 10.0]},
        {"owed": [16_000.0, None]},
    ),
    # two of eight jobs waited over an hour, 12 h in all of which 3 had room, on half of the GPU time that there is; 8
    # GPUs at $2.50 and $500 sent out in 100 h; nobody started, and no rate
    "waiting": (
        {
            "jobs": [8.0, 0.0],
            "over_1h": [2.0, 0.0],
            "waited_h": [12.0, 0.0],
            "room_h": [3.0, 0.0],
            "used_gpu_time": [50.0, 0.0],
            "held_gpu_time": [100.0, 0.0],
            "gpus": [8.0, 8.0],
            "rate": [2.5, None],
            "sent_out_usd": [500.0, 0.0],
            "hours": [100.0, 100.0],
            "month_hours": [730.0, 730.0],
        },
        {
            "share_over_1h": [0.25, None],
            "mean_h": [1.5, None],
            "utilization": [0.5, None],
            "waited_with_room": [0.25, None],
            "usd_per_month": [18_250.0, None],
        },
    ),
    "cash": ({"at_once": [80.0, 0.0], "by_hour": [40.5, None]}, {"cash": [120.5, None]}),
    "up_front": (
        {"paid_up_front": [200.0, 0.0], "worth_today": [150.0, 0.0]},
        {"least_discount": [0.25, None]},
    ),
    # $900 for 300 GPU-hours of which half did something; 120 of them at night, half of which did nothing
    "held": (
        {
            "cost_per_month": [900.0, None, 10.0],
            "gpu_hours_per_month": [300.0, 300.0, 5.0],
            "activity": [0.5, 0.5, None],
            "night_gpu_hours": [120.0, 10.0, 1.0],
        },
        {"useful_rate": [6.0, None, None], "idle_nights": [180.0, None, None]},
    ),
    "past_run": ({"hours": [12.5, 10.0], "usual_hours": [10.0, None]}, {"longer_share": [0.25, None]}),
}
"""Subject -> its inputs and its figures, one list entry a row."""
EXACT = {
    "contract": ("gpus", "run_hours", "used_gpu_hours"),
    "cluster": (
        "used_gpu_hours",
        "paid_gpu_hours",
        "non_training_used_gpu_hours",
        "non_training_paid_gpu_hours",
        "overflow_gpu_hours",
    ),
    "window": ("used_gpu_hours", "paid_gpu_hours"),
    "use": ("used_gpu_hours", "overflow_gpu_hours", "all_gpu_hours", "paid_gpu_hours"),
    "team": ("gpu_hours", "all_gpu_hours"),
    "class": ("gpu_hours", "all_gpu_hours"),
    "layer": ("gpus",),
    "card": ("gpu_hours",),
}
"""Subject -> its inputs that are exact in an explanation; GPU time of them is exact in columns."""

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
    "months": [2.0, 2.0, 2.0, 2.0],
}
OF_CONTRACT = {
    "paid_gpu_hours": [46_720.0, 46_720.0, 0.0, 800.0],
    "idle_gpu_hours": [29_200.0, 28_032.0, 0.0, None],
    "utilization": [0.375, 0.4, None, None],
    "below_40_percent": [1.0, 0.0, 0.0, None],  # exactly 40% is not below it
    "break_even_utilization": [0.625, None, None, 0.5],
    "paid_in_window": [116_800.0, 140_160.0, 0.0, 1_600.0],  # nothing costs nothing, also without a rate
    "allocated_in_window": [43_800.0, 56_064.0, 0.0, None],
    "unused_in_window": [73_000.0, 84_096.0, 0.0, None],
    "paid_per_month": [58_400.0, 70_080.0, 0.0, 800.0],
    "allocated_per_month": [21_900.0, 28_032.0, 0.0, None],
    "unused_per_month": [36_500.0, 42_048.0, 0.0, None],
}

# Half of what was used without training was idle; a cluster without a contract; one of which nobody said what it uses.
CLUSTER = {
    "paid_gpu_hours": [1_000, 0, 800],
    "used_gpu_hours": [375, 0, None],
    "activity": [0.5, None, 0.75],
    "training_hours": [60.0, 0.0, 10.0],
    "non_training_hours": [40.0, 100.0, 90.0],
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
    "unused": [2_500.0, None],
}

# 8 GPUs for 730 h, a layer without a rate, GPUs paid by use (4 on average, of at most 10), a term of 10 days, none.
LAYER = {
    "gpus": [8.0, 8.0, 10.0, 5.0, 0.0],
    "busy_gpus": [6.0, 2.0, 4.0, 5.0, 0.0],
    "mean_gpus": [8.0, 8.0, 4.0, 5.0, 0.0],
    "rate": [2.5, None, 4.0, 3.0, 2.0],
    "paid_hours": [730.0, 730.0, 730.0, 240.0, 730.0],
    "month_hours": [730.0] * 5,
    "on_demand_rate": [4.0, 4.0, 4.0, None, 4.0],
}
OF_LAYER = {
    "utilization": [0.75, 0.25, 0.4, 1.0, None],
    "cost_per_month": [14_600.0, None, 11_680.0, 3_600.0, 0.0],
    "mean_rate": [2.5, None, 4.0, 3_600.0 / 3_650.0, None],
    "unused_per_month": [3_650.0, None, 0.0, 0.0, 0.0],
    "on_demand_per_month": [17_520.0, 5_840.0, 11_680.0, None, 0.0],
    "value_per_month": [2_920.0, None, 0.0, None, 0.0],
}
# $2 for a term over which half of demand and prices last, against $4 by use; against an unknown rate; with something
# paid upfront.
TERM = {
    "rate": [2.0, 2.0, 1.5],
    "spread_rate": [2.0, 2.0, 1.875],
    "by_use_rate": [4.0, None, 4.0],
    "kept": [0.5, 0.5, 0.75],
    "month_hours": [730.0] * 3,
}
OF_TERM = {
    "one_gpu_per_month": [1_460.0, 1_460.0, 1_095.0],
    "by_use_per_month": [2_920.0, None, 2_920.0],
    "compared_per_month": [2_920.0, 2_920.0, 1_825.0],
    "break_even": [1.0, None, 0.625],
}

BY_HAND = {
    "contract": (CONTRACT, OF_CONTRACT),
    "cluster": (CLUSTER, OF_CLUSTER),
    "window": (WINDOW, OF_WINDOW),
    "layer": (LAYER, OF_LAYER),
    "term": (TERM, OF_TERM),
}
"""Subject -> its inputs and its figures, one list entry a row."""
EXACT = frozenset(
    (
        "gpus",
        "run_hours",
        "used_gpu_hours",
        "paid_gpu_hours",
        "non_training_used_gpu_hours",
        "non_training_paid_gpu_hours",
        "overflow_gpu_hours",
    )
)
"""Inputs that are exact in an explanation."""

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
    "unused_per_month": [36_500.0, 42_048.0, 0.0, None],
}

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

BY_HAND = {"contract": (CONTRACT, OF_CONTRACT), "class": (CLASS, OF_CLASS), "leak": (LEAK, OF_LEAK)}
"""Subject -> its inputs and its figures, one list entry a row."""
EXACT = {"contract": ("gpus", "run_hours", "used_gpu_hours"), "class": ("gpu_hours", "all_gpu_hours")}
"""Subject -> its inputs that are exact in an explanation; GPU time of them is exact in columns."""

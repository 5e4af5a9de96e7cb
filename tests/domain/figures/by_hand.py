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

BY_HAND = {"contract": (CONTRACT, OF_CONTRACT)}
"""Subject -> its inputs and its figures, one list entry a row."""
EXACT = frozenset(("gpus", "run_hours", "used_gpu_hours"))
"""Inputs that are exact in an explanation."""

"""Figures of training runs: memory of a GPU, hours with their band, $ and kWh; all worked out in domain/training.

Source: docs/formulas/training.md.
"""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, answering
from gpuplanner.domain.message import capital, worded

TRAINING: Final = Subject(
    "training",
    Figure("gpus", worded("Run GPUs"), writing.COUNT, short=worded("GPUs")),
    Figure("nodes", capital(worded("nodes")), writing.COUNT),
    Figure("nic_gbps", worded("Gb/s per node"), writing.COUNT),
    Figure("times", worded("Multiple of best hours"), writing.TIMES, short=worded("Times")),
    Figure("memory_gib", worded("Memory per GPU"), writing.GIBIBYTES),
    Figure("tokens_per_s_per_gpu", worded("Tokens/s per GPU"), writing.COUNT),
    Figure("hidden_from_tokens", worded("Tokens to hide it"), writing.COUNT, short=worded("Tokens\nto hide")),
    Figure("hours", worded("Hours to train"), writing.RUN_HOURS, short=worded("Hours")),
    Figure("whole_run_hours", worded("Hours to train"), writing.RUN_HOURS, short=worded("Hours")),
    Figure("usd", worded("Cost to train"), writing.MONEY_IN_ALL),
    Figure("kwh", worded("Energy to train"), writing.KWH),
    Figure("bf16_tflops", worded("TFLOP/s in BF16"), writing.COUNT, short=worded("TFLOP/s\nBF16")),
    Figure("fp8_tflops", worded("TFLOP/s in FP8"), writing.COUNT, short=worded("FP8")),
    Figure("fp4_tflops", worded("TFLOP/s in FP4"), writing.COUNT, short=worded("FP4")),
    Figure(
        "flop_per_byte", worded("BF16 FLOP per byte of memory"), writing.COUNT, short=worded("FLOP\nper byte")
    ),
    Figure("link_gb_per_s", worded("Node links, GB/s"), writing.COUNT, short=worded("Links\nGB/s")),
)


def longer_share(hours: Operand, usual_hours: Operand) -> Operand:
    """Added length of a run over the usual length."""
    return hours / usual_hours - 1


PAST_RUN: Final = Subject(
    "past_run",
    *answering(
        "past_run",
        Figure("gpus", worded("GPUs"), writing.GPUS),
        Figure("hours", worded("Took"), writing.RUN_HOURS, phrase=worded("hours that it took")),
        Figure("idle_hours", worded("Idle for"), writing.RUN_HOURS, json="hours"),
        Figure("contended_hours", worded("In contended hours"), writing.RUN_HOURS),
        Figure(
            "usual_hours",
            worded("Hours without contention"),
            writing.RUN_HOURS,
            phrase=worded("hours without contention"),
            unknown=worded("No run on as many GPUs completed outside hours over capacity"),
        ),
        Figure("longer_share", worded("Longer"), writing.SHARE, longer_share, is_better="down"),
        Figure("committed_share", worded("On commitments"), writing.SHARE),
    ),
)
"""A training run of the log beside what it met."""

ELSEWHERE: Final = Subject(
    "elsewhere",
    Figure("run_hours", worded("Longest run"), writing.RUN_HOURS),
    Figure("gpu_hours_per_month", titles.GPU_HOURS, writing.GPU_HOURS_PER_MONTH),
    Figure("cost_per_month", titles.COST, writing.MONEY_PER_MONTH),
    Figure("worth_below", titles.BREAK_EVEN_RATE, writing.RATE),
    Figure("ratio", worded("Worth of these GPUs"), writing.TIMES, short=worded("Ratio")),
    Figure("low", worded("Ratio, P10"), writing.TIMES),
    Figure("high", worded("Ratio, P90"), writing.TIMES),
    Figure("jobs", worded("Jobs"), writing.COUNT),
    Figure("gpu_hours", titles.GPU_HOURS, writing.GPU_HOURS),
    Figure("memory_gb", worded("Memory per GPU"), writing.GIGABYTES, short=worded("Has")),
    Figure("needs_gib", worded("Needs per GPU"), writing.GIBIBYTES, short=worded("Needs")),
)
"""A workload on another GPU model than it runs on, or on one that could not hold it."""

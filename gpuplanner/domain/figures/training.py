"""Figures of training runs: memory of a GPU, hours with their band, $ and kWh; all worked out in domain/training.

Source: docs/formulas/training.md.
"""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, answering
from gpuplanner.domain.message import capital, worded

TRAINING: Final = Subject(
    "training",
    (
        Figure(key="gpus", title=worded("Run GPUs"), unit=writing.COUNT, short=worded("GPUs")),
        Figure(key="nodes", title=capital(worded("nodes")), unit=writing.COUNT),
        Figure(key="nic_gbps", title=worded("Gb/s per node"), unit=writing.COUNT),
        Figure(
            key="times", title=worded("Multiple of best hours"), unit=writing.TIMES, short=worded("Times")
        ),
        Figure(key="memory_gib", title=worded("Memory per GPU"), unit=writing.GIBIBYTES),
        Figure(key="tokens_per_s_per_gpu", title=worded("Tokens/s per GPU"), unit=writing.COUNT),
        Figure(
            key="hidden_from_tokens",
            title=worded("Tokens to hide it"),
            unit=writing.COUNT,
            short=worded("Tokens\nto hide"),
        ),
        Figure(key="hours", title=worded("Hours to train"), unit=writing.RUN_HOURS, short=worded("Hours")),
        Figure(
            key="whole_run_hours",
            title=worded("Hours to train"),
            unit=writing.RUN_HOURS,
            short=worded("Hours"),
        ),
        Figure(key="usd", title=worded("Cost to train"), unit=writing.MONEY_IN_ALL),
        Figure(key="kwh", title=worded("Energy to train"), unit=writing.KWH),
        Figure(
            key="bf16_tflops",
            title=worded("TFLOP/s in BF16"),
            unit=writing.COUNT,
            short=worded("TFLOP/s\nBF16"),
        ),
        Figure(key="fp8_tflops", title=worded("TFLOP/s in FP8"), unit=writing.COUNT, short=worded("FP8")),
        Figure(key="fp4_tflops", title=worded("TFLOP/s in FP4"), unit=writing.COUNT, short=worded("FP4")),
        Figure(
            key="flop_per_byte",
            title=worded("BF16 FLOP per byte of memory"),
            unit=writing.COUNT,
            short=worded("FLOP\nper byte"),
        ),
        Figure(
            key="link_gb_per_s",
            title=worded("Node links, GB/s"),
            unit=writing.COUNT,
            short=worded("Links\nGB/s"),
        ),
    ),
)


def longer_share(hours: Operand, usual_hours: Operand) -> Operand:
    """Added length of a run over the usual length."""
    return hours / usual_hours - 1


PAST_RUN: Final = Subject(
    "past_run",
    (
        *answering(
            "past_run",
            Figure(key="gpus", title=worded("GPUs"), unit=writing.GPUS),
            Figure(
                key="hours", title=worded("Took"), unit=writing.RUN_HOURS, phrase=worded("hours that it took")
            ),
            Figure(key="idle_hours", title=worded("Idle for"), unit=writing.RUN_HOURS, json="hours"),
            Figure(key="contended_hours", title=worded("In contended hours"), unit=writing.RUN_HOURS),
            Figure(
                key="usual_hours",
                title=worded("Hours without contention"),
                unit=writing.RUN_HOURS,
                phrase=worded("hours without contention"),
                unknown=worded("No run on as many GPUs completed outside hours over capacity"),
            ),
            Figure(
                key="longer_share",
                title=worded("Longer"),
                unit=writing.SHARE,
                formula=longer_share,
                is_better="down",
            ),
            Figure(key="committed_share", title=worded("On commitments"), unit=writing.SHARE),
        ),
    ),
)
"""A training run of the log beside what it met."""

ELSEWHERE: Final = Subject(
    "elsewhere",
    (
        Figure(key="run_hours", title=worded("Longest run"), unit=writing.RUN_HOURS),
        Figure(key="gpu_hours_per_month", title=titles.GPU_HOURS, unit=writing.GPU_HOURS_PER_MONTH),
        Figure(key="cost_per_month", title=titles.COST, unit=writing.MONEY_PER_MONTH),
        Figure(key="worth_below", title=titles.BREAK_EVEN_RATE, unit=writing.RATE),
        Figure(key="ratio", title=worded("Worth of these GPUs"), unit=writing.TIMES, short=worded("Ratio")),
        Figure(key="low", title=worded("Ratio, P10"), unit=writing.TIMES),
        Figure(key="high", title=worded("Ratio, P90"), unit=writing.TIMES),
        Figure(key="jobs", title=worded("Jobs"), unit=writing.COUNT),
        Figure(key="gpu_hours", title=titles.GPU_HOURS, unit=writing.GPU_HOURS),
        Figure(key="memory_gb", title=worded("Memory per GPU"), unit=writing.GIGABYTES, short=worded("Has")),
        Figure(key="needs_gib", title=worded("Needs per GPU"), unit=writing.GIBIBYTES, short=worded("Needs")),
    ),
)
"""A workload on another GPU model than it runs on, or on one that could not hold it."""

"""Figures of waiting: shares, quantiles and GPU-hours of jobs in a queue, and what so many GPUs cost with them.

Source: docs/formulas/waits.md.
"""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, answering, phrased, share
from gpuplanner.domain.figures.layer import HOURS_OF_MONTH
from gpuplanner.domain.message import capital, worded

_NEVER: Final = worded("Unknown: no job has started.")
WITH_ROOM: Final = worded(
    "If free GPUs were spread over nodes or reserved, more GPUs may help. With job limits or maintenance, more "
    "GPUs do not help."
)


def share_over_1h(over_1h: Operand, jobs: Operand) -> Operand:
    """Share of started jobs that waited more than an hour."""
    return share(over_1h, jobs)


def mean_h(waited_h: Operand, jobs: Operand) -> Operand:
    """Mean wait of a job, in hours."""
    return share(waited_h, jobs)


def utilization(used_gpu_time: Operand, held_gpu_time: Operand) -> Operand:
    """Used GPU time over the GPU time that the pool may use."""
    return share(used_gpu_time, held_gpu_time)


def waited_with_room(room_h: Operand, waited_h: Operand) -> Operand:
    """Share of waiting time during which enough GPUs were free."""
    return share(room_h, waited_h)


def usd_per_month(
    gpus: Operand, rate: Operand, sent_out_usd: Operand, hours: Operand, month_hours: Operand
) -> Operand:
    """Cost of this number of GPUs per month, plus overflow sent on demand."""
    return month_hours * (gpus * rate + sent_out_usd / hours)


WAITING: Final = Subject(
    "waiting",
    (
        phrased("over_1h", worded("jobs waiting over 1 h"), writing.COUNT),
        phrased("waited_h", worded("total hours waited"), writing.HOURS),
        phrased("room_h", worded("hours waited with GPUs free"), writing.HOURS),
        Figure(key="used_gpu_time", title=worded("Used GPU-h"), unit=writing.GPU_TIME),
        Figure(key="held_gpu_time", title=worded("Available GPU-hours"), unit=writing.GPU_TIME),
        phrased("rate", worded("mean commitment rate"), writing.RATE),
        phrased("hours", worded("lookback hours"), writing.HOURS),
        HOURS_OF_MONTH,
        *answering(
            "wait",
            phrased("jobs", worded("jobs"), writing.COUNT),
            Figure(
                key="share_over_1h",
                title=worded("Wait over 1 h"),
                unit=writing.SHARE,
                formula=share_over_1h,
                short=worded("Over\n1 h"),
                unknown=_NEVER,
            ),
            *(
                Figure(
                    key=f"{key}_h",
                    title=title,
                    unit=writing.RUN_HOURS,
                    formula=formula,
                    short=short,
                    unknown=_NEVER,
                )
                for key, title, short, formula in (
                    ("mean", worded("Wait, mean"), worded("Mean"), mean_h),
                    ("p50", worded("Wait, P50"), "P50", None),
                    ("p90", worded("Wait, P90"), "P90", None),
                    ("p99", worded("Wait, P99"), "P99", None),
                )
            ),
            Figure(
                key="sent_out_jobs",
                title=worded("Jobs moved to on demand"),
                unit=writing.COUNT,
                short=worded("On demand,\njobs"),
            ),
            Figure(
                key="sent_out_gpu_hours",
                title=worded("GPU-hours moved to on demand"),
                unit=writing.GPU_HOURS,
                short=titles.ON_DEMAND,
            ),
            phrased(
                "sent_out_usd",
                worded("cost of jobs moved to on demand"),
                writing.MONEY,
                short=titles.ON_DEMAND,
            ),
            Figure(
                key="utilization",
                title=worded("Used share of GPUs open to the pool"),
                unit=writing.SHARE,
                formula=utilization,
                short=worded("Used of\nits GPUs"),
                unknown=worded("Unknown: it has no GPUs."),
            ),
            Figure(
                key="waited_with_room",
                title=worded("Waited with GPUs free"),
                unit=writing.SHARE,
                formula=waited_with_room,
                short=worded("GPUs\nfree"),
                glossary=WITH_ROOM,
                unknown=worded("Unknown: no submit times, or no job waited."),
            ),
            Figure(
                key="waited_gpu_hours",
                title=worded("GPU-hours waited for"),
                unit=writing.GPU_HOURS,
                short=worded("Waited for"),
            ),
            Figure(
                key="waited_gpus_most",
                title=worded("Most GPUs waited for"),
                unit=writing.GPUS,
                short=capital(worded("most GPUs")),
            ),
            Figure(key="contended_hours", title=titles.CONTENDED_HOURS, unit=writing.COUNT),
            Figure(key="gpus", title=worded("GPUs"), unit=writing.GPUS),
            Figure(
                key="window_usd_per_month",
                title=worded("Its window costs"),
                unit=writing.MONEY_PER_MONTH,
                short=worded("Its window\ncosts"),
            ),
            Figure(
                key="never",
                title=worded("Jobs that never start"),
                unit=writing.COUNT,
                short=worded("Never\nstart"),
                glossary=worded("They do not fit this size and count no wait, so it looks too good."),
            ),
            Figure(
                key="usd_per_month",
                title=titles.COST,
                unit=writing.MONEY_PER_MONTH,
                formula=usd_per_month,
                unknown=worded("Unknown: a rate is missing. Import contracts and prices."),
                note=worded("Rate: mean of contracts and commitments, or the cheapest commitment."),
            ),
        ),
    ),
)

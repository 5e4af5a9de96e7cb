"""Figures of waiting: shares, quantiles and GPU-hours of jobs in a queue; all worked out in domain/queue.

Source: docs/formulas.md, Waiting.
"""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.message import worded

_NEVER: Final = worded("Unknown: no job of it has started.")

WAITING: Final = Subject(
    "waiting",
    (
        Figure("jobs", worded("Jobs"), writing.COUNT),
        Figure(
            "share_over_1h", worded("Wait over 1 h"), writing.SHARE, short=worded("Over 1 h"), unknown=_NEVER
        ),
        *(
            Figure(
                f"{key}_h", worded("Wait, {which}", which=name), writing.RUN_HOURS, short=name, unknown=_NEVER
            )
            for key, name in (("mean", worded("mean")), ("p50", "P50"), ("p90", "P90"), ("p99", "P99"))
        ),
        Figure("sent_out_jobs", worded("Jobs sent out"), writing.COUNT, short=worded("Sent out,\njobs")),
        Figure("sent_out_gpu_hours", worded("Sent out"), writing.GPU_HOURS, short=worded("Sent out")),
        Figure("sent_out_usd", worded("Cost of what is sent out"), writing.MONEY, short=worded("Sent out")),
        Figure("utilization", titles.UTILIZATION, writing.SHARE, unknown=worded("Unknown: it has no GPUs.")),
        Figure(
            "waited_with_room",
            worded("Waited with room"),
            writing.SHARE,
            short=worded("With room"),
            glossary=worded("Of the waiting the share in which as many GPUs stood free: no size ends it."),
            unknown=worded("Unknown: the log does not say when jobs were submitted, or nobody waited."),
        ),
        Figure(
            "waited_gpu_hours", worded("GPU-hours waited for"), writing.GPU_HOURS, short=worded("Waited for")
        ),
        Figure(
            "waited_gpus_most", worded("GPUs waited for at most"), writing.GPUS, short=worded("Most GPUs")
        ),
        Figure("contended_hours", worded("Contended hours"), writing.COUNT),
        Figure("gpus", worded("GPUs"), writing.COUNT),
        Figure("window_usd", worded("Its window costs"), writing.MONEY, short=worded("Its window\ncosts")),
        Figure(
            "never",
            worded("Jobs that never start"),
            writing.COUNT,
            short=worded("Never\nstart"),
            glossary=worded(
                "No GPUs of this size hold them; they are in no wait, so the size looks better than it is."
            ),
        ),
        Figure(
            "usd_per_month",
            titles.COST,
            writing.MONEY_PER_MONTH,
            unknown=worded("Unknown: no rate is known for it. Import contracts and prices."),
        ),
    ),
)

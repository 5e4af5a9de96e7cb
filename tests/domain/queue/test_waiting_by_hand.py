"""Waits of thirteen jobs (`worlds.queueing`): as they were, on today's GPUs, on those of the plan, and on other sizes.

Five jobs of 4 GPUs and 10 h come hour by hour on the 4 GPUs of K1: they wait 0, 9, 18, 27 and 36 h; beside the gang of
40, which waits 0 in the log and never starts in the replay, that is a mean of 15 h and P50 of 9 h. The second of two
bursts of 3 on 5 A100 waits 5 h. On 12 GPUs three run at once: the fourth waits 7 h, from hour 103 to 110.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.model.plan_inputs import PlannedWork, Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waiting import Waiting, waiting_of
from gpuplanner.domain.queue.waits import Target, calibrated, knee_of, miss_of, smallest_that_holds
from gpuplanner.domain.reports import waiting
from gpuplanner.domain.reports.report import Medium
from tests.domain import worlds
from tests.domain.tables import plain, tables


def target_of(*result: Any) -> Waiting:
    return waiting_of(worlds.queueing(), 3, Target(*result), together=(True, False))


def patient() -> Waiting:
    """On the plan where serving jobs go out to `od` after an hour, on 2 GPUs of a contract of their own."""
    of = worlds.queueing()
    held = tuple(
        replace(item, milli_gpus=2000) if item.contract_id == "K2" else item
        for item in of.evaluation.project.contracts
    )
    project = replace(of.evaluation.project, contracts=held)
    return waiting_of(Queueing(replace(worlds.evaluated(project), scenario="Plan A"), of.log), 0)


def again() -> Waiting:
    """With a run of 4 GPUs and 5 h that comes back every 100 h on the GPUs of c1."""
    run = PlannedWork(
        name="again",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        length_hours=5,
        every_hours=100,
    )
    project = worlds.plan_project(scenario=Scenario(name="Plan A", planned=(run,)))
    return waiting_of(Queueing(worlds.evaluated(project), worlds.queueing().log), 0)


def rows(name: str, result: Any, report: Any = waiting.POOL_WAITS) -> str:
    return tables([(name, report, result)], (Medium.DOCUMENT, Medium.WINDOW)) or f"{name} none"


def facts(name: str, of: Waiting) -> str:
    """What is no table of it."""
    ranges = {
        str(pool): (item.p50.low_h, item.p90.low_h, item.p90.high_h, item.p99.high_h, item.miss)
        for pool, item in of.calibrated.items()
    }
    fewest = None if of.fewest is None else (of.fewest.gpus, of.fewest.first_gpus)
    flags = (
        of.submit_known,
        of.limit_known,
        of.never_fit,
        of.is_planned,
        of.begins_cold,
        of.is_capacity_guessed,
        of.is_changed,
    )
    result = (
        None
        if of.target is None
        else [
            None if item is None else (item.gpus, item.usd_per_month, item.waits.p90_h, item.rate)
            for item in (of.target.found, of.target.plan)
        ]
    )
    parts = (flags, ranges, fewest, of.fragments, result)
    return "\n".join((f"{name} facts", *(f"  {plain(item)}" for item in parts)))


OF: Mapping[str, Callable[[], str]] = {
    **{
        f"{part}_{of}": lambda part=part, is_planned=is_planned, of=of: rows(
            f"{part}_{of}", getattr(worlds.waiting(is_planned=is_planned), part)
        )
        for is_planned, of in ((True, "plan"), (False, "now"))
        for part in ("measured", "today", "replayed", "by_model", "loose")
    },
    "facts_plan": lambda: facts("facts_plan", worlds.waiting()),
    "facts_now": lambda: facts("facts_now", worlds.waiting(is_planned=False)),
    "sizes_plan": lambda: rows("sizes_plan", worlds.waiting().frontier, waiting.SIZES),
    "sizes_now": lambda: rows("sizes_now", worlds.waiting(is_planned=False).frontier, waiting.SIZES),
    "log": lambda: rows("log", log_waits(worlds.queueing()), waiting.LOG_WAITS),
    "target_all": lambda: facts("target_all", target_of(Pool.BURST, 1.0, None, True)),
    "target_none": lambda: facts("target_none", target_of(Pool.TRAINING, 0.0, "A100")),
    "target_model": lambda: facts("target_model", target_of(Pool.INFERENCE, 2.0, "H100")),
    "patient": lambda: rows("patient", patient().by_model),
    "patient_facts": lambda: facts("patient_facts", patient()),
    "again": lambda: rows("again", again().windows, waiting.WINDOWS),
    "again_rows": lambda: rows("again_rows", again().by_model),
}

EXPECTED = """
measured_plan window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | - | - | - | 0.0222603
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | - | - | - | 0.0856164
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | - | - | - | 0.00986301

today_plan window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0719178
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

replayed_plan window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0430323
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

by_model_plan window
  Inference | H100 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | H100 | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0430323
  Burst | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

loose_plan window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0430323
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

measured_now window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | - | - | - | 0.0222603
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | - | - | - | 0.0856164
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | - | - | - | 0.00986301

today_now window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0719178
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

replayed_now window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0719178
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

by_model_now window
  Inference | H100 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | H100 | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0719178
  Burst | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

loose_now window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0719178
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

facts_plan facts
  [0.923077 0.5 [j11] yes no no no]
  {inference=[0 0 0 0 -] training=[9 36 36 36 -] burst=[0 5 5 5 -]}
  [15 20]
  []
  [[40 62050 0 2.125] [7 10858.8 36 2.125]]

facts_now facts
  [0.923077 0.5 [j11] no no no no]
  {inference=[0 0 0 0 -] training=[9 36 36 36 -] burst=[0 5 5 5 -]}
  -
  []
  [[40 62050 0 2.125] -]

sizes_plan document
  inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 | 0 | [today plan]
  inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 | 0 | [today]
  inference | H100 | 15 | 21900 | 0 | 0 | 0 | 0 | 0 | [plan]
  inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 | 0 | []
  training | H100 | 4 | 6205 | 9 | 36 | 36 | 36 | 0.666667 | [today]
  training | H100 | 7 | 10858.8 | 9 | 36 | 36 | 36 | 0.666667 | [plan]
  training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 | 0 | [target]
  training | H100 | 12 | 17520 | 0 | 7 | 7 | 7 | 0.333333 | [today]
  training | H100 | 15 | 21900 | 9 | 36 | 36 | 36 | 0.666667 | [plan]
  training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 | 0 | []
  burst | A100 | 3 | 2190 | 0 | 5 | 5 | 5 | 0.5 | []
  burst | A100 | 4 | 2920 | 0 | 5 | 5 | 5 | 0.5 | []
  burst | A100 | 5 | 3650 | 0 | 5 | 5 | 5 | 0.5 | [today plan]
  burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 | 0 | []
sizes_plan window
  Inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 0 | 0 | ... the plan
  Inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 0 | 0 | ...
  Inference | H100 | 15 | 21900 | 0 | 0 | 0 | 0 0 | 0 | the plan
  Inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |
  Training | H100 | 4 | 6205 | 1 | 9 | 36 | 36 36 | 0.666667 | ...
  Training | H100 | 7 | 10858.8 | 1 | 9 | 36 | 36 36 | 0.666667 | the plan
  Training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 0 | 0 | the target
  Training | H100 | 12 | 17520 | 1 | 0 | 7 | 7 7 | 0.333333 | ...
  Training | H100 | 15 | 21900 | 1 | 9 | 36 | 36 36 | 0.666667 | the plan
  Training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |
  Burst | A100 | 3 | 2190 | 0 | 0 | 5 | 5 5 | 0.5 |
  Burst | A100 | 4 | 2920 | 0 | 0 | 5 | 5 5 | 0.5 |
  Burst | A100 | 5 | 3650 | 0 | 0 | 5 | 5 5 | 0.5 | ... the plan
  Burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 0 | 0 |

sizes_now document
  inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 | 0 | [today]
  inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 | 0 | [today]
  inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 | 0 | []
  training | H100 | 4 | 6205 | 9 | 36 | 36 | 36 | 0.666667 | [today]
  training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 | 0 | [target]
  training | H100 | 12 | 17520 | 0 | 7 | 7 | 7 | 0.333333 | [today]
  training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 | 0 | []
  burst | A100 | 3 | 2190 | 0 | 5 | 5 | 5 | 0.5 | []
  burst | A100 | 4 | 2920 | 0 | 5 | 5 | 5 | 0.5 | []
  burst | A100 | 5 | 3650 | 0 | 5 | 5 | 5 | 0.5 | [today]
  burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 | 0 | []
sizes_now window
  Inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 0 | 0 | ...
  Inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 0 | 0 | ...
  Inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |
  Training | H100 | 4 | 6205 | 1 | 9 | 36 | 36 36 | 0.666667 | ...
  Training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 0 | 0 | the target
  Training | H100 | 12 | 17520 | 1 | 0 | 7 | 7 7 | 0.333333 | ...
  Training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |
  Burst | A100 | 3 | 2190 | 0 | 0 | 5 | 5 5 | 0.5 |
  Burst | A100 | 4 | 2920 | 0 | 0 | 5 | 5 5 | 0.5 |
  Burst | A100 | 5 | 3650 | 0 | 0 | 5 | 5 5 | 0.5 | ...
  Burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 0 | 0 |

log document
  pool | inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  pool | training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 360 | 16 | 730 | 0
  pool | burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  team | team | 11 | 0.454545 | 8.63636 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  gpu_model | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  gpu_model | H100 | 9 | 0.444444 | 10 | 0 | 36 | 36 | 360 | 16 | 730 | 0
  size | 2-4 | 10 | 0.5 | 9.5 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  size | 17-64 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 730 | -
  hour_of_week | 4 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  hour_of_week | 5 | 1 | 1 | 9 | 9 | 9 | 9 | 36 | 4 | 4 | 0
  hour_of_week | 6 | 1 | 1 | 18 | 18 | 18 | 18 | 72 | 4 | 4 | 0
  hour_of_week | 7 | 1 | 1 | 27 | 27 | 27 | 27 | 108 | 4 | 4 | 0
  hour_of_week | 8 | 1 | 1 | 36 | 36 | 36 | 36 | 144 | 4 | 4 | 0
  hour_of_week | 36 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  hour_of_week | 37 | 1 | 1 | 5 | 5 | 5 | 5 | 15 | 3 | 4 | 0
  hour_of_week | 104 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  hour_of_week | 105 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  hour_of_week | 106 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  hour_of_week | 136 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
log window
  Pool | Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  Pool | Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 360 | 16 | 730 | 0
  Pool | Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  Team | team | 11 | 0.454545 | 8.63636 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  GPU model | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  GPU model | H100 | 9 | 0.444444 | 10 | 0 | 36 | 36 | 360 | 16 | 730 | 0
  Job GPUs | 2-4 | 10 | 0.5 | 9.5 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  Job GPUs | 17-64 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 730 | -
  ... | Mon 04:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  ... | Mon 05:00 | 1 | 1 | 9 | 9 | 9 | 9 | 36 | 4 | 4 | 0
  ... | Mon 06:00 | 1 | 1 | 18 | 18 | 18 | 18 | 72 | 4 | 4 | 0
  ... | Mon 07:00 | 1 | 1 | 27 | 27 | 27 | 27 | 108 | 4 | 4 | 0
  ... | Mon 08:00 | 1 | 1 | 36 | 36 | 36 | 36 | 144 | 4 | 4 | 0
  ... | Tue 12:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  ... | Tue 13:00 | 1 | 1 | 5 | 5 | 5 | 5 | 15 | 3 | 4 | 0
  ... | Fri 08:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  ... | Fri 09:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  ... | Fri 10:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  ... | Sat 16:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -

target_all facts
  [0.923077 0.5 [j11] yes no no no]
  {inference=[0 0 0 0 -] training=[9 36 36 36 -] burst=[0 5 5 5 -]}
  [15 20]
  []
  [[6 4380 0 1] [5 3650 5 1]]

target_none facts
  [0.923077 0.5 [j11] yes no no no]
  {inference=[0 0 0 0 -] training=[9 36 36 36 -] burst=[0 5 5 5 -]}
  [15 20]
  []
  -

target_model facts
  [0.923077 0.5 [j11] yes no no no]
  {inference=[0 0 0 0 -] training=[9 36 36 36 -] burst=[0 5 5 5 -]}
  [15 20]
  []
  [[40 58400 0 2] [15 21900 0 2]]

patient window
  Inference | H100 | 3 | 0 | 0 | 0 | 0 | 0 | 2 | 80 | 320 | 0.0273973
  Training | H100 | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0430323
  Burst | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301

patient_facts facts
  [0.923077 0.5 [j11] yes no no no]
  {inference=[0 0 0 0 -] training=[9 36 36 36 -] burst=[0 5 5 5 -]}
  -
  []
  -

again document
  again | training | H100 | 4 | 5 | 100 | 8 | 0 | 10 | 0 | 35040 | 584
again window
  again | H100 | 4 | 5 | 100 | 8 | 0 | 10 | 0 | 584

again_rows window
  Inference | H100 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | H100 | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0430323
  Burst | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301
"""
BLOCKS = {block.split(" ", 1)[0]: block for block in EXPECTED.strip("\n").split("\n\n") if block}


def rendered(name: str) -> str:
    return OF[name]()


@pytest.mark.parametrize("name", BLOCKS)
def test_waits_are_those_of_a_walk_by_hand(name: str) -> None:
    assert rendered(name) == BLOCKS[name]


@pytest.mark.parametrize(
    ("points", "knee"),
    [
        ([(0, 10.0), (1, 1.0), (10, 0.0)], (1, 1, 1)),
        ([(0, 10.0), (1, 2.0), (2, 1.0), (10, 0.0)], (1, 1, 2)),
        ([(0, 20.0), (5, 10.0), (10, 10.0)], (1, 1, 1)),  # half under the line of 5, though nothing is 0
        ([(0, 20.0), (4, 11.0), (8, 6.8), (20, 5.0)], (2, 2, 2)),  # 6 and 7.2 under: 0.83 of the deepest
        ([(0, 20.0), (4, 10.0), (8, 6.8), (20, 5.0)], (2, 1, 2)),  # 7 and 7.2 under: 0.97 of it
        ([(0, 0.5), (0.1, 0.1), (0.9, 0.0)], (1, 1, 1)),  # of less than an hour, and less than a dollar
        ([(0, 10.0), (5, 5.0), (10, 0.0)], None),
        ([(0, 10.0), (5, 6.0), (10, 0.0)], None),
        ([(5, 10.0), (5, 2.0), (5, 0.0)], None),
    ],
)
def test_a_knee_lies_furthest_under_the_line(
    points: list[tuple[float, float]], knee: tuple[int, int, int] | None
) -> None:
    assert knee_of(points) == knee


def test_a_correction_of_the_log_misses_by_what_it_comes_to() -> None:
    """Of 6 h measured where 2 were replayed, 4 are missing: with 3 minutes more, 3 h replayed are 3 + 4 x 3.05 / 2.05 h
    by the ratio, and 7 by the difference.
    """
    result = calibrated(3.0, 6.0, 2.0)
    assert (result.low_h, result.high_h) == pytest.approx((7.0, 3 + 4 * 3.05 / 2.05))
    assert miss_of(6.0, 2.0, 5.0, 3.0) == pytest.approx(((7.0 + 3 + 4 * 3.05 / 2.05) / 2 + 0.05) / 5.05)
    assert calibrated(1.0, 0.0, 3.0).low_h == 0.0


@pytest.mark.parametrize(
    ("least", "most", "unit", "holds_from", "size"),
    [
        (1, 64, 8, 20, 24),
        (1, 64, 8, 8, 8),
        (1, 64, 8, 64, 64),
        (1, 64, 8, 65, 72),
        (1, 64, 8, 128, 128),
        (1, 64, 8, 129, None),
    ],
)
def test_the_smallest_size_that_holds_is_found_up_to_twice_the_most(
    least: int, most: int, unit: int, holds_from: int, size: int | None
) -> None:
    assert smallest_that_holds(least, most, unit, lambda gpus: gpus >= holds_from) == size

"""Runs that are added to the past (`worlds.past`).

sft trains on 4 of atlas's 8 H100 in hours 10 to 30 and on all of them in 60 to 70; chat has 2 of them all the time, so
that 2 too many are wanted in these ten hours.
"""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.model.intake import LoggedRun
from tests.domain import worlds
from tests.domain.audit.conftest import START_S

H = 3600
SFT = "atlas/team/sft"


def run(
    job: str, begin_h: float, end_h: float, gpus: float, state: str = "COMPLETED", **more: Any
) -> LoggedRun:
    facts = {"key": SFT, "gpu_model": "H100"} | more
    begin_s, end_s = (round(START_S + H * hour) for hour in (begin_h, end_h))
    return LoggedRun(
        job_id=job, milli_gpus=round(1000 * gpus), start_s=begin_s, end_s=end_s, state=state, **facts
    )


def past_with(*runs: LoggedRun) -> Past:
    past = worlds.past().past
    return replace(past, project=replace(past.project, jobs=replace(past.project.jobs, runs=runs)))

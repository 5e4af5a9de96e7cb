"""Waits of the thirteen jobs of `worlds.queueing`, as golden tables: pools, sizes, the log, and what is no table.

Random jobs have a table of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waiting import Waiting, waiting_of
from gpuplanner.domain.queue.waits import Target
from gpuplanner.domain.reports import waiting
from gpuplanner.domain.reports.report import Medium
from tests.domain import worlds
from tests.domain.queue.random_jobs import waits_text
from tests.domain.tables import media_text, plain
from tests.golden.tables import Table

FOLDER: Final = "tables_queue"
PARTS: Final = ("measured", "today", "replayed", "by_model", "loose")
"""Parts of a `Waiting` that have a row for each pool."""


# --- Waits ---------------------------------------------------------------------------------------


def waiting_for(target: Target) -> Waiting:
    """Return the waits of the plan with a target."""
    return waiting_of(worlds.queueing(), 3, target, together=(True, False))


def patient_waiting() -> Waiting:
    """Return the waits of a plan where serving jobs go out to `od` after an hour, on 2 GPUs of their own contract."""
    queueing = worlds.queueing()
    contracts = tuple(
        replace(contract, milli_gpus=2000) if contract.contract_id == "K2" else contract
        for contract in queueing.evaluation.project.contracts
    )
    project = replace(queueing.evaluation.project, contracts=contracts)
    evaluation = replace(worlds.evaluated(project), scenario="Plan A")
    return waiting_of(Queueing(evaluation, queueing.log), 0)


def waiting_with_a_run() -> Waiting:
    """Return the waits of a plan with a run of 4 GPUs and 5 h that comes back every 100 h on the GPUs of c1."""
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


# --- Texts ---------------------------------------------------------------------------------------


def rows_text(rows: Any, report: Any = waiting.POOL_WAITS) -> str:
    """Return the rows of a report in a document and in the window."""
    return media_text(report, rows, (Medium.DOCUMENT, Medium.WINDOW)) or "none"


def facts_text(result: Waiting) -> str:
    """Return what no table of waits has, a line for each subject."""
    ranges = {
        str(pool): (item.p50.low_h, item.p90.low_h, item.p90.high_h, item.p99.high_h, item.miss)
        for pool, item in result.calibrated.items()
    }
    flags = {
        "submit_known": result.submit_known,
        "limit_known": result.limit_known,
        "never_fit": result.never_fit,
        "is_planned": result.is_planned,
        "begins_cold": result.begins_cold,
        "is_capacity_guessed": result.is_capacity_guessed,
        "is_changed": result.is_changed,
    }
    lines = [f"{name} {plain(value)}" for name, value in flags.items()]
    lines.append(f"calibrated p50, p90 from and to, p99, miss: {plain(ranges)}")
    if result.fewest is not None:
        lines.append(f"fewest {result.fewest.gpus}, in the first month {result.fewest.first_gpus}")
    lines.append(f"fragments {plain(result.fragments)}")
    sizes = () if result.target is None else (("size", result.target.found), ("plan", result.target.plan))
    for name, size in sizes:
        parts = None if size is None else (size.gpus, size.usd_per_month, size.waits.p90_h, size.rate)
        lines.append(f"target's {name}: gpus, usd_per_month, p90_h, rate: {plain(parts)}")
    return "\n".join(lines)


def pools_text(part: str, *, is_planned: bool) -> str:
    return rows_text(getattr(worlds.waiting(is_planned=is_planned), part))


SUBJECTS: Final[Mapping[str, Mapping[str, Callable[[], str]]]] = {
    "pools": {
        **{f"{part} of the plan": partial(pools_text, part, is_planned=True) for part in PARTS},
        **{f"{part} of today": partial(pools_text, part, is_planned=False) for part in PARTS},
        "by_model where serving is sent out": lambda: rows_text(patient_waiting().by_model),
        "by_model beside a planned run": lambda: rows_text(waiting_with_a_run().by_model),
    },
    "sizes": {
        "the plan": lambda: rows_text(worlds.waiting().frontier, waiting.SIZES),
        "today": lambda: rows_text(worlds.waiting(is_planned=False).frontier, waiting.SIZES),
    },
    "log": {"waits of the log": lambda: rows_text(log_waits(worlds.queueing()), waiting.LOG_WAITS)},
    "planned_runs": {"every 100 h": lambda: rows_text(waiting_with_a_run().windows, waiting.WINDOWS)},
    "facts": {
        "the plan": lambda: facts_text(worlds.waiting()),
        "today": lambda: facts_text(worlds.waiting(is_planned=False)),
        "target of all burst within 1 h": lambda: facts_text(
            waiting_for(Target(Pool.BURST, 1.0, None, is_of_all=True))
        ),
        "target of training on A100": lambda: facts_text(waiting_for(Target(Pool.TRAINING, 0.0, "A100"))),
        "target of inference on H100": lambda: facts_text(waiting_for(Target(Pool.INFERENCE, 2.0, "H100"))),
        "serving is sent out": lambda: facts_text(patient_waiting()),
    },
}


def subject_table(texts: Mapping[str, Callable[[], str]]) -> Table:
    return Table(text_of=lambda case: texts[case](), cases=tuple(texts))


TABLES: Final = {
    **{f"{subject}.txt": subject_table(texts) for subject, texts in SUBJECTS.items()},
    "random.txt": Table(text_of=waits_text, cases=tuple(map(str, range(8)))),
}

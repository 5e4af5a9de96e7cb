"""Answers about waits that are replayed, and of a window of a run."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.waits import OF_WAITS, Told
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.waiting import WindowWaits
from gpuplanner.domain.queue.waits import Waits
from gpuplanner.domain.reports.waiting import POOL_WAITS, WINDOWS
from tests.domain import worlds


def test_waits_that_are_not_replayed_yet_are_no_answer() -> None:
    with pytest.raises(StopIteration):
        OF_WAITS.answer(Told(None, ()), figure("wait_jobs", "training\tH100", "plan"))


def test_a_window_of_a_run_is_found_by_its_own_key() -> None:
    works = [
        PlannedWork(name=name, pool=Pool.TRAINING, gpu_model="H100", gpus=8.0, cluster="", length_hours=73)
        for name in ("first", "second")
    ]
    waits = [
        Waits(jobs=jobs, share_over_1h=None, mean_h=None, p50_h=None, p90_h=None, p99_h=None)
        for jobs in (3, 7)
    ]
    windows = tuple(
        WindowWaits(work=work, waits=own, never=never, usd=None, usd_per_month=usd)
        for work, own, never, usd in zip(works, waits, (1, 2), (100.0, 200.0), strict=True)
    )
    known = Told(replace(worlds.waiting(), windows=windows), ())
    for kind, values in (("jobs", [3, 7]), ("never", [1, 2]), ("window_usd_per_month", [100.0, 200.0])):
        ids = [figure(WAITING[kind].why, work.key, WINDOWS.scope) for work in works]
        assert [OF_WAITS.answer(known, figure_id).value for figure_id in ids] == values


@pytest.mark.parametrize("is_planned", [True, False])
def test_each_wait_of_a_pool_is_explained_by_model_and_for_all_models(is_planned: bool) -> None:
    waiting = worlds.waiting(is_planned=is_planned)
    scope = "plan" if is_planned else "today"
    for row in (*waiting.by_model, *waiting.replayed):
        for key in ("jobs", "mean_h", "p90_h", "share_over_1h"):
            asked = figure(WAITING[key].why, POOL_WAITS.key(row), scope)
            assert OF_WAITS.answer(Told(waiting, ()), asked).value == getattr(row.waits, key)

"""A gap in the log: asked about, idle until the planner says that it is missing, then no evidence at all."""

import re
from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.intake import LogGap, quiet_gaps
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain.commitment.conftest import START_S, Case, Load, audit, case, offer

HOURS = 2160
GAP = (1800, 2088)
OFFERS = [offer("od", 0, 6.88), offer("m1", 1, 3.50), offer("m12", 12, 2.75), offer("m36", 36, 2.00)]
SWITCHED_ON = {"recency_half_life_days": 7.0, "demand_fall_closes": True, "slices_lived": True}


def world(has_gap: bool, is_missing: bool = False) -> tuple[Case, Scenario]:
    gpus = [
        0.0 if has_gap and GAP[0] <= hour < GAP[1] else 20.0 + 4 * (hour % 24 < 12) for hour in range(HOURS)
    ]
    scenario = Scenario(name="Plan A", is_gap_missing=is_missing)
    return case([Load(pool=Pool.TRAINING, gpus=gpus)], (), OFFERS, scenario, **SWITCHED_ON), scenario  # type: ignore[arg-type]


def planned(has_gap: bool, is_missing: bool = False) -> Advice:
    made, scenario = world(has_gap, is_missing)
    return advise(made.project, scenario, made.pools, audit())


def test_a_gap_is_asked_about_until_it_is_said_to_be_missing() -> None:
    (check,) = [one for one in planned(True).checks if one.code == "log_gap"]
    assert check.severity == "amber" and "288 hours" in str(check.message)
    assert re.findall(r"2026-\S+Z", str(check.message)) == ["2026-03-17T00:00:00Z", "2026-03-29T00:00:00Z"]
    assert not [one for one in planned(True, True).checks if one.code == "log_gap"]
    assert not [one for one in planned(False).checks if one.code == "log_gap"]


def test_a_missing_gap_leaves_the_plan_of_a_log_without_it() -> None:
    """It is whole days, so that the same shares of the rest are busy; and nothing has fallen."""
    idle, missing, whole = planned(True), planned(True, True), planned(False)
    assert {one.code for one in idle.checks} >= {"demand_fell"}
    assert "demand_fell" not in {one.code for one in missing.checks}
    assert missing.totals.plan == pytest.approx(whole.totals.plan, rel=1e-9)
    assert [(one.offer_id, one.gpus) for one in missing.orders if one.reason == "now"] == [
        (one.offer_id, one.gpus) for one in whole.orders if one.reason == "now"
    ]
    assert missing.pools[0].demand.volatility.sigma == pytest.approx(
        whole.pools[0].demand.volatility.sigma, rel=0.05
    )


def test_a_missing_gap_is_in_no_week_of_the_band() -> None:
    def band(has_gap: bool, is_missing: bool) -> tuple[float, float]:
        made, scenario = world(has_gap, is_missing)
        advice = advise(made.project, scenario, made.pools, audit())
        found = outlook(made.project, scenario, made.pools, advice).uncertainty
        return found.p10_usd_per_month or 0.0, found.p90_usd_per_month or 0.0

    assert band(True, True) == pytest.approx(band(False, False), rel=0.05)
    assert band(True, False) != pytest.approx(band(False, False), rel=0.05)


def test_a_gap_of_the_log_knows_of_jobs_without_gpus() -> None:
    """What the reduction says comes first: no GPU was in use, but other jobs ran."""
    made, scenario = world(True)
    told = replace(made.project, jobs=replace(made.project.jobs, gaps=()))
    advice = advise(told, scenario, made.pools, audit())
    assert not [one for one in advice.checks if one.code == "log_gap"]


def test_gaps_lie_between_hours_that_have_some() -> None:
    window = Window(START_S, 100)
    busy = np.zeros(100, dtype=np.bool_)
    busy[[30, 54, 79]] = True  # 30 hours before, 23 and 24 between, 20 after
    assert quiet_gaps(busy, window) == (LogGap(START_S + 55 * HOUR_S, START_S + 79 * HOUR_S),)
    assert quiet_gaps(np.zeros(100, dtype=np.bool_), window) == ()

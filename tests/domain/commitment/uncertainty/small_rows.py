"""Rows of a plan with a few slices, for the tests of levels and of use."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.outlook_result import LevelValues
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import SliceRun
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer

WEEK = 168
KEY = (Pool.INFERENCE, "H100")


def values(**more: Any) -> LevelValues:
    """Three slices: by use 30, 20 and 10 in month 0, then 300, 200 and 100; a year is paid for 10 months."""
    base = LevelValues(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        slicing=Slicing(2, 3),
        horizon_months=24,
        churn=0.01,
        use_prices=(1.0,),
        paid_months={12: 10.0},
        extra_usd={12: np.array([1.0, 1.0, 1.0])},
        after_usd={12: np.array([5.0, 5.0, 5.0])},
        by_use_usd=np.array([30.0, 20.0, 10.0]),
        wait_usd=np.array([300.0, 200.0, 100.0]),
        advised_usd=np.array([50.0, 50.0, 50.0]),
        advised_month_usd=np.array([7.0, 7.0, 7.0]),
    )
    return replace(base, **more)


def planned(*runs: SliceRun, slicing: Slicing = Slicing(2, 3)) -> Any:  # noqa: B008  # it does not change
    return SimpleNamespace(runs=runs, slicing=slicing, pool=Pool.INFERENCE, gpu_model="H100")


def row_of(levels: Any = None, offers: Any = None, loads: Any = None, **values: Any) -> Any:
    hand = {} if levels is None else {KEY: levels}
    scenario = Scenario(name="A", hand_layers=hand, planned=values.pop("planned", ()))
    rates = offers or [offer("od", 0, 6.0), offer("y1", 12, 2.0, max_gpus=3), offer("y1b", 12, 3.0)]
    held = values.pop("contracts", ())
    made = case(
        loads or [Load(pool=Pool.INFERENCE, gpus=[5.0] * 400)], held, rates, scenario, sigma=0.0, **values
    )
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),))
    (plan,) = advise(project, scenario, made.pools, audit()).pools
    return plan

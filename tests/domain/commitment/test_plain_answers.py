"""Demands with a plain right answer: what anybody would sign, or not, for work that is steady, new, gone, or rare."""

from collections.abc import Callable

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

HOURS = 2160
END_S = START_S + HOURS * 3600
DAY_S = 86_400
KEY = "c1/team/load-000"
AT = np.arange(HOURS)
DAY, HOUR_OF_DAY, WEEKDAY = AT // 24, AT % 24, AT // 24 % 7
OD = offer("od", 0, 6.88)
RATES = {1: 3.5, 3: 3.15, 6: 2.95, 12: 2.75, 24: 2.30, 36: 2.00}
OFFERS = [OD, *(offer(f"m{term:02d}", term, rate) for term, rate in RATES.items())]
DEFAULTS = {"recency_half_life_days": 7.0, "demand_fall_closes": True, "slices_lived": True, "delta": 0.004}


def plan(gpus, pool=Pool.INFERENCE, contracts=(), offers=OFFERS, more=(), job=None, **values) -> Advice:  # type: ignore[no-untyped-def]
    """The advice for GPUs hour by hour; a number is steady. job: the largest, as Load has it."""
    plans = {name: values.pop(name) for name in ("spells", "changes") if name in values}
    hourly = np.full(HOURS, float(gpus)) if isinstance(gpus, int) else np.asarray(gpus, dtype=float)
    loads = [Load(pool=pool, gpus=hourly.tolist(), job=job), *more]
    made = case(loads, contracts, offers, Scenario(name="Plan A", **plans), **(DEFAULTS | values))
    return advise(made.project, made.project.scenarios[0], made.pools, audit())


def signed(advice: Advice, over_months: int = 0) -> float:
    """GPUs of orders that start in the first month, of terms over so many months."""
    return sum(
        one.gpus
        for one in advice.orders
        if one.is_certain and END_S <= one.start_s < END_S + 730 * 3600 and one.term_months > over_months
    )


def longest(advice: Advice) -> int:
    return max((one.term_months for one in advice.orders if one.is_certain), default=0)


def layer(advice: Advice, term: int) -> float:
    return sum(
        one.gpus for row in advice.pools for one in row.layers if one.is_new and one.term_months == term
    )


def has(advice: Advice, code: str) -> bool:
    return code in {check.code for check in advice.checks}


def training_beside(gpus: float, job: tuple[str, float, int, int]) -> Load:
    return Load(pool=Pool.TRAINING, gpus=np.where(DAY >= 30, gpus, 0.0).tolist(), job=job)


NOISE = np.random.default_rng(7).standard_normal(HOURS)
ANSWERS: dict[str, Callable[[], bool]] = {
    "steady: nearly all for long": lambda: 26 <= layer(plan(32), 36) <= 32 and signed(plan(32)) >= 26,
    "one training project: six months": lambda: 26 <= layer(plan(32, Pool.TRAINING), 6) <= 32,
    "steady with noise": lambda: 25 <= layer(plan(np.round(32 * (1 + 0.1 * NOISE))), 36) <= 34,
    "2,000 GPUs": lambda: layer(plan(2000), 36) >= 1600,
    "a wave by day: its floor, not its top": lambda: (
        10 <= layer(plan(np.round(25 + 15 * np.sin(2 * np.pi * AT / 24))), 36) <= 34
    ),
    "18 hours a day": lambda: layer(plan(np.where(HOUR_OF_DAY < 18, 40, 0)), 36) >= 32,
    "five hours a day: on demand": lambda: not signed(plan(np.where(HOUR_OF_DAY < 5, 40, 0))),
    "weekdays": lambda: layer(plan(np.where(WEEKDAY < 5, 32, 0)), 36) >= 24,
    "weekends: on demand": lambda: not signed(plan(np.where(WEEKDAY >= 5, 32, 0), Pool.BURST)),
    "one day a week: on demand": lambda: not signed(plan(np.where(WEEKDAY == 2, 64, 0), Pool.TRAINING)),
    "grows from 10 to 40: as many as there are": lambda: (
        30 <= signed(plan(np.round(10 + 30 * AT / HOURS))) <= 42
    ),
    "doubled a month ago: the new level": lambda: 60 <= signed(plan(np.where(DAY < 60, 32, 64))) <= 64,
    "doubled three days ago: the old one for long": lambda: signed(plan(np.where(DAY < 87, 32, 64)), 1) <= 33,
    "new for 20 days: a month at most": lambda: not signed(plan(np.where(DAY < 70, 0, 32)), 1),
    "new for 35 days: three months at most": lambda: (
        not signed(plan(np.where(DAY < 55, 0, 32)), 3) and signed(plan(np.where(DAY < 55, 0, 32))) == 32
    ),
    "gone for 32 days": lambda: (
        has(plan(np.where(DAY < 58, 40, 0), Pool.TRAINING), "demand_fell")
        and not signed(plan(np.where(DAY < 58, 40, 0), Pool.TRAINING))
    ),
    "gone for 10 days": lambda: not signed(plan(np.where(DAY < 80, 40, 0))),
    "gone for five days": lambda: not signed(plan(np.where(DAY < 85, 40, 0))),
    "dies from 40 to 5": lambda: (
        longest(plan(np.round(40 - 35 * AT / HOURS), Pool.TRAINING)) <= 3
        and signed(plan(np.round(40 - 35 * AT / HOURS), Pool.TRAINING)) <= 12
    ),
    "half gone a month ago: the half that is left": lambda: (
        17 <= signed(plan(np.where(DAY < 60, 40, 20))) <= 20
    ),
    "520 of which 8 are left": lambda: signed(plan(np.where(DAY < 46, 520, 8), Pool.TRAINING)) <= 10,
    "a pause of 20 days, back for 14": lambda: (
        30 <= signed(plan(np.where((DAY >= 56) & (DAY < 76), 0, 40))) <= 40
    ),
    "at month ends 70, else 10": lambda: (
        not has(plan(np.where((DAY % 30 >= 27) & (DAY < 83), 70, 10), Pool.TRAINING), "demand_fell")
    ),
    "a low that comes back every 28 days": lambda: (
        not has(plan(np.where((89 - DAY) // 14 % 2 == 0, 10, 40)), "demand_fell")
    ),
    "one job of 60 days": lambda: (
        longest(plan(np.where(DAY >= 30, 512, 0), Pool.TRAINING, job=("j", 512, 720, HOURS))) <= 1
    ),
    "one job is said": lambda: has(
        plan(np.where(DAY >= 30, 512, 0), Pool.TRAINING, job=("j", 512, 720, HOURS)), "one_job"
    ),
    "one job over 16 steady GPUs": lambda: (
        13 <= signed(plan(16, Pool.TRAINING, more=[training_beside(100.0, ("j", 100, 720, HOURS))]), 1) <= 17
    ),
    "a service is one job by nature": lambda: signed(plan(32, job=("j", 32, 0, HOURS)), 12) >= 26,
    "three days once": lambda: not signed(plan(np.where((DAY >= 40) & (DAY < 43), 64, 0), Pool.TRAINING)),
    "one hour once": lambda: not signed(plan(np.where(AT == 0, 8, 0), Pool.TRAINING)),
    "two hours a week over 16 steady": lambda: (
        layer(
            plan(
                16,
                more=[
                    Load(
                        pool=Pool.BURST,
                        gpus=np.where((WEEKDAY == 1) & (HOUR_OF_DAY < 2), 200.0, 0.0).tolist(),
                    )
                ],
            ),
            36,
        )
        >= 13
    ),
    "day and night in two pools: both floors": lambda: (
        layer(
            plan(
                np.where((HOUR_OF_DAY >= 8) & (HOUR_OF_DAY < 20), 30, 4),
                more=[
                    Load(
                        pool=Pool.TRAINING,
                        gpus=np.where((HOUR_OF_DAY >= 8) & (HOUR_OF_DAY < 20), 4.0, 28.0).tolist(),
                    )
                ],
            ),
            36,
        )
        >= 8
    ),
    "ends in 60 days: nothing longer": lambda: (
        not signed(plan(32, spells={KEY: Spell(None, END_S + 60 * DAY_S)}), 2)
    ),
    "ends in ten months: at most a year": lambda: (
        longest(plan(32, spells={KEY: Spell(None, END_S + 300 * DAY_S)})) <= 12
    ),
    "over when the plan begins": lambda: not signed(plan(32, spells={KEY: Spell(None, END_S)})),
    "halves in three months: half for long": lambda: (
        12
        <= layer(
            plan(32, changes=(DemandChange(target="all", keys=(), factor=0.5, from_s=END_S + 90 * DAY_S),)),
            36,
        )
        <= 18
    ),
    "doubles in six months: now what is there": lambda: (
        26
        <= layer(
            plan(
                32, changes=(DemandChange(target="all", keys=(KEY,), factor=2.0, from_s=END_S + 180 * DAY_S),)
            ),
            36,
        )
        <= 33
    ),
    "under contract for 14 months": lambda: (
        not signed(plan(32, contracts=[contract("k", 32, 2.6, 14, HOURS)]))
    ),
    "half under contract": lambda: (
        13 <= signed(plan(32, contracts=[contract("k", 16, 2.6, 30, HOURS)])) <= 16
    ),
    "more under contract than is used": lambda: (
        not signed(plan(32, contracts=[contract("k", 40, 2.6, 30, HOURS)]))
    ),
    "a contract ends in ten days: on that day": lambda: (
        {
            one.start_s
            for one in plan(32, contracts=[contract("k", 32, 2.6, 240 / 730, HOURS)]).orders
            if one.is_certain and one.term_months == 36
        }
        == {END_S + 10 * DAY_S}
    ),
    "only a month on offer": lambda: layer(plan(32, offers=[OD, offer("m1", 1, 3.5)]), 1) == 32,
    "on demand cheaper than all": lambda: (
        not signed(plan(32, offers=[offer("od", 0, 1.5), offer("m36", 36, 2.0)]))
    ),
    "a year at the rate of a month: the month": lambda: (
        layer(plan(32, offers=[OD, offer("m1", 1, 3.0), offer("m12", 12, 3.0)]), 1) == 32
    ),
    "prices fall by 5% a month": lambda: longest(plan(32, delta=0.05)) <= 12,
    "a tenth of the work ends each month": lambda: longest(plan(32, lambda_=0.10)) < 36,
    "8 GPUs at most for long": lambda: (
        layer(plan(32, offers=[OD, offer("m12", 12, 2.75), offer("m36", 36, 2.0, max_gpus=8)]), 36) == 8
    ),
    "nodes of 8 for 30 GPUs": lambda: (
        {
            one.bought_gpus % 8
            for one in plan(30, offers=[OD, offer("m36", 36, 2.0, unit_gpus=8)], block=None).orders
        }
        == {0}
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_plain_demands_have_their_plain_answer(name: str) -> None:
    assert ANSWERS[name]()

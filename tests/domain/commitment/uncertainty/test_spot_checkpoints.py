"""Checkpoints on spot: the best interval is the best there is, and its saving is the plan's."""

import re
from dataclasses import replace
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.recursion.rates import lost_share
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.commitment.uncertainty.spot import best_way
from gpuplanner.domain.commitment.words.spot import spot_sentences, spot_summary
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.conftest import Load, audit, case, offer

HOUR_S = 3600
CHECKPOINTS_HOURS = 336


def spot(rate: float) -> Offer:
    return replace(offer("spot", 0, rate), pricing_category=PricingCategory.DYNAMIC)


def advised(loads: list[Load], offers: list[Offer], **assumptions: float) -> tuple[SpotAdvice, ...]:
    made = case(loads, (), offers, **assumptions)
    scenario = made.project.scenarios[0]
    answer = advise(made.project, scenario, made.pools, audit())
    return outlook(made.project, scenario, made.pools, answer).spot


@given(st.floats(0.02, 40), st.integers(1, 12), st.floats(0.05, 60))
def test_no_interval_and_no_lack_of_checkpoints_loses_less(
    interval_h: float, nodes: int, longest_h: float
) -> None:
    best, takes_checkpoints = best_way(Assumptions(), nodes, longest_h * HOUR_S)
    other = Assumptions(spot_interval_hours=interval_h)
    assert best <= lost_share(other, nodes, longest_h * HOUR_S) + 1e-12
    own_h = sqrt(2 * 5 / 60 * 24 / nodes) if takes_checkpoints else 1e6
    reached = lost_share(Assumptions(spot_interval_hours=own_h), nodes, longest_h * HOUR_S)
    assert best == pytest.approx(reached)


def test_checkpoints_that_take_no_time_lose_restarts_alone() -> None:
    """M 24 h, d 0: as the interval gets shorter, what is done again goes to 0."""
    best, takes_checkpoints = best_way(Assumptions(spot_checkpoint_minutes=0.0), 1, 100.0 * HOUR_S)
    near, _ = best_way(Assumptions(spot_checkpoint_minutes=1e-9), 1, 100.0 * HOUR_S)
    assert takes_checkpoints and best == pytest.approx(near, abs=1e-5)


def test_one_node_by_hand() -> None:
    """M 24 h, d 5 min: every 2 h, of which 2/24 + 0.25/24 = 9.4% is lost, against 11.5% at 4 h."""
    (one,) = advised(
        [Load(pool=Pool.BURST, gpus=[4.0] * CHECKPOINTS_HOURS, longest_job_s=100 * HOUR_S)],
        [offer("od", 0, 6.0), spot(2.0)],
    )
    assert one.best_interval_hours == pytest.approx(2.0)
    assert one.best_lost_share == pytest.approx(2.25 / 24)
    assert one.lost_share == pytest.approx(5 / 240 + 2.25 / 24)
    assert one.on_spot and one.on_spot_at_best
    rates = 2.0 / (1 - one.lost_share), 2.0 / (1 - one.best_lost_share)
    assert one.saves_usd_per_month == pytest.approx(730 * 4 * (rates[0] - rates[1]))


def test_the_savings_are_what_the_plan_costs_less_with_that_interval() -> None:
    """All by use, equal nodes: with the assumption set to the best interval the plan is at its best."""
    loads = [
        Load(pool=Pool.BURST, gpus=[3.0] * CHECKPOINTS_HOURS, longest_job_s=90 * HOUR_S),
        Load(pool=Pool.BURST, gpus=[1.5] * CHECKPOINTS_HOURS, longest_job_s=70 * HOUR_S),
        Load(pool=Pool.TRAINING, gpus=[2.0] * CHECKPOINTS_HOURS, longest_job_s=50 * HOUR_S),
        Load(pool=Pool.INFERENCE, gpus=[5.0] * CHECKPOINTS_HOURS),
    ]
    offers = [offer("od", 0, 6.0), spot(2.0)]
    found = advised(loads, offers, spot_long_training=True)
    assert [one.pool for one in found] == [Pool.BURST, Pool.BURST, Pool.TRAINING]
    plans = []
    for interval in (4.0, found[0].best_interval_hours or 0.0):
        made = case(loads, (), offers, spot_long_training=True, spot_interval_hours=interval)
        answer = advise(made.project, made.project.scenarios[0], made.pools, audit())
        plans.append(answer.totals.plan or 0.0)
    assert sum(one.saves_usd_per_month or 0.0 for one in found) == pytest.approx(plans[0] - plans[1])


def test_work_that_is_lost_as_assumed_may_run_at_its_best() -> None:
    """Fourteen nodes lose everything every 4 h, and less than half every half hour; sixty cannot finish either way."""
    loads = [
        Load(pool=Pool.BURST, gpus=[8.0] * CHECKPOINTS_HOURS, nodes=14, longest_job_s=40 * HOUR_S),
        Load(pool=Pool.BURST, gpus=[8.0] * CHECKPOINTS_HOURS, nodes=60, longest_job_s=40 * HOUR_S),
    ]
    one, two = advised(loads, [offer("od", 0, 6.0), spot(2.0)])
    assert one.lost_share > 1 > one.best_lost_share
    assert not one.on_spot and one.on_spot_at_best
    assert one.saves_usd_per_month == pytest.approx(730 * 8 * (6.0 - 2.0 / (1 - one.best_lost_share)))
    assert two.best_lost_share > 1 and not two.on_spot_at_best and two.saves_usd_per_month == 0


def test_nobody_who_may_not_use_spot_and_nothing_without_spot_on_offer() -> None:
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[4.0] * CHECKPOINTS_HOURS),
        Load(pool=Pool.TRAINING, gpus=[4.0] * CHECKPOINTS_HOURS),
    ]
    (kept_off,) = advised(loads, [offer("od", 0, 6.0), spot(2.0)])  # training of 100 h
    assert (kept_off.pool, kept_off.barrier, kept_off.on_spot) == (Pool.TRAINING, "too_long", False)
    assert advised(loads, [offer("od", 0, 6.0), spot(2.0)], spot=False) == ()
    assert advised([Load(pool=Pool.BURST, gpus=[4.0] * CHECKPOINTS_HOURS)], [offer("od", 0, 6.0)]) == ()


ONE = SpotAdvice(
    key="c/t/x",
    pool=Pool.BURST,
    gpu_model="H100",
    nodes=1,
    longest_job_hours=100.0,
    interval_hours=4.0,
    lost_share=0.1146,
    best_interval_hours=2.0,
    best_lost_share=0.09375,
    on_spot=True,
    on_spot_at_best=True,
    saves_usd_per_month=123.4,
)


def figures(sentences: tuple[str, ...]) -> list[float]:
    return [
        float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*\.?\d*", " ".join(map(str, sentences)))
    ]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (
            ONE,
            (
                "On spot it loses 11.5% of its work with a checkpoint every 4 h; at best, "
                "every 2 h: 9.4%. That saves $123 per month with the same layers."
            ),
        ),
        (
            replace(ONE, nodes=14, lost_share=1.333, best_interval_hours=0.53, best_lost_share=0.454),
            (
                "On spot, 14 nodes, it would lose 133% of its work with a checkpoint every 4 h "
                "and never finish; at best, every 32 min: 45.4%. That saves $123 per month with "
                "the same layers."
            ),
        ),
        (
            replace(ONE, nodes=60, lost_share=5.8, best_interval_hours=0.26, best_lost_share=1.27),
            "On spot, 60 nodes, it would lose 127% of its work even every 16 min, and never finish.",
        ),
        (
            replace(
                ONE, longest_job_hours=1.5, lost_share=0.042, best_interval_hours=None, best_lost_share=0.042
            ),
            (
                "On spot it loses 4.2% of its work without a checkpoint: its jobs are shorter "
                "than 4 h. No other interval loses less."
            ),
        ),
        (
            replace(ONE, on_spot=False, on_spot_at_best=False, saves_usd_per_month=0.0),
            "On spot it loses 11.5% of its work with a checkpoint every 4 h; at best, every 2 h: 9.4%. "
            "On demand is still cheaper.",
        ),
        (
            replace(ONE, longest_job_hours=5.0, best_interval_hours=None, best_lost_share=0.09),
            (
                "On spot it loses 11.5% of its work with a checkpoint every 4 h; at best, "
                "without checkpoints: 9.0%. That saves $123 per month with the same layers."
            ),
        ),
    ],
)
def test_a_workload_in_words(one: SpotAdvice, said: str) -> None:
    assert " ".join(map(str, spot_sentences(one))) == said


@given(st.floats(0.02, 3), st.floats(0.01, 1), st.floats(1, 1e6))
def test_every_figure_of_the_words_is_the_advices(lost: float, best_part: float, usd: float) -> None:
    one = replace(ONE, lost_share=lost, best_lost_share=lost * best_part, saves_usd_per_month=usd)
    told = figures(spot_sentences(one))
    assert any(abs(100 * one.best_lost_share - figure) <= 0.5 for figure in told)
    if one.best_lost_share < 1 and lost - one.best_lost_share >= 0.0005:
        assert any(abs(100 * lost - figure) <= 0.5 for figure in told)
        assert abs(told[-1] - usd) <= 0.5


def test_all_workloads_in_one_line() -> None:
    def said(ways: list[SpotAdvice]) -> tuple[list[str], list[str], float] | None:
        found = spot_summary(ways)
        return found and (figures(str(found[0])), figures(str(found[1])), found[2])

    def figures(text: str) -> list[str]:
        return re.findall(r"\d+ \w+", text)

    two = replace(ONE, key="c/t/y", best_interval_hours=0.5, saves_usd_per_month=1000.0)
    assert said([ONE, two, replace(ONE, key="z", saves_usd_per_month=0.0)]) == (
        ["30 min", "2 h"],
        ["2 workloads", "4 h"],
        1123.4,
    )
    none = replace(ONE, best_interval_hours=None)
    assert said([none]) == ([], ["1 workload"], 123.4)
    assert spot_summary([replace(ONE, saves_usd_per_month=0.5)]) is None


def test_spot_that_loses_much_is_no_cheaper_than_use_on_demand() -> None:
    """Two nodes: 5/240 + 2.25/12 = 20.8% is lost at 4 h, 13.9% at the best: $3.10 are $3.92 and $3.60."""
    loads = [Load(pool=Pool.BURST, gpus=[4.0] * CHECKPOINTS_HOURS, longest_job_s=100 * HOUR_S, nodes=2)]
    (one,) = advised(loads, [offer("od", 0, 3.8), spot(3.1)])
    assert (one.on_spot, one.on_spot_at_best) == (False, True)
    (both,) = advised(loads, [offer("od", 0, 4.0), spot(3.1)])
    assert (both.on_spot, both.on_spot_at_best) == (True, True)
    (neither,) = advised(loads, [offer("od", 0, 3.5), spot(3.1)])
    assert (neither.on_spot, neither.on_spot_at_best, neither.saves_usd_per_month) == (False, False, 0.0)

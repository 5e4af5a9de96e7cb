"""Variants of the advice: each is walked like the advice, and only the past chooses among them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.backtest import advice_backtest
from gpuplanner.domain.commitment.backtest.advice_backtest import backtest
from gpuplanner.domain.commitment.backtest.history import Span, history_of, in_order
from gpuplanner.domain.commitment.backtest.variants import BEST_SO_FAR, RECENT_FALL, Variant, variants_of
from gpuplanner.domain.commitment.backtest.walk_forward import Held, MonthPaid, pay
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import parse_assumption
from tests.domain.commitment.conftest import Load, case, offer

MONTH = 730
OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 3.5)]


def walked(gpus: list[float], **assumptions: Any) -> dict[str, Variant]:
    made = case([Load(Pool.INFERENCE, gpus)], (), OFFERS, **assumptions)
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    return {one.name: one for one in variants_of(history)}


def test_as_set_is_the_backtest_itself() -> None:
    gpus = [float(1 + hour // 500) for hour in range(4 * MONTH)]
    made = case([Load(Pool.INFERENCE, gpus)], (), OFFERS, sigma=0.1)
    answer = backtest(made.project, made.project.scenarios[0], made.pools)
    assert walked(gpus, sigma=0.1)["as_set"].usd == pytest.approx(answer.totals["advice"])


def test_where_demand_falls_by_steps_recent_weeks_pay() -> None:
    gpus = [float(max(20 - 2 * (hour // 336), 2)) for hour in range(6 * MONTH)]
    found = walked(gpus, sigma=0.0, lambda_=0.0, delta=0.0)
    assert (found["half_life_3.5"].usd or 0) < (found["as_set"].usd or 0)
    assert found["fitted_growth"].settings["growth_inference"] < 0  # type: ignore[operator]


def test_the_best_so_far_starts_with_falls_alone_and_never_looks_ahead() -> None:
    gpus = [float(max(20 - 2 * (hour // 336), 2)) for hour in range(6 * MONTH)]
    whole, cut = walked(gpus), walked(gpus[: 4 * MONTH])
    assert whole[BEST_SO_FAR].by_month[0] == whole[RECENT_FALL].by_month[0]
    assert whole[BEST_SO_FAR].by_month[:3] == pytest.approx(cut[BEST_SO_FAR].by_month)


def test_a_fall_is_carried_on_and_a_rise_is_not() -> None:
    down = walked([float(max(24 - 3 * (hour // 336), 2)) for hour in range(5 * MONTH)])[RECENT_FALL]
    assert down.settings["recency_half_life_days"] == 3.5 and down.settings["growth_inference"] < 0  # type: ignore[operator]
    up = walked([float(4 + 3 * (hour // 336)) for hour in range(5 * MONTH)])
    assert up[RECENT_FALL].settings == {"recency_half_life_days": 3.5}
    assert up["fitted_growth"].settings["growth_inference"] > 0  # type: ignore[operator]


def test_settings_are_assumptions_that_a_planner_can_apply() -> None:
    for variant in walked([float(5 + hour // 700) for hour in range(5 * MONTH)]).values():
        for name, value in variant.settings.items():
            assert parse_assumption(name, str(value)) == value


def test_a_short_log_has_no_variants() -> None:
    assert walked([1.0] * (2 * MONTH - 1)) == {}


def test_months_are_summed_in_one_order_whatever_a_run_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last digit of a sum hangs on its order: rows of a set come in another one in every process."""
    loads = [Load(pool, [4.0] * (3 * MONTH), name) for pool in Pool for name in ("B200", "H100", "L40S")]
    offers = [replace(one, offer_id=f"{one.offer_id}-{name}", gpu_model=name)
              for one in OFFERS for name in ("B200", "H100", "L40S")]  # fmt: skip
    made = case(loads, (), offers)
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    paid: list[Row] = []

    def watched(came: Span, month: int, held: Sequence[Held], row: Row) -> MonthPaid:
        paid.append(row)
        return pay(came, month, held, row)

    monkeypatch.setattr(advice_backtest, "pay", watched)
    months = advice_backtest.advice_by_month(history, ())
    rows = in_order(set(paid))
    assert len(rows) == 9 and paid == [*rows] * len(months)

"""Savings in words: their steps, what separate pools avoid, and what they would buy."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.outlook_result import Outlook, SavingsStep
from gpuplanner.domain.commitment.plan.comparison import SavingsBuy
from gpuplanner.domain.commitment.words.savings import avoided_words, bought_words, by_itself, saved_dollars
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import START_S, Load, case, contract
from tests.domain.commitment.words.sentence_figures import figures


def test_what_came_by_itself_is_demand_or_contracts_too() -> None:
    steps = tuple(
        SavingsStep(step=name, cost_before=100.0, cost_after=100.0 - saved, saved_per_month=saved)
        for name, saved in (("demand", 30.0), ("ending", -8.0))
    )
    outlook = Outlook(savings_steps=steps)
    loads = [Load(pool=Pool.TRAINING, gpus=[1.0] * 100)]
    all_along = case(loads, [contract("k", 4, 2.0, 6, 100)]).project
    words, usd = by_itself(all_along, outlook)
    assert (str(words), usd) == ("demand", -30.0)
    begun = case(loads, [contract("k", 4, 2.0, 6, 100, start_s=START_S + 50 * 3600)]).project
    words, usd = by_itself(begun, outlook)
    assert (str(words), usd) == ("demand and contracts", -22.0)
    assert by_itself(all_along, None)[1] is None


def audit_of(contended: float, usd: float | None) -> Any:
    premium = SimpleNamespace(usd_per_month=usd, rate_usd_per_month=300.0, idle_usd_per_month=200.0)
    return SimpleNamespace(contended_hours=contended, interference_hours=7, premium=premium)


def test_what_separate_pools_avoid() -> None:
    assert figures(avoided_words(audit_of(12, 500.0))) == ["12", "7", "$500", "$300", "$200"]
    assert figures(avoided_words(audit_of(0, 500.0)))[0] == "0"
    assert figures(avoided_words(audit_of(12, None))) == ["12", "7"]
    assert avoided_words(audit_of(0, 0.0)) == "" == avoided_words(audit_of(0, None))


def test_what_savings_would_buy() -> None:
    buy = SavingsBuy(
        savings_vs_do_nothing=1000.0,
        by_use_per_month=500.0,
        by_use_gpu_hours_per_month=250.0,
        month_hours=730.0,
        marginal_rate=2.0,
        bought_gpu_hours_per_month=500.4,
        bought_gpus=12.0,
    )
    assert figures(bought_words(buy)) == ["$2.00", "500", "12"]
    assert str(bought_words(replace(buy, unknown="why"))).endswith("why")


@pytest.mark.parametrize(
    ("total", "beside", "dollars"),
    [
        (30.2, None, [10, 20]),
        (31.0, None, [11, 20]),  # the one that is left to the larger remainder
        (35.0, 5.4, [10, 20]),
        (None, None, [None, None]),
    ],
)
def test_whole_dollars_of_steps_add_up(
    total: float | None, beside: float | None, dollars: list[int | None]
) -> None:
    steps = [
        SavingsStep(step="terms", cost_before=0, cost_after=0, saved_per_month=10.4),
        SavingsStep(step="spot", cost_before=0, cost_after=0, saved_per_month=20.3),
        SavingsStep(step="demand", cost_before=0, cost_after=0, saved_per_month=None),
    ]
    assert saved_dollars(steps, ("terms", "spot"), total, beside) == dollars
    assert saved_dollars(steps, ("terms", "demand"), total, beside) == [None, None]
    assert saved_dollars(steps, ("terms", "separation"), total, beside) == [None, None]

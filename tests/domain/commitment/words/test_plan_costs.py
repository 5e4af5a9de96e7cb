"""Cost of a plan in words: on-demand spend, all on demand, and the savings rate."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.plan_costs import all_on_demand, by_the_hour, savings_rate_sentence
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.domain.commitment.four_offers import GPUS, HOURS, OFFERS
from tests.domain.commitment.words.sentence_figures import figures


def month(use: float | None, plan: float | None, *ways: tuple[str, float]) -> Any:
    hours = tuple(("H100", (name,), gpu_hours) for name, gpu_hours in ways)
    return SimpleNamespace(use_usd=use, plan_usd=plan, use_hours=hours)


def test_what_is_bought_by_the_hour_is_told_from_a_twentieth_of_the_spend_on() -> None:
    """Two months: 730 + 2,190 GPU-hours are 2 GPUs on average; who sells most is named first."""
    offers = [offer("a", 0, 2.0, provider="Ada"), offer("b", 0, 2.0)]
    months = [month(100.0, 1000.0, ("a", 730.0)), month(0.0, 1000.0, ("b", 2190.0))]
    said = by_the_hour(SimpleNamespace(comparison=months), offers)  # type: ignore[arg-type]
    assert figures(said) == ["2", "$100", "2", "5%"] and str(said).endswith("b, Ada.")
    months[0].use_usd = 99.0
    assert by_the_hour(SimpleNamespace(comparison=months), offers) is None  # type: ignore[arg-type]
    for unknown in ({"use_usd": None}, {"plan_usd": None}, {"use_usd": 0.0}):
        months = [SimpleNamespace(**vars(month(100.0, 100.0, ("a", 73.0))) | unknown)]
        assert by_the_hour(SimpleNamespace(comparison=months), offers) is None  # type: ignore[arg-type]
    one = by_the_hour(SimpleNamespace(comparison=[month(9.0, 9.0, ("a", 730.0))]), [])  # type: ignore[arg-type]
    assert "1 GPU on" in str(one) and str(one).endswith("a.")
    few = by_the_hour(SimpleNamespace(comparison=[month(9.0, 9.0, ("a", 240.0))]), [])  # type: ignore[arg-type]
    assert "0.33 GPUs" in str(few)  # 240 / 730 = 0.3288


@pytest.mark.parametrize(
    ("usd", "today", "said"),
    [
        (900.0, 1000.0, ["$900", "$100"]),
        (999.4, 999.6, ["$999", "$0"]),
        (1000.4, 1000.0, None),
        (1000.0, 1000.0, None),
        (None, 1000.0, None),
        (0.0, 1000.0, None),
        (900.0, None, None),
    ],
)
def test_all_on_demand_is_told_where_it_costs_less_than_today(
    usd: float | None, today: float | None, said: list[str] | None
) -> None:
    words = all_on_demand(SimpleNamespace(on_demand_equivalent=usd, today=today))  # type: ignore[arg-type]
    assert (None if words is None else figures(words)) == said
    assert words is None or "-$" not in str(words).replace("\u2212", "-")


@pytest.mark.parametrize(
    ("rate", "usd", "said"),
    [(0.0, 50.0, ["0.0%", "$50"]), (-0.1, 50.0, ["10.0%", "$50"]), (0.2, None, []), (None, 50.0, [])],
)
def test_the_savings_rate_is_told_with_what_it_is_of(rate: Any, usd: Any, said: list[str]) -> None:
    totals: Any = SimpleNamespace(effective_savings_rate=rate, on_demand_equivalent=usd)
    assert figures(str(savings_rate_sentence(totals)).replace("-", "")) == said


def test_what_is_bought_by_the_hour_is_told_with_its_share_and_from_whom() -> None:
    """All of a plan; nothing where it is a small share."""
    gpus = [4.0] * (HOURS - 40) + [4.5] * 40
    hourly = replace(offer("od", 0, 7.0), provider="Delta")
    for offers, is_said in (([hourly], True), ([hourly, offer("y1", 12, 1.0)], False)):
        made = case([Load(pool=Pool.TRAINING, gpus=gpus)], [], offers)
        advice = advise(made.project, made.project.scenarios[0], made.pools, audit())
        found = by_the_hour(advice, made.project.offers)
        assert (found is not None) is is_said
        usd = sum(month.use_usd or 0.0 for month in advice.comparison)
        hours = sum(way[2] for month in advice.comparison for way in month.use_hours)
        if found is not None:
            assert re.findall(r"\$?\d[\d,]*%?", str(found)) == ["4", f"${usd:,.0f}", "12", "100%"]
            assert str(found).endswith(", Delta.")
            assert hours == pytest.approx(12 * 730 * sum(gpus) / HOURS)
            few = [replace(one, use_hours=(("H100", ("od",), 73.0),)) for one in advice.comparison]
            told = by_the_hour(replace(advice, comparison=tuple(few)), ())  # one that a plan has for itself
            assert ": 0.1 GPUs" in str(told) and str(told).endswith(", od.")


def test_the_effective_savings_rate_in_words(plan: PoolPlan) -> None:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], [contract("k1", 4, 3.0, 40, HOURS)], OFFERS)
    totals = advise(made.project, made.project.scenarios[0], made.pools, audit()).totals
    rate, usd = totals.effective_savings_rate or 0.0, totals.on_demand_equivalent or 0.0
    assert usd == pytest.approx(730 * plan.demand.mean_gpus * 7.0) and rate > 0
    said = str(savings_rate_sentence(totals))
    assert f"{rate:.1%}" in said and f"${usd:,.0f} per month" in said
    worse = savings_rate_sentence(replace(totals, effective_savings_rate=-0.123))
    assert "\u221212.3%" in str(worse)
    assert "unknown" in str(savings_rate_sentence(replace(totals, effective_savings_rate=None)))
    none = savings_rate_sentence(replace(totals, effective_savings_rate=-418.499))
    assert f"twice all on demand, ${usd:,.0f}" in str(none) and "%" not in str(none)

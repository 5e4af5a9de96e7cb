"""What levels set by hand cost beside the advice, in words."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost
from gpuplanner.domain.commitment.plan.comparison import more_words
from gpuplanner.domain.commitment.words.level_costs import THE_SAME, cost_of_levels_sentences
from tests.domain.commitment.words.sentence_figures import figures

VALUES: Any = SimpleNamespace(horizon_months=24, use_prices=(1.0, 0.9, 0.8), churn=0.1)


def level(term: int, gpus: float, month_0: float, usd: float) -> LevelCost:
    return LevelCost(term, gpus, month_0, usd)


def test_levels_that_cost_what_the_advice_costs_say_so_and_no_more() -> None:
    cost = CostOfLevels(24, 0.4, -0.4, (level(12, 2, 0.4, -0.4),))
    (same,) = cost_of_levels_sentences(cost, VALUES)
    assert figures(same) == ["24"]
    for differs in ({"month_0_usd": 0.5}, {"usd": -0.5}):
        first = cost_of_levels_sentences(replace(cost, **differs), VALUES)[0]
        assert first.template != same.template
        assert str(THE_SAME) in str(first)


def test_each_level_says_what_it_costs_and_why() -> None:
    """After two months prices are 20% lower, and 1 - 0.9 x 0.9 of the demand has ended: 19%."""
    levels = (
        level(2, 3.0, -40.0, 500.0),
        level(12, 1.0, 30.0, 90.0),
        level(1, 2.0, 0.0, -60.0),
        level(0, 4.0, 10.0, 70.0),
        level(36, 1.0, 0.0, 0.4),
    )
    cost = CostOfLevels(24, 1000.0, -2000.0, levels)
    first, longer, year, month, use = cost_of_levels_sentences(cost, VALUES)
    assert figures(first) == ["$1,000", "$2,000", "24"]
    assert str(more_words(1000.0)) in str(first) and str(more_words(-2000.0)) in str(first)
    assert figures(longer) == ["3", "2", "$500", "24", "$40", "20%", "19%"] and "lower" in str(longer)
    assert figures(year) == ["1", "12", "$90", "24", "$30"] and "1 GPU for" in str(year)
    assert figures(month) == ["2", "1", "$60", "24"] and "1 month:" in str(month)
    assert figures(use) == ["4", "$70", "24"]
    dearer = SimpleNamespace(horizon_months=24, use_prices=(1.0, 1.1, 1.3), churn=0.0)
    words = cost_of_levels_sentences(cost, dearer)[1]  # type: ignore[arg-type]
    assert figures(words)[-2:] == ["30%", "0%"] and "higher" in str(words)
    flat = SimpleNamespace(horizon_months=24, use_prices=(1.0,), churn=0.0)
    assert "lower" in str(cost_of_levels_sentences(cost, flat)[1])  # type: ignore[arg-type]

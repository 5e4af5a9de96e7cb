"""The outlook in words: which figures each sentence has, and when it is said at all, by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment import outlook_words as words_module
from gpuplanner.domain.commitment.outlook_result import (
    CostOfLevels,
    LevelCost,
    Outlook,
    PathCost,
    SavingsStep,
    SpotAdvice,
    Uncertainty,
)
from gpuplanner.domain.commitment.outlook_words import (
    PATH_WHERE,
    THE_SAME,
    avoided_words,
    bought_words,
    by_itself,
    cheapest_ways,
    cost_of_levels_sentences,
    coverage_words,
    drawn_words,
    paths_sentences,
    price_changes_sentences,
    regret_usd,
    saved_dollars,
    spot_sentences,
    spot_summary,
    worst_regret,
)
from gpuplanner.domain.commitment.plan.comparison import SavingsBuy, more_words
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import START_S, Load, case, contract


def figures(words: object) -> list[str]:
    return re.findall(r"\$?\d(?:[\d,.]*\d)?%?", str(words).replace("\N{MINUS SIGN}", "-"))


# --- Bands


def test_a_band_says_how_many_months_fell_inside() -> None:
    band = Uncertainty(coverage=7 / 9, coverage_folds=9, resamples=500)
    assert figures(coverage_words(band)) == ["7", "9"]
    assert not figures(coverage_words(replace(band, coverage=None)))
    assert figures(drawn_words(band)) == ["500"]


# --- Paths of prices

SHORT, ADVICE, LONG = "shorter_only_usd", "advice_usd", "longer_only_usd"


def path(
    name: str, short: float | None, advice: float | None, long: float | None, best: float | None
) -> PathCost:
    return PathCost(
        path=name,
        delta=None,
        shorter_only_usd=short,
        advice_usd=advice,
        longer_only_usd=long,
        regret_usd=None,
        best_usd=best,
    )


@pytest.mark.parametrize(
    ("costs", "cheapest"),
    [
        ((10.0, 20.0, 30.0), {SHORT}),
        ((10.0, 10.4, 30.0), {SHORT, ADVICE}),
        ((10.5, 10.0, 30.0), {ADVICE}),
        ((10.0, 10.4, 10.4), set()),
        ((30.0, 20.0, 10.0), {LONG}),
        ((None, 20.0, 10.0), set()),
    ],
)
def test_the_cheapest_ways_are_those_within_half_a_dollar(costs: Any, cheapest: set[str]) -> None:
    assert cheapest_ways(path("flat", *costs, 10.0)) == cheapest


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ((9.0, 11.0, 10.0), ["1", "3"]),
        ((9.0, 9.0, 12.0), ["2", "3"]),
        ((10.0, 10.0, 12.0), ["0", "3"]),
        ((9.6, 10.4, 9.4), ["1", "3"]),
    ],
)
def test_a_way_is_counted_where_it_costs_less_than_the_advice_by_half_a_dollar(
    costs: tuple[float, ...], said: list[str]
) -> None:
    """The advice costs $10 on each of three paths; counts and, last, $7 at worst."""
    paths = [path("flat", usd, 10.0, 30.0, 5.0) for usd in costs]
    words = str(words_module.compare_paths(Message("A"), words_module.Regret(7.0, "flat"), paths, SHORT))
    assert re.findall(r"\d+", words) == [*said, "7"]
    same = str(
        words_module.compare_paths(
            Message("A"), words_module.Regret(7.0, "flat"), [path("flat", 10.4, 10.0, 30.0, 5.0)], SHORT
        )
    )
    assert re.findall(r"\d+", same) == ["1"]


def test_the_worst_of_a_way_is_its_largest_regret_of_all_paths() -> None:
    paths = [path("fall", 12.0, 11.0, 15.0, 10.0), path("rise", 20.0, 19.0, 18.0, 18.0)]
    assert [regret_usd(paths[0], way) for way in (SHORT, ADVICE, LONG)] == [2.0, 1.0, 5.0]
    assert worst_regret(paths, SHORT) == (2.0, "fall")
    assert worst_regret(paths[::-1], ADVICE) == (1.0, "rise")  # the first of two alike
    assert worst_regret(paths, LONG) == (5.0, "fall")
    assert worst_regret([*paths, path("flat", None, 1.0, 1.0, 1.0)], SHORT) is None
    assert worst_regret([*paths, path("flat", None, 1.0, 1.0, 1.0)], LONG) == (5.0, "fall")
    assert worst_regret([], SHORT) is None
    assert regret_usd(path("flat", 1.0, 1.0, 1.0, None), SHORT) is None


def test_sentences_of_paths_say_how_wrong_each_way_can_be() -> None:
    """Signing nothing costs less than the advice on one of two, signing long on the other."""
    paths = [path("fall", 100.0, 300.0, 1500.0, 100.0), path("flat", 2600.0, 500.0, 400.0, 400.0)]
    first, short, long = paths_sentences(paths, 24)
    assert figures(first)[:2] == ["$200", "24"] and str(PATH_WHERE["fall"]) in str(first)
    assert figures(short)[-3:] == ["1", "2", "$2,200"] and str(PATH_WHERE["flat"]) in str(short)
    assert "$1,400" in figures(long) and str(PATH_WHERE["fall"]) in str(long)
    dear = [replace(each, shorter_only_usd=9000.0) for each in paths]
    assert " 0 of" in str(paths_sentences(dear, 24)[1])
    same = [replace(each, shorter_only_usd=(each.advice_usd or 0) + 0.4) for each in paths]
    assert figures(paths_sentences(same, 24)[1])[-1:] == ["2"]  # as the advice on both


def test_sentences_of_paths_where_nothing_differs_or_is_known() -> None:
    alike = [path("fall", 10.0, 10.3, 9.9, 10.0), path("flat", 20.0, 20.0, 20.0, 20.0)]
    first, second = paths_sentences(alike, 24)
    assert not figures(first) and not figures(second)
    edge = [path("fall", 10.5, 10.0, 10.0, 10.0)]
    assert len(paths_sentences(edge, 24)) == 3  # half a dollar is told apart
    wrong = [path("fall", 10.5, 10.5, 10.5, 10.0)]
    assert figures(paths_sentences(wrong, 36)[0])[1:2] == ["36"]
    for missing in (SHORT, ADVICE, LONG):
        (unknown,) = paths_sentences([replace(edge[0], **{missing: None})], 24)
        assert "unknown" in str(unknown)


def test_dated_prices_say_their_model_factor_and_day() -> None:
    at_once, slowly = PriceChange("H100", 0.8, START_S), PriceChange("A100", 1.25, START_S, by=True)
    words = [str(each) for each in price_changes_sentences([at_once, slowly])]
    assert ["H100" in words[0], "0.8" in words[0], "1 Jan 2026" in words[0]] == [True] * 3
    assert ["A100" in words[1], "1.25" in words[1], "by 1 Jan 2026" in words[1]] == [True] * 3


# --- Levels


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


# --- Savings


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


# --- Spot


def spot(**values: Any) -> SpotAdvice:
    """A job of one node for 10 h, checkpoints every 4 h: it loses 12% where every 2.5 h it would lose 8%, $90 less."""
    base = SpotAdvice(
        key="a",
        pool=Pool.TRAINING,
        gpu_model="H100",
        nodes=1,
        longest_job_hours=10.0,
        interval_hours=4.0,
        lost_share=0.12,
        best_interval_hours=2.5,
        best_lost_share=0.08,
        on_spot=True,
        on_spot_at_best=True,
        saves_usd_per_month=90.0,
    )
    return replace(base, **values)


def test_spot_says_what_is_lost_and_what_the_best_interval_saves() -> None:
    first, saves = spot_sentences(spot())
    assert figures(first) == ["12.0%", "4", "2.5", "8.0%"]
    assert figures(saves) == ["$90"]
    for least in (1.0, 0.99):
        assert len(spot_sentences(spot(saves_usd_per_month=least))) == (2 if least == 1.0 else 1)
    assert len(spot_sentences(spot(saves_usd_per_month=None))) == 1
    dear = spot_sentences(spot(saves_usd_per_month=None, on_spot_at_best=False))
    assert len(dear) == 2 and not figures(dear[1])
    assert figures(spot_sentences(spot(nodes=3))[0])[0] == "3"


def test_training_that_is_kept_off_spot_says_what_that_costs_and_what_allows_it() -> None:
    kept_off = spot(barrier="too_long", run_hours=10.9, run_usd=1_086.4, run_usd_on_demand=3_000.0)
    lost, run, allow = spot_sentences(kept_off)
    assert figures(lost)[0] == "12.0%" and figures(run) == ["10.0", "10.9", "$1,086", "$3,000"]
    assert "Long training may use spot" in str(allow)
    assert "Training writes checkpoints" in str(
        spot_sentences(replace(kept_off, barrier="no_checkpoints"))[-1]
    )
    (_, dear) = spot_sentences(replace(kept_off, run_usd_on_demand=1_000.0))
    assert figures(dear)[-1] == "$1,000"
    assert "unknown" in str(spot_sentences(replace(kept_off, run_usd_on_demand=None))[1])
    assert spot_summary((kept_off,)) is None  # a better interval saves nothing where none is written


def test_spot_that_cannot_finish_or_is_as_good_as_it_gets() -> None:
    (never,) = spot_sentences(spot(best_lost_share=1.0, lost_share=1.2))
    assert figures(never) == ["100%", "2.5"] and "never finish" in str(never)
    assert len(spot_sentences(spot(best_lost_share=0.99, lost_share=1.2))) == 2
    assert figures(spot_sentences(spot(lost_share=1.0))[0])[:2] == ["100%", "4"]
    assert figures(spot_sentences(spot(lost_share=0.999))[0])[:2] == ["99.9%", "4"]
    (least,) = spot_sentences(spot(best_lost_share=0.1196))
    assert figures(least) == ["12.0%", "4"]
    assert len(spot_sentences(spot(best_lost_share=0.119))) == 2
    short = spot_sentences(spot(longest_job_hours=3.0))[0]
    assert "shorter" in str(short) and "shorter" not in str(spot_sentences(spot(longest_job_hours=4.0))[0])
    assert "without checkpoints" in str(spot_sentences(spot(best_interval_hours=None))[0])


@pytest.mark.parametrize(("hours", "words"), [(0.75, "45 min"), (1.0, "1 h"), (2.5, "2.5 h"), (4.0, "4 h")])
def test_intervals_are_told_in_minutes_below_an_hour(hours: float, words: str) -> None:
    assert words in str(spot_sentences(spot(best_interval_hours=hours))[0])


def test_spot_together_is_worth_saying_from_a_dollar_on() -> None:
    assert spot_summary([spot(saves_usd_per_month=0.9)]) is None
    assert spot_summary([spot(saves_usd_per_month=-5.0), spot(saves_usd_per_month=None)]) is None
    both = spot_summary(
        [
            spot(best_interval_hours=1.5),
            spot(),
            spot(key="b", best_interval_hours=0.5),
            spot(key="c", saves_usd_per_month=0.0),
        ]
    )
    assert both is not None
    title, sentence, usd = both
    assert figures(title) == ["30", "2.5"] and figures(sentence) == ["2", "4"] and usd == 270.0
    alone = spot_summary([spot(saves_usd_per_month=1.0), spot(gpu_model="A100")])
    assert (
        alone is not None
        and figures(alone[0]) == ["2.5"]
        and figures(alone[1])[0] == "1"
        and alone[2] == 91.0
    )
    none = spot_summary([spot(best_interval_hours=None)])
    assert none is not None and not figures(none[0]) and figures(none[1]) == ["1"]

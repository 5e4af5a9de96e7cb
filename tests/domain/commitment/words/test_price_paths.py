"""Paths of prices in words: which ways cost least on each, and how wrong each can be."""

import re
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.words import price_paths
from gpuplanner.domain.commitment.words.price_paths import (
    PATH_WHERE,
    cheapest_ways,
    paths_sentences,
    price_changes_sentences,
    regret_usd,
    worst_regret,
)
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.plan.changes import PriceChange
from tests.domain.commitment.conftest import START_S
from tests.domain.commitment.words.sentence_figures import figures

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
    words = str(price_paths.compare_paths(Message("A"), price_paths.Regret(7.0, "flat"), paths, SHORT))
    assert re.findall(r"\d+", words) == [*said, "7"]
    same = str(
        price_paths.compare_paths(
            Message("A"), price_paths.Regret(7.0, "flat"), [path("flat", 10.4, 10.0, 30.0, 5.0)], SHORT
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

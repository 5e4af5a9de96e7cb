"""A project: needs, budgets and figures of the business that are entered, its months, its plans and its offers."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import (
    BusinessFigure,
    NeedsSet,
    check_budget,
    check_business,
    check_need,
    month_bounds,
    month_of,
    month_windows,
    parse_need,
    while_asking,
)
from gpuplanner.domain.model.window import Window, instant_s
from tests.domain import worlds
from tests.domain.model.refusals import result_of


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("nodes", 1, 1),
        ("nodes", 4.0, 4),
        ("nodes", 0, "usage"),
        ("nodes", 100_000, 100_000),
        ("nodes", 100_001, "usage"),
        ("nodes", 1.5, "usage"),
        ("nodes", True, "usage"),
        ("nodes", "4", "usage"),
        ("memory_gb_per_gpu", 80, 80.0),
        ("memory_gb_per_gpu", 0.5, "usage"),
        ("kv_cache_gb", 0, 0.0),
        ("kv_cache_gb", False, "usage"),
        ("gpus_per_node", 0.001, 0.001),
        ("gpus_per_node", 1024.5, "usage"),
        ("interconnect", "roce", "roce"),
        ("interconnect", "wifi", "usage"),
        ("bare_metal", True, True),
        ("bare_metal", False, False),
        ("bare_metal", 1, "usage"),
        ("unknown", 1, "usage"),
    ],
)
def test_a_need_has_a_value_of_its_kind_in_its_range(name: str, value: Any, result: Any) -> None:
    checked = result_of(check_need, name, value)
    assert checked == result and type(checked) is type(result)


@pytest.mark.parametrize(
    ("name", "text", "result"),
    [
        ("nodes", " 1,024 ", 1024),
        ("nodes", "4.0", 4),
        ("nodes", "4.5", "usage"),
        ("nodes", "many", "usage"),
        ("memory_gb_per_gpu", "80", 80.0),
        ("memory_gb_per_gpu", "80.5", 80.5),
        ("interconnect", "RoCE 400", "roce_400"),
        ("interconnect", "x y", "usage"),
        ("bare_metal", "Yes", True),
        ("bare_metal", "false", False),
        ("bare_metal", "perhaps", "usage"),
        ("nodes", "  ", None),
        ("unknown", "", None),
        ("unknown", "4", "usage"),
    ],
)
def test_a_need_is_typed_without_care_of_case_blanks_and_commas(name: str, text: str, result: Any) -> None:
    assert result_of(parse_need, name, text) == result


def test_needs_that_are_set_are_those_with_a_value() -> None:
    needs = NeedsSet().with_value("nodes", 2).with_value("bare_metal", False)
    assert needs.values() == {"nodes": 2, "bare_metal": False} and not needs.is_empty
    assert needs.with_value("nodes", None).with_value("bare_metal", None).is_empty


@pytest.mark.parametrize(
    ("team", "usd", "result"),
    [
        ("a", 0, 0.0),
        ("a", 10**12, 1e12),
        ("a", 10**12 + 1, "usage"),
        ("a", -0.01, "usage"),
        ("a", True, "usage"),
        ("a", "5", "usage"),
        ("a", float("nan"), "usage"),
        ("a", float("inf"), "usage"),
        ("", 5, "usage"),
        ("   ", 5, "usage"),
        ("x" * 200, 5, 5.0),
        ("x" * 201, 5, "usage"),
    ],
)
def test_a_budget_is_an_amount_of_a_team(team: str, usd: object, result: object) -> None:
    assert result_of(check_budget, team, usd) == result


@pytest.mark.parametrize(
    ("changes", "is_right"),
    [
        ({}, True),
        ({"name": ""}, False),
        ({"name": "x" * 80}, True),
        ({"name": "x" * 81}, False),
        ({"month": "2026-12"}, True),
        ({"month": "2026-13"}, False),
        ({"month": "2026-00"}, False),
        ({"month": "1899-05"}, False),
        ({"month": "2199-05"}, True),
        ({"month": 202605}, False),
        ({"value": 0.0}, False),
        ({"value": 1e15}, True),
        ({"value": 1.1e15}, False),
        ({"value": float("nan")}, False),
        ({"value": True}, False),
        ({"value": "7"}, False),
    ],
)
def test_a_figure_of_the_business_is_a_count_of_a_month(changes: dict[str, Any], *, is_right: bool) -> None:
    figure = BusinessFigure("orders", "2026-08", 5.0)
    result = result_of(check_business, replace(figure, **changes))
    assert (result != "usage") is is_right
    trimmed = check_business(BusinessFigure(" orders ", "2026-08", 5, " chat "))
    assert trimmed == BusinessFigure("orders", "2026-08", 5.0, "chat")
    assert trimmed.identity == ("orders", "chat", "2026-08")


def test_months_of_the_calendar_follow_each_other() -> None:
    december, january = month_bounds("2025-12"), month_bounds("2026-01")
    assert december[1] == january[0] == 1_767_225_600
    assert december[1] - december[0] == 31 * 86_400
    assert (month_of(1_767_225_599), month_of(1_767_225_600)) == ("2025-12", "2026-01")


def test_a_log_is_cut_at_the_ends_of_months() -> None:
    """From two hours before October on: October has 744 h, and November begins then."""
    start_s = instant_s("2026-09-30T22:00")

    def hours(of: Window) -> list[int]:
        return [part.hours for part in month_windows(of)]

    assert [hours(Window(start_s, many)) for many in (1, 2, 3, 746, 750)] == [
        [1], [2], [2, 1], [2, 744], [2, 744, 4],
    ]  # fmt: skip
    parts = list(month_windows(Window(start_s, 750, "Europe/Berlin")))
    assert [part.start_s for part in parts[1:]] == [part.end_s for part in parts[:-1]]
    assert {part.timezone for part in parts} == {"Europe/Berlin"}
    assert hours(Window(0, 750)) == []


def test_a_project_says_what_it_has() -> None:
    of = worlds.plan_project()
    assert not of.is_empty and of.has_log
    bare = replace(of, workloads=(), contracts=(), offers=(), intake=())
    assert bare.is_empty and not bare.has_log
    for changes in ({"contracts": of.contracts}, {"offers": of.offers}, {"workloads": of.workloads}):
        assert not replace(bare, **changes).is_empty


def test_a_plan_begins_where_the_window_ends_or_on_a_later_day() -> None:
    of = worlds.plan_project()
    assert of.plan_window is of.window
    for moment in (of.window.end_s, of.window.end_s - 3600):
        assert replace(of, plan_from_s=moment).plan_window is of.window
    later = replace(of, plan_from_s=of.window.end_s + 7200).plan_window
    assert (later.start_s, later.end_s) == (of.window.start_s + 7200, of.window.end_s + 7200)


def test_a_plan_is_known_by_its_name_and_a_question_by_its_plan() -> None:
    of = worlds.plan_project()
    plan, scratch = of.scenarios[0], Scenario(name="Q", scratch_of="Plan A")
    both = replace(of, scenarios=(plan, scratch))
    assert both.scenario("Q") is scratch and both.plan_before("Q") is plan
    assert both.plan_before("Plan A") is both.plan_before("X") is None
    with pytest.raises(KeyError):
        both.scenario("X")
    assert while_asking(of, None).request_days is None


def test_offers_of_a_plan_end_where_their_provider_stops() -> None:
    of = worlds.plan_project()
    stop_s = of.window.end_s + 86_400
    plan = replace(of.scenarios[0], provider_ends={"Bo": stop_s})
    ends = {item.offer_id: item.ends_s for item in of.offers_in(plan)}
    assert {name for name, end_s in ends.items() if end_s is not None} == {"a-od", "a-spot", "od", "q3"}
    assert ends["od"] == stop_s
    assert of.offers_in(of.scenarios[0]) is of.offers and of.priced_in(of.scenarios[0]) is of
    sooner = tuple(replace(item, ends="2026-01-31") if item.offer_id == "od" else item for item in of.offers)
    kept = {item.offer_id: item for item in replace(of, offers=sooner).offers_in(plan)}
    assert kept["od"].ends == "2026-01-31" and kept["q3"].ends_s == stop_s

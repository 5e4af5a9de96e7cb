"""What a planner states and a project has, value by value: needs, budgets, shares, who may serve, mapped models."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.model.assumptions import check_share, parse_assumption, read_share
from gpuplanner.domain.model.book.only import (
    ANYBODY,
    ModelMapping,
    Only,
    Sellers,
    at_ratio,
    both_of,
    check_mapping,
    check_only,
    countries_of,
    gpu_model_of,
    limited_name,
    may_serve,
    named_words,
    only_of,
    paid_gpus,
    ratio_between,
    ratio_for,
    ratios_of,
    seller_of,
    sellers_of,
    where_words,
    who_meant,
    who_words,
    whole_gpus,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import Scenario
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
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window, instant_s
from tests.domain import worlds
from tests.domain.commitment.conftest import contract, offer


def result_of(do: Any, *given: Any) -> Any:
    """What comes of it, or the error's code."""
    try:
        return do(*given)
    except PlannerError as error:
        return error.code


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


# --- A project


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


# --- Shares and assumptions


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("40%", 0.4), ("0.4", 0.4), ("none", None), (" None ", None), ("", None), ("0", 0.0), ("100%", 1.0), ("1", 1.0),
        ("101%", "usage"), ("-1%", "usage"), ("x", "usage"), ("40", "usage"),
    ],
)  # fmt: skip
def test_a_share_is_typed_as_a_number_or_in_percent(text: str, share: object) -> None:
    assert result_of(read_share, text) == share


@pytest.mark.parametrize(
    ("who", "share", "result"),
    [
        (Only("Ada"), 0.5, 0.5),
        (Only(region="eu"), 1, 1.0),
        (Only("Ada"), True, "usage"),
        (Only("Ada"), 1.1, "usage"),
        (Only("Ada"), -0.1, "usage"),
        (ANYBODY, 0.5, "usage"),
        (Only(not_provider="Ada"), 0.5, "usage"),
        (Only("[Ada]"), 0.5, "usage"),
    ],
)
def test_a_share_is_of_somebody_who_may_serve(who: Only, share: float, result: object) -> None:
    assert result_of(check_share, who, share) == result


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("spot", "on", True),
        ("spot", "0", False),
        ("spot", "perhaps", "usage"),
        ("power_share", "50%", 0.5),
        ("wait_months", "50%", "usage"),
        ("wait_months", "11", 11),
        ("wait_months", "12", "usage"),
        ("serving_compute_share", "1", "usage"),
        ("nothing", "1", "usage"),
        ("max_provider_share", "none", None),
    ],
)
def test_an_assumption_is_typed_as_its_kind(name: str, text: str, value: object) -> None:
    assert result_of(parse_assumption, name, text) == value


# --- Who may serve

ADA, BARE = offer("y", 12, 2.0, provider=" Ada ", region="eu"), offer("b", 12, 2.0)


@pytest.mark.parametrize(
    ("only", "row", "is_allowed"),
    [
        (ANYBODY, BARE, True),
        (Only("ada"), ADA, True),
        (Only("ada"), BARE, False),
        (Only("bo"), ADA, False),
        (Only(region="EU"), ADA, True),
        (Only("ada", "us"), ADA, False),
        (Only(not_provider="ADA"), ADA, False),
        (Only(not_provider="bo"), ADA, True),
        (Only(not_provider="ada"), BARE, True),
        (Only(country="DE"), replace(BARE, country="DE"), True),
        (Only(country="DE;FR"), replace(BARE, country="FR"), True),
        (Only(country="DE"), replace(BARE, country="DE;FR"), False),  # it may run in either
        (Only(country="DE"), BARE, False),
    ],
)
def test_who_may_serve_matches_without_case(only: Only, row: Any, *, is_allowed: bool) -> None:
    assert only.allows(row) is is_allowed


def test_limits_are_written_and_read_back() -> None:
    limits = (
        Only("Ada"), Only("Ada", "eu"), Only(region="eu"), Only(not_provider="Ada"), Only(country="DE;FR"),
        Only(region="eu", not_provider="Ada", country="DE"), Only("Ada", country="DE"), ANYBODY,
    )  # fmt: skip
    for only in limits:
        name = limited_name("H100", only)
        assert (gpu_model_of(name), only_of(name)) == ("H100", only)
        unknown = limited_name(None, only)
        assert gpu_model_of(unknown) is None and only_of(unknown) == only
    assert [str(only) for only in limits[:4]] == ["Ada", "Ada [eu]", "[eu]", "not Ada"]
    assert only_of(None) == only_of("H100") == ANYBODY
    assert len({str(who_words(only)) for only in limits}) == len(limits)
    assert (
        str(named_words(Only("Ada"))) == "Ada"
        and where_words(Only(region="eu", country="DE;FR")) == "eu, DE, FR"
    )
    assert str(named_words(Only(country="DE"))) == "DE" and "eu" in str(named_words(Only(region="eu")))
    assert str(named_words(Only(region="eu"))) != "eu"


def test_both_limits_hold_and_of_two_providers_the_later() -> None:
    assert both_of(Only("a", "eu"), Only(not_provider="b")) == Only("", "eu", "b")
    assert both_of(Only("a", "eu"), Only(region="us", country="DE")) == Only("a", "us", "", "DE")
    assert both_of(Only(country="FR"), Only("b")) == Only("b", country="FR")
    assert who_meant("not:provider:Ada") == Only(not_provider="Ada") and who_meant("provider: ") is None
    assert who_meant("country:FR; DE;FR") == Only(country="DE;FR")


@pytest.mark.parametrize(
    ("only", "is_right"),
    [
        (Only("Ada"), True),
        (Only(" Ada"), False),
        (Only("A[b"), False),
        (Only(region="a @ b"), False),
        (Only("not Ada"), False),
        (Only("Ada", not_provider="Bo"), False),
        (Only(country="{DE}"), False),
        (Only("Ada", "eu", country="DE"), True),
    ],
)
def test_a_limit_has_names_that_can_be_told_apart(only: Only, *, is_right: bool) -> None:
    assert (result_of(check_only, "key", only) is only) is is_right


def test_sellers_are_what_offers_and_contracts_name() -> None:
    held = contract("k", 1, 1.0, None, 10, provider="Bo", region="us", country="FR")
    both = sellers_of((ADA, BARE), (held,))
    assert both.providers == ("Ada", "Bo") and both.regions == ("eu", "us") and len(both.countries) == 1
    assert both.spelled(Only(" ADA", "EU", country="FR;DE")) == Only("Ada", "eu", country="DE;FR")
    assert both.spelled(Only("Eve")) == Only("Eve")
    known = Sellers(("Ada Metal", "Bo"), ("eu",))
    for only, problems, near in (
        (Only("ada metal"), 0, ""),
        (Only("ada"), 1, "Ada Metal"),
        (Only(not_provider="xyz", region="mars"), 2, ""),
        (ANYBODY, 0, ""),
    ):
        texts = [str(text) for text in known.unknown(only)]
        assert len(texts) == problems and near in " ".join(texts)
    assert seller_of("y", "H100", {"y": ADA}) is ADA
    assert seller_of("z", "H100 @ Bo", {"y": ADA}) == Only("Bo")
    assert countries_of(BARE) == frozenset()


# --- Mapped models

MAPPINGS = (
    ModelMapping("A100", "H100", 2.0),
    ModelMapping("A100", "H100", 3.0, Pool.TRAINING),
    ModelMapping("L4", "H100", 8.0, Pool.BURST),
    ModelMapping("T4", "L4", 2.0, Pool.BURST),
    ModelMapping("T4", "L4", 3.0, Pool.TRAINING),
)


@pytest.mark.parametrize(
    ("model", "other", "pool", "ratio"),
    [
        ("A100", "H100", None, 2.0),
        ("A100", "H100", Pool.TRAINING, 3.0),
        ("A100", "H100", Pool.BURST, 2.0),
        ("A100 @ Ada", "H100", Pool.TRAINING, 3.0),
        ("H100", "A100", None, None),
        ("L4", "H100", None, None),
        ("L4", "H100", Pool.BURST, 8.0),
        ("H100", "H100", None, 1.0),
        (None, "H100", None, 1.0),
        (None, "H100 MIG 1g.10gb", None, None),
    ],
)
def test_a_ratio_is_that_of_the_pool_else_of_all(
    model: str | None, other: str, pool: Pool | None, ratio: float | None
) -> None:
    assert ratio_for(MAPPINGS, model, other, pool) == ratio


def test_a_ratio_between_two_models_is_read_both_ways() -> None:
    assert ratio_between(MAPPINGS, "A100", "H100") == 2.0 and ratio_between(MAPPINGS, "H100", "A100") == 0.5
    assert ratio_between(MAPPINGS, "L4", "H100") == 8.0 and ratio_between(MAPPINGS, "H100", "L4") == 0.125
    assert ratio_between(MAPPINGS, "T4", "L4") is None and ratio_between(MAPPINGS, "T4", "H100") is None
    assert may_serve(MAPPINGS, "L4", "H100") and not may_serve(MAPPINGS, "H100", "L4")


def test_offers_of_other_models_are_worth_their_ratio() -> None:
    h100, a100, l4 = (offer(name, 0, 4.0, gpu_model=name.upper()) for name in ("h100", "a100", "l4"))
    offers = (h100, a100, l4)
    assert ratios_of(offers, "A100", MAPPINGS, Pool.TRAINING) == {"h100": 3.0}
    assert ratios_of(offers, "L4 @ Ada", MAPPINGS, Pool.BURST) == {"h100": 8.0}
    assert ratios_of(offers, None, MAPPINGS, Pool.BURST) == ratios_of(offers, "A100", (), Pool.BURST) == {}
    dear = replace(h100, upfront_usd=Decimal(10))
    assert at_ratio(dear, 1) is dear
    mapped = at_ratio(dear, 2.0)
    assert (mapped.rate_usd_per_gpu_hour, mapped.upfront_usd) == (Decimal(2), Decimal(5))
    assert at_ratio(h100, 2.0).upfront_usd is None
    unpriced = replace(h100, rate_usd_per_gpu_hour=None)
    assert at_ratio(unpriced, 2.0) is unpriced


@pytest.mark.parametrize(
    ("gpus", "ratio", "unit", "whole", "paid"),
    [
        (10.0, 1.6, 1, 7.0, 11.2),
        (10.0, 1.6, 4, 8.0, 12.8),
        (8.0, 1.6, 1, 5.0, 8.0),
        (3.0, 0.5, 1, 6.0, 3.0),
        (3.0, 0.5, 4, 8.0, 4.0),
    ],
)
def test_whole_units_do_the_work(gpus: float, ratio: float, unit: int, whole: float, paid: float) -> None:
    assert whole_gpus(gpus, ratio, unit) == whole
    assert paid_gpus(gpus, ratio, unit) == pytest.approx(paid)
    assert paid_gpus(2.5, None, None) == 2.5 and paid_gpus(2.5, None, 2) == 4.0 and paid_gpus(2.5, 2.0) == 4.0


@pytest.mark.parametrize(
    ("mapping", "is_right"),
    [
        (ModelMapping("A", "B", 1.5), True),
        (ModelMapping("A", "B", 0.01), True),
        (ModelMapping("A", "B", 100.0), True),
        (ModelMapping("A", "B", 0.009), False),
        (ModelMapping("A", "B", 101.0), False),
        (ModelMapping("A", "B", True), False),
        (ModelMapping("A", "a", 1.5), False),
        (ModelMapping("", "B", 1.5), False),
        (ModelMapping("A", "", 1.5), False),
    ],
)
def test_a_mapping_is_of_two_models_and_a_ratio(mapping: ModelMapping, *, is_right: bool) -> None:
    assert (result_of(check_mapping, mapping) is mapping) is is_right


def sorted_keys(mappings: Sequence[ModelMapping]) -> list[tuple[str, str, str]]:
    return sorted(mapping.key for mapping in mappings)


def test_mappings_are_in_order_of_models_and_pool() -> None:
    assert sorted_keys(MAPPINGS[:2]) == [("A100", "H100", ""), ("A100", "H100", "training")]

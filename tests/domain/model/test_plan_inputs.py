"""Inputs of a plan: steps, spells, planned work, splits, merges and limits. Plans begin at hour 1,000."""

from typing import Any

import pytest

from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import (
    ALWAYS,
    ASSUMED,
    FIRST,
    MOST_TIMES,
    ONLY,
    SECOND,
    SHARE,
    DemandChange,
    LeakDecision,
    LeakStatus,
    Limit,
    PlannedWork,
    PriceChange,
    Scenario,
    ShareSplit,
    Spell,
    Step,
    TimeSplit,
    WeekSplit,
    bare_key,
    check_cut,
    check_demand_change,
    check_merges,
    check_planned,
    check_price_change,
    check_spell,
    check_split,
    divided_key,
    factor_in,
    has_cost,
    leaf_keys,
    limits_of,
    merge_of,
    part_words,
    week_words,
    whole_key,
    with_those_merged,
    without_cards,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window

BEGIN_S = 1000 * HOUR_S
WORK = PlannedWork(name="w", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="team")

SET = {
    "max_term_months": 12,
    "max_provider_share": 0.6,
    "budget_usd_per_month": 4e5,
    "power_limit_kw": 90.0,
    "training_never_by_use": True,
}
PLAN = Scenario(
    name="Plan A",
    assumptions=SET,
    only={
        "a": Only("X"),
        "b": Only("X"),
        "c": Only(region="eu", not_provider="Y"),
        "d": ANYBODY,
        "gone": Only("Z"),
    },
    shares={Only("X", "eu"): 0.4},
)
LIMITS = limits_of(PLAN, Assumptions().with_values(SET), {"a", "b", "c", "d"})


def test_each_that_is_set_is_there_once_in_words() -> None:
    values = (
        "$400,000 per month", "60%", "12 months", "90 kW", "Training", "Y for 1 workload",
        "X for 2 workloads", "40% with X in",
    )  # fmt: skip
    assert [value for value, one in zip(values, LIMITS, strict=True) if value not in str(one.words)] == []
    assert [one.limit for one in LIMITS if not has_cost(one)] == ["power_limit_kw"]
    assert {one.name for one in ASSUMED} == set(SET) <= set(SPEC_BY_NAME)
    assert limits_of(Scenario(name="Plan A"), Assumptions(), {"a"}) == ()


def test_lifting_each_leaves_all_others() -> None:
    for limit in LIMITS:
        without = limit.lifted(PLAN)
        values = Assumptions().with_values(without.assumptions)
        assert [*limits_of(without, values, {"a", "b", "c", "d"})] == [one for one in LIMITS if one != limit]


def test_a_scratch_copy_knows_the_plan_that_it_asks_about() -> None:
    plans = (
        Scenario(name="Plan A"),
        Scenario(name="copy", scratch_of="Plan A"),
        Scenario(name="left", scratch_of="gone"),
    )
    project = Project(window=Window(0, 1), cube=empty_cube(1), workloads=(), scenarios=plans)
    assert [project.plan_before(name) for name in ("copy", "Plan A", "left", "Today")] == [
        plans[0],
        None,
        None,
        None,
    ]


def is_right(check: Any, *given: Any) -> bool:
    try:
        check(*given)
    except PlannerError:
        return False
    return True


# --- Steps


@pytest.mark.parametrize(
    ("steps", "at_s", "month", "factor"),
    [
        ((), BEGIN_S, 0, 1.0),
        ((Step(2.0, BEGIN_S),), BEGIN_S, 0, 2.0),
        ((Step(2.0, BEGIN_S + 1),), BEGIN_S, 0, 1.0),
        ((Step(2.0, BEGIN_S), Step(3.0, BEGIN_S)), BEGIN_S, 0, 6.0),
        ((Step(2.0, BEGIN_S), Step(3.0, BEGIN_S + 9)), BEGIN_S, 0, 2.0),
        # by four months from now: a quarter of the way each month
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 0, 1.0),
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 1, 1.25),
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 3, 1.75),
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 4, 2.0),
        ((Step(0.5, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 2, 0.75),
        (
            (Step(2.0, BEGIN_S + 3 * MONTH_S + 1, by=True),),
            BEGIN_S,
            3,
            1.75,
        ),  # the fourth month is the first behind
        ((Step(2.0, BEGIN_S - 5, by=True),), BEGIN_S, 0, 2.0),
        ((Step(2.0, BEGIN_S, by=True),), BEGIN_S, 0, 2.0),
    ],
)
def test_steps_multiply_once_they_are_there(
    steps: tuple[Step, ...], at_s: int, month: int, factor: float
) -> None:
    assert factor_in(steps, at_s, month, BEGIN_S) == factor


@pytest.mark.parametrize(
    ("factor", "of_demand", "of_prices"),
    [
        (0.0, True, False),
        (-0.1, False, False),
        (1.0, True, True),
        (1000.0, True, True),
        (1000.1, False, False),
    ],
)
def test_a_factor_has_its_bounds(factor: float, *, of_demand: bool, of_prices: bool) -> None:
    scaled = factor * MOST_TIMES / 1000
    assert (
        is_right(check_demand_change, DemandChange(of="all", keys=(), factor=scaled, from_s=0)) is of_demand
    )
    assert is_right(check_price_change, PriceChange("H100", scaled, 0)) is of_prices


# --- Spells and planned work


@pytest.mark.parametrize(
    ("spell", "right"),
    [
        (Spell(None, None), True),
        (Spell(5, None), True),
        (Spell(None, 5), True),
        (Spell(5, 6), True),
        (Spell(5, 5), False),
        (Spell(6, 5), False),
    ],
)
def test_a_spell_ends_after_it_begins(spell: Spell, *, right: bool) -> None:
    assert is_right(check_spell, "key", spell) is right


def work(**changes: Any) -> PlannedWork:
    values = {name: getattr(WORK, name) for name in WORK.__slots__}
    return PlannedWork(**(values | changes))


@pytest.mark.parametrize(
    ("changes", "begins", "ends"),
    [
        ({}, None, None),
        ({"begins_s": 5, "ends_s": 9}, 5, 9),
        ({"length_hours": 10}, BEGIN_S, BEGIN_S + 10 * HOUR_S),
        ({"length_hours": 10, "begins_s": BEGIN_S + 5}, BEGIN_S + 5, BEGIN_S + 5 + 10 * HOUR_S),
        ({"length_hours": 10, "begins_s": 5}, BEGIN_S, BEGIN_S + 10 * HOUR_S),
        ({"length_hours": 10, "every_hours": 24}, BEGIN_S, None),
        # every day for 10 h until 48 h are over: the last begins after 24 h; until 49 h: after 48
        (
            {"length_hours": 10, "every_hours": 24, "ends_s": BEGIN_S + 48 * HOUR_S},
            BEGIN_S,
            BEGIN_S + 34 * HOUR_S,
        ),
        (
            {"length_hours": 10, "every_hours": 24, "ends_s": BEGIN_S + 49 * HOUR_S},
            BEGIN_S,
            BEGIN_S + 58 * HOUR_S,
        ),
        ({"length_hours": 10, "every_hours": 24, "ends_s": BEGIN_S - 5}, BEGIN_S, BEGIN_S + 10 * HOUR_S),
    ],
)
def test_work_is_there_from_its_begin_for_its_length(
    changes: dict[str, Any], begins: int | None, ends: int | None
) -> None:
    assert work(**changes).spell(BEGIN_S) == Spell(begins, ends)


@pytest.mark.parametrize(
    ("changes", "until_h", "pieces"),
    [
        ({}, 10, ((0, 10),)),
        ({"begins_s": BEGIN_S + 2 * HOUR_S}, 10, ((2, 10),)),
        ({"begins_s": BEGIN_S + 10 * HOUR_S}, 10, ()),
        ({"begins_s": BEGIN_S - 5 * HOUR_S, "ends_s": BEGIN_S + 3 * HOUR_S}, 10, ((0, 3),)),
        ({"ends_s": BEGIN_S}, 10, ()),
        ({"length_hours": 2, "every_hours": 4}, 10, ((0, 2), (4, 6), (8, 10))),
        ({"length_hours": 3, "every_hours": 4}, 9, ((0, 3), (4, 7), (8, 11))),
        ({"length_hours": 20}, 10, ((0, 20),)),
    ],
)
def test_pieces_of_work_are_its_spans_from_the_plan_on(
    changes: dict[str, Any], until_h: int, pieces: tuple[tuple[int, int], ...]
) -> None:
    item = work(**changes)
    spans = item.pieces(item.spell(BEGIN_S), BEGIN_S, BEGIN_S + until_h * HOUR_S)
    assert [((from_s - BEGIN_S) // HOUR_S, (to_s - BEGIN_S) // HOUR_S) for from_s, to_s in spans] == [*pieces]


def test_work_in_hours_of_the_week_is_there_in_these() -> None:
    """Hour 1,000 of 1970 is 16:00 on a Wednesday (1 January is a Thursday): hours 64 and 65 of a week, then 70."""
    item = work(hours=(64, 65, 70))
    spans = item.pieces(Spell(None, None), BEGIN_S, BEGIN_S + 7 * HOUR_S)
    assert [((from_s - BEGIN_S) // HOUR_S, (to_s - BEGIN_S) // HOUR_S) for from_s, to_s in spans] == [
        (0, 2),
        (6, 7),
    ]
    half = item.pieces(Spell(BEGIN_S + 1800, None), BEGIN_S, BEGIN_S + 3 * HOUR_S)
    assert half == ((BEGIN_S + 1800, BEGIN_S + 2 * HOUR_S),)


def test_work_has_its_share_of_a_month() -> None:
    assert work().month_share(BEGIN_S) == 1.0
    assert work(length_hours=73).month_share(BEGIN_S) == 0.1
    assert work(length_hours=73, every_hours=365).month_share(BEGIN_S) == 0.2
    assert work(length_hours=1460).month_share(BEGIN_S) == 1.0
    assert work(length_hours=730, begins_s=BEGIN_S + 365 * HOUR_S).month_share(BEGIN_S) == 0.5
    assert work(length_hours=730, begins_s=BEGIN_S + 800 * HOUR_S).month_share(BEGIN_S) == 0.0
    assert work(length_hours=73, every_hours=365).mean_gpu_hours == 4 * 73 * 2
    assert work(length_hours=73).mean_gpu_hours is work(every_hours=73).mean_gpu_hours is None
    assert WORK.key == "c1/team/w"


@pytest.mark.parametrize(
    ("changes", "right"),
    [
        ({}, True),
        ({"name": " "}, False),
        ({"gpu_model": ""}, False),
        ({"gpus": 0.0}, False),
        ({"gpus": -1.0}, False),
        ({"gpus": 1e99}, False),
        ({"hours": ()}, False),
        ({"hours": (0, 167)}, True),
        ({"hours": (168,)}, False),
        ({"length_hours": 0}, False),
        ({"length_hours": 1}, True),
        ({"length_hours": 5, "every_hours": 4}, False),
        ({"length_hours": 5, "every_hours": 5}, True),
        ({"every_hours": 1}, True),
        ({"every_hours": 0}, False),
        ({"begins_s": 9, "ends_s": 5}, False),
    ],
)
def test_planned_work_has_a_name_a_model_gpus_and_hours(changes: dict[str, Any], *, right: bool) -> None:
    assert is_right(check_planned, work(**changes)) is right


# --- Splits


@pytest.mark.parametrize(
    ("split", "right"),
    [
        (ShareSplit(1), True),
        (ShareSplit(999), True),
        (ShareSplit(0), False),
        (ShareSplit(1000), False),
        (TimeSplit(7200), True),
        (TimeSplit(7201), False),
        (WeekSplit((0,)), True),
        (WeekSplit(()), False),
        (WeekSplit(tuple(range(168))), False),
        (WeekSplit(tuple(range(167))), True),
        (WeekSplit((3, 1)), False),
        (WeekSplit((1, 1)), False),
        (WeekSplit((-1, 3)), False),
        (WeekSplit((3, 168)), False),
        (WeekSplit((0, 167)), True),
    ],
)
def test_a_split_leaves_something_to_both_parts(split: Any, *, right: bool) -> None:
    assert is_right(check_split, split) is right


def test_parts_are_called_by_what_they_have() -> None:
    share, week = ShareSplit(255), WeekSplit((8, 9))
    assert (part_words(share, SECOND), part_words(share, FIRST)) == ("25.5%", "74.5%")
    assert str(part_words(TimeSplit(7200), SECOND)).endswith("1 Jan 1970 02:00")
    assert part_words(TimeSplit(7200), SECOND) != part_words(TimeSplit(7200), FIRST)
    assert str(part_words(week, SECOND)) == "Mon 08\u201310" != str(part_words(week, FIRST))


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (tuple(range(24)), "Mon"),
        (ALWAYS, "Mon\u2013Sun"),
        ((24, 25), "Tue 00\u201302"),
        ((8, 9, 32, 33), "Mon\u2013Tue 08\u201310"),
        ((8, 10), "2"),  # not one after the other
        ((8, 56), "2"),  # Monday and Wednesday
        ((8, 33), "2"),
    ],
)
def test_hours_of_the_week_are_a_block_or_counted(hours: tuple[int, ...], words: str) -> None:
    text = str(week_words(hours))
    assert text == words or (len(words) == 1 and text.startswith(f"{words} "))


def test_keys_of_parts_lead_back_to_what_was_divided() -> None:
    splits = {"a": ShareSplit(300), "a#2": ShareSplit(500)}
    assert [whole_key(key, splits) for key in ("a", "a#1", "a#2#2", "b#1", "a#3")] == [
        "a",
        "a",
        "a",
        "b#1",
        "a#3",
    ]
    assert divided_key("a#2#1", splits) == "a#2" and divided_key("a#1#1", splits) is None
    assert leaf_keys("a", splits) == ("a#1", "a#2#1", "a#2#2") and leaf_keys("b", splits) == ("b",)
    assert [bare_key(key) for key in ("a#1#2", "a#3", "a")] == ["a", "a#3", "a"]


# --- Merges


@pytest.mark.parametrize(
    ("merges", "right"),
    [
        ({"m": ("a", "b")}, True),
        ({"m": ("a",)}, False),
        ({"m": ("b", "a")}, False),
        ({"m": ("a", "a")}, False),
        ({"": ("a", "b")}, False),
        ({" m": ("a", "b")}, False),
        ({"m" * 120: ("a", "b")}, True),
        ({"m" * 121: ("a", "b")}, False),
        ({"m\n": ("a", "b")}, False),
        ({"m": ("a", "b"), "n": ("b", "c")}, False),
        ({"m": ("a", "b"), "n": ("c", "d")}, True),
    ],
)
def test_merged_cards_have_a_name_and_two_cards_or_more(merges: Any, *, right: bool) -> None:
    assert is_right(check_merges, merges) is right


def test_what_is_merged_is_done_to_all() -> None:
    merges = {"m": ("a", "b"), "n": ("c", "d", "e")}
    assert (merge_of("b", merges), merge_of("x", merges)) == ("m", None)
    assert with_those_merged(("x", "b", "a"), merges) == ("x", "a", "b")
    assert with_those_merged(("x", "x"), {}) == ("x", "x")
    assert without_cards(merges, {"a", "c"}) == {"n": ("d", "e")}


# --- Limits


def test_limits_are_those_that_are_set() -> None:
    plan = Scenario(
        name="p",
        only={"a": Only("Ada"), "b": Only("Ada"), "c": ANYBODY, "gone": Only("Bo")},
        shares={Only("Ada"): 0.4},
    )
    assumed = Assumptions(max_term_months=12, power_limit_kw=5.0, training_never_by_use=True)
    limits = limits_of(plan, assumed, {"a", "b", "c"})
    assert [(limit.limit, limit.value, limit.keys) for limit in limits] == [
        ("max_term_months", 12.0, ()),
        ("power_limit_kw", 5.0, ()),
        ("training_never_by_use", 1.0, ()),
        (ONLY, None, ("a", "b")),
        (SHARE, 0.4, ()),
    ]
    assert [has_cost(limit) for limit in limits] == [True, False, True, True, True]
    assert limits_of(Scenario(name="p"), Assumptions(), ()) == ()
    for limit, part in zip(limits, ("12 months", "5 kW", "", "2 workloads", "40%"), strict=True):
        assert part in str(limit.words)
    assert "1 month" in str(Limit("max_term_months", 1.0).words) and "months" not in str(
        Limit("max_term_months", 1.0).words
    )
    assert limits[0].lifted(plan).assumptions == {"max_term_months": None}
    assert limits[2].lifted(plan).assumptions == {"training_never_by_use": False}
    assert limits[3].lifted(plan).only == {"c": ANYBODY, "gone": Only("Bo")}
    assert limits[4].lifted(plan).shares == {}


def test_plans_that_differ_in_names_and_logs_alone_plan_the_same() -> None:
    pools = {"a": Pool.BURST}
    plan = Scenario(name="p", pools=pools)
    values = {name: getattr(plan, name) for name in plan.__slots__}
    decided = (LeakDecision(leak_id="l", status=LeakStatus.ACCEPTED, at_s=0),)
    other = Scenario(**(values | {"name": "q", "leak_decisions": decided, "scratch_of": "p"}))
    assert plan.plans_as(other) and other.decision_on("l") is decided[0] and other.decision_on("x") is None
    for changes in ({"pools": {"a": Pool.TRAINING}}, {"greenfield": True}, {"start": "as_today"}):
        assert not plan.plans_as(Scenario(**(values | changes)))
    assert is_right(check_cut, "autoscale") and not is_right(check_cut, "nothing")

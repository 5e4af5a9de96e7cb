"""Limits that are set: each is there once, in words, and lifting one leaves the others."""

from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.plan.limits import ASSUMED, ONLY, SHARE, Limit, has_cost, limits_of
from gpuplanner.domain.model.plan.scenario import Scenario

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

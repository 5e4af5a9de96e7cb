"""The table of limits: each that is set, in words, and the plan without it alone."""

from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.plan_inputs import ASSUMED, Scenario, has_cost, limits_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window

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

"""A project: its plans and its offers."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import while_asking
from tests.domain import worlds


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
    assert while_asking(of).request_days is None


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

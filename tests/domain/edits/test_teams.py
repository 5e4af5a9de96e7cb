"""Teams and pools as one: who is meant by a name, and a team that stops, with what was said before of its workloads."""

from dataclasses import replace

import pytest

from gpuplanner.domain.edits.dates import date_workloads, plan_as_sized, plan_work, read_change, with_change
from gpuplanner.domain.edits.find import teams_of
from gpuplanner.domain.edits.teams import keys_meant, stop_team
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import gpu_families

DAY_S = 86_400
A, B, C = "main/ann/a", "main/ann/b", "main/bob/c"


@pytest.fixture
def three():  # type: ignore[no-untyped-def]
    found = tuple(
        Workload(key=key, name=key[-1], cluster="main", owner=key.split("/")[1]) for key in (A, B, C)
    )
    made = Project(
        window=Window(0, 24), cube=empty_cube(24), workloads=found, scenarios=(Scenario(name="Plan A"),)
    )
    return made, "Plan A", made.plan_window.end_s


def plan_of(of, name):  # type: ignore[no-untyped-def]
    return of.scenario(name)


def test_teams_have_their_workloads_and_what_is_planned_for_them(three) -> None:  # type: ignore[no-untyped-def]
    made, name, _ = three
    made = plan_work(
        made, name, [PlannedWork(name="new", pool=Pool.BURST, gpu_model="H100", gpus=8, team="bob")]
    )
    assert teams_of(made, plan_of(made, name)) == {"ann": (A, B), "bob": ("/bob/new", C)}


def test_a_text_means_a_key_a_team_or_a_pool(three) -> None:  # type: ignore[no-untyped-def]
    made, name, _ = three
    plan = plan_of(made, name)
    pools = {A: Pool.TRAINING, B: Pool.BURST, C: Pool.TRAINING}
    assert keys_meant(made, plan, A, dict) == (A,)
    assert keys_meant(made, plan, "team:ANN", dict) == (A, B)
    assert keys_meant(made, plan, "pool:Training", lambda: pools) == (A, C)
    assert keys_meant(made, plan, "nobody", dict) == ("nobody",)
    for wrong in ("team:eve", "pool:serving", "pool:inference"):
        with pytest.raises(PlannerError, match=wrong):
            keys_meant(made, plan, wrong, lambda: pools)


def test_a_team_stops_when_the_plan_begins_and_others_stay(three) -> None:  # type: ignore[no-untyped-def]
    made, name, begins_s = three
    after = stop_team(made, name, "ann")
    assert plan_of(after, name).spells == dict.fromkeys((A, B), Spell(None, begins_s))
    assert stop_team(after, name, "ann") is after


def test_what_is_sized_stands_in_place_of_what_the_log_has(three) -> None:  # type: ignore[no-untyped-def]
    made, name, begins_s = three
    work = PlannedWork(
        name="a, sized", pool=Pool.INFERENCE, gpu_model="H100", gpus=8, cluster="main", team="ann"
    )
    after = plan_as_sized(made, name, A, (work,))
    assert plan_of(after, name).spells == {A: Spell(None, begins_s)} and plan_of(after, name).planned == (
        work,
    )
    assert plan_of(plan_as_sized(made, name, "", (work,)), name).spells == {}


def test_what_ends_before_stays_and_what_would_begin_later_is_not_there(three) -> None:  # type: ignore[no-untyped-def]
    made, name, begins_s = three
    at_s = begins_s + 60 * DAY_S
    early, late = Spell(None, begins_s + 10 * DAY_S), Spell(begins_s + 90 * DAY_S, None)
    made = date_workloads(made, name, [A], early.begins_s, early.ends_s)
    made = date_workloads(made, name, [B], late.begins_s, late.ends_s)
    assert plan_of(stop_team(made, name, "ann", at_s), name).spells == {A: early, B: Spell(None, begins_s)}


def test_planned_work_ends_with_its_team_or_is_taken_out(three) -> None:  # type: ignore[no-untyped-def]
    made, name, begins_s = three
    at_s = begins_s + 60 * DAY_S
    works = [
        PlannedWork(name="runs", pool=Pool.BURST, gpu_model="H100", gpus=8, team="ann"),
        PlannedWork(name="later", pool=Pool.BURST, gpu_model="H100", gpus=8, team="ann", begins_s=at_s),
        PlannedWork(name="short", pool=Pool.TRAINING, gpu_model="H100", gpus=8, team="ann", length_hours=24),
        PlannedWork(
            name="long", pool=Pool.TRAINING, gpu_model="H100", gpus=8, team="ann", length_hours=24 * 90
        ),
    ]
    after = plan_of(stop_team(plan_work(made, name, works), name, "ann", at_s), name)
    assert {work.name: work.ends_s for work in after.planned} == {"runs": at_s, "short": None}


def test_a_team_of_just_this_name_wins_over_those_that_differ_in_case(three) -> None:  # type: ignore[no-untyped-def]
    made, name, _ = three
    shout = Workload(key="main/Bob/d", name="d", cluster="main", owner="Bob")
    made = replace(made, workloads=tuple(sorted((*made.workloads, shout), key=lambda one: one.key)))
    plan = plan_of(made, name)
    assert keys_meant(made, plan, "team:Bob", dict) == (shout.key,)
    assert set(keys_meant(made, plan, "team:BOB", dict)) == {shout.key, C}


def test_a_step_of_demand_is_of_those_that_a_stop_of_the_team_is_of(three) -> None:  # type: ignore[no-untyped-def]
    made, name, begins_s = three
    made = plan_work(
        made, name, [PlannedWork(name="new", pool=Pool.BURST, gpu_model="H100", gpus=8, team="soon")]
    )
    for team in ("ann", "ANN", "soon"):
        said = read_change(f"team {team} x2 by 2030-01", begins_s)
        made_so = with_change(made, name, said, dict, gpu_families())
        (step,) = made_so.scenario(name).changes
        assert step.keys == tuple(sorted(keys_meant(made, plan_of(made, name), f"team:{team}", dict)))

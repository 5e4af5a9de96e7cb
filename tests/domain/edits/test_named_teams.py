"""Teams and pools by their marks: who is meant, and what a team that stops leaves."""

from dataclasses import replace

import pytest

from gpuplanner.domain.edits import teams
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import NEW, PLAN, PLAN_S, SERVES, TRAINS, project


def test_a_team_or_a_pool_is_meant_by_its_mark() -> None:
    of = project(NEW)
    plan, pools = of.scenarios[0], {TRAINS: Pool.TRAINING, SERVES: Pool.INFERENCE}

    def meant(text: str) -> tuple[str, ...]:
        return teams.keys_meant(of, plan, text, lambda: pools)

    assert meant(TRAINS) == (TRAINS,) and meant("x") == ("x",) and meant(NEW.key) == (NEW.key,)
    assert meant("team:ops") == meant("team:OPS") == (NEW.key,) and meant("pool:Inference") == (SERVES,)
    assert refused(meant, "team:x") and refused(meant, "pool:x")
    assert teams.team_meant(of, plan, "team: ops ") == "ops"
    assert teams.team_meant(of, plan, TRAINS) is teams.team_meant(of, plan, "pool:x") is None
    marked = replace(NEW, cluster="team:", team="", name="x")
    both = project(marked)
    assert teams.team_meant(both, both.scenarios[0], marked.key) is None


@pytest.mark.parametrize(
    ("begins", "ends", "length", "left"),
    [
        (None, None, None, Spell(None, PLAN_S + DAY_S)),
        (None, PLAN_S + DAY_S, None, Spell(None, PLAN_S + DAY_S)),
        (None, PLAN_S, None, Spell(None, PLAN_S)),
        (PLAN_S + DAY_S, None, None, None),  # it would begin later
        (PLAN_S, None, 24, Spell(PLAN_S, None)),  # it is over by then
        (PLAN_S, None, 25, None),
    ],
)
def test_a_team_that_stops_leaves_what_is_over_by_then(
    begins: int | None, ends: int | None, length: int | None, left: Spell | None
) -> None:
    work = replace(NEW, begins_s=begins, ends_s=ends, length_hours=length)
    stopped = teams.stop_team(project(work), PLAN, "ops", PLAN_S + DAY_S).scenarios[0].planned
    assert [Spell(item.begins_s, item.ends_s) for item in stopped] == ([] if left is None else [left])


def test_workloads_of_the_log_stop_with_their_team() -> None:
    of = project(spells={TRAINS: Spell(PLAN_S + DAY_S, None), SERVES: Spell(None, PLAN_S)})
    (plan,) = teams.stop_team(of, PLAN, "team").scenarios
    assert plan.spells == {TRAINS: Spell(None, PLAN_S), SERVES: Spell(None, PLAN_S)}
    (later,) = teams.stop_team(project(), PLAN, "team", PLAN_S + DAY_S).scenarios
    assert later.spells == dict.fromkeys((TRAINS, SERVES), Spell(None, PLAN_S + DAY_S))
    assert refused(teams.stop_team, of, PLAN, "x")


def test_a_refusal_names_the_teams_and_the_pools_that_there_are() -> None:
    of = project(replace(NEW, team=""))
    for text, known in (("team:x", "nobody, team"), ("pool:x", ", ".join(Pool))):
        with pytest.raises(PlannerError) as error:
            teams.keys_meant(of, of.scenarios[0], text, dict)
        assert str(error.value.remedy).endswith(known)

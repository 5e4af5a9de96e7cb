"""Days, quarters and names of models as they are typed, and dated steps of a plan."""

from dataclasses import replace

import pytest

from gpuplanner.domain.edits import dates
from gpuplanner.domain.edits.dates import known_model, read_change, read_day_s, with_change
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import gpu_families
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import NEW, PLAN, PLAN_S, SERVES, TRAINS, project

BEGIN_S = 1_769_853_600  # 31 January 2026, 10:00


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03", "2026-03-01"),
        ("March", "2026-03-01"),
        ("1 march", "2026-03-01"),
        ("March 5", "2026-03-05"),
        ("Mar 2027", "2027-03-01"),
        ("January", "2027-01-01"),  # the next once the plan begins
        ("next month", "2026-02-01"),
        ("next quarter", "2026-04-01"),
        ("in 3 months", "2026-04-30"),
        ("in 1 year", "2027-01-31"),
        ("Q2", "2026-04-01"),
        ("Q1 2027", "2027-01-01"),
        ("Q1", "2027-01-01"),
        ("2026-02-30", None),
        ("30 feb", None),
        ("soon", None),
        ("2026-03-01T10:30", None),
        ("ju", None),
    ],
)
def test_a_day_is_written_in_many_ways(text: str, day: str | None) -> None:
    from datetime import UTC, datetime

    try:
        result = f"{datetime.fromtimestamp(read_day_s(text, BEGIN_S), UTC):%Y-%m-%d}"
    except PlannerError:
        assert day is None
        return
    assert result == day


def test_quarters_are_of_the_fiscal_year() -> None:
    """Of a year from October on: its first quarter is October, its third April; 2027 begins in October 2026."""
    from datetime import UTC, datetime

    days = {
        text: f"{datetime.fromtimestamp(read_day_s(text, BEGIN_S, 10), UTC):%Y-%m}"
        for text in ("Q1", "Q3", "Q1 2027", "Q3 2027", "next quarter")
    }
    assert days == {
        "Q1": "2026-10",
        "Q3": "2026-04",
        "Q1 2027": "2026-10",
        "Q3 2027": "2027-04",
        "next quarter": "2026-04",
    }
    assert refused(read_day_s, "March", 0) and not refused(read_day_s, "March 2027", 0)


def test_a_model_is_known_by_its_spelling_one_or_several() -> None:
    families = gpu_families()
    known = ("H100", "Abacus")
    names = ("h100", "H100s", "NVIDIA H100 80GB HBM3", "abacus", "Abacuss", "B200", "x")
    assert [known_model(name, known, families) for name in names] == [
        "H100",
        "H100",
        "H100",
        "Abacus",
        "Abacus",
        None,
        None,
    ]


def test_planned_work_is_changed_under_its_key_or_another() -> None:
    of = project(NEW, replace(NEW, name="other"))
    for work, names in ((replace(NEW, gpus=9.0), ["new", "other"]), (replace(NEW, name="z"), ["other", "z"])):
        (plan,) = dates.change_planned(of, PLAN, NEW.key, work).scenarios
        assert [item.name for item in plan.planned] == names and work in plan.planned
    assert refused(dates.change_planned, of, PLAN, NEW.key, replace(NEW, name="other"))
    logged = PlannedWork(
        name="load-000", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="team"
    )
    assert refused(dates.plan_work, of, PLAN, (logged,))
    assert [item.name for item in dates.drop_planned(of, PLAN, (NEW.key, "x")).scenarios[0].planned] == [
        "other"
    ]
    (sized,) = dates.plan_as_sized(of, PLAN, SERVES, (replace(NEW, name="z"),)).scenarios
    assert sized.spells == {SERVES: Spell(None, PLAN_S)} and len(sized.planned) == 3
    assert dates.plan_as_sized(of, PLAN, "", (replace(NEW, name="z"),)).scenarios[0].spells == {}


def test_a_step_is_of_what_is_called_so() -> None:
    of, families = project(NEW), gpu_families()
    classes = {TRAINS: Pool.TRAINING, SERVES: Pool.INFERENCE}

    def keys(text: str, in_project: Project = of) -> tuple[str, ...]:
        change = read_change(text, PLAN_S, 1)
        return with_change(in_project, PLAN, change, lambda: classes, families).scenarios[0].changes[-1].keys

    assert keys("load-000 x2") == (TRAINS,) and keys("new x2") == (NEW.key,) and keys("all x2") == ()
    assert keys("inference x2") == (SERVES,) and keys("team ops x2") == (NEW.key,)
    assert set(keys("team team x2")) == {TRAINS, SERVES}
    alike = project(replace(NEW, name="load-000"))
    assert refused(keys, "load-000 x2", alike) and refused(keys, "nothing x2")

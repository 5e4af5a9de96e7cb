"""Answers about what is loaded and how it was used, with files and teams that are written here."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.evidence.plan.inputs import TEAMS, WHOLE, week_subject
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.model.intake import FileIntake
from tests.domain import worlds


def loaded(*files: FileIntake) -> Trace:
    evidence = worlds.evidence_of_plan(worlds.plan())
    return answer(replace(evidence, project=replace(evidence.project, intake=files)), "loaded_jobs::")


def test_jobs_are_listed_by_file_where_each_was_counted() -> None:
    jobs = FileIntake(
        path="a/b\\c.csv",
        kind="jobs",
        format="own",
        rows_read=9,
        rows_accepted=5,
        rows_rejected=1,
        rows_duplicate=2,
        rows_ignored=1,
        jobs_in_window=4,
    )
    other = replace(jobs, path="d.csv", jobs_in_window=3)
    prices = FileIntake(
        path="p.csv",
        kind="prices",
        format="own",
        rows_read=9,
        rows_accepted=5,
        rows_rejected=1,
        rows_duplicate=2,
        rows_ignored=1,
    )
    trace = loaded(jobs, prices, other)
    assert [(row.name, row.values) for row in trace.rows] == [
        ("c.csv", (9, 1, 2, 1, 5, 4)),
        ("d.csv", (9, 1, 2, 1, 5, 3)),
    ]
    uncounted = loaded(jobs, replace(other, jobs_in_window=None))
    assert len(uncounted.rows) == 1 and uncounted.rows[0].name not in ("c.csv", "d.csv")


def today() -> PlanEvidence:
    evidence = worlds.evidence_of_plan(worlds.plan(), is_today=True)
    works = tuple(
        replace(work, owner=owner, milli_gpu_seconds=spent)
        for work, owner, spent in zip(
            evidence.project.workloads, ("a", "b", "a"), (3_600_000, 7_200_000, 0), strict=True
        )
    )
    use = evidence.audit.use
    assert use is not None
    teams = tuple(replace(use.teams[0], name=name) for name in ("a", "b"))
    return replace(
        evidence,
        project=replace(evidence.project, workloads=works),
        audit=replace(evidence.audit, use=replace(use, teams=teams)),
    )


@pytest.mark.parametrize(
    ("subject", "asked", "paid"),
    [("a", ["load-000", "load-002"], ["load-000"]), ("b", ["load-001"], ["load-001"])],
)
def test_a_team_uses_and_pays_for_its_own_workloads(subject: str, asked: list[str], paid: list[str]) -> None:
    assert [str(row.name) for row in answer(today(), figure("use_hours", subject, TEAMS)).rows] == asked
    assert [str(row.name) for row in answer(today(), figure("use_usd", subject, TEAMS)).rows] == paid


def test_all_teams_use_and_pay_for_all_workloads() -> None:
    assert len(answer(today(), figure("use_hours", WHOLE, TEAMS)).rows) == 3
    assert len(answer(today(), figure("use_usd", WHOLE, TEAMS)).rows) == 2


def test_an_hour_of_the_week_of_a_team_has_a_subject_and_a_whole_day_too() -> None:
    row: Any = SimpleNamespace(subject="a\tb")
    assert week_subject(row, 3, 14) == "3-14\ta\tb"
    assert week_subject(row, 3, 0) == "3-0\ta\tb" and week_subject(row, 3, None) == "3-\ta\tb"
    evidence = worlds.evidence_of_plan(worlds.plan(), is_today=True)
    use = evidence.audit.use
    assert use is not None
    named = replace(use.clusters[0], name="a\tb")
    changed = replace(evidence, audit=replace(evidence.audit, use=replace(use, clusters=(named,))))
    hour = answer(changed, figure("use_week", week_subject(named, 3, 4), "clusters"))
    whole = answer(changed, figure("use_week", week_subject(named, 3, None), "clusters"))
    assert "04:00" in str(hour.title) and ":00" not in str(whole.title)


def test_what_went_into_an_hour_of_the_week_leads_to_figures_that_there_are() -> None:
    evidence = today()
    use = evidence.audit.use
    assert use is not None
    cells = (figure("use_week", week_subject(row, 3, 4), TEAMS) for row in (*use.teams, use.everything))
    led = [row.opens for cell in cells for row in answer(evidence, cell).rows if row.opens]
    assert led and all(answer(evidence, opens).rows for opens in led)

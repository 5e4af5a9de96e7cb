"""The logs of decisions as files: every line once, safe in a spreadsheet, whole or not at all."""

import csv
import io
from dataclasses import replace

import pytest

from gpuplanner.cli.project_words import no_project
from gpuplanner.domain.edits.labels import assumption_label, plan_label
from gpuplanner.domain.edits.money import counted_in
from gpuplanner.domain.edits.plans import add_decision
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import Decision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.files.export.decision_log import decisions_csv, decisions_text, write_decisions

PLANS = (
    Scenario(
        name="Plan A", decisions=(Decision(0, "Move a to burst", "it is, cheaper"), Decision(3600, "Pin b"))
    ),
    Scenario(name="=Plan", decisions=(Decision(7200, "=1+1", "@x"),)),
    Scenario(name="Plan C"),
)


def test_a_table_has_a_row_for_every_decision() -> None:
    rows = list(csv.reader(io.StringIO(decisions_csv(PLANS, "USD"))))
    assert rows[:3] == [
        ["plan", "at", "decision", "reason"],
        ["Plan A", "1970-01-01T00:00:00Z", "Move a to burst", "it is, cheaper"],
        ["Plan A", "1970-01-01T01:00:00Z", "Pin b", ""],
    ]
    assert len(rows) == 4
    assert not any(cell.startswith(("=", "@", "+", "-")) for row in rows for cell in row)


def test_a_text_is_for_people() -> None:
    first, moved, why, pinned = decisions_text(PLANS[:1], "USD").replace("\n\n", "\n").splitlines()
    assert (first, moved, pinned) == (
        "Plan A",
        "1970-01-01T00:00:00Z  Move a to burst",
        "1970-01-01T01:00:00Z  Pin b",
    )
    assert why.endswith(": it is, cheaper")
    assert decisions_text(PLANS[2:], "USD") == "\n"


def test_a_file_is_of_the_kind_of_its_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    write_decisions(PLANS, tmp_path / "log.csv", "USD")
    assert (tmp_path / "log.csv").read_text("utf-8-sig").startswith("plan,at,decision,reason")
    write_decisions(PLANS, tmp_path / "log.txt", "USD")
    assert "Why: it is, cheaper" in (tmp_path / "log.txt").read_text("utf-8-sig")
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_decisions(PLANS, tmp_path / "no" / "log.csv", "USD")


@pytest.mark.parametrize(
    ("code", "said"), [("USD", "$ per month"), ("EUR", "\u20ac per month"), ("CHF", "CHF per month")]
)
def test_amounts_are_in_the_money_of_the_project(code: str, said: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    budget = Decision(0, assumption_label("budget_usd_per_month", 1_234_567.0), "below $2M, they said")
    plans = (Scenario(name="Plan A", decisions=(budget, Decision(0, "Plan at $5"))),)
    (_, decided, named) = csv.reader(io.StringIO(decisions_csv(plans, code)))
    assert decided[2:] == [f"Change budget to 1,234,567 {said}", "below $2M, they said"]
    assert named[2] == "Plan at $5"
    text = decisions_text(plans, code)
    assert f"1,234,567 {said}\n" in text and "below $2M, they said\n" in text
    write_decisions(plans, tmp_path / "log.txt", code)
    assert (tmp_path / "log.txt").read_text("utf-8-sig") == text


def test_a_plan_that_is_named_for_an_amount_keeps_its_name_in_another_money() -> None:
    project = replace(no_project(), scenarios=(Scenario(name="Plan $5"),), currency="EUR")
    decided = (
        plan_label("Rename", "Plan $5"),
        worded("Take {usd} a month for {plan}, in $", usd=amount(-5), plan="Plan $5"),
    )
    for what in (*decided, "Plan $5"):
        project = add_decision(project, "Plan $5", 0, what)
    assert [one.count("\u2212\u20ac5") for one in _said(project)] == [0, 1, 0]
    assert _said(project)[-1] == "Plan $5" and "Plan $5" in _said(project)[0]
    francs = _said(counted_in(project, "CHF"))
    assert [one.count("\u2212EUR\u00a05") for one in francs] == [0, 1, 0] and francs[-1] == "Plan $5"
    assert all("Plan $5" in one for one in francs)


def _said(project: Project) -> list[str]:
    """What the log says was decided, as a table and as a text have it."""
    said = [row[2] for row in csv.reader(io.StringIO(decisions_csv(project.scenarios, project.currency)))][1:]
    lines = decisions_text(project.scenarios, project.currency).splitlines()
    assert lines[2:] == [f"1970-01-01T00:00:00Z  {what}" for what in said]
    return said

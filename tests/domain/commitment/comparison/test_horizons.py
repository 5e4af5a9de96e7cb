"""Horizons: twelve months add up, the question's change is the plan less the plan before it, the same in all media."""

from dataclasses import replace

import pytest

from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.domain.commitment.comparison.horizons import Horizon, horizons_of, saved_share
from gpuplanner.domain.commitment.evidence.answers import answer
from gpuplanner.domain.edits import asked_apart, set_assumption
from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.why.evidence import plan_evidence
from tests.ui.plans_world import plans_project

ASKED = "Plan A \u00b7 what if"


@pytest.fixture(scope="module")
def question() -> Evaluation:
    project = plans_project()
    project = asked_apart(project, set_assumption(project, "Plan A", "growth", 0.1), "Plan A")
    return evaluate(project, ASKED, read_tables())


def test_growth_costs_more_over_twelve_months_whatever_next_month_does(question: Evaluation) -> None:
    assert question.advice is not None
    rows = {row.horizon: row for row in horizons_of(question.advice, question.before)}
    assert (rows[Horizon.TWELVE_MONTHS].changed or 0) > 0
    assert (rows[Horizon.MONTH_12].changed or 0) > 0
    alone = evaluate(question.project, "Plan A", read_tables())
    assert alone.before is None
    assert alone.advice is not None
    for row in horizons_of(alone.advice, None):
        assert (row.before, row.changed) == (None, None)
        assert row.plan == rows[row.horizon].before


def test_a_document_reconciles_with_the_months_of_its_comparison(question: Evaluation) -> None:
    document = plan_document(question)
    months, totals = document["comparison"], document["totals"]
    next_month, last, twelve = document["horizons"]
    assert [row["horizon"] for row in document["horizons"]] == ["next_month", "month_12", "twelve_months"]
    assert next_month["plan_usd"] == totals["plan_usd_per_month"]
    assert next_month["savings_vs_do_nothing_usd"] == totals["savings_vs_do_nothing_usd_per_month"]
    assert last["plan_usd"] == months[11]["plan_usd"]
    for name in ("plan_usd", "do_nothing_usd"):
        assert twelve[name] == pytest.approx(sum(month[name] for month in months), abs=1e-6)
    for row in document["horizons"]:
        assert row["change_usd"] == row["plan_usd"] - row["before_usd"]
        assert row["savings_vs_do_nothing_usd"] == row["do_nothing_usd"] - row["plan_usd"]


@pytest.mark.parametrize(
    ("saved", "nothing", "share"),
    [(5.0, 20.0, 0.25), (0.0, 20.0, 0.0), (None, 20.0, None), (5.0, None, None), (0.0, 0.0, None)],
)
def test_what_is_saved_is_a_share_of_doing_nothing(
    saved: float | None, nothing: float | None, share: float | None
) -> None:
    assert saved_share(saved, nothing) == share


def test_savings_are_unknown_where_the_plan_serves_less_than_doing_nothing(question: Evaluation) -> None:
    advice = question.advice
    assert advice is not None
    poorer = replace(advice, totals=replace(advice.totals, savings_vs_do_nothing=None), unserved=(object(),))  # type: ignore[arg-type]
    assert all(row.saved is None and row.do_nothing for row in horizons_of(poorer, None))


def test_why_says_what_is_shown_and_rows_arrive_at_it(question: Evaluation) -> None:
    evidence = plan_evidence(next_view_state(None, question), None)
    assert question.advice is not None
    for row in horizons_of(question.advice, question.before):
        shown = {"plan": row.plan, "nothing": row.do_nothing, "before": row.before, "saved": row.saved}
        for kind, value in {**shown, "change": row.changed}.items():
            trace = answer(evidence, f"ahead_{kind}::{row.horizon.value}")
            assert trace.value == pytest.approx(value, abs=0.5)
            assert trace.figure_id == f"ahead_{kind}::{row.horizon.value}"

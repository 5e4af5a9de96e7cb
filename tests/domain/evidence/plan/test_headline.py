"""Why of the headline: every part adds up to its sum, from the rows that other answers have."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evidence.plan.headline import ANSWERS, HeadlineAnswer
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.typed import whole as number
from gpuplanner.domain.figures.writing import UNKNOWN
from tests.domain.evidence.plan.planned import planned_evidence

ADDING = {"spend": (1,), "savings": (0,), "unused_per_month": (2,), "utilization": (0, 1), "lock_in": (0, 2)}


def asked(figure_id: str) -> HeadlineAnswer:
    return ANSWERS[figure_id](planned_evidence())


@pytest.mark.parametrize("figure_id", ADDING)
def test_whole_amounts_add_up_to_their_totals(figure_id: str) -> None:
    parts = [part for part in asked(figure_id).parts if part.rows]
    known = 0
    for part in parts:
        for column in ADDING[figure_id]:
            amounts = [row.values[column] for row in part.rows]
            if None in amounts:
                continue
            total, whole = part.total.values[column], sum(amounts)  # type: ignore[arg-type]
            said = str(number(total) if isinstance(total, int | float) else total)
            assert said == str(number(whole))
            known += 1
    assert known


@pytest.mark.parametrize(
    ("figure_id", "kind"),
    [("spend", "plan_usd"), ("unused_per_month", "plan_unused"), ("lock_in", "plan_lock_in")],
)
def test_rows_of_the_plan_are_those_of_its_trace(figure_id: str, kind: str) -> None:
    """Both open the same answers under the same names, and differ by what is rounded away."""
    rows, exact = asked(figure_id).parts[-1].rows, answer(planned_evidence(), figure(kind)).rows
    assert [(str(row.name), row.opens) for row in rows] == [(str(row.name), row.opens) for row in exact]
    for row, of_trace in zip(rows, exact, strict=True):
        assert row.values == pytest.approx(of_trace.values, abs=1.0)


@pytest.mark.parametrize("figure_id", ANSWERS)
def test_an_answer_is_there_before_the_advice_is(figure_id: str) -> None:
    early = ANSWERS[figure_id](replace(planned_evidence(), advice=None))
    assert UNKNOWN in str(early.title)

"""Answers to Why this number? of small projects: a golden file for each project, in it a case for each figure.

Each room of answers has tables of its own projects.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS as OF_PAST
from gpuplanner.domain.evidence.costs import cost_answers
from gpuplanner.domain.evidence.log_months import OF_MONTHS
from gpuplanner.domain.evidence.past import WHY
from gpuplanner.domain.evidence.payments import OF_PAYMENTS
from gpuplanner.domain.evidence.plan.comparison import OF_COMPARISON
from gpuplanner.domain.evidence.plan.plan_answers import ANSWERS
from gpuplanner.domain.evidence.serving import OF_PLACES, OF_SIZING
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.evidence.waits import OF_WAITS, Told
from gpuplanner.domain.queue.rows import log_waits
from tests.arrived import arrived
from tests.domain import worlds
from tests.domain.reports.golden_tables import months
from tests.domain.reports.reported_results import sizing
from tests.domain.tables import answer_of
from tests.golden.tables import Table, check_case

TAB: Final = "~"
"""Stands for the tab between the parts of a key."""
PER_FLOAT, PER_WHOLE = 1e-4, 1.0
"""By how much the rows may miss a figure. A whole one is rounded, so that all of them add up."""


@dataclass(frozen=True, slots=True)
class AskedProject:
    """A small project, and who answers for its figures."""

    answers: Any
    evidence: Callable[[], Any]


PROJECTS: Final[Mapping[str, AskedProject]] = {
    "past": AskedProject(OF_PAST, worlds.evidence_of_past),
    "costs": AskedProject(cost_answers.WHY, worlds.evidence_of_costs),
    "mix": AskedProject(WHY, lambda: worlds.past().past),
    "cash": AskedProject(OF_PAYMENTS, worlds.plan),
    "months": AskedProject(OF_MONTHS, months),
    "waiting": AskedProject(OF_WAITS, lambda: Told(worlds.waiting(), log_waits(worlds.queueing()))),
    "plan": AskedProject(ANSWERS, lambda: worlds.evidence_of_plan(worlds.outlook_of(worlds.plan))),
    "limited": AskedProject(ANSWERS, lambda: worlds.evidence_of_plan(worlds.limited())),
    "unpriced": AskedProject(ANSWERS, lambda: worlds.evidence_of_plan(worlds.unpriced())),
    "trials": AskedProject(ANSWERS, worlds.evidence_of_trials),
    "asked": AskedProject(ANSWERS, lambda: worlds.evidence_of_plan(worlds.with_before(worlds.asked()))),
    "compared": AskedProject(OF_COMPARISON, worlds.compared),
    "today": AskedProject(ANSWERS, lambda: worlds.evidence_of_plan(worlds.plan(), is_today=True)),
    "sizing": AskedProject(OF_SIZING, sizing),
    "places": AskedProject(OF_PLACES, worlds.evidence_of_places),
}


@cache
def trace_of(project: str, case: str) -> Trace:
    """Return the answer for a figure, whose id has `~` for tabs."""
    asked = PROJECTS[project]
    trace: Trace = asked.answers.answer(asked.evidence(), case.replace(TAB, "\t"))
    return trace


def answer_text(project: str, case: str) -> str:
    """Return the lines of the answer for a figure."""
    return answer_of(trace_of(project, case))


def tables_of(*projects: str) -> dict[str, Table]:
    """Return the golden tables of some projects, by file name."""
    return {f"{project}.txt": Table(text_of=partial(answer_text, project)) for project in projects}


def check_answer(folder: str, file: str, case: str) -> None:
    """Fail where the rows of an answer do not come to its figure, or it is not as accepted."""
    trace = trace_of(file.removesuffix(".txt"), case)
    came = arrived(trace)
    is_rounded = isinstance(trace.value, int) and isinstance(came, float)
    if trace.value is None:
        assert came is None
    else:
        assert came == pytest.approx(trace.value, rel=1e-9, abs=PER_WHOLE if is_rounded else PER_FLOAT)
    assert trace.figure_id == case.replace(TAB, "\t")
    check_case(folder, file, case)

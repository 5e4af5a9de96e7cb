"""Answers to Why this number? of small projects, as golden tables: a file for each project, a case for each figure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

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
from tests.domain import worlds
from tests.domain.reports.golden_tables import months
from tests.domain.reports.reported_results import sizing
from tests.domain.tables import answer_of
from tests.golden.tables import Table

FOLDER: Final = "tables_evidence"
TAB: Final = "~"
"""Stands for the tab between the parts of a key."""


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


TABLES: Final = {f"{project}.txt": Table(text_of=partial(answer_text, project)) for project in PROJECTS}

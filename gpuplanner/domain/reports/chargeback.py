"""Who pays for a window: by team with its budget, by workload, model or endpoint."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit.costs.charge_rows import Charge, ChargePart, Charges, charges
from gpuplanner.domain.audit.costs.charge_words import NO_JOB, ChargeBy
from gpuplanner.domain.audit.costs.chargeback import charged
from gpuplanner.domain.audit.costs.idle_shares import CALLED_NOBODY
from gpuplanner.domain.audit.costs.unit_costs import past_of
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.commitment.plan.budgets_used_up import with_used_up
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.costs.chargeback import CHARGE
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.reports.entries import Fields, fields, named
from gpuplanner.domain.reports.report import BRIEF, TERMINAL, WINDOW, Column, Media, Medium, Report

LISTED_IN_TERMINAL: Final = 20
WHAT_IT_IS: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")
BUDGET: Final = ("budget_in_window", "left_in_window")
READ: Final = WINDOW | TERMINAL
TITLES: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.TEAM: worded("Who pays, by team"),
    ChargeBy.WORKLOAD: worded("Who pays, by workload"),
    ChargeBy.MODEL: worded("Who pays, by model"),
    ChargeBy.ENDPOINT: worded("Who pays, by endpoint"),
}
_HEADINGS: Final[Mapping[ChargeBy, tuple[Message, str, str]]] = {
    ChargeBy.TEAM: (worded("Team"), "team", "teams"),
    ChargeBy.WORKLOAD: (worded("Workload"), "workload", "workloads"),
    ChargeBy.MODEL: (worded("Model"), "model", "models"),
    ChargeBy.ENDPOINT: (worded("Endpoint"), "endpoint", "endpoints"),
}


def charges_of(evaluation: Evaluation, by: ChargeBy = ChargeBy.TEAM, past: Past | None = None) -> Charges:
    """Who pays for the window of an evaluation; of a plan with its advice also when it uses budgets up.

    past: of the evaluation, where it is at hand.
    """
    project, audit, advice = evaluation.project, evaluation.audit, evaluation.advice
    found = charges(project, charged(past or past_of(project, audit), audit), by)
    if advice is None or evaluation.scenario == TODAY:
        return found
    return with_used_up(found, advice, evaluation.in_parts.project.workloads)


def _rows(found: Charges) -> Sequence[Charge]:
    return found.rows


def _subject(row: Charge) -> str:
    return row.subject


def _called(row: Charge) -> Text:
    return row.called


def _total(found: Charges) -> Charge:
    return found.whole


def _most_first(row: Charge) -> tuple[bool, bool, float, str]:
    """Most charged first, what nobody knows behind it, nobody's last."""
    usd = row.total_in_window
    return row.is_nobodys, usd is None, -(usd or 0.0), row.name or ""


def _amounts(media: Media, *keys: str) -> tuple[Column, ...]:
    return tuple(Column(CHARGE[key], media=media) for key in keys)


def _report(by: ChargeBy, *, has_budgets: bool) -> Report:
    heading, one, many = _HEADINGS[by]
    of_teams = by is ChargeBy.TEAM
    team = () if of_teams else (Column(key="whose", title=worded("Team"), media=READ),)
    budget = BUDGET if has_budgets else ()
    return Report(
        title=TITLES[by],
        one=one,
        many=many,
        rows=_rows,
        key=_subject,
        scope=by.value,
        columns=(
            Column(key="called", title=heading, media=READ, tip=_called),
            # a panel is narrow: what is charged stands beside the name, what it is made of behind it
            *_amounts(WINDOW, "total_in_window", *budget),
            *team,
            *_amounts(READ, *WHAT_IT_IS),
            *_amounts(TERMINAL, *budget, "total_in_window"),
        ),
        order={Medium.WINDOW: _most_first, Medium.TERMINAL: _most_first},
        total=_total,
        media=READ,
        limits={} if of_teams else {Medium.TERMINAL: LISTED_IN_TERMINAL},
        adds_up=of_teams,
    )


CHARGES: Final[Mapping[ChargeBy, Report]] = {by: _report(by, has_budgets=False) for by in ChargeBy}
BUDGETED: Final = _report(ChargeBy.TEAM, has_budgets=True)


def report_of(found: Charges) -> Report:
    """The report of some rows: that of teams with their budgets where one has any."""
    return BUDGETED if _has_budgets(found) else CHARGES[found.by]


def _part_called(part: ChargePart) -> Text:
    """The key of a workload; of idle GPUs whose owner ran nothing there, that."""
    return part.key or NO_JOB


def largest_first(part: ChargePart) -> tuple[bool, float, str, str]:
    """Most charged first, what nobody knows last."""
    usd = part.total_in_window
    return usd is None, -(usd or 0.0), part.key, part.cluster


STATEMENT: Final = Report(
    title=worded("What each workload is charged"),
    one="workload",
    many="workloads",
    rows=lambda charge: charge.parts,
    key=lambda part: part.key,
    columns=(
        Column(key="workload", title=worded("Workload"), value=_part_called),
        Column(key="cluster", title=worded("Cluster")),
        *_amounts(BRIEF, *WHAT_IT_IS, "total_in_window"),
    ),
    order={Medium.BRIEF: largest_first},
    media=BRIEF,
)
"""About one row of a chargeback: what it is made of."""


def _on_paper(*budget: str) -> Report:
    return Report(
        title=TITLES[ChargeBy.TEAM],
        one="team",
        many="teams",
        rows=_rows,
        key=_subject,
        columns=(
            Column(key="called", title=worded("Team")),
            *_amounts(BRIEF, *WHAT_IT_IS, "total_in_window", *budget),
        ),
        order={Medium.BRIEF: _most_first},
        total=_total,
        media=BRIEF,
    )


def overview_of(found: Charges) -> Report:
    """The report of teams on paper, with their budgets where one has any."""
    return _on_paper(*BUDGET) if _has_budgets(found) else _on_paper()


def _has_budgets(found: Charges) -> bool:
    return any(row.budget_in_window is not None for row in found.rows)


def _team_of(row: Charge) -> str | None:
    """The team in a document: null where it is of several."""
    return None if row.team is None else row.team or CALLED_NOBODY


def _name_of(row: Charge) -> str | None:
    """The name in a document: null of work that has none."""
    return CALLED_NOBODY if row.is_nobodys else row.name


def _fields(*named_by: Column) -> Fields:
    return fields(
        named("team", _team_of),
        *named_by,
        *(
            CHARGE[key]
            for key in (
                "gpu_hours",
                "direct_in_window",
                "idle_in_window",
                "overflow_in_window",
                "total_in_window",
                "budget_in_window",
                "left_in_window",
            )
        ),
        named("used_up", "used_up_s", "date"),
    )


OF_TEAMS: Final = _fields()
"""A row in a document."""
OF_ASKED: Final = _fields(named("by", "by.value"), named("name", _name_of))
"""The same where it was said by what."""

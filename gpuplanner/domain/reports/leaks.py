"""The leaks of a window: what each is and where, what it costs, what of it the total counts, and what was decided."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.audit.leak_list import LEAK_RULES, most_expensive_first
from gpuplanner.domain.audit.result import Audit, Leak, LeakTotal
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.figures.typed import decimals, whole, worded_whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import PartSum, known_sum, part_sum
from gpuplanner.domain.model.plan.scenario import TODAY, LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Report, each, fields, inside, named, of_part, text
from gpuplanner.lazy_dataclass import dataclass, field

READ: Final = report.WINDOW | report.TERMINAL | report.BRIEF
LONGEST_WHERE: Final = 96
"""Characters of a brief that say where a leak is; more would push others off the page."""
LISTED_IN_BRIEF: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakList:
    """Leaks with what plans decided about them.

    leaks: as the audit has them; total: what they count together; plan: whose decisions stand beside them (None: of no
    plan); plans: all that can decide; names: of workloads, by key.
    """

    leaks: tuple[Leak, ...]
    total: LeakTotal
    plan: Scenario | None
    plans: tuple[Scenario, ...]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakRow:
    """A leak in a list. number: its place by cost, from 1; decision: of the plan; decided: by all plans, in words."""

    leak: Leak
    number: int
    decision: LeakDecision | None
    decided: Text
    names: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaksTotal:
    """What a row under leaks has: words in the columns of texts, and what is counted, $ a month.

    counted_gpu_hours: a month. None as money is unknown.
    """

    title: Text
    where: Text
    counted_gpu_hours: float
    counted_per_month: PartSum | float | None
    action: Text = ""
    decided: Text = ""


def leak_list(project: Project, audit: Audit, scenario: str = TODAY) -> LeakList:
    """The leaks of an audit, beside what a scenario decided. Errors: KeyError for a scenario that there is not.

    scenario: its name; Today decides nothing.
    """
    return LeakList(
        leaks=audit.leaks,
        total=audit.leaks_total,
        plan=None if scenario == TODAY else project.scenario(scenario),
        plans=project.scenarios,
        names={workload.key: workload.name for workload in project.workloads},
    )


def decisions(plans: Sequence[Scenario]) -> dict[str, Message]:
    """What plans decided about leaks, in words, by leak_id.

    In the order of the plans; leaks that no plan decided about are left out.
    """
    words: dict[str, list[Message]] = {}
    for plan in plans:
        for decision in plan.leak_decisions:
            dismissed = decision.status is LeakStatus.DISMISSED
            verb = worded("Dismissed") if dismissed else worded("Accepted")
            words.setdefault(decision.leak_id, []).append(
                worded("{verb} in {name}", verb=verb, name=plan.name)
            )
    return {leak_id: joined(parts, "; ") for leak_id, parts in words.items()}


def _rows(of: LeakList) -> list[LeakRow]:
    """Leaks in the order of the audit; their numbers go by cost."""
    number = {leak.leak_id: at for at, leak in enumerate(most_expensive_first(of.leaks), 1)}
    decided = decisions(of.plans)
    return [
        LeakRow(
            leak=leak,
            number=number[leak.leak_id],
            decision=of.plan.decision_on(leak.leak_id) if of.plan else None,
            decided=decided.get(leak.leak_id, ""),
            names=of.names,
        )
        for leak in of.leaks
    ]


def _most_counted(row: LeakRow) -> tuple[float, str]:
    """Key for sorting: most counted $ first, unknown as 0, then by id."""
    return -(row.leak.counted_per_month or 0.0), row.leak.leak_id


def _title(row: LeakRow) -> Text:
    return LEAK_RULES[row.leak.code].title


def _rule_words(row: LeakRow) -> Text:
    return LEAK_RULES[row.leak.code].words


def _where(row: LeakRow) -> Text:
    """Cluster and workloads; of jobs that name no cluster the workloads alone."""
    subject = row.leak.subject
    parts: Sequence[Any] = tuple(subject.values.values()) if isinstance(subject, Message) else ()
    return joined(parts[2:]) if parts[:2] == ("", ": ") else subject


def _short_where(row: LeakRow) -> Text:
    """Cluster and workloads of a leak; of long names the most expensive alone, and how many more there are."""
    leak, where = row.leak, _where(row)
    if len(str(where)) <= LONGEST_WHERE or len(leak.parts) < 2:
        return where
    first = max(leak.parts, key=lambda part: part.leaked_per_month or 0.0)
    name = row.names.get(first.id, first.id)
    most = joined(filter(None, (leak.cluster, name)), ": ")
    return worded("{names} and {more} more", names=most, more=whole(len(leak.parts) - 1))


def _decided(row: LeakRow) -> str:
    return row.decision.status.value if row.decision else ""


def _total(of: LeakList) -> LeaksTotal:
    """What all leaks count together, each GPU-hour once."""
    counted = part_sum((leak.leak_id, leak.counted_per_month) for leak in of.leaks)
    return LeaksTotal(
        title=worded("Total"),
        where=worded("each GPU-hour once"),
        counted_gpu_hours=of.total.counted_gpu_hours,
        counted_per_month=counted,
    )


LEAK_PARTS: Final = fields(
    "kind",
    "id",
    *report.of_subject(LEAK, "gpu_hours", "leaked_per_month", "counted_gpu_hours", "counted_per_month"),
)
"""Of a workload or contract behind a leak."""
DECISION: Final = fields(
    named("status", "status.value"),
    named("at", "at_s", "date"),
    "reason",
    "owner",
    named("pool", "pool.value"),
    "workloads",
    "usd_per_month",
)
"""Of what a plan decided about a leak."""
_NUMBER, _ACTION = attrgetter("number"), attrgetter("leak.action")

LEAKS: Final = Report(
    title=worded("Leaks"),
    rows=_rows,
    key=attrgetter("leak.leak_id"),
    order={
        report.Medium.WINDOW: _NUMBER,
        report.Medium.TERMINAL: _NUMBER,
        report.Medium.BRIEF: _most_counted,
    },
    note=COUNTED_ONCE,
    total=_total,
    total_media=report.TERMINAL | report.BRIEF,
    rest=lambda left: LeaksTotal(
        title=worded_whole(len(left), "{count} more leak", "{count} more leaks"),
        where="",
        counted_gpu_hours=sum(row.leak.counted_gpu_hours for row in left),
        counted_per_month=known_sum(row.leak.counted_per_month for row in left),
        action=worded("See the workbook's sheet Audit"),
    ),
    limits={report.Medium.BRIEF: LISTED_IN_BRIEF},
).with_columns(
    Column(key="number", media=report.WINDOW, form="aside", value=lambda row: str(row.number)),
    *of_part("leak", "code", "subject"),
    text("title", worded("Leak"), _title, media=READ, form="name", tip=_rule_words),
    text("where", worded("Where"), _where, media=report.WINDOW, form="aside", tip=_where),
    text("where", worded("Where"), _where, media=report.TERMINAL),
    text("where", worded("Where"), _short_where, media=report.BRIEF),
    Column(
        figure=LEAK["gpu_hours_per_month"],
        media=report.WINDOW,
        value="leak.gpu_hours_per_month",
        tip=lambda row: worded("{hours} GPU-h per month", hours=decimals(row.leak.gpu_hours_per_month)),
    ),
    Column(
        figure=LEAK["gpu_hours"],
        media=report.TERMINAL | report.SHEET | report.DOCUMENT_ALONE,
        value="leak.gpu_hours",
        is_in_full=True,
    ),
    Column(figure=LEAK["leaked_per_month"], media=report.WINDOW, form="part", value="leak.leaked_per_month"),
    Column(figure=LEAK["leaked_per_month"], value="leak.leaked_per_month"),
    Column(
        figure=LEAK["counted_gpu_hours"],
        media=report.TERMINAL | report.SHEET,
        value="leak.counted_gpu_hours",
        is_in_full=True,
    ),
    Column(
        figure=LEAK["counted_per_month"],
        media=report.TERMINAL | report.BRIEF | report.SHEET,
        value="leak.counted_per_month",
    ),
    text("action", worded("What to do"), _ACTION, media=report.WINDOW | report.BRIEF, tip=_ACTION),
    text("decided", worded("Decided"), media=report.WINDOW, form="aside", tip=attrgetter("decided")),
    text("decided", worded("Decided"), _decided, media=report.TERMINAL, is_rare=True),
    *of_part("leak", "action", "leak_id", "cluster"),
    each("parts", LEAK_PARTS, "leak.parts"),
    named(LEAK["counted_gpu_hours"], "leak.counted_gpu_hours"),
    named(LEAK["counted_per_month"], "leak.counted_per_month"),
    inside("decision", DECISION),
)

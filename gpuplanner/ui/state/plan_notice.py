"""Notice of a plan whose log is from another time than its contracts or today."""

from typing import Final

from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.domain.audit.utilization.contracts_apart import ContractsApart, contracts_apart
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.commitment_words import days_between
from gpuplanner.ui.words import numbers

NONE_RAN: Final = worded("No contract overlaps the log")
OLD_LOG_DAYS: Final = 7
"""A log that ended longer ago is no log of now: dates that count from its end are said to be old."""


YEARS_FROM_DAYS: Final = 730


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNotice:
    """title: in a few words; sentence: what is so; plan_from_s: the day that mends it, None where none does.

    is_apart: contracts and log are of two times; else the log is only old.
    """

    title: Text
    sentence: str
    plan_from_s: int | None
    is_apart: bool
    day: str = ""  # plan_from_s in words, for a button

    def __post_init__(self) -> None:
        speak(self, "title", "sentence")


def plan_notice(project: Project, today_s: int) -> PlanNotice | None:
    """The one thing to say of the time of a plan; None where there is nothing."""
    apart = contracts_apart(project.contracts, project.window) if project.workloads else None
    begins_s = project.plan_window.end_s
    if apart is not None and not apart.runs_at(begins_s):
        at_s = apart.day_to_plan_from_s(project.window, today_s)
        words, day = apart_sentence(project.window, apart), _day_words(at_s, today_s)
        return PlanNotice(title=NONE_RAN, sentence=words, plan_from_s=at_s, is_apart=True, day=day)
    days = days_between(begins_s, today_s)
    if not project.workloads or begins_s > project.window.end_s or days < OLD_LOG_DAYS:
        return None
    today_s = today_s // DAY_S * DAY_S
    return PlanNotice(
        title=tr("The plan starts at the log's end, {time} ago", time=_time_words(days)),
        sentence=tr("Order dates count from that day, {date}.", date=numbers.date(project.window.end_s - 1)),
        plan_from_s=today_s,
        is_apart=False,
        day=_day_words(today_s, today_s),
    )


def apart_sentence(window: Window, apart: ContractsApart) -> str:
    """Of when the log is and of when the contracts are, and what that does to the figures."""
    dates = tr("from {day} on", day=numbers.date(apart.begin_s))
    if apart.end_s is not None:
        dates = tr("of {span}", span=numbers.span(apart.begin_s, apart.end_s))
    return tr(
        long_text("log_and_contracts_apart", log=numbers.span(window.start_s, window.end_s), contracts=dates)
    )


def _time_words(days: int) -> str:
    """Days as years where they are many."""
    return numbers.counted(days // 365, "year") if days >= YEARS_FROM_DAYS else numbers.counted(days, "day")


def _day_words(at_s: int | None, today_s: int) -> str:
    """The words of a button that lets plans begin on a day; empty without one."""
    if at_s is None:
        return ""
    if days_between(at_s, today_s) == 0:
        return tr("Plan from today")
    return tr("Plan from {date}", date=numbers.date(at_s))

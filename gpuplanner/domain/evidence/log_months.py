"""Answers about each month of the log."""

from typing import Final

from gpuplanner.domain.audit.series import MonthRow
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, read, titled
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.window import CLASS, SERIES
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.reports.series import OF_MONTH

OF_MONTHS: Final = Answers[Evaluation]()
ITS_AUDIT: Final = worded("this month's audit; set it as lookback period to see a figure's jobs")


@OF_MONTHS.gives_each({asked.why: asked for asked in OF_MONTH})
def of_month(asked: Figure, evaluation: Evaluation, scope: str, month: str) -> Trace:
    """A figure of a month: of its audit."""
    return read(titled(asked, month), getattr(_month(evaluation, month), asked.key), asked.unit, ITS_AUDIT)


def _month(evaluation: Evaluation, month: str) -> MonthRow:
    return next(row for row in evaluation.months or () if row.month == month)


@OF_MONTHS.gives_each({"month_usd_share": True, "month_gpu_hours_share": False})
def share_of_class(is_of_usd: bool, evaluation: Evaluation, pool: str, month: str) -> Trace:
    """What a class is of all in a month."""
    row = _month(evaluation, month)
    of_class, name = row.classes[Pool(pool)], joined((POOL_TITLES[Pool(pool)], month), ", ")
    if is_of_usd:
        usd = {"class_usd": of_class.usd, "classes_usd": known_sum(each.usd for each in row.classes.values())}
        return explained(SERIES, "usd_share", Inputs(values=usd, name=month, title=name))
    hours = {"gpu_hours": of_class.gpu_hours, "all_gpu_hours": row.gpu_hours}
    return explained(
        CLASS, "share", Inputs(values=hours, name=month, title=name, opens=dict.fromkeys(hours, ""))
    )

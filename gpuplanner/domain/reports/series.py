"""The audit over time as a report: a row for each calendar month of the log, and what public figures stand beside."""

from operator import methodcaller
from typing import Final

from gpuplanner.domain.audit.series import MonthRow
from gpuplanner.domain.figures.figure import answering
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.window import SERIES
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.reports import report
from gpuplanner.lazy_dataclass import replace

READ: Final = report.WINDOW | report.TERMINAL | report.SHEET | report.BRIEF
NO_ROWS: Final = worded("This log's job rows are not stored. Import it again to see its months.")
NO_BRIEF: Final = report.EVERYWHERE - report.BRIEF
OF_CLASS: Final = report.fields("gpu_hours", "usd")


OF_MONTH: Final = answering(
    "month",
    *(
        SERIES[key]
        for key in ("gpu_hours", "paid_in_window", "utilization", "stranded_audit", "stranded_metered")
    ),
    *(SERIES[key] for key in ("experiments", "found", "counted", "accepted", "dismissed")),
)


def month_name(row: MonthRow) -> Text:
    """Its name; of a month that the log has in part, how many hours of it."""
    return worded("{month}, {hours} h", month=row.month, hours=whole(row.hours)) if row.is_cut else row.month


def _of_class(pool: Pool) -> report.Column:
    return report.inside(str(pool), OF_CLASS, lambda classes: classes[pool])


def build_share_columns(pool: Pool) -> tuple[report.Column, ...]:
    """What a class is of all, in GPU-hours and in $; a brief has the $ of inference."""
    titles = {
        "gpu_hours_share": worded("{pool}\nshare of GPU-h", pool=POOL_TITLES[pool]),
        "usd_share": worded("{pool}\nshare of $", pool=POOL_TITLES[pool]),
    }
    return tuple(
        report.Column(
            figure=replace(
                SERIES["usd_share"], key=f"{pool}_{key}", title=title, why=f"month_{key}", why_scope=str(pool)
            ),
            media=READ if (key, pool) == ("usd_share", Pool.INFERENCE) else READ - report.BRIEF,
            value=methodcaller(key, pool),
        )
        for key, title in titles.items()
    )


MONTHS: Final = report.Report(
    title=worded("Month by month"),
    rows=lambda of: of.months or (),
    key=lambda row: row.month,
    note=worded("UTC calendar months of the whole log; first and last may be partial."),
).with_columns(
    report.named("month"),
    report.Column(key="month_name", title=worded("Month"), media=READ, form="name", value=month_name),
    report.named("hours"),
    *(report.Column(figure=figure, media=NO_BRIEF) for figure in OF_MONTH[:2]),
    *(report.Column(figure=figure) for figure in OF_MONTH[2:5]),
    report.inside("classes", report.fields(*map(_of_class, POOLS))),
    *(column for pool in POOLS for column in build_share_columns(pool)),
    *(report.Column(figure=figure) for figure in OF_MONTH[5:]),
)

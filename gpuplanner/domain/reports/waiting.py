"""Reports of waiting: rows of pools on the GPUs of today and of a plan, the log's own waits, and sizes with their $."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.rows import QueueRow
from gpuplanner.domain.queue.sentences import holds_words, likely, marks_words, name_of
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Report, named, of_subject
from gpuplanner.lazy_dataclass import replace

READ: Final = report.TERMINAL | report.WINDOW | report.SHEET
PAGE: Final = READ | report.BRIEF
OF_WAITS: Final = ("jobs", "share_over_1h", "mean_h", "p50_h", "p90_h", "p99_h")


def _pool(row: QueueRow | FrontierPoint) -> Text:
    """What a row is called where people read it."""
    return POOL_TITLES[row.pool]


def _of_waits(media: report.Media, *keys: str) -> report.Fields:
    """Columns of waits."""
    return tuple(Column(figure=WAITING[key], media=media, value=f"waits.{key}") for key in keys)


def build_work_fields(key: str, title: Text) -> report.Fields:
    """A number of planned work: as it is where programs read it, in words where a cell of text holds it."""
    value, words = attrgetter(f"work.{key}"), PAGE - report.SHEET
    return (
        Column(key=key, title=title, media=report.EVERYWHERE - words, form="count", value=value),
        Column(
            key=key,
            title=title,
            media=words,
            form="count",
            value=lambda row: joined((significant(value(row)),)),
        ),
    )


BY_TITLES: Final[Mapping[str, Message]] = {
    "pool": worded("Pool"),
    "team": worded("Team"),
    "gpu_model": worded("GPU model"),
    "size": worded("Job GPUs"),
    "hour_of_week": worded("Hour of the week"),
    "partition": worded("Partition"),
    "account": worded("Account"),
    "month": worded("Month"),
}

POOL_WAITS: Final = Report(
    title=worded("Waits by pool"), key=lambda row: f"{row.pool}\t{row.gpu_model or ''}", media=PAGE
).with_columns(
    Column(key="pool", title=worded("Pool"), form="name", value=_pool),
    Column(key="gpu_model", title=worded("GPU\nmodel"), is_rare=True, value=lambda row: row.gpu_model or ""),
    *_of_waits(PAGE, *OF_WAITS),
    *of_subject(WAITING, "sent_out_jobs", "sent_out_gpu_hours", media=READ),
    *of_subject(WAITING, "sent_out_usd", "utilization", media=PAGE),
    Column(figure=WAITING["waited_with_room"], is_rare=True),
)
"""About rows of a replay, or of the log itself: by pool, or by pool and GPU model."""
OF_POOLS: Final = {scope: replace(POOL_WAITS, scope=scope) for scope in ("plan", "today")}
"""The same on the GPUs of the plan, and of today, by the scope of their figures."""

SIZES: Final = Report(
    title=worded("Sizes: GPUs, cost and waits"),
    scope="sizes",
    key=lambda row: f"{row.pool}\t{row.gpu_model or ''}\t{row.gpus}\t{row.is_shared}\t{row.is_together}",
).with_columns(
    Column(key="pool", title=worded("Pool"), media=PAGE, form="name", value=_pool),
    named("pool", "pool.value"),
    Column(key="gpu_model", title=worded("GPU model"), value="gpu_model"),
    Column(figure=WAITING["gpus"]),
    Column(figure=WAITING["usd_per_month"], tip=holds_words),
    Column(figure=WAITING["never"], media=PAGE, is_rare=True),
    *_of_waits(report.EVERYWHERE, "p50_h", "p90_h"),
    named("p90_low_h", lambda point: point.likely and point.likely.low_h),
    named("p90_high_h", lambda point: point.likely and point.likely.high_h),
    Column(key="likely", title=worded("P90 by\nthe log, h"), media=PAGE, form="count", value=likely),
    *_of_waits(report.EVERYWHERE, "share_over_1h"),
    named("marks", lambda point: list(point.marks)),
    Column(key="mark", title=worded("Mark"), media=PAGE, value=marks_words, form="aside", tip=marks_words),
    Column(
        key="holds", title=worded("Cost consists of"), media=report.SHEET, form="aside", value=holds_words
    ),
)
"""About points of frontiers."""


LOG_WAITS: Final = Report(
    title=worded("Actual waits"),
    scope="log",
    key=lambda row: f"{row.by}\t{row.name}",
    limits=dict.fromkeys((report.Medium.TERMINAL,), 24),
).with_columns(
    Column(key="by", title=worded("By"), media=READ, value=lambda row: BY_TITLES[row.by]),
    named("by"),
    Column(key="name", title=worded("Name"), media=READ, form="name", value=name_of),
    named("name"),
    *_of_waits(report.EVERYWHERE, *OF_WAITS),
    *of_subject(WAITING, "waited_gpu_hours", "waited_gpus_most", media=report.EVERYWHERE),
    *of_subject(WAITING, "contended_hours", "waited_with_room", media=report.EVERYWHERE),
)
"""About rows of the log's own waits."""


WINDOWS: Final = Report(
    title=worded("Recurring runs without own hours"), scope="again", key=lambda row: row.work.key
).with_columns(
    Column(key="name", title=worded("Name"), form="name", value="work.name"),
    named("pool", "work.pool.value"),
    Column(key="gpu_model", title=worded("GPU model"), value="work.gpu_model"),
    *(
        column
        for key, title in (
            ("gpus", worded("GPUs")),
            ("length_hours", worded("Length,\nh")),
            ("every_hours", worded("Every,\nh")),
        )
        for column in build_work_fields(key, title)
    ),
    *_of_waits(report.EVERYWHERE, "jobs", "p50_h", "p90_h"),
    Column(figure=WAITING["never"]),
    named("usd"),
    named("usd_per_month"),
    Column(figure=WAITING["window_usd_per_month"], media=PAGE, value="usd_per_month"),
)
"""About planned runs that come again."""

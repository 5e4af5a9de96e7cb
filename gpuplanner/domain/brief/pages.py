"""What a brief is made of: pages of sentences, pictures, tables and notes, which screen, PDF and PPTX lay out."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures.typed import change, day, gpus, month, of_unit, short_day, whole, worded_whole
from gpuplanner.domain.message import Message, Part, Text, Value, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import PartSum, sum_text
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports.report import Column as ReportColumn
from gpuplanner.domain.reports.report import Medium, Report, Unknown, rounded_values, whole_amounts
from gpuplanner.lazy_dataclass import dataclass, fields, is_dataclass, replace

BarKind = Literal["start", "step", "scaled", "result"]
UNKNOWN_MODEL: Final = worded("unknown model")
MORE: Final = " \u00b7 more in the workbook"
"""Of a page of a file that has no room for all of it, behind what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeFigure:
    """One large figure. key: its name in the JSON; amount: the evaluation's own (None: unknown); text: as written.

    unit: what stands behind the text; note: what the figure is now, or what it hangs on.
    """

    key: str
    title: Text
    unit: Text
    amount: float | None
    text: Part
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table; share: of the table's width, beside the others' shares."""

    heading: Text
    is_number: bool = True
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """A table as it is read. total: its last row, stronger; note: what it leaves out, or where it comes from.

    urgent: rows whose day is within 14 days, written in red; day_column: where that day stands. subtotals: rows that
    are stronger, as the total is. is_form: its empty cells are to be written in by hand.
    """

    title: Text
    columns: tuple[Column, ...]
    rows: tuple[tuple[Part, ...], ...]
    total: tuple[Part, ...] = ()
    note: Text = ""
    urgent: frozenset[int] = frozenset()
    day_column: int = 0
    subtotals: frozenset[int] = frozenset()
    is_form: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Sentences, one a paragraph. is_warning: an open risk, in an amber frame."""

    title: Text
    sentences: tuple[Text, ...]
    is_warning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar of a bridge: usd its height, or its signed change (None: unknown); text: as written."""

    name: Text
    note: Text
    usd: float | None
    kind: BarKind
    text: Part


@dataclass(frozen=True, slots=True)
class BridgeChart:
    """From one amount over steps to another."""

    title: Text
    bars: tuple[Bar, ...]
    unit: Text = worded("$ per month")


@dataclass(frozen=True, slots=True, eq=False)
class DurationChart:
    """The load duration curve of one pool and model, with its layers.

    plan: with its hours of month 0, which are sorted where it is drawn.
    """

    title: Text
    plan: PoolPlan


@dataclass(frozen=True, slots=True)
class Line:
    """$ of each month; None: unknown."""

    name: Text
    usd: tuple[float | None, ...]
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class MonthsChart:
    """Lines over months; months: the name of each; at: the month that is told of, None where all are."""

    title: Text
    months: tuple[Text, ...]
    lines: tuple[Line, ...]
    at: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DemandChart:
    """Mean GPUs a day, stacked by pool; start_s: epoch seconds of the first day; gpus of each pool: shape (days,).

    start_s None: the log counts its time from 0, so its days are numbered.
    """

    title: Text
    start_s: int | None
    series: tuple[tuple[Pool, Floats], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """A bar of the timeline, epoch seconds. end_s None: no end; is_planned: not signed; is_by_use: paid by use."""

    start_s: int
    end_s: int | None
    term_months: int
    is_planned: bool = False
    is_by_use: bool = False


@dataclass(frozen=True, slots=True)
class TimeRow:
    """One line of the timeline: a contract and what follows it, or an order. order_by_s: the last day for it.

    is_overdue: that day had gone when the brief was written; order_by_s is then the day of writing.
    """

    name: Text
    spans: tuple[TimeSpan, ...]
    order_by_s: int | None = None
    is_overdue: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineChart:
    """Contracts and orders from begin_s to end_s; written_s is the day of the brief."""

    title: Text
    rows: tuple[TimeRow, ...]
    begin_s: int
    end_s: int
    written_s: int


Chart = BridgeChart | DurationChart | MonthsChart | DemandChart | TimelineChart
Block = Chart | TableBlock | TextBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page. kicker: what it is about; title: what it says, a whole sentence.

    rows: blocks side by side, from the top; figures stand in a strip under the title. is_whole: what has no room
    goes on on another sheet; of other pages it is left out where the brief has its most sheets.
    """

    key: str
    kicker: Text
    title: Text
    rows: tuple[tuple[Block, ...], ...]
    figures: tuple[LargeFigure, ...] = ()
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """All pages. head, foot: what stands on every one of them; written_s: epoch seconds of the day of writing. most: so
    many sheets at most; None: as many as it takes.

    No renderer works out a figure, or declares a page.
    """

    title: Text
    head: Text
    foot: Text
    pages: tuple[Page, ...]
    written_s: int = 0
    most: int | None = None


def written(brief: Brief, say: Callable[[Text], str]) -> Brief:
    """The brief with all its words and numbers as one medium writes them: plain texts.

    say: a text as it is read there, with its language, money and digits.
    """
    answer: Brief = _written(brief, say)
    return answer


def _written(value: Any, say: Callable[[Text], str]) -> Any:
    """All words of a value and of what it holds; amounts, days and keys are left as they are."""
    if isinstance(value, Value):
        return say(joined((value,)))
    if isinstance(value, Message | str):
        return say(value)
    if isinstance(value, tuple):
        return tuple(_written(part, say) for part in value)
    if is_dataclass(value) and type(value).__module__ == __name__ and not isinstance(value, type):
        by_name = {each.name: getattr(value, each.name) for each in fields(value)}
        return replace(
            value, **{name: _written(part, say) for name, part in by_name.items() if name not in _KEYS}
        )
    return value


_KEYS: Final = ("key", "kind", "series")
"""Fields that are names of ours, or nothing to read."""


# ---------------------------------------------------------------- words that many pages have


def days(start_s: int, end_s: int) -> Message:
    """1 Jul 2026 - 3 Jul 2026 with a true dash and the last day; the end is exclusive.

    start_s, end_s: epoch seconds.
    """
    return joined((day(start_s), day(end_s - 1)), " \u2013 ")


def day_of_log(start_s: int | None, number: int) -> Message:
    """The day of a log by its number, from 0 on: 3 Jul; of a log without a calendar day 12.

    start_s: epoch seconds of its first day; None: its time counts from 0.

    >>> str(day_of_log(0, 40)), str(day_of_log(None, 40))
    ('10 Feb', 'day 40')
    """
    if start_s is None:
        return worded("day {number}", number=whole(number))
    return joined((short_day(start_s + number * DAY_S),))


def quarters(begin_s: int, end_s: int) -> list[tuple[int, Message]]:
    """The first days of quarters, with words; the first of a year says the year.

    begin_s, end_s: epoch seconds; both ends count. Each with its own epoch seconds, UTC.
    """
    first, last = datetime.fromtimestamp(begin_s, UTC).year, datetime.fromtimestamp(end_s, UTC).year
    days = (
        datetime(year, month, 1, tzinfo=UTC) for year in range(first, last + 1) for month in (1, 4, 7, 10)
    )
    return [
        (at_s, joined((str(day.year) if day.month == 1 else month(at_s),)))
        for day in days
        if begin_s <= (at_s := int(day.timestamp())) <= end_s
    ]


def page_words(page: Page) -> Message:
    """All that a page shows, in words: its figures, then its blocks."""
    figures = [
        worded("{title}: {value}, {unit}.", title=row.title, value=row.text, unit=row.unit)
        if not str(row.note)
        else worded(
            "{title}: {value}, {unit}, {note}.", title=row.title, value=row.text, unit=row.unit, note=row.note
        )
        for row in page.figures
    ]
    return sentences(*figures, *(block_words(block) for row in page.rows for block in row))


def block_words(block: Block) -> Message:
    """A block in words, for who does not see it: its title, what it shows, and its amounts."""
    if isinstance(block, TextBlock):
        return sentences(block.title and joined((block.title, ".")), *block.sentences)
    if isinstance(block, TableBlock):
        heads = [column.heading for column in block.columns]
        rows = [*block.rows, *([block.total] if block.total else [])]
        texts = (
            joined(
                [
                    part
                    for head, cell in zip(heads, row, strict=True)
                    if str(cell)
                    for part in (joined((head, cell), " "),)
                ],
                ", ",
            )
            for row in rows
        )
        return sentences(worded("{title}: {rows}.", title=block.title, rows=joined(texts, "; ")), block.note)
    if isinstance(block, DurationChart):
        return worded(
            "{title}. Mean {mean} GPUs, highest {highest}.",
            title=block.title,
            mean=gpus(block.plan.demand.mean_gpus),
            highest=gpus(block.plan.demand.peak_gpus),
        )
    if isinstance(block, MonthsChart):
        ends = [
            worded(
                "{line} from {first} to {last}",
                line=line.name,
                first=whole(line.usd[0]),
                last=whole(line.usd[-1]),
            )
            for line in block.lines
            if line.usd
        ]
        return worded(
            "{title}. Lines from {first} to {last}: {lines}.",
            title=block.title,
            first=block.months[0],
            last=block.months[-1],
            lines=joined(ends, "; "),
        )
    if isinstance(block, DemandChart):
        means = [
            worded("{pool} {gpus} GPUs on average", pool=POOL_TITLES[pool], gpus=gpus(float(values.mean())))
            for pool, values in block.series
            if len(values)
        ]
        return worded("{title}. Areas: {means}.", title=block.title, means=joined(means, "; "))
    bars: list[Text] = []
    if isinstance(block, BridgeChart):
        bars = [joined((bar_name(bar), bar.text), " ") for bar in block.bars]
    elif isinstance(block, TimelineChart):
        bars = [_row_words(row) for row in block.rows]
    return worded("{title}. Bars: {bars}.", title=block.title, bars=joined(bars, "; "))


def bar_name(bar: Bar) -> Message:
    """The name of a bar and its note, on one line."""
    return joined([part for part in (bar.name, bar.note) if str(part)], " ")


def _row_words(row: TimeRow) -> Text:
    """A line of the timeline in words."""
    if row.order_by_s is None:
        return row.name
    if row.is_overdue:
        return worded("{name}, overdue", name=row.name)
    return worded("{name}, by {by}", name=row.name, by=day(row.order_by_s))


def counted(count: int, singular: str, many: str = "") -> Message:
    """1 job, 2 jobs.

    many: where it is not `singular` with an s.

    >>> str(counted(1, "job")), str(counted(2_000, "job")), str(counted(2, "boundary", "boundaries"))
    ('1 job', '2,000 jobs', '2 boundaries')
    """
    return worded_whole(count, f"{{count}} {singular}", f"{{count}} {many or singular + 's'}")


def counted_gpus(amount: float) -> Message:
    """1 GPU, 90 GPUs, 4.5 GPUs."""
    return worded_count(amount, "{gpus} GPU", "{gpus} GPUs", gpus=gpus(amount))


def listed(parts: Sequence[Part]) -> Message:
    """A, B and C.

    >>> str(listed(["A", "B", "C"])), str(listed(["A"])), str(listed([]))
    ('A, B and C', 'A', '')
    """
    if len(parts) < 2:
        return joined(parts)
    return joined((joined(parts[:-1], ", "), worded(" and "), parts[-1]))


def sentences(*texts: Text) -> Message:
    """Sentences one after the other; those that say nothing are left out."""
    return joined([text for text in texts if str(text)], " ")


# ---------------------------------------------------------------- a report as a block

NO_CLUSTER: Final = worded("no cluster")


def report_block(
    report: Report,
    about: Any,
    title: Text,
    shares: Mapping[str, float],
    most: int | None = None,
    sheet: str = "",
) -> TableBlock:
    """The first rows of a report, a row for the rest and the total, where it has them: whole money that adds up.

    shares: of the width, by column; most: rows that are listed, where the report does not say it; sheet: where the
    workbook has the others.
    """
    rows = report.rows_in(Medium.BRIEF, about)
    columns = report.columns_of(Medium.BRIEF, rows)
    cells = [write_cells(report, column, rows) for column in columns]
    left = 0 if most is None else len(rows) - most
    others = report.rest_in(Medium.BRIEF, about)
    total = report.total_of(Medium.BRIEF, about)
    return TableBlock(
        title=title,
        columns=tuple(
            Column(
                worded("Flag") if column.form == "flag" else column.heading(", "),
                column.figure is not None and column.form in ("value", "change"),
                shares.get(column.name or str(column.title), 1.0) if column.form != "flag" else 1.0,
            )
            for column in columns
        ),
        rows=(
            *list(zip(*cells, strict=True))[:most],
            *(() if others is None else (_of_several(columns, others),)),
        ),
        total=() if total is None else _of_several(columns, total),
        note=sentences(
            report.note, worded("{count} more on the sheet {sheet}.", count=whole(left), sheet=sheet)
        )
        if sheet and left > 0
        else report.note,
    )


def write_cells(report: Report, column: ReportColumn, rows: list[Any]) -> list[Part]:
    """A column as it is written: money in whole dollars that add up, a flag as its title where it holds."""
    figure = column.figure
    if figure is None:
        return [write_text(column, row) for row in rows]
    if column.form == "flag":
        return [lowered(figure.title) if column.of(row) else "" for row in rows]
    is_money = figure.unit.key == "usd"
    values = whole_amounts(report, column, rows) if is_money else rounded_values(column, rows)
    is_change = is_money and column.form == "change"
    parts: list[Part] = []
    for row, value in zip(rows, values, strict=True):
        if value is None:
            parts.append(write_unknown(column.unknown_of(row)))
        elif is_change:
            parts.append(change(value))
        else:
            parts.append(of_unit(value, figure.unit.key))
    return parts


def _of_several(columns: tuple[ReportColumn, ...], row: Any) -> tuple[Part, ...]:
    """A row that stands for several, as the total does: blank where it has nothing."""
    return tuple(
        "" if not hasattr(row, column.name) else write_total(column, getattr(row, column.name))
        for column in columns
    )


def write_total(column: ReportColumn, value: Any) -> Part:
    """One value by its unit; of a sum the whole of it, or what it is at least."""
    if column.figure is None:
        return value if isinstance(value, Message) else str(value)
    return sum_text(value, whole) if isinstance(value, PartSum) else of_unit(value, column.figure.unit.key)


def write_unknown(of: Unknown) -> Part:
    """What stands where a value is unknown: of money what it is at least."""
    return sum_text(of.known, whole) if of.known.is_at_least else of.text


def write_text(column: ReportColumn, row: Any) -> Part:
    """A text; a date as a day; words where a cluster has no name."""
    value = column.of(row)
    if column.form == "date" and isinstance(value, int):
        value = joined((day(value),))
    if not value:
        return NO_CLUSTER if column.key == "cluster" else ""
    return value if isinstance(value, Message | Value) else joined((str(value),))

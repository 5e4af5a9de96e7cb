"""What a brief is made of: pages that writers of PDF and PPTX lay out, each in its own way."""

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.money_signs import english_in, in_money
from gpuplanner.domain.model.pool import Pool

BarKind = Literal["start", "step", "scaled", "result"]


@dataclass(frozen=True, slots=True)
class LargeFigure:
    """One large figure. key: its name in the JSON; amount: the evaluation's own (None: unknown); text: as written.

    unit: what stands behind the text; note: what the figure is now, or what it hangs on.
    """

    key: str
    title: Text
    unit: str
    amount: float | None
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table; share: of the table's width, beside the others' shares."""

    heading: Text
    is_number: bool = True
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table as it is read. total: its last row, stronger; note: what it leaves out, or where it comes from."""

    title: Text
    columns: tuple[Column, ...]
    rows: tuple[tuple[Text, ...], ...]
    total: tuple[str, ...] = ()
    note: Text = ""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Sentences, one a paragraph."""

    title: str
    sentences: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a bridge: usd its height, or its signed change (None: unknown); text: as written."""

    name: str
    note: str
    usd: float | None
    kind: BarKind
    text: str


@dataclass(frozen=True, slots=True)
class BridgeChart:
    """From one amount over steps to another."""

    title: str
    bars: tuple[Bar, ...]
    unit: str = "$ per month"


@dataclass(frozen=True, slots=True, eq=False)
class DurationChart:
    """The load duration curve of one pool and model, with its layers.

    plan: with its hours of month 0, which are sorted where it is drawn.
    """

    title: str
    plan: PoolPlan


@dataclass(frozen=True, slots=True)
class Line:
    """$ of each month; None: unknown."""

    name: str
    usd: tuple[float | None, ...]
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class MonthsChart:
    """Lines over months; months: the name of each."""

    title: str
    months: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DemandChart:
    """Mean GPUs a day, stacked by pool; start_s: epoch seconds of the first day; gpus of each pool: shape (days,).

    start_s None: the log counts its time from 0, so its days are numbered.
    """

    title: str
    start_s: int | None
    series: tuple[tuple[Pool, Floats], ...]


@dataclass(frozen=True, slots=True)
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

    name: str
    spans: tuple[TimeSpan, ...]
    order_by_s: int | None = None
    is_overdue: bool = False


@dataclass(frozen=True, slots=True)
class TimelineChart:
    """Contracts and orders from begin_s to end_s; written_s is the day of the brief."""

    title: str
    rows: tuple[TimeRow, ...]
    begin_s: int
    end_s: int
    written_s: int


Chart = BridgeChart | DurationChart | MonthsChart | DemandChart | TimelineChart
Block = Chart | TableBlock | TextBlock


@dataclass(frozen=True, slots=True)
class Page:
    """One page. kicker: what it is about; title: what it says, a whole sentence.

    rows: blocks side by side, from the top; figures stand in a strip under the title.
    """

    key: str
    kicker: str
    title: str
    rows: tuple[tuple[Block, ...], ...]
    figures: tuple[LargeFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """All pages. head, foot: what stands on every one of them; written_s: epoch seconds of the day of writing.

    No writer of a file works out a figure.
    """

    title: str
    head: str
    foot: str
    pages: tuple[Page, ...]
    written_s: int = 0


def brief_in_money(brief: Brief, code: str) -> Brief:
    """The brief with the sign of a currency in all its words; itself in US dollars. Amounts are in it already."""
    answer: Brief = _in_money(brief, code)
    return answer


def _in_money(value: Any, code: str) -> Any:
    """All words of a value and of what it holds; amounts are left as they are."""
    if isinstance(value, Message):
        return english_in(value, code)
    if isinstance(value, str):
        return in_money(value, code)
    if isinstance(value, tuple):
        return tuple(_in_money(one, code) for one in value)
    if is_dataclass(value) and type(value).__module__ == __name__ and not isinstance(value, type):
        return replace(
            value, **{each.name: _in_money(getattr(value, each.name), code) for each in fields(value)}
        )
    return value

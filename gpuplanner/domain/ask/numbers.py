"""A number of an answer, how it stands in a sentence by its unit, and the answer: one sentence and its numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import amount, day, decimals, gpus, percent, whole
from gpuplanner.domain.message import Message, Part, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, in_all, lacking_sentences
from gpuplanner.domain.model.window import DAY_S, has_calendar
from gpuplanner.lazy_dataclass import dataclass

MOST: Final = 3
UNITS: Final[Mapping[str, Callable[[float], Part]]] = {
    "usd": amount,
    "usd_per_month": lambda value: worded("{usd} a month", usd=amount(value)),
    "usd_per_gpu_hour": lambda value: worded("{usd} per useful GPU-hour", usd=amount(value, 2)),
    "rate_usd_per_gpu_hour": lambda value: worded("{usd} per GPU-hour", usd=amount(value, 2)),
    "usd_per_million_tokens": lambda value: worded("{usd} per million tokens", usd=amount(value, 2)),
    "ratio": lambda value: percent(value, 1),
    "gpu_hours": lambda value: worded("{hours} GPU-hours", hours=whole(value)),
    "kwh_per_month": lambda value: worded("{kwh} kWh per month", kwh=whole(value)),
    "kg_per_month": lambda value: worded("{kg} kg per month", kg=whole(value)),
    "kwh": lambda value: worded("{kwh} kWh", kwh=whole(value)),
    "kg": lambda value: worded("{kg} kg", kg=whole(value)),
    "kw": lambda value: worded("{kw} kW", kw=decimals(value)),
    "months": lambda value: worded_count(value, "{months} month", "{months} months", months=decimals(value)),
    "gpus": lambda value: worded_count(value, "{gpus} GPU", "{gpus} GPUs", gpus=gpus(value)),
    "hours": lambda value: worded("{hours} h", hours=decimals(value)),
    "ms": lambda value: worded("{ms} ms", ms=decimals(value)),
    "count": whole,
    "date": lambda value: dated(int(value)),
}
"""How a number stands in a sentence, by its unit in documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of an answer. value: None is unknown, of a date epoch seconds; path: where documents have it, "": none
    has it. name: its field, where it has no path. known: of money that is unknown what is. last_s: the second
    that a sentence says of a date in place of its value, which is the moment after. sentence: what says it in place of
    its title and value."""

    title: Text
    value: float | None
    unit: str
    path: str = ""
    name: str = ""
    known: PartSum = NO_PARTS
    last_s: int | None = None
    sentence: Text = ""

    @property
    def written(self) -> Part:
        """As it stands in a sentence."""
        if self.value is not None:
            return UNITS[self.unit](self.value if self.last_s is None else self.last_s)
        least = joined(("\u2265 ", UNITS[self.unit](self.known.known)))
        return least if self.known.is_at_least else worded("unknown")


def dated(at_s: int) -> Part:
    """A day of the calendar; its number in the log, from 1, where time counts from 0. at_s: epoch seconds."""
    return day(at_s) if has_calendar(at_s) else worded("day {number}", number=whole(1 + at_s // DAY_S))


def first_day(title: Text, orders: Iterable[tuple[int, Order]]) -> list[Number]:
    """The last day for the first of some orders, with their places in the list; nothing of none."""
    return [
        Number(
            title=title,
            value=float(order.last_day_s),
            unit="date",
            path=f"orders[{at}].order_by",
            last_s=order.last_day_s,
        )
        for at, order in sorted(orders, key=lambda pair: pair[1].order_by_s)[:1]
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One sentence, its numbers, and what says the same: options of a call, or nothing for the plan as it is.

    is_of_file: a file alone can say it.
    """

    form: str
    sentence: Message
    numbers: tuple[Number, ...]
    as_words: tuple[str, ...] = ()
    is_of_file: bool = False


def told(numbers: Sequence[Number], most: int = MOST) -> Message:
    """The first so many under their titles, that there are more, and which rates those lack that are unknown."""
    each = [
        row.sentence or worded("{title} {value}", title=row.title, value=row.written)
        for row in numbers[:most]
    ]
    if len(numbers) > most:
        unknown = sum(number.value is None for number in numbers[most:])
        each.append(
            worded("and more, {many} unknown", many=whole(unknown)) if unknown else worded("and more")
        )
    lacking = lacking_sentences(in_all(number.known for number in numbers[:most] if number.value is None))
    return joined(filter(None, (worded("{each}.", each=joined(each, "; ")), lacking)), " ")

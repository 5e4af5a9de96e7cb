"""What a cell of a price comes to: of one GPU and hour, with how it was computed."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.price_history import is_far
from gpuplanner.files.tables import column_mapping, headings, small_table
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.tables.odd_rates import market_of
from gpuplanner.files.tables.priced_machine import Machine
from gpuplanner.files.values import amounts, word_lists
from gpuplanner.files.values.terms import term_within
from gpuplanner.lazy_re import lazy_re

NO_TEXTS: Final[Mapping[str, str]] = {}
NODE: Final = WORDS["machine"]
"""Machines that are sold whole: an instance or a VM may be any part of one."""


def with_rate(
    texts: dict[str, str],
    mapping: column_mapping.TableMapping,
    milli_gpus: int | None,
    row: small_table.Row,
    machine: Machine,
) -> dict[str, str]:
    """The texts with $ per GPU-hour in place of what the cell of the price says, where there is such a column.

    milli_gpus: what the row counts, None if it does not; machine: what a price of a machine is divided by.
    An unknown rate is the empty text.
    """
    column = mapping.of(column_mapping.RATE)
    if column is None:
        return texts
    rate = rate_of(texts[column_mapping.RATE], column, milli_gpus, row, machine, texts)
    return {**texts, column_mapping.RATE: "" if rate is None else f"{rate:f}"}


def _is_of_one(price: Decimal, milli_gpus: int | None, texts: Mapping[str, str]) -> bool:
    """Whether a price in a list of prices of machines and of single GPUs is near the market as that of one alone."""
    market, each = market_of(texts.get("gpu_model"), None, None), 1000 * price / (milli_gpus or 1000)
    is_near = market.high > 0 and not is_far(float(price), market)
    return is_near and (not milli_gpus or is_far(float(each), market))


def rate_of(
    text: str,
    column: column_mapping.ColumnReading,
    milli_gpus: int | None,
    row: small_table.Row,
    machine: Machine | None = None,
    texts: Mapping[str, str] = NO_TEXTS,
) -> Decimal | None:
    """The price of a GPU-hour in the currency of the row, which is said where it is not US dollars.

    None where the cell holds none, one of another currency than the row's, or of one that nobody knows.
    A price for several GPUs or hours is divided, and the arithmetic is said. What a cell itself says of hours, months
    or machines counts before a column for that, and both before the heading; a currency that is the row's counts before
    all. milli_gpus: those of the row; machine: one of the row's machines, by whose GPUs a price of a machine is
    divided; texts: the row's, see texts_of.
    """
    amount = amounts.read_amount(text, column.style or amounts.POINT)
    unit_of_row, of_row = texts.get(column_mapping.PRICE_UNIT, ""), texts.get(column_mapping.CURRENCY)
    currency = currency_of_price(amount, unit_of_row, column, of_row or "")
    is_part = amount.per.startswith("%")  # a discount
    is_open = amounts.is_range(text)
    is_sum = amount.number is not None and 0 < amount.number <= small_table.LARGEST_NUMBER
    if not is_sum or amount.number is None or is_part or is_open or not is_amount(text):
        is_told = text.strip() and text.strip().lower() not in amounts.NO_AMOUNT
        if is_told and (is_part or amount.number != 0):
            row.say("bad_number", small_table.cell_is(column.column, text))
        if is_open:
            row.say("quote_needed", worded(_NO_RATE.template, column=column.column))
        return None
    is_in_cents = currency == column_mapping.CENTS
    stated = number = amount.number
    if is_in_cents:
        number, currency = stated / 100, "USD"
    if currency != "USD":
        say_foreign(text, currency, row)
        if currency not in amounts.CODES or (of_row is not None and currency != (of_row or "USD")):
            return None
    unit_said = (
        unit_of_row if headings.price_period(unit_of_row) or headings.names_machine(unit_of_row) else ""
    )
    unit = _unit_ofcell_at(amount.per, _unit_ofcell_at(unit_said, column.unit or column_mapping.GPU_HOUR))
    hours, is_of_one = column_mapping.HOURS_OF_UNIT[unit]
    if hours == 1 and (is_of_one or (column.is_asked and _is_of_one(number, milli_gpus, texts))):
        if is_in_cents:
            price = joined((exact(stated), " / 100"))
            row.say("computed", worded("{price} = {rate} per GPU-hour", price=price, rate=exact(number)))
        return number
    name: Text = ""
    if machine is not None and not is_of_one:
        is_of_machine = any(map(headings.names_machine, (amount.per, unit_said, column.column)))
        is_of_machine = is_of_machine or (hours == 1 and machine.is_typed)
        is_of_machine = is_of_machine or bool(
            texts.get(column_mapping.NODES) and headings.is_each(column.column)
        )
        if is_of_machine or not milli_gpus:
            milli_gpus, name = _gpus_of_machine(machine, column, f"{amount.per} {unit_said}", texts)
        if not milli_gpus and machine.is_plain and not is_of_machine:
            milli_gpus = 1000  # a GPU by itself, in a list where others are of several
        if not milli_gpus:
            row.say(
                "undecided",
                worded(
                    "{price}: GPUs per node unknown; add a column {missing}",
                    price=text.strip()[:40],
                    missing=machine.missing,
                ),
            )
    if not is_of_one and not milli_gpus:
        return None
    gpus = Decimal(1000 if is_of_one else milli_gpus or 1000) / 1000
    each = number * hours.denominator / (hours.numerator * gpus)
    rate = each.quantize(Decimal("0.000001"))

    def arithmetic() -> Message:
        """How the price of one GPU and hour comes about."""
        price = joined((exact(stated), *((" / 100",) if is_in_cents else ())))
        counted = worded("{gpus} GPUs", gpus=exact(gpus.normalize()))
        if name:
            counted = worded("{gpus} GPUs of a {machine}", gpus=exact(gpus.normalize()), machine=name)
        parts = [f"{hours} h"] * (hours != 1) + [counted] * (not is_of_one)
        of = joined(parts or [f"{hours} h"], " x ")
        return worded(BY_PARTS.template, price=price, parts=of, rate=exact(rate.normalize()))

    if hours != 1 or gpus != 1 or is_in_cents:
        row.say("computed", arithmetic)
    return Decimal(f"{rate.normalize():f}") or None


@lru_cache(maxsize=4096)
def is_amount(text: str) -> bool:
    """Whether a cell holds an amount, and not words with a number among them.

    >>> [is_amount(text) for text in ("$2.10/h", "from 2.10", "as of Nov 2026", "3 years reserved", "on request")]
    [True, True, False, False, False]
    """
    if amounts.read_amount(text).number is None or amounts.currency_of(text) is not None:
        return amounts.read_amount(text).number is not None
    before = lazy_re(r"[^\W\d_]{2,}").findall(lazy_re(r"\d").split(text, 1)[0].lower())
    return _BEFORE_AMOUNTS.issuperset(before) and term_within(text) is None


_BEFORE_AMOUNTS: Final = headings.PRICE_TOKENS | word_lists.words(
    "from|starting|starts|at|as|low|up|to|least|most|min|max|ab|bis|dès|jusqu|à|partir|ca|circa|approx|about|only|nur"
    "|per|gpu|hour|now|spot|on|demand|od|reserved|secure|community|list|net|netto|usd"
)
BY_PARTS: Final = worded("{price} / ({parts}) = {rate} per GPU-hour")
_NO_RATE: Final = worded("“{column}” has ranges. Enter the rate, and the ends as rate_low and rate_high")


def _gpus_of_machine(
    machine: Machine, column: column_mapping.ColumnReading, text: str, texts: Mapping[str, str]
) -> tuple[int, Text]:
    """Thousandths of a GPU in a machine, and its name: as its row tells, else the heading; of nodes, as is usual.

    text: what the row says that the price is for.
    """
    milli_gpus = machine.milli_gpus or headings.gpus_in_heading(column.column) * 1000
    if milli_gpus or not NODE.search(f"{text} {column.column}"):
        return milli_gpus, machine.name
    return machine.usual * 1000, usual_node_words(texts) if machine.usual else ""


def currency_of_price(
    amount: amounts.Amount, unit_of_row: str, column: column_mapping.ColumnReading, of_row: str = ""
) -> str:
    """What the row says, else the cell, else the row's unit, else the heading; US dollars where none does.

    of_row: the cell of a column of currencies; unit_of_row: that of a column of units, such as EUR/month.
    """
    of_unit = amounts.currency_of(unit_of_row)
    named = [*filter(None, (amounts.other_currency(of_row), amount.currency, of_unit, column.currency))]
    return min(named, key=lambda code: "/" in code, default="USD")  # kr is that of the heading


def say_foreign(text: str, currency: str, row: small_table.Row) -> None:
    """Notes an amount with the currency that it is in, which is not the one expected; of several it may be any."""
    if "/" in currency:
        asked = worded(
            "“{value}” may be in {currencies}. Specify it, such as {how}",
            value=text.strip()[:40],
            currencies=currency[:40],
            how=f"--map currency=={currency.partition('/')[0]}",
        )
        return row.say("undecided", asked)
    message = worded("{value} in {currency}", value=text.strip()[:40], currency=currency[:40])
    row.say("other_currency", message)


def _unit_ofcell_at(per: str, unit: str) -> str:
    """The unit of a price whose cell may say more than its column.

    >>> _unit_ofcell_at("/mo", "gpu_hour"), _unit_ofcell_at("per node-hour", "gpu_hour"), _unit_ofcell_at("", "month")
    ('gpu_month', 'hour', 'month')
    """
    said = headings.price_unit(per)
    if headings.names_machine(per):
        return (said or unit).removeprefix("gpu_")
    if not said or column_mapping.HOURS_OF_UNIT[said].is_of_one:
        return said or unit
    return f"gpu_{said}" if column_mapping.HOURS_OF_UNIT[unit].is_of_one else said


def usual_node_words(texts: Mapping[str, str]) -> Message:
    """The words for the node that the GPU model of a row is mostly sold in, which no cell tells."""
    return worded("typical {model} node", model=texts.get("gpu_model", ""))

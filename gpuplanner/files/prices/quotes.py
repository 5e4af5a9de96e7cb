"""Quotes as vendors send them: what is said above and below their rows, and what of it an offer is told."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.figures.typed import decimals, exact, whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import gpu_families, rows_of
from gpuplanner.files.tables import column_mapping, headings
from gpuplanner.files.tables.contract_days import lead_hours
from gpuplanner.files.tables.layout import first_rows
from gpuplanner.files.tables.machine_or_gpu import cell_at
from gpuplanner.files.tables.mapped_cells import interconnect_word
from gpuplanner.files.tables.odd_rates import market_of
from gpuplanner.files.tables.price_cells import is_amount
from gpuplanner.files.tables.priced_machine import machine_of_offer, usual_node
from gpuplanner.files.tables.propose_mapping import body_rows
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.files.tables.small_table import Row, RowLeftOutError
from gpuplanner.files.values.amounts import currency_of, read_amount
from gpuplanner.files.values.exchange_texts import without_exchange
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.written_dates import MONTH_FIRST, decide_order, read_date
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

# --- What stands outside of the rows of a quote: terms of every offer, one-time fees, and sentences that cost money

ROWS_LOOKED_AT: Final = 1000
"""A list with more rows is no quote."""
LARGEST_NODE: Final = 16
"""GPUs; more are those of an order."""
FEES, OFFERED = "one_time_fee", "offered"
"""The field of a column of fees of whole rows; in texts, the GPUs that a row offers where it counts them."""
_DATES: Final = ("as_of", "valid_until")
_ABOVE: Final = 0
"""In place of a line: of the titles."""


@dataclass(frozen=True, slots=True)
class Fee:
    """What is paid once. each: `gpu`, a machine, or empty where it is of the whole order; words: as it is quoted."""

    words: str
    amount: Decimal
    currency: str
    each: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """terms: field of our own -> text, as of every offer that does not say it itself; is_answer: of a request of ours.

    head: the titles; rows: by line below the table, or above it, fees that it states, and its sentences of money that
    no field holds.
    """

    terms: Mapping[str, str] = field(default_factory=dict)
    is_answer: bool = False
    is_quote: bool = False
    head: str = ""
    rows: Mapping[int, tuple[tuple[Fee, ...], Sequence[str]]] = field(default_factory=dict)

    @property
    def titles(self) -> tuple[column_mapping.ColumnReading, ...]:
        """The terms as constants of a mapping."""
        why = worded("above or below the table")
        return tuple(
            column_mapping.ColumnReading(field=name, column=f"={text}", confidence=0.9, why=why)
            for name, text in self.terms.items()
        )


def quote_of(source: Source, mapping: column_mapping.TableMapping) -> Quote:
    """What a list says outside of its rows. Errors: as Source.rows."""
    titles = [cells for line, cells in first_rows(source, mapping.delimiter) if line < mapping.header_row]
    head = "\n".join(cell.strip() for cells in titles for cell in cells if cell.strip())
    is_answer = phrase("reference").search(source.head) is not None
    is_quote = is_answer or phrase("quote").search(head) is not None
    texts = {_ABOVE: (head, [])} if is_quote else dict[int, tuple[str, Sequence[str]]]()
    if head and not is_quote:
        texts = {_ABOVE: (head, [])} if _terms(head, "") else texts
    if source.lines <= ROWS_LOOKED_AT:
        texts |= {line: (" ".join(filter(None, cells)), cells) for line, cells in _remarks(source, mapping)}
    seller = (_vendor(head) if is_quote else "") or seller_of(head)
    terms = {"provider": seller or provider_of_file(source.path)}
    rows = {}
    for line, (text, cells) in texts.items():
        own = _terms(text, terms.get("as_of", ""))
        fees, costs = _money(text, cells)
        dates = [match[0] for name in _DATES if name not in own and (match := phrase(name).search(text))]
        rows[line], terms = (fees, [*costs, *dates]), own | terms
    return Quote(
        terms={name: text for name, text in terms.items() if text},
        is_answer=is_answer,
        is_quote=is_quote,
        head=head,
        rows=rows,
    )


@cache
def phrase(name: str) -> re.Pattern[str]:
    """How quotes say something, by the shipped table of it."""
    patterns = {row["name"]: row["pattern"] for row in rows_of("quote_words.csv")}
    pattern = patterns[name]
    for part in ("date", "length", "machines"):
        pattern = pattern.replace(part.upper(), patterns[part])
    return lazy_re(f"(?i){pattern}")


def _remarks(source: Source, mapping: column_mapping.TableMapping) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows below the headings that are of no GPU."""
    at = mapping.place_of("gpu_model")
    for line, cells in islice(body_rows(source, mapping), ROWS_LOOKED_AT):
        texts = [cell.strip() for cell in cells]
        is_remark = phrase("fee").search(" ".join(texts)) is not None or sum(map(bool, texts)) <= 2
        if is_remark and not headings.is_gpu_name(cell_at(texts, at)):
            yield line, texts


def _vendor(head: str) -> str:
    """Who quotes: as a label says it, else what is called like a company, else what stands first and is no title."""
    if match := phrase("provider").search(head):
        return "" if phrase("no_name").search(match[1]) else match[1].strip()
    cells = phrase("title_part").split(phrase("cut_name").sub(", ", head))
    names = [
        cell
        for before, cell in zip(["", *cells], cells, strict=False)
        if not phrase("no_name").search(cell) and not phrase("of_buyer").search(before)
    ]
    return next(filter(phrase("company").search, names), names[0] if names[:1] == cells[:1] else "")


def seller_of(head: str) -> str:
    """Who sells, by the title of a price list: what is left of it without the words of price lists.

    >>> seller_of("Orbis Cloud - GPU price list 2026-11"), seller_of("Preisliste Vela GmbH, Stand 11/2026")
    ('Orbis Cloud', 'Vela GmbH')
    >>> seller_of("GPU prices Q4 2026"), seller_of("H100 price list"), seller_of("Capacity plan")
    ('', '', '')
    """
    for line in head.splitlines():
        if not phrase("list_title").search(line):
            continue
        parts = [part.strip(" .:") for part in phrase("list_words").split(phrase("list_cut").sub("|", line))]
        names = [
            part for part in parts if phrase("list_name").fullmatch(part) and not headings.is_gpu_name(part)
        ]
        if len(names) == 1 and len(names[0].split()) <= _WORDS_OF_NAME:
            return names[0]
    return ""


_WORDS_OF_NAME: Final = 4


def provider_of_file(path: str) -> str:
    """A known provider that the name of a file begins or ends with; empty without one.

    >>> provider_of_file("lambda_prices_2026.csv"), provider_of_file("prices.csv")
    ('Lambda', '')
    """
    words_of = lazy_re(r"[a-zA-Z]+").findall(PurePath(path).stem)
    spans = (words_of[start : start + size] for size in (2, 1) for start in range(len(words_of) - size + 1))
    names = {name for span in spans if (name := provider_named(" ".join(span)))}
    return names.pop() if len(names) == 1 else ""


def _terms(text: str, quoted_on: str) -> dict[str, str]:
    """What a text says of all offers, by field; a date that is two days is none. quoted_on: ISO, may be empty."""
    dates = {name: " ".join(match[1].split()) for name in _DATES if (match := phrase(name).search(text))}
    order, is_open = decide_order([*dates.values()])
    days = {} if is_open else {name: read_date(day, order or MONTH_FIRST) for name, day in dates.items()}
    terms = {name: day[:10] for name, day in days.items() if day}
    quoted_on = terms.get("as_of", quoted_on)
    if quoted_on and "valid_until" not in dates and (length := phrase("valid_for").search(text)):
        lasts = timedelta(hours=float(_hours(length)))
        terms["valid_until"] = (date.fromisoformat(quoted_on) + lasts).isoformat()
    if lead := phrase("lead_time_hours").search(text):
        terms["lead_time_hours"] = _hours(lead)
    if least := phrase("min_gpus").search(text):
        machine = least[2] or least[4]
        terms["min_gpus"] = (least[1] or least[3]) + f" {machine}" * (not phrase("of_gpu").match(machine))
    return terms


def _hours(length: re.Match[str]) -> str:
    """Hours of a length of time; five business days are a week."""
    hours, of_work = Decimal(lead_hours(f"{length[1]} {length[3]}", "")), (length[2] or "").lower()
    return f"{(hours * 7 / 5 if of_work[:1] in ('b', 'w') and of_work else hours).normalize():f}"


def _money(text: str, cells: Sequence[str]) -> tuple[tuple[Fee, ...], Sequence[str]]:
    """The fees that a row or a text states, and its sentences that cost money and are no such fee."""
    sums = [cell for cell in cells if is_amount(cell)]
    if phrase("fee").search(text) and sums and not phrase("recurring").search(text):
        return (_fee(text, sums[-1]),), ()
    fees, left = list[Fee](), list[str]()
    for sentence in filter(
        None, map(str.strip, phrase("sentence_end").split(phrase("taxed").sub(" ", without_exchange(text))))
    ):
        paid = phrase("sum").findall(sentence)
        if phrase("fee").search(sentence) and len(paid) == 1 and not phrase("recurring").search(sentence):
            fees.append(_fee(sentence, paid[0]))
        elif (phrase("costs").search(sentence) or paid) and not phrase("free").search(sentence):
            left.append(sentence)
    return tuple(fees), left


def _fee(words: str, text: str) -> Fee:
    """A fee of an amount, for what its words say."""
    amount, each = read_amount(text.strip()), phrase("each").search(f"{words} {text}")
    currency = amount.currency or currency_of(words) or ""
    return Fee(
        (words if text in words else f"{words} {text}")[:80],
        amount.number or Decimal(0),
        currency,
        each[1] if each else "",
    )


def say_costs(quote: Quote, rows: Sequence[tuple[int, Row, str]]) -> None:
    """Say of the rows that are no offers what they cost all the same; of the titles the first offer says it."""
    above = quote.rows.get(_ABOVE, ((), ()))[1]
    for line, row, _ in rows:
        fees, costs = quote.rows.get(line, ((), ())) if row.left_out is not None else ((), above)
        words = worded("“{costs}” is not counted", costs=" ".join(costs)[:300])
        if row.left_out is None and costs:
            row.say("undecided", words)
            above = ()
        elif costs:
            enter = worded("enter its cost by hand, in Prices or the file")
            row.left_out = RowLeftOutError("left_out", words, enter)
        elif fees and not quote.is_answer:
            words = worded("“{fee}”: one-time fee, not an offer", fee=fees[0].words)
            row.left_out = RowLeftOutError("computed", words)


# --- What a row is told: fees of a GPU, machines that its count is of, hardware that its description names


def may_be_gpu(item: str, heading: str, unit: str) -> bool:
    """Whether what a row sells may be a GPU: by its name, or by the heading of its column where it is no fee.

    unit: what the price is for.
    """
    if headings.is_gpu_name(item) or gpu_families().read(item) is not None:
        return True
    is_name = " " not in item or any(map(str.isdigit, item))
    is_model = is_name and phrase("model_heading").search(heading) is not None
    return is_model and phrase("fee").search(f"{item} {unit}") is None


def count_machines(
    texts: dict[str, str],
    cells: Sequence[str],
    mapping: column_mapping.TableMapping,
    unit: str,
    *,
    is_quote: bool,
) -> None:
    """Take a count of machines for how many are offered, and not for the GPUs of one.

    unit: what the row says that it counts.
    """
    if (column := mapping.of("gpus")) is None:
        return
    item, count = (cell_at(cells, mapping.place_of(name)) for name in ("gpu_model", "gpus"))
    unit = f"{column.unit.replace(column_mapping.GPUS, '')} {column.column} {unit}"
    each, is_of_gpus = headings.gpus_in_heading(item), headings.unit_for(unit).startswith("gpu")
    texts[OFFERED] = count if is_of_gpus else ""
    is_of_machines = headings.names_machine(unit) or (is_quote and headings.may_be_machine(item))
    if count and is_of_machines and not is_of_gpus and not headings.price_period(unit):
        known = each or machine_of_offer((item,), {"gpus": texts.get(column_mapping.GPUS_PER_NODE, "")}).gpus
        known = known or usual_node(texts.get("gpu_model", ""))
        texts["max_gpus"], texts["gpus"] = f"{count} nodes", f"{known or ''}"


def with_fees(
    texts: dict[str, str], quote: Quote, mapping: column_mapping.TableMapping, machine: Decimal, row: Row
) -> str:
    """Add what is paid once to what a GPU costs to set up; the words of fees that nothing divides, and of answers.

    machine: the GPUs of one. A fee of the order is divided by the GPUs offered, never by those of a machine's name.
    """
    names = (OFFERED, "max_gpus", *(["gpus"] if mapping.of("gpus") is not None else []))
    counts = (read_decimal(texts.get(name, "")) for name in names)
    offered, own_fee, column = next(filter(None, counts), None), texts.pop(FEES, ""), mapping.of(FEES)
    fees = [fee for of_line, _ in quote.rows.values() for fee in of_line]
    fees += [_fee(column.column, own_fee)] if column is not None and is_amount(own_fee) else []
    machine = machine if 0 < machine <= LARGEST_NODE else Decimal(usual_node(texts.get("gpu_model", "")))
    currency, total, left = texts.get("currency") or "USD", Decimal(0), list[str]()
    for fee in fees:
        gpus = machine if fee.each else offered
        if phrase("of_gpu").match(fee.each):
            gpus = Decimal(1)
        if quote.is_answer or not gpus or (fee.currency or currency) != currency:
            left.append(f"fee: {fee.words}")
            continue
        total += fee.amount / gpus
        each = decimals(float(fee.amount / gpus), 2)
        words = worded(
            "“{fee}” / {gpus} GPUs = {each} per GPU, once", fee=fee.words, gpus=exact(gpus), each=each
        )
        row.say("computed", words)
    if total and not texts.get("setup_usd"):
        texts["setup_usd"] = f"{total.quantize(Decimal('0.000001')).normalize():f}"
    return "; ".join(left)


def described(row: str) -> dict[str, str]:
    """The interconnect and bare metal that a row of a quotation names behind its GPU; empty what it does not."""
    plain = phrase("without").sub(" ", row)
    word, is_bare = interconnect_word(plain), phrase("bare_metal").search(plain)
    return {"interconnect": "" if word == plain else word, "bare_metal": "yes" if is_bare else ""}


# --- Prices less a discount, and those that are paid beside list prices

_OFF: Final = lazy_re(
    r"(?i)(?!.*[$€£])\W*(?:(?:your|our|volume|customer|total|partner|special)\W+)?"
    r"(?:discount|rabatt|nachlass|remise|descuento)(?:\W|rate|pct|percent|in|off|from|list)*"
)
_OF_LIST: Final = lazy_re(r"(?i)\blist(?:en)?\W?(?:price|preis|rate)|\bprix (?:public|catalogue)|\blist\b")


def as_paid(mapping: column_mapping.TableMapping, quote: Quote) -> column_mapping.TableMapping:
    """The mapping of a quote without list prices beside those that are paid. Of the one price of a list with a discount
    the row's own term is taken; the discount is `compared`.
    """
    rates = [column for column in mapping.rates if not _OF_LIST.search(column.column)]
    prices = [column.column for column in mapping.rates] + [*filter(_OF_LIST.search, mapping.unused)]
    is_full = len(prices) == 1 and headings.PAID_TOKENS.isdisjoint(headings.plain_words(prices[0]).split())
    if is_full and (off := next(filter(_OFF.fullmatch, mapping.unused), "")):
        rates = [replace(column, field=column_mapping.RATE) for column in mapping.rates]
        mapping = replace(mapping, compared=(off,))
    elif not quote.is_quote or not rates:
        return mapping
    others = (column for column in mapping.columns if not column_mapping.is_rate(column.field))
    return replace(mapping, columns=(*others, *rates))


def take_off(row: Row, cell: str) -> None:
    """Take a discount in percent off the rates of a row."""
    off = read_amount(cell).number or Decimal(0)
    off = off if "%" not in cell and off < 1 else off / 100
    for at, (category, term, rate) in enumerate(row.ways if 0 < off < 1 else ()):
        less = f"{(Decimal(rate or 0) * (1 - off)).normalize():f}" if rate else ""
        row.ways = (*row.ways[:at], (category, term, less), *row.ways[at + 1 :])
        row.say(
            "computed",
            worded("{price} less {off} = {rate} per GPU-hour", price=rate, off=cell.strip(), rate=less),
        )


def of_machine(row: Row, texts: Mapping[str, str], mapping: column_mapping.TableMapping, item: str) -> None:
    """Take prices by the hour of what is sold as machines, an HGX or 8x, as what is nearer the market, and ask: neither
    a heading nor a count says whether they are of one GPU.
    """
    stated_unit = " ".join(
        (texts.get(column_mapping.PRICE_UNIT, ""), *(column.column for column in mapping.rates))
    )
    size = headings.gpus_in_heading(item) or usual_node(texts.get("gpu_model", "")) * headings.may_be_machine(
        item
    )
    if (
        size < 2
        or texts.get("gpus")
        or mapping.of("gpus")
        or "gpu" in stated_unit.lower()
        or headings.names_machine(stated_unit)
    ):
        return
    for at, (category, term, rate) in enumerate(row.ways):
        low, high = market_of(texts["gpu_model"], None, PricingCategory(category.upper()))
        if rate and (is_machine := bool(high) and float(rate) > (low * high * size) ** 0.5):
            each = f"{(Decimal(rate) / size).quantize(Decimal('0.000001')).normalize():f}"
            row.ways = (*row.ways[:at], (category, term, each), *row.ways[at + 1 :])
        taken = whole(size if rate and is_machine else 1)
        row.say(
            "undecided",
            worded(
                "{price} may be per GPU or for all {size}: read as {taken}",
                price=rate,
                size=whole(size),
                taken=taken,
            ),
        )

"""Reconciliation: the figures that a file states itself, against what was read of it, and readings that would agree."""

import re
import shlex
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product, takewhile
from math import fsum
from typing import Any, Final, NamedTuple, TypeVar

from gpuplanner.domain.figures.typed import significant, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded, worded_both, worded_count
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import AlternativeReading, Issue, StatedFigure
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.contracts.contract_tables import read_contracts
from gpuplanner.files.job_logs.judging.stated_totals import FIGURES, SAID, StatedTotals, figure_named
from gpuplanner.files.prices.price_tables import read_prices
from gpuplanner.files.prices.quotes import LARGEST_NODE, as_paid, quote_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.column_mapping import TableMapping
from gpuplanner.files.tables.fields import OWN_COLUMNS
from gpuplanner.files.tables.headings import OF_ONE_PRICE, PRICE_TOKENS, TOTAL_ROWS, TOTAL_TOKENS, plain_words
from gpuplanner.files.tables.layout import first_rows
from gpuplanner.files.tables.mapped_cells import adds_up
from gpuplanner.files.tables.odd_rates import market_of
from gpuplanner.files.tables.price_cells import is_amount
from gpuplanner.files.tables.propose_mapping import body_rows, propose_table_mapping
from gpuplanner.files.tables.small_table import TableRead, worded_message
from gpuplanner.files.values import amounts, number_styles
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.word_lists import in_words
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

Value = TypeVar("Value", Contract, Offer)
TOTALS_DISAGREE: Final = "totals_disagree"
"""The issue of a file that states other figures than were read of it."""

# --- Figures in the sentences of titles and remarks


def _figures_in(text: str, *, is_title: bool) -> Iterator[tuple[str, str]]:
    """Figures of a sentence as (what, text): `144 GPUs`, `Total commitment $3.2M`. What no word calls a sum is none."""
    is_sum = is_title or SAID["sum"].search(text) is not None
    bounds = [match.start() for match in SAID["bound"].finditer(text)]  # the least or most is no sum
    for clause in SAID["clause"].split(text):
        amount, count = SAID["money"].search(clause), SAID["count"].search(clause)
        begin = text.find(clause)
        if any(bound <= begin and not SAID["sentence"].search(text, bound, begin) for bound in bounds):
            continue
        if amount and (quantity := figure_named(clause.replace(amount[0], "$"))).startswith("usd"):
            yield quantity, re.sub(r"(?<=M)[A-Z]+", "", amount[0].upper())
        elif count and is_sum and not SAID["other"].search(clause):
            yield "gpus" if count[2] or count[3] else "rows", count[1] or count[4]


# --- The figures that the rows of a table state, against contracts

HOURS_OF_MONTH: Final = (730, 720, 744, 672, 696)
"""Hours of a month that money may be for: of the twelfth of a year, and of the months of the calendar."""


class _Line(NamedTuple):
    """A row: its number, cells, and contracts; none where it was left out."""

    number: int
    cells: Sequence[str]
    held: Sequence[Contract]


SUMS: Final = (
    "usd_per_month",
    "usd_per_year",
    "usd_total",
    "usd_per_quarter",
    "usd_per_week",
    "usd_per_day",
    "usd_per_hour",
)
"""What money of a contract may be, the likeliest first."""
SUM_TOKENS: Final = PRICE_TOKENS | TOTAL_TOKENS

_Stated = tuple[str, str, int | None]
"""What a figure is, its text, and its column; None in a sentence."""
_Scopes = list[tuple[str, Sequence[_Line]]]
"""By subject the rows that a figure may be of, the likeliest first."""


_PRICE: Final = lazy_re(r"(?i)pri(?:ce|x)|preis")


class _Table:
    """A table with what was read of it, and the figures that it states."""

    def __init__(self, source: Source, mapping: TableMapping, read: TableRead[Contract]) -> None:
        held = grouped(zip(read.rows, read.values, strict=True))
        rejected = {row.row for row in read.intake.rejected}
        above = (row for row in first_rows(source, mapping.delimiter) if row[0] < mapping.header_row)
        rows = (
            (line, cells) for line, cells in (*above, *body_rows(source, mapping)) if line not in rejected
        )
        self.lines = [_Line(line, cells, held.get(line, ())) for line, cells in rows]
        self._mapping = mapping
        styles = (column.style for column in mapping.columns if column.style in number_styles.STYLES)
        self._style = next(styles, amounts.COMMA if mapping.delimiter == ";" else amounts.POINT)
        self._fields = {mapping.headings.index(column.column): column.field for column in mapping.columns}
        self.machines = [
            mapping.place_of(field)
            for field in ("gpus", column_mapping.NODES, column_mapping.GPUS_PER_NODE, column_mapping.INSTANCE)
        ]
        # a rate of an offer is compared with nothing
        is_offer = mapping.kind == "prices"
        named = (
            (at, self._named(at, _PRICE.sub("cost", heading) if is_offer else heading))
            for at, heading in enumerate(mapping.headings)
            if not (is_offer and at in self._fields) and heading not in mapping.not_needed
        )
        self.columns = {at: quantity for at, quantity in named if quantity not in ("", "rows")}
        self.headings = tuple(mapping.headings[at] for at in self.columns)

    def _named(self, at: int, heading: str) -> str:
        """What the numbers of a column are. A count that was read as one of nodes is none, unless it says GPUs."""
        field, currency = self._fields.get(at, "total_value"), amounts.currency_of(heading)
        if field != "gpus":
            others = (
                contract.currency != currency for line in self.lines for contract in line.held if currency
            )
            if field not in ("total_value", column_mapping.RATE) or any(others):
                return ""
            named = figure_named(heading) or ("" if at in self._fields else self._open_money(at, heading))
            return "/".join(SUMS) if "/" in named else named
        held = (line for line in self.lines if line.held)
        is_read = all(self.number(line, at) == fsum(contract.gpus for contract in line.held) for line in held)
        return "gpus" if "gpu" in heading.lower() or is_read else ""

    def _open_money(self, column: int, heading: str) -> str:
        """Any of the sums that money may be of under a heading that does not say its time; empty where it is none."""
        seen = plain_words(heading).split()
        is_money = not SUM_TOKENS.isdisjoint(seen) or amounts.currency_of(heading) is not None
        is_rate = TOTAL_TOKENS.isdisjoint(seen) and any(word.endswith(OF_ONE_PRICE) for word in seen)
        is_other = SAID["other"].search(in_words(heading)) or SAID["no_charge"].search(in_words(heading))
        if not is_money or is_rate or is_other or heading.lower() in OWN_COLUMNS[self._mapping.kind]:
            return ""
        cells = [line.cells[column] for line in self.lines if line.held and column < len(line.cells)]
        filled = [cell for cell in map(str.strip, cells) if cell]
        are_amounts = bool(filled) and all(map(is_amount, filled))
        return "/".join(SUMS) if are_amounts else ""

    def of_machines(self) -> Iterator[StatedFigure]:
        """Nodes x their GPUs, or instances x those of their type, against the GPUs that were read of rows with all."""
        gpus_at, nodes_at, each_at, instance_at = self.machines
        for line in self.lines:
            nodes, each = self.number(line, nodes_at), self.number(line, each_at)
            if each is None and instance_at < len(line.cells):
                instance = find_instance(line.cells[instance_at])
                each = None if instance is None or instance.gpus is None else float(instance.gpus)
            if not line.held or not nodes or not each or self.number(line, gpus_at) is None:
                continue
            read = fsum(contract.gpus for contract in line.held)
            subject = f"row {line.number}"
            yield StatedFigure(
                quantity="gpus",
                subject=subject,
                stated=nodes * each,
                read=read,
                agrees=abs(nodes * each - read) < 0.001,
            )

    def number(self, line: _Line, at: int | None) -> float | None:
        """The number in a cell of a row; None where it has none."""
        cell = line.cells[at] if at is not None and at < len(line.cells) else ""
        number = amounts.read_amount(cell, self._style).number
        return None if number is None else float(number)

    def figures(self) -> tuple[StatedFigure, ...]:
        """The figures that its rows state, of the file first, by the hours of a month that fit most of them."""
        header_row = self._mapping.header_row
        below = [line for line in self.lines if not line.held and line.number > header_row]
        below = [line for line in below if not adds_up(line.cells)]
        others = {line.number for line in below if any(self.number(line, at) for at in self.columns)}
        rows = [line for line in self.lines if line.held or line.number in others]
        stated, begin = list[tuple[_Stated, _Scopes, bool]](), 0
        for at, line in enumerate(self.lines):
            if line.held:
                of_row: _Scopes = [(f"row {line.number}", [line])]
                stated += [(figure, of_row, False) for figure in self._stated(line, is_head=False)]
                continue
            scopes: _Scopes = [("file", rows)]
            text = " ".join(filter(None, line.cells))
            is_below = line.number > header_row
            is_head = is_below and SAID["head"].search(text)
            of_others = SAID["loose"].search(text) or (
                begin and SAID["of_year"].search(text)
            )  # behind a total
            is_loose = is_below and bool(of_others)
            own = [*takewhile(lambda row: row.held, self.lines[at + 1 :])] if is_head else []
            if own:
                scopes = [("group", own)]
            elif adds_up(line.cells) and (before := [row for row in rows if row.number < line.number]):
                parts: _Scopes = [("group", [row for row in before if row.number > begin]), ("group", before)]
                parts += [("group", named)] if (named := _named_in(line.cells, before)) else []  # H100 total
                is_part = before != rows or SAID["part"].search(" ".join(line.cells))
                scopes, begin = [*parts, *scopes] if is_part else [*scopes, *parts], line.number
            stated += [(figure, scopes, is_loose) for figure in self._stated(line, is_head=bool(own))]
        best: list[StatedFigure] = []
        for hours in HOURS_OF_MONTH:
            judged = [figure for pair in stated if (figure := self._judged(*pair, hours))]
            best = max(
                best, judged, key=lambda figures: (sum(figure.agrees for figure in figures), len(figures))
            )
            if all(figure.agrees for figure in best):
                break
        of_machines = () if self._mapping.kind == "prices" else self.of_machines()
        return tuple(sorted((*best, *of_machines), key=lambda figure: figure.subject != "file"))

    def _stated(self, line: _Line, *, is_head: bool) -> Iterator[_Stated]:
        """The figures of a row: under headings, behind labels, and in sentences; of a contract what is not read."""
        label, is_title = "", line.number < self._mapping.header_row
        is_sum = not line.held and adds_up(line.cells)
        for at, cell in enumerate(map(str.strip, line.cells)):
            amount = amounts.read_amount(cell, self._style)
            if line.held and not amount.per and at not in self.columns:
                continue  # of a row what a column says, or the cell itself
            named = figure_named(label)
            is_under = (
                self._fields.get(at, "total_value") == "total_value" if line.held else is_sum and not is_title
            )
            quantity = self.columns.get(at, "") if is_under else ""
            is_number = amount.number is not None and not amount.per and not re.search(r"[^\W\d_]{4}", cell)
            if is_number or (quantity and amount.number is not None):
                named = figure_named(f"{amount.per} $") or named
                if quantity := named if named[:4] == quantity[:4] == "usd_" else quantity or named:
                    yield quantity, cell, at
            elif cell and not line.held:
                yield from (
                    (other, text, None) for other, text in _figures_in(cell, is_title=is_title or is_head)
                )
                label = "" if SAID["unit"].fullmatch(cell) else cell  # "month" beside an amount names no sum

    def _judged(self, stated: _Stated, scopes: _Scopes, is_loose: bool, hours: int) -> StatedFigure | None:
        """A figure against the first rows with which it agrees, else the likeliest; None where these are unknown.

        Counts agree exactly, money within half a unit of its last digit or 0.5%.
        """
        quantity, text, at = stated
        text = re.sub(r"(?<=\d)\s?(?:m|MM|mm)\b", "M", text)
        amount, figures = amounts.read_amount(text, self._style), list[StatedFigure]()
        number, many = float(amount.number or 0), re.search(r"(?i)\d ?([km])", text)
        unit = Decimal(f"1e{3 if many[1] in 'kK' else 6}" if many else 1)
        half = float(unit.scaleb(int((amount.number or unit).as_tuple().exponent))) / 2
        within = 0.0005 if quantity in ("gpus", "rows") else max(half, 0.005 * abs(number))
        for (subject, lines), stated_quantity in product(scopes, quantity.split("/")):
            codes = {
                contract.currency for line in lines for contract in line.held if quantity[:3] == "usd"
            } or {"USD"}
            reads = self._reads(stated_quantity, lines, at, hours)
            if amount.number is not None and reads and codes == {amount.currency or min(codes)}:
                read = min(reads, key=lambda close: abs(close - number))
                agrees = abs(read - number) <= within
                figures.append(
                    StatedFigure(
                        quantity=stated_quantity,
                        subject=subject,
                        stated=number,
                        read=read,
                        agrees=agrees,
                        currency=min(codes),
                        hours=hours,
                    )
                )
        return next(
            (figure for figure in figures if figure.agrees), None if is_loose or not figures else figures[0]
        )

    def _reads(self, quantity: str, lines: Sequence[_Line], at: int | None, hours: int) -> list[float]:
        """What may have been read of these rows; nothing where that is unknown.

        A total may count what was left out, too: storage, and options that nobody signed.
        """
        if quantity == "rows":
            return [sum(bool(line.held) for line in lines), len(lines)]
        amounts = [_amounts(contract, quantity, hours) for line in lines for contract in line.held]
        sums = [fsum(filter(None, values)) for values in zip(*amounts, strict=True) if None not in values]
        more = fsum(self.number(line, at) or 0 for line in lines if not line.held)
        return [*sums, *(amount + more for amount in sums if more)]


def _named_in(cells: Sequence[str], rows: Sequence[_Line]) -> list[_Line]:
    """The rows that have all words of a sum's name but those for a sum; none where it has no other."""
    words = {*re.findall(r"[^\W\d]\w+", " ".join(cells).lower())} - {*" ".join(TOTAL_ROWS).split()}
    return [row for row in rows if words and words <= {*re.findall(r"\w+", " ".join(row.cells).lower())}]


def _amounts(contract: Contract, quantity: str, hours: int) -> list[float | None]:
    """A figure of a contract in each way that it may be meant; None where it is unknown.

    Money with what is paid beside the rate or without, of a whole term in its hours or in whole months.
    """
    if quantity == "gpus":
        return [contract.gpus]
    months = None if contract.end_s is None else (contract.end_s - contract.start_s) / MONTH_S
    terms = [months, months and max(round(months), 1)]
    per: Any = {
        "usd_per_hour": [1 / hours],
        "usd_per_day": [24 / hours],
        "usd_per_week": [168 / hours],
        "usd_per_month": [1],
        "usd_per_quarter": [3],
        "usd_per_year": [12],
        "usd_total": terms,
        "gpu_hours": [1, *terms],
    }
    rates: list[Any] = [1] if quantity == "gpu_hours" else [contract.quoted_rate, contract.rate]
    ways = product(rates, per[quantity])
    return [None if None in pair else contract.gpus * float(pair[0]) * hours * pair[1] for pair in ways]


# --- A table of contracts with what it states, and where that is not what was read, the readings that would agree

NAMED: Final = 3
"""So many figures are named in a Warning, and so many readings."""


def reconciled(
    read: TableRead[Contract], source: Source, mapping: TableMapping, *, is_given: bool
) -> TableRead[Contract]:
    """The contracts of a table with the figures that the table states. is_given: somebody named some of its columns."""
    table = _Table(source, mapping, read)
    figures = table.figures()
    has_other = not (mapping.is_own or all(figure.agrees for figure in figures))
    read = _compared(read, replace(mapping, compared=table.headings), figures)
    return _warned(read, _alternatives(source, mapping, read, is_given=is_given) if has_other else [])


def _compared(
    read: TableRead[Value], mapping: TableMapping, figures: tuple[StatedFigure, ...]
) -> TableRead[Value]:
    """A table with the figures that it states; the columns of these were read."""
    return replace(read, intake=replace(read.intake, reconciliation=figures)).of_mapping(mapping)


def _warned(read: TableRead[Value], others: Sequence[tuple[AlternativeReading, Message]]) -> TableRead[Value]:
    """A table with the figures that disagree as an issue, and the readings that would agree; as it is without any."""
    odd = [figure for figure in read.intake.reconciliation if not figure.agrees]
    if not odd:
        return read
    rows = (int(figure.subject[4:]) for figure in odd if figure.subject.startswith("row"))
    words = worded_message(TOTALS_DISAGREE, [_disagreements(odd)], [remedy for _, remedy in others])
    intake = replace(read.intake, alternatives=tuple(other for other, _ in others))
    issue = Issue(TOTALS_DISAGREE, len(odd), min(rows, default=None), words)
    return replace(read, intake=intake).with_issues((issue,))


OFFERS_AT_MOST: Final = 24
"""Offers of a quote; more are a price list, whose columns are not of what is offered."""
ROWS_AT_MOST: Final = 1000
"""Rows of a list of prices whose amounts are compared."""


def with_agreeing(
    read: TableRead[Offer], source: Source, mapping: TableMapping, *, is_given: bool = False
) -> TableRead[Offer]:
    """The offers of a list with the amounts of its rows, where rates explain most of them; of a quote with all that it
    states. is_given: somebody named some of its columns.
    """
    if not 0 < len(read.values) <= ROWS_AT_MOST:
        return read
    quote = quote_of(source, mapping)
    is_quote = len(read.values) <= OFFERS_AT_MOST and quote.is_quote
    mapping = mapping if mapping.is_own else as_paid(mapping, quote)
    table, figures = _of_offers(read, source, mapping, is_quote=is_quote)
    odd = sum(not figure.agrees for figure in figures)
    if not figures or (not is_quote and 2 * odd > len(figures)):
        return read
    read = _compared(
        read, replace(mapping, titles=quote.titles, compared=(*mapping.compared, *table.headings)), figures
    )
    return _warned(read, _alternatives(source, mapping, read, is_given=is_given) if is_quote and odd else [])


def _of_offers(
    read: TableRead[Offer], source: Source, mapping: TableMapping, *, is_quote: bool
) -> tuple[_Table, tuple[StatedFigure, ...]]:
    """A list and the figures of its offers by the GPUs that explain most: one, a machine's, counted or offered."""
    last = dict(zip(read.rows, read.values, strict=True))  # of the ways to pay of a row
    table = _Table(source, mapping, TableRead((), read.intake))
    at = [mapping.place_of(field) for field in ("gpus", mapping.rates[0].field if mapping.rates else "")]
    best, lines, counts = list[StatedFigure](), table.lines, dict[int, tuple[float, ...]]()
    for line in lines if table.columns else ():
        if (offer := last.get(line.number)) is not None:
            counted, price = (table.number(line, place) or 0 for place in at)
            machine = round(price / float(offer.rate_usd_per_gpu_hour or price or 1), 3)
            machine = machine if machine in range(1, LARGEST_NODE + 1) else 1
            offered = offer.max_gpus or int(
                offer.pricing_category.is_commitment
            )  # by use: how many nobody keeps
            counts[line.number] = (1, machine, counted or 1, offered, (counted or 1) * machine)
    is_of_row = all(machine == counted for _, machine, counted, *_ in counts.values())
    for place in range(4 if is_of_row else 5) if counts else ():
        held = {line: _as_held(last[line], gpus[place]) for line, gpus in counts.items() if gpus[place]}
        table.lines = [line._replace(held=[*filter(None, [held.get(line.number)])]) for line in lines]
        figures = [figure for figure in table.figures() if is_quote or figure.subject.startswith("row")]
        best = max(best, figures, key=lambda some: (sum(figure.agrees for figure in some), len(some)))
    return table, tuple(best)


def _as_held(offer: Offer, gpus: float) -> Contract:
    """GPUs of an offer as a contract over its term."""
    rate, ends_s = offer.rate_usd_per_gpu_hour, offer.term_months * MONTH_S or None
    held = Contract(
        contract_id=offer.offer_id,
        cluster="",
        gpu_model=offer.gpu_model,
        milli_gpus=round(1000 * gpus),
        rate_usd_per_gpu_hour=rate,
        start_s=0,
        end_s=ends_s,
    )
    return replace(held, currency=offer.currency)


def of_log(stated: StatedTotals) -> tuple[Issue, ...]:
    """What is to be said of a job log that states other run times or GPU-hours than its starts and ends give."""
    odd = [figure for figure in stated.figures if not figure.agrees]
    if not odd:
        return ()
    jobs = worded_whole(
        stated.rows,
        "{count} job differs, in row {row}",
        "{count} jobs differ, the first in row {row}",
        row=str(stated.first_row),
    )
    figures = joined([_disagreements(odd), *([jobs] if stated.rows else [])], "; ")
    so = worded("figures differ from the file: {figures}", figures=figures)
    remedy = worded_both(
        "check times, units, time zone and GPUs; map others (--map)",
        "check times, units, time zone and GPUs; map other columns",
    )
    if odd[0].quantity == "usd_total":  # of a bill
        remedy = worded("check these rows, or export the whole bill")
    return (
        Issue(
            TOTALS_DISAGREE,
            stated.rows or len(odd),
            stated.first_row,
            worded_message(TOTALS_DISAGREE, [so], [remedy]),
        ),
    )


def _alternatives(
    source: Source, mapping: TableMapping, read: TableRead[Contract] | TableRead[Offer], *, is_given: bool
) -> list[tuple[AlternativeReading, Message]]:
    """The readings with which most figures agree, each with how to ask for it; the nearest to the market first."""
    now = sum(figure.agrees for figure in read.intake.reconciliation)
    best, kept = (-len(read.intake.reconciliation), 0), dict[Any, tuple[AlternativeReading, Message]]()
    for parts in product(*_parts(mapping)):
        changed = tuple(column for part in parts for column in part.values())
        taken = {column.column for column in changed}
        columns = (*(column for column in mapping.columns if column.column not in taken), *changed)
        words = replace(mapping, columns=columns).words
        answer: TableRead[Contract] | TableRead[Offer]
        try:
            other = propose_table_mapping(source, mapping.kind, words)
            if mapping.kind == "prices":
                answer = offers = read_prices(source, other)
                _, figures = _of_offers(offers, source, other, is_quote=True)
            else:
                answer = contracts = read_contracts(source, other)
                figures = _Table(source, other, contracts).figures()
        except PlannerError:
            continue
        agreeing = sum(figure.agrees for figure in figures)
        fit = (agreeing - len(figures), agreeing)
        if len(answer.rows) < len(read.rows) or fit < best or agreeing <= max(now, len(figures) / 2):
            continue
        meant = joined((words_of_part for part in parts for words_of_part in part), ", ")
        kept, best = kept if fit == best else {}, fit
        asked = words if is_given else replace(mapping, columns=changed).words
        option = shlex.quote(column_mapping.map_of_kind(asked, mapping.kind))
        remedy = worded_both("if {words}: --map {option}", "{words}", words=meant, option=option)
        kept.setdefault(
            (_off_market(answer.values), figures), (AlternativeReading(words, meant, figures), remedy)
        )
    return [kept[key] for key in sorted(kept, key=lambda key: key[0])][:NAMED]


def _off_market(values: Sequence[Contract | Offer]) -> float:
    """How far rates are from the market: the sum of factors by which they are outside of it."""
    factors = []
    for value in values:
        low, high = market_of(value.gpu_model, value.gpu_memory_gb, value.pricing_category)
        rate = float(value.rate_usd_per_gpu_hour or 0)
        factors.append(max(rate / high, low / rate, 1) if rate and high else 1)
    return round(sum(factors), 2)


def _parts(mapping: TableMapping) -> Iterator[list[dict[Message, column_mapping.ColumnReading]]]:
    """Ways to read the count, and the rate, otherwise, by their words; the one in use first, which is empty."""
    counts, rate = mapping.of("gpus") or mapping.of(column_mapping.NODES), mapping.of(column_mapping.RATE)
    for column in filter(None, (counts, rate)):
        parts = [dict[Message, column_mapping.ColumnReading]()]
        for row in rows_of("other_readings.csv"):
            if row["of"] in (column.field, column.field.replace(column_mapping.NODES, "gpus")):
                is_node = row["field"] == column_mapping.NODES and mapping.kind == "prices"
                field, unit = ("gpus", column_mapping.NODES) if is_node else (row["field"], row["unit"])
                new = replace(column, field=field, unit=unit, is_asked=False)
                constant = row["constant"] and column_mapping.ColumnReading(
                    field=row["field"], column=row["constant"]
                )
                words = worded(row["words"], heading=column.column, meaning=worded(row["meaning"]))
                parts.append({words: constant or new})
        yield parts


# --- In words


def _words_of(figure: StatedFigure, number: float) -> Message:
    """`144 GPUs`, `$272,436 per month`."""
    row = FIGURES.get(f"{figure.quantity}_{figure.hours}", FIGURES[figure.quantity])
    count = whole(number)
    if row["singular"]:
        return worded_count(number, row["singular"], row["plural"], count=count, gpus=significant(number))
    return worded(
        row["plural"], count=count, amount=amounts.quoted(count, figure.currency), hours=str(figure.hours)
    )


def agreement_words(figures: Sequence[StatedFigure]) -> Message:
    """That a file agrees with what it states itself; empty where it states nothing, or disagrees anywhere."""
    if not figures or not all(figure.agrees for figure in figures):
        return NO_WORDS
    totals = dict.fromkeys(_words_of(figure, figure.stated) for figure in figures if figure.subject == "file")
    if totals:
        return worded("agrees with its total, {totals}", totals=joined(totals, ", "))
    return worded_whole(len(figures), "agrees with {count} figure in it", "agrees with {count} figures in it")


def _disagreements(odd: Sequence[StatedFigure]) -> Message:
    """What the first of these figures state and what was read, and how many more there are."""
    sentences = [_disagreement(figure) for figure in odd[:NAMED]]
    sentences += [worded_whole(len(odd) - NAMED, "{count} more", "{count} more")] if len(odd) > NAMED else []
    return joined(sentences, "; ")


def _disagreement(figure: StatedFigure) -> Message:
    """What is stated and what was read."""
    places = {"file": worded("total"), "group": worded("subtotal")}
    place = places.get(figure.subject) or worded("row {row}", row=figure.subject[4:])
    stated, read = (_words_of(figure, number) for number in (figure.stated, figure.read))
    return worded("{place}: {stated} stated, {read} read", place=place, stated=stated, read=read)

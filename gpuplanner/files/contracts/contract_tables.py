"""Contracts as tables: what exists today, from our own CSV or XLSX or anybody's."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.figures.typed import decimals, exact, significant
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.contract import (
    Contract,
    continued,
    line_of,
    parts_of_ramp,
    renamed,
    term_words,
)
from gpuplanner.domain.model.book.dollars import ANY_MODEL, IN_DOLLARS
from gpuplanner.domain.model.book.exchange import USD, unstated_exchange
from gpuplanner.domain.model.book.extras import EXTRA_MONEY
from gpuplanner.domain.model.book.price_history import is_far
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.hardware_needs import INTERCONNECTS
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, iso_day, months_after
from gpuplanner.files.sources.issue_texts import gpus_are
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.column_mapping import (
    GPUS,
    GPUS_PER_NODE,
    HOURS_OF_UNIT,
    INSTANCE,
    LAST_DAY,
    NODES,
    PRICE_UNIT,
    RATE,
    TableMapping,
    constant_of,
)
from gpuplanner.files.tables.contract_days import (
    ENDLESS_YEAR,
    OWN_TERM,
    day_after,
    end_by_term,
    followed_notice,
    is_day_alone,
    is_open_renewal,
    meant_by_day,
    notice_days,
    notice_within,
    renewal_within,
)
from gpuplanner.files.tables.fields import DOLLARS, NEEDED_OF_OTHERS, OWN_NEEDED, WORDS
from gpuplanner.files.tables.headings import (
    GPU_TOKENS,
    NAMES,
    OTHER_UNITS,
    PAID_TOKENS,
    counts_gpus,
    gpus_in_heading,
    is_bare,
    is_each,
    is_gpu_name,
    is_of_others,
    may_be_machine,
    meanings,
    names_group,
    names_machine,
    plain_words,
    price_period,
)
from gpuplanner.files.tables.layout import layout_of
from gpuplanner.files.tables.mapped_cells import (
    PLAIN_ID,
    clean_model,
    gpus_of_nodes,
    mapped_rows,
    model_of_item,
    unit_heading,
)
from gpuplanner.files.tables.odd_rates import market_of
from gpuplanner.files.tables.price_cells import BY_PARTS, NODE, with_rate
from gpuplanner.files.tables.priced_machine import machine_of_contract
from gpuplanner.files.tables.propose_mapping import body_rows, check_has, propose_table_mapping
from gpuplanner.files.tables.small_table import (
    Names,
    Row,
    RowError,
    RowLeftOutError,
    TableRead,
    Words,
    cell_is,
    collect_rows,
    not_one_of,
)
from gpuplanner.files.tables.table_columns import counts_in_model, sniff_table
from gpuplanner.files.values.amounts import NO_AMOUNT, is_range, read_amount
from gpuplanner.files.values.gpu_counts import GpuReading, from_number, read_gpu_count
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.terms import read_term
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

FORMAT: Final = "own_contracts"
MAPPED_FORMAT: Final = "mapped"
"""Any other table, read by what its columns are called."""

REQUIRED: Final = OWN_NEEDED["contracts"]
RATE_DIGITS: Final = 12
OF_A_MONTH_S: Final = 32 * DAY_S
"""Of a last day from the day by which a month more is over."""
LONGEST_NOTICE_DAYS: Final = 36_500
"""More is a slip, and the day to order by would be before the calendar."""
NOT_SIGNED: Final = WORDS["not_signed"]
"""What the status of a row says that binds nobody."""
_STOPPED: Final = WORDS["stopped"]
"""How a status begins that says that it ended otherwise."""
_OTHER_GOODS: Final = WORDS["other_goods"]
"""What the lines of an order are of beside GPUs, where they name none; else how it goes on behind them."""
_BEGINS_OTHER: Final = lazy_re(rf"(?:(?!gpu|[a-z]+\d)[^\W\d]+[ ,-]+)*{_OTHER_GOODS.pattern}", re.I)
"""What a line begins with that is of other goods for GPUs: support for H100, and not H100 with support."""
_FOR_GPUS: Final = lazy_re(
    rf"(?i)(?!.*\btraining\b)(?:maintenance|warranty|{_BEGINS_OTHER.pattern})\b.{{0,30}}\b(?:for|für|pour)\b"
)
"""The same for GPUs, of which it names the model. Training for a model may be GPUs."""
_OF_GPUS: Final = WORDS["of_gpus"]
"""What names GPUs without their model, in an item or a unit."""
_SERVICES: Final = WORDS["services"]
"""What is of other goods where it names no GPU, or is for GPUs: a fabric for H100, and not H100 with a fabric."""
_OF_GPU_HOURS: Final = lazy_re(r"(?i)\bgpu[- ]?(?:hours?|hrs?)\b")
MOST_GPUS_BY_HOURS: Final = 2_000
"""So many GPUs and more in one line that speaks of GPU-hours are likelier its hours."""
_TAKEN_OFF: Final = lazy_re(r"(?i)discount|rabatt|nachlass|remise|descuento")
_ANY_UNIT: Final = phrases("ea|each|pc|pcs|piece|lot|flat|once|one-time|fee|st|stk|stück|pauschal|forfait")
"""Units of GPUs as well as of anything else. A month is none: it may be what the price is for."""
CATEGORIES: Final = {
    **{
        str(category).lower(): category
        for category in PricingCategory
        if category is not PricingCategory.MIXED
    },
    "on demand": PricingCategory.STANDARD,
    "on-demand": PricingCategory.STANDARD,
    "reserved": PricingCategory.COMMITTED,
    "spot": PricingCategory.DYNAMIC,
}
"""FOCUS's words, and those that people write for them."""


def sniff(head: str) -> float:
    """How sure it is that a text begins a table of contracts, 0..1: ours by name, others by what they tell."""
    return sniff_table(head, "contracts")


def read_contracts(source: Source, mapping: TableMapping | str | None = None) -> TableRead[Contract]:
    """The contracts of a table, in file order; mapping: how it is read, instead of as proposed.

    Where no column names the contracts, they are named by what they are; rows that are alike are kept and said.
    Errors: PlannerError missing_column, file_unreadable, usage.
    """
    if not isinstance(mapping, TableMapping):
        mapping = propose_table_mapping(source, "contracts", mapping)
    needed: tuple[str, ...] = REQUIRED if mapping.is_own else NEEDED_OF_OTHERS["contracts"]
    if mapping.of("gpus") is None and counts_in_model(layout_of(source, "contracts"), "contracts"):
        needed = ("start",)  # 256x H100
    if mapping.of(DOLLARS) is not None:
        needed = tuple(field for field in needed if field != "gpus")
    check_has(source, mapping, needed)
    mapping, read_row = _with_count_meant(source, mapping), _ContractRows()
    read = collect_rows(
        source,
        "contracts",
        FORMAT if mapping.is_own else MAPPED_FORMAT,
        _contract_rows(source, mapping, Names()),
        (lambda row: _tranches(row, read_row(row))) if mapping.is_own else _told_apart(read_row),
        lambda contract: contract.contract_id,
        named=("left_out", "undecided"),
    )
    # what goes on in another row has no notice to give
    steps = {} if mapping.is_own else continued(read.values)
    values = (
        replace(value, renews_months=0) if value.contract_id in steps else value for value in read.values
    )
    return replace(read, values=tuple(values)).of_mapping(mapping)


def _tranches(row: Row, contract: Contract) -> tuple[Contract, ...]:
    """A contract with the ramp of its row, in parts. Errors: RowError where it does not ascend to `gpus`."""
    text = row.text("ramp")
    tranche_text = None if (text or "-").lower() in (*NO_AMOUNT, "no") else text
    if tranche_text is None:
        return (contract,)
    read = _steps(tranche_text, row)
    if all(None not in step for step in read):
        tranche_text = ";".join(f"{iso_day(at_s or 0)}={gpus}" for at_s, gpus in read)
    try:
        return parts_of_ramp(replace(contract, ramp=tranche_text))
    except PlannerError as fault:  # how a ramp is written is another remedy than that of a time
        raise RowError(fault.code, fault.what, fault.remedy) from fault


def _steps(ramp: str, row: Row) -> list[tuple[int | None, Decimal | None]]:
    """The days of a ramp in UTC seconds with the GPUs that it holds from each on, None where one is neither."""
    steps = [step.partition("=") for step in ramp.split(";")]
    return [(utc_seconds(day.strip(), row.timezone), read_decimal(gpus.strip())) for day, _, gpus in steps]


def _told_apart(read_row: Callable[[Row], Contract]) -> Callable[[Row], tuple[Contract, ...]]:
    """Reads rows as contracts by `read_row`; lines of one contract that differ are `A1` and `A1 (2)`, the same line
    again is A1.
    """
    named, lines = dict[Contract, Contract](), dict[str, int]()  # by their rows; how many lines a name has
    begins = dict[object, Contract]()
    ends = dict[object, list[Contract]]()  # of those that nothing goes on from yet

    def read(row: Row) -> tuple[Contract, ...]:
        """A row as a contract of its own name, or as the one that it repeats."""
        contract = contract_row = read_row(row)
        if contract_row in named:
            return _tranches(row, named[contract_row])
        name = contract_row.contract_id
        while contract.contract_id in lines:
            lines[name] += 1
            contract = replace(contract_row, contract_id=f"{name} ({lines[name]})")
        lines[contract.contract_id] = 1
        if contract is not contract_row:
            problem = worded("another line of {name} names {named}", name=name, named=contract.contract_id)
            row.say("computed", problem)
        starts, stops = line_of(contract, contract.start_s), line_of(contract, contract.end_s)
        named[contract_row] = begins[starts] = contract
        ends.setdefault(stops, []).append(contract)
        known = [at for at in (starts, stops) if at in begins]
        for then, before in [(begins[at], one) for at in known for one in ends.pop(at, ())]:
            problem = worded(
                "{then} continues {before}: a contract step, not a renewal",
                then=then.contract_id,
                before=before.contract_id,
            )
            row.say("computed", problem)
        return _tranches(row, contract)

    return read


@dataclass(slots=True)
class _Above:
    """What a row leaves to those below that refer to it: its provider and its notice."""

    provider: str = ""
    notice: str = ""


def _contract_rows(source: Source, mapping: TableMapping, names: Names) -> Iterator[tuple[int, Row, str]]:
    """Each row of a table of contracts with its number and its cells as text, read through the mapping."""
    unit, item = unit_heading(mapping), _item_column(mapping)
    rate = mapping.of(RATE)
    is_net = rate is None or not PAID_TOKENS.isdisjoint(plain_words(rate.column).split())
    off = "" if is_net else next(filter(_TAKEN_OFF.search, mapping.unused), "")
    prepaid = mapping.of("prepaid_usd")
    if rate is not None and prepaid is not None and WORDS["first_year"].search(rate.column):
        off = prepaid.column  # a year's cost may hold it
    steps = [
        name
        for name in mapping.unused
        if rate is not None
        and WORDS["rate_step"].search(name)
        and any(
            meaning.field == RATE and meaning.unit in ("", rate.unit)
            for meaning in meanings(name, "contracts")
        )
    ]
    others = {meaning.field: name for name in mapping.unused for meaning in meanings(name, "contracts")}
    term, above = others.get("term_months", ""), _Above()
    fields = ("contract_id", "notice_days", "notes")
    rows = [
        [_written(cells, mapping, field).strip() for field in fields]
        for _, cells in body_rows(source, mapping)
    ]
    stated = {name: notice for name, notice, _ in rows if notice}
    clusters = {match[1] for *_, note in rows if (match := WORDS["cluster"].fullmatch(note))}
    cluster = mapping.of("cluster")  # what is said of all is of those that name none
    is_cluster_said = cluster is not None and constant_of(cluster.column) is not None
    named = {column.column for column in mapping.columns if mapping.is_own or column.field in NAMES}

    def complete(cells: Sequence[str], texts: dict[str, str], row: Row) -> dict[str, str]:
        """Fills in what other columns say: the rate an hour and GPU, and in tables of others the names."""
        if not mapping.is_own:
            if above.provider and not texts.get("provider") and texts.get("pricing_category", "") != "owned":
                texts["provider"] = above.provider  # a cell over several rows
                problem = worded("no provider: {provider} used, from the row above", provider=above.provider)
                row.say("undecided", problem)
            above.provider = texts.get("provider", "")
        name = texts.get("contract_id") or texts.get("provider") or "?"
        if NOT_SIGNED.fullmatch(status := texts.get("status", "").strip()):
            raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=status))
        if not mapping.is_own:
            counted_in = _cell(cells, mapping, unit).strip()
            _leave_other_goods(texts, mapping, cells, (item, counted_in.lower()), row)
            _take_unit(texts, mapping, cells, (item, counted_in), row)
        if _STOPPED.match(status) or any(map(NOT_SIGNED.fullmatch, plain_words(status).split())):
            stopped = worded("{name} is {status}; it counts until its end", name=name, status=status[:40])
            row.say("undecided", stopped)
        if rate is not None and texts[RATE] and _cell(cells, mapping, off).strip(" 0.,%-"):
            row.say(
                "undecided", worded("“{off}” was not subtracted from “{price}”", off=off, price=rate.column)
            )
        for step in filter(lambda name: _cell(cells, mapping, name).strip(), steps):
            row.say("undecided", worded("“{other}” is a rate and is not read", other=step))
        count, machine = read_gpu_count(texts.get("gpus", "")), machine_of_contract(cells, texts)
        if is_range(written := _written(cells, mapping, "gpus")) and count.milli_gpus:
            row.say(
                "undecided",
                worded("{cell}, read as {gpus}", cell=cell_is("gpus", written), gpus=texts["gpus"]),
            )
        texts = with_rate(texts, mapping, count.milli_gpus, row, machine)
        if not mapping.is_own:
            _complete(texts, row, mapping, cells, term, is_sheet=source.kind != TEXT)
            _take_total(texts, row, count.milli_gpus, _written(cells, mapping, "total_value"))
            _name(texts, row, names)
        if not mapping.is_own and (is_cluster_said or not texts.get("cluster")):
            noted = WORDS["cluster"].sub(r"\1", _written(cells, mapping, "notes"))
            first = re.split("[,;]", noted)[0].strip()
            texts["cluster"] = first if first in clusters else texts.get("cluster", "")
        words = [cell for at, cell in zip(mapping.headings, cells, strict=False) if at not in named]
        _renew(texts, row, [_written(cells, mapping, field) for field in ("renews_months", "renews")], words)
        within = (part for cell in words if (part := notice_within(cell).length))
        if written := texts.get("notice_days") or next(within, ""):
            above.notice = above.notice if WORDS["above"].match(written) else written
            _take_notice(texts, row, mapping, written, followed_notice(above.notice, name, stated))
        return texts

    return mapped_rows(source, mapping, _kept_by_ids(complete, mapping, above))


_OF_NO_NAME: Final = frozenset(("computed", "quote_needed"))
"""Codes of what is said of a row without the name of its contract."""
_Complete = Callable[[Sequence[str], dict[str, str], Row], dict[str, str]]


def _kept_by_ids(complete: _Complete, mapping: TableMapping, above: _Above) -> _Complete:
    """The same as `complete`; rows that differ in their plain ids alone are completed once.

    above: what rows leave to those below, which `complete` changes.
    """
    id_at, provider_at = mapping.place_of("contract_id"), mapping.place_of("provider")
    kept: dict[tuple[str, ...], tuple[dict[str, str], list[str], dict[str, Words], str, str]] = {}

    def complete_once(cells: Sequence[str], texts: dict[str, str], row: Row) -> dict[str, str]:
        has_provider = provider_at >= len(mapping.headings) or any(cells[provider_at : provider_at + 1])
        is_plain = id_at < len(cells) and has_provider and PLAIN_ID.fullmatch(cells[id_at]) is not None
        if not is_plain:
            return complete(cells, texts, row)
        key = (*row.notes, *cells[:id_at], "", *cells[id_at + 1 :])
        if key in kept:
            own, notes, details, above.provider, above.notice = kept[key]
            row.notes, row.said = [*notes], {**details}
            return {**own, "contract_id": texts["contract_id"]}
        of_row = complete(cells, texts, row)
        if _OF_NO_NAME.issuperset(row.notes):
            kept[key] = (dict(of_row), [*row.notes], {**row.said}, above.provider, above.notice)
        return of_row

    return complete_once


class _ContractRows:
    """read_contract_row, kept by rows that differ in their ids alone."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], tuple[Contract, list[str], dict[str, Words]]] = {}

    def __call__(self, row: Row) -> Contract:
        """As read_contract_row. Errors: as it."""
        name = row.texts.get("contract_id", "").strip()
        if not name:
            return read_contract_row(row)
        same = {**row.texts, "contract_id": ""}
        key = (*row.notes, "", *same, *same.values())
        if key not in self._kept:
            contract = read_contract_row(row)
            self._kept[key] = (contract, [*row.notes], {**row.said})
            return contract
        like, notes, details = self._kept[key]
        row.notes, row.said = [*notes], {**details}
        return renamed(like, name)


def _take_notice(texts: dict[str, str], row: Row, mapping: TableMapping, written: str, followed: str) -> None:
    """The notice in days; one that cannot be read stays in its words, and is asked about.

    followed: the notice that the cell refers to, else the cell itself.
    """
    notice, end = mapping.of("notice_days"), mapping.of("end")
    if notice is not None and notice.is_asked and read_decimal(written):
        row.say("undecided", notice.note)
    unit, order = notice.unit if notice else "", end.style if end else ""
    days, note = notice_days(followed, unit, texts.get("end", ""), order)
    texts["notice_days"] = days if days.isdecimal() else ""
    if days and not days.isdecimal() and texts.get("renews_months") != "0":
        texts["notice_days"], name = written, texts.get("contract_id", "?")
        row.say("notice_unknown", worded("{name}: “{notice}”", name=name, notice=written[:60]))
    elif followed != written:
        row.say("computed", worded("“{text}” is “{notice}”", text=written[:40], notice=followed[:40]))
    if note:
        row.say("computed", note)


def _item_column(mapping: TableMapping) -> str:
    """The column of what is ordered: of GPU models or machines, else one not read that may be; empty without one."""
    column = mapping.of("gpu_model") or mapping.of(INSTANCE)
    others = (
        name
        for name in mapping.unused
        for meaning in meanings(name, "contracts")
        if meaning.field == "gpu_model"
    )
    return column.column if column is not None else next(others, "")


def _leave_other_goods(
    texts: Mapping[str, str], mapping: TableMapping, cells: Sequence[str], goods: tuple[str, str], row: Row
) -> None:
    """Notes that a row of an order may be of other goods. Errors: RowLeftOutError where its unit, amount or item says.

    Nothing that may be of GPUs is left out: not in a column of their models, nor where the item or, without a column of
    models, the heading of the count names any. goods: the column of what is ordered, and the row's unit, lowered.
    """
    (name, unit), column, count = goods, mapping.of("gpu_model"), mapping.of("gpus")
    known = texts.get("gpu_model", "")
    item = _cell(cells, mapping, name) or known or _written(cells, mapping, "instance")
    price = texts.get(RATE, "")
    plain, is_mapped = item.replace("_", " "), column is not None or bool(known)
    is_named, service = is_gpu_name(plain) or _OF_GPUS.search(plain), _SERVICES.match(plain)
    is_for = _FOR_GPUS.match(plain) or (service and " for " in plain[service.end() :].lower())
    is_other = _OTHER_GOODS.search(plain) or (not is_named and _SERVICES.search(plain))
    is_counted = not is_mapped and (count is None or _OF_GPUS.search(plain_words(count.column)))
    is_of_models = is_counted or (column is not None and "gpu" in column.column.lower())
    is_of_any = unit in _ANY_UNIT and (is_other or (item and not is_named))
    is_lump = price_period(unit) not in ("", "hour", "gpu_hour") and bool(_BEGINS_OTHER.match(plain))
    if (read_amount(price).number or 0) >= 0 and not OTHER_UNITS.match(unit) and not is_lump and not is_for:
        if not is_other and (is_of_models or (is_mapped and not is_of_any)):
            return
        if is_of_models or _OF_GPUS.search(unit) or ((is_named or not is_other) and not is_of_any):
            counted = item[:60] or (count.column if count is not None else "")
            row.say("undecided", worded("“{item}” counts as GPUs", item=counted))
            return
    per = texts.get(PRICE_UNIT) or unit * bool(price_period(unit))
    money = " ".join(
        filter(None, (price, texts.get("currency", "") * bool(price), per and price and f"/ {per}"))
    )
    item_name = (item or texts.get("contract_id") or texts.get("provider", ""))[:60]
    problem = worded("“{item}” is not a GPU", item=item_name)
    raise RowLeftOutError(
        "left_out",
        joined((problem, "(" + re.sub(r"^\((.*?)\)", r"-\1", money) + ")"), " ") if money else problem,
    )


_AS_CHARGED: Final = Decimal("0.03")
"""So far a charge of a month may be from 730 h: one of 720 or 744."""


def _with_count_meant(source: Source, mapping: TableMapping) -> TableMapping:
    """The mapping with the unit of a count that does not say what it is of, where the rows beside their items do:
    `4 nodes` and 32 are GPUs, or the charge of a month is so many GPUs times rate and hours.
    """
    count, rate, units = mapping.of("gpus"), mapping.of(RATE), set[str]()
    if mapping.is_own or count is None or count.unit or counts_gpus(count.column):
        return mapping
    charges = {
        name: Decimal(HOURS_OF_UNIT[meaning.unit].hours.numerator)
        for name in mapping.unused
        for meaning in meanings(name, "contracts")
        if meaning.field == RATE and meaning.unit and "gpu" not in meaning.unit
    }
    names = (_item_column(mapping), count.column, rate.column if rate is not None else "", *charges)
    for _, cells in body_rows(source, mapping):
        item, *texts = (_cell(cells, mapping, name) for name in names)
        number, paid, *sums = (read_amount(text).number or Decimal(0) for text in texts)
        of_item, model = WORDS["nodes_of_item"].search(item), model_of_item(item)
        machine = machine_of_contract((item,), {"gpu_model": model})
        each = gpus_in_heading(item) or machine.gpus or machine.usual
        if number <= 0 or each <= 1 or not (may_be_machine(item) or of_item):
            continue
        nodes, market = Decimal((of_item[1] or of_item[2]) if of_item else 0), market_of(model, None, None)
        pairs = zip(sums, charges.values(), strict=True) if not is_far(float(paid), market) else ()
        hourly = [usd / hours for usd, hours in pairs if usd]
        for unit, gpus in ((GPUS, number), (NODES, number * each)):
            if nodes * each == gpus or any(abs(gpus * paid / usd - 1) < _AS_CHARGED for usd in hourly):
                units.add(unit)
    if len(units) != 1:
        return mapping
    meant = replace(count, unit=units.pop(), why=worded("{why}, by its rows' figures", why=count.why))
    return replace(mapping, columns=tuple(meant if c is count else c for c in mapping.columns))


def _take_unit(
    texts: dict[str, str], mapping: TableMapping, cells: Sequence[str], goods: tuple[str, str], row: Row
) -> None:
    """What item and unit of an order's line say: that its count is of nodes or hours, and what its price is for.

    `64 x month` may be so many months: it counts as GPUs, and that is said. A price each is of what the line counts.
    goods: the column of what is ordered, and the row's unit.
    """
    (name, unit), count, rate = goods, mapping.of("gpus"), mapping.of(RATE)
    period, gpus = price_period(unit), texts.get("gpus", "")
    is_of_gpus = count is None or count.unit == GPUS or counts_gpus(count.column)
    item, is_large = _cell(cells, mapping, name), (read_decimal(gpus) or 0) >= MOST_GPUS_BY_HOURS
    is_as_written = _written(cells, mapping, "gpus").strip() == gpus
    is_any = not unit or unit.lower() in _ANY_UNIT  # EA of 8-GPU nodes
    may_be_nodes = is_any and is_as_written and may_be_machine(item)
    names_node = "gpu" not in name.lower() and NODE.search(item)
    is_by_figures = count is not None and count.unit == NODES
    is_of_nodes = names_machine(unit) or (may_be_nodes and (names_node or is_by_figures))
    counted = read_amount(gpus)
    in_cell = NODE.search(counted.per) is not None  # 4 nodes
    if may_be_nodes and count is not None and not is_of_gpus and not is_by_figures and not in_cell:
        message = worded("“{heading}” may count GPUs or nodes: {gpus}", heading=count.column, gpus=gpus)
        row.say("undecided", message)
    if (in_cell or (is_of_nodes and not is_of_gpus)) and not texts.get(NODES):
        texts[NODES], texts["gpus"] = f"{counted.number}" if in_cell else gpus, ""
        if (each := gpus_in_heading(item)) and not texts.get(GPUS_PER_NODE):
            texts[GPUS_PER_NODE] = f"{each}"  # H100 server (4 GPU)
        gpus_of_nodes(texts, row)
    elif is_large and not is_of_gpus and _OF_GPU_HOURS.search(item):
        texts["gpus"] = f"{gpus} GPU-h"  # which are no GPUs: the row is rejected
    elif names_group(unit) and not is_of_gpus:
        texts["gpus"] = f"{gpus} {unit}"
    is_length = period in ("month", "year") and not texts.get(PRICE_UNIT)
    if not is_of_gpus and not texts.get(NODES) and (is_length or (is_large and period == "gpu_hour")):
        row.say("undecided", worded("“{item}” counts as GPUs", item=joined((gpus, " ", unit))))
    if (
        period in ("hour", "month", "year")
        and not texts.get(NODES)
        and rate is not None
        and is_each(rate.column)
    ):
        unit = f"GPU {unit}"
    if price_period(texts.get(PRICE_UNIT, "")):
        return  # a column of its own says what the price is for
    if period or names_machine(unit):
        texts[PRICE_UNIT] = unit
    elif unit.lower() in GPU_TOKENS and rate is not None and (is_each(rate.column) or is_bare(rate.column)):
        texts[PRICE_UNIT] = f"GPU {rate.unit.removeprefix('gpu_') or 'hour'}"


def _written(cells: Sequence[str], mapping: TableMapping, field: str) -> str:
    """The cell of a field as it stands; empty where no column tells it."""
    column = mapping.of(field)
    return _cell(cells, mapping, column.column if column is not None else "")


def _cell(cells: Sequence[str], mapping: TableMapping, heading: str) -> str:
    """The cell below a heading as it stands; empty where there is none."""
    at = mapping.headings.index(heading) if heading in mapping.headings else len(cells)
    return cells[at] if heading and at < len(cells) else ""


def _complete(
    texts: dict[str, str],
    row: Row,
    mapping: TableMapping,
    cells: Sequence[str],
    other_term: str,
    *,
    is_sheet: bool,
) -> None:
    """What a table of others leaves to its reader: the end from the term, the day after a last day.

    other_term: a heading of terms that is not read beside the one that is; empty where there is none.
    """
    start, end, term = texts.get("start", ""), texts.get("end", ""), texts.get("term_months", "")
    by_term = months_after(start, int(term)) if start and term.isdecimal() and len(term) < 5 else None
    if by_term is not None and not end and texts.get("pricing_category", "") not in ("standard", "dynamic"):
        texts["end"] = by_term
        length = term_words(int(term))
        ends = worded(
            "{start} and {term} end on {by_term}", start=start[:10], term=length, by_term=by_term[:10]
        )
        row.say("computed", ends)
    end_s, by_term_s = utc_seconds(end), utc_seconds(by_term or "")
    if (
        by_term is not None
        and (months := read_term(_cell(cells, mapping, other_term)))
        and f"{months}" != term
    ):
        both = worded(
            "{term} months, but “{other}” has {months}", term=term, other=other_term, months=f"{months}"
        )
        row.say("undecided", both)
    if end_s and by_term_s and not end.startswith(ENDLESS_YEAR) and abs(end_s - by_term_s) > OF_A_MONTH_S:
        apart = worded(
            "{start} and {term} months do not end on {end}", start=start[:10], term=term, end=end[:10]
        )
        row.say("undecided", apart)
    column = mapping.of("end")
    written = _written(cells, mapping, "end") if end else ""
    if (
        column is None
        or not is_day_alone(written, is_sheet=is_sheet)
        or end.startswith(ENDLESS_YEAR)
        or end[:10] < start[:10]
    ):
        return
    meant = end_by_term(end, by_term or "")
    if not meant and column.is_asked:
        row.say("undecided", column.note)
    if LAST_DAY in (meant or column.unit, meant_by_day(start, end, written)):
        texts["end"] = day_after(end)
        last = worded("{end} is the last day, so the end is {after}", end=end[:10], after=texts["end"])
        row.say("computed", last)


_MILLIONS: Final = ("m", "mm", "mn")
AS_TOTAL: Final = Decimal("0.02")
"""So far a rounded rate, or a year of 8,760 h, may be from what the total comes to."""


def _take_total(texts: dict[str, str], row: Row, milli_gpus: int, written: str) -> None:
    """The rate that the value of a whole contract comes to over its GPU-hours, those of a ramp step by step; a stated
    one counts, and it is said where the two are apart.

    written: the value as the cell has it; behind it m are millions.
    """
    total, days = read_decimal(texts.get("total_value", "")), [texts.get(day, "") for day in ("start", "end")]
    start_s, end_s = (utc_seconds(day, row.timezone) for day in days)
    stated, per = read_decimal(texts.get(RATE, "")), read_amount(written).per.lower()
    if not total or total < 0:
        return
    if per in _MILLIONS:
        total *= 10**6
    elif price_period(per) or per.startswith(("p.a", "p.m")):
        if not stated:
            row.say("undecided", worded("{total} covers a period, not the whole contract", total=written))
        return
    if not milli_gpus or start_s is None or end_s is None or end_s <= start_s:
        if not stated:
            row.say("undecided", worded("{total} covers a contract without an end", total=exact(total)))
        return
    hours, gpus = Decimal(end_s - start_s) / 3600, Decimal(milli_gpus) / 1000
    gpu_hours, before = hours * gpus, Decimal(0)
    for at_s, held in _steps(texts.get("ramp", ""), row):
        if at_s is not None and held is not None:  # they come later than its start
            gpu_hours -= (held - before) * Decimal(max(at_s - start_s, 0)) / 3600
            before = held
    by_total = round(total / gpu_hours, RATE_DIGITS).normalize() if gpu_hours > 0 else Decimal(0)
    if stated:
        if abs(by_total / stated - 1) > AS_TOTAL:
            message = worded(
                "{total} in total is {other} per GPU-hour; the stated {rate} is used",
                total=exact(total),
                other=decimals(float(by_total), 4),
                rate=exact(stated),
            )
            row.say("undecided", message)
        return
    texts[RATE] = f"{by_total:f}"
    parts = joined((f"{hours} h", worded("{gpus} GPUs", gpus=exact(gpus))), " x ")
    if before:
        parts = joined((exact(gpu_hours.normalize()), " GPU-h"))
    row.say(
        "computed",
        worded(BY_PARTS.template, price=exact(total), parts=parts, rate=exact(Decimal(texts[RATE]))),
    )


def _renew(texts: dict[str, str], row: Row, written: Sequence[str], cells: Sequence[str]) -> None:
    """What renews by its own term, by the months of that, else of its length; without an end by a month.

    written: the term, and whether it does; cells: where words may say it if no column does. No counts before a term,
    and a term before Yes; whoever may renew has no term that anybody knows.
    """
    renewals = [texts.get(field, "") for field in ("renews_months", "renews")]
    renewals = [
        text for text in renewals if text and (text.lower() not in NO_AMOUNT or is_open_renewal(text))
    ]
    unread = [text for text in renewals if text != OWN_TERM and not text.isdecimal()]
    if any(map(is_open_renewal, unread)):
        texts["renews_months"] = "0" if "0" in renewals else ""
    elif renewals:
        texts["renews_months"] = min(unread or renewals, key=lambda text: (text != "0", text == OWN_TERM))
    if not unread and len({*renewals}) > 1 and ("0" in renewals or OWN_TERM not in renewals):
        taken = worded(
            "renews by “{term}” and “{whether}”: {months} months",
            term=written[0],
            whether=written[1],
            months=texts["renews_months"],
        )
        row.say("undecided", taken)
    if not texts.get("renews_months"):
        words = {renewal for cell in cells if (renewal := renewal_within(cell)) is not None}
        texts["renews_months"] = words.pop() if len(words) == 1 and not unread else ""
        if words or unread:
            name = " ".join((texts.get("contract_id", "?"), *(f"“{text[:40]}”" for text in unread)))
            row.say("undecided", worded("{name}: renewal unclear", name=name))
    if texts.get("renews_months") == OWN_TERM:
        start_s, end_s = (utc_seconds(texts.get(day, ""), row.timezone) for day in ("start", "end"))
        length = round((end_s - start_s) / MONTH_S) if start_s and end_s else 0
        term = texts.get("term_months", "") if end_s else ""
        texts["renews_months"] = term if term.isdecimal() else f"{max(length, 1)}"
        if months := texts["renews_months"]:
            row.say("computed", worded("renews for its own term, {months} months", months=months))


def _name(texts: dict[str, str], row: Row, names: Names) -> None:
    """A name for a row that has none: what it is of."""
    if not texts.get("contract_id"):
        parts = [texts.get(field, "") for field in ("provider", "gpu_model", "gpus", "cluster")]
        parts += [texts.get(field, "").removesuffix("T00:00:00") for field in ("start", "end")]
        name = " ".join(filter(None, parts)) or "contract"
        texts["contract_id"], is_again = names.next(name)
        if is_again:
            row.notes.append("possible_duplicate")


def read_contract_row(row: Row) -> Contract:
    """One row of our own columns. Errors: RowError, PlannerError end_before_start.

    RowError where the count of GPUs or the start cannot be read. An end in the year that stands for no end is None:
    the contract runs on.
    """
    dollars = dollar_terms(row)
    gpus = Decimal(1) if dollars else row.number("gpus", low=None)
    reading = GpuReading(fault="bad_number") if gpus is None else from_number(gpus * 1000)
    if gpus is None and (nodes := row.text(NODES)) and row.text("gpus") is None:
        model = row.text("gpu_model") or "?"
        raise RowError(
            "bad_number",
            worded("GPUs per {model} node are unknown ({nodes} nodes)", model=model, nodes=nodes),
            worded("add a column {missing}", missing=GPUS_PER_NODE),
        )
    if reading.fault or not reading.milli_gpus:
        count = row.text("gpus") or ""
        if is_of_others(read_amount(count).per):
            raise RowError("bad_number", gpus_untold(count), worded("give the number of GPUs"))
        raise RowError(reading.fault or "bad_number", gpus_are(count or worded("empty")))
    start_s = row.time("start")
    runs_on = (row.text("end") or "").startswith(ENDLESS_YEAR)
    end_s = None if runs_on else row.time("end")
    if start_s is None:
        raise RowError("bad_time", worded("start is empty"))
    unread = notice if (notice := row.text("notice_days")) and read_decimal(notice) is None else None
    gpu_model, milli_gpus, rate = (
        (dollars.pop("gpu_model"), reading.milli_gpus, dollars["commitment_usd_per_hour"])
        if dollars
        else _whole_gpus(row, reading.milli_gpus)
    )
    return Contract(
        contract_id=row.required("contract_id"),
        cluster=(not dollars and row.text("cluster")) or "",
        gpu_model=gpu_model,
        milli_gpus=milli_gpus,
        rate_usd_per_gpu_hour=rate,
        start_s=start_s,
        end_s=end_s,
        provider=row.text("provider"),
        pricing_category=read_category(row),
        term_months=row.integer("term_months"),
        min_term_months=row.integer("min_term_months"),
        notice_days=None if unread else row.integer("notice_days", high=LONGEST_NOTICE_DAYS),
        notice_written=unread,
        **machine_terms(row),
        pool=None if dollars else row.word("pool", {str(pool): pool for pool in Pool}),
        sla_percent=row.real("sla_percent", high=100),
        owner=row.text("owner"),
        purchase_order=row.text("purchase_order"),
        renews_months=row.integer("renews_months"),
        take_or_pay_percent=row.real("take_or_pay_percent", high=100),
        prepaid_usd=row.number("prepaid_usd"),
        deposit_usd=row.number("deposit_usd"),
        cancel_fee_usd=row.number("cancel_fee_usd"),
        exchange_until_s=row.time("exchange_until"),
        grid_kg_co2_per_kwh=row.real("grid_kg_co2_per_kwh"),
        currency=(currency := row.text("currency") or USD),
        exchange=unstated_exchange(currency),
        **dollars,
    )


def dollar_terms(row: Row) -> dict[str, Any]:
    """The terms of a commitment in dollars per hour, by field; empty for GPUs. Errors: RowError.

    Discounts are one percentage for all models of the row, or one for each: `H100=40;H200=35`.
    """
    usd, stated = row.number(DOLLARS), row.text("discount_percent")
    if row.text("gpus") or row.text(RATE) or (usd is None and stated is None):
        return {}
    models = (row.text("gpu_model") or ANY_MODEL).removeprefix(IN_DOLLARS).split(";")
    each = (stated or "").split(";") if "=" in (stated or "") else [f"{model}={stated}" for model in models]
    read = {m.strip(): read_decimal(off.strip(" %")) for m, _, off in (part.rpartition("=") for part in each)}
    if stated and any(off is None or not 0 <= off < 100 for off in read.values()):
        problem = worded("{column} is {text}", column="discount_percent", text=stated)
        raise RowError("bad_number", problem, worded("write it as {example}", example="H100=40;H200=35"))
    if stated is None:
        row.say("quote_needed", worded("no discount_percent: coverage of the commitment unknown"))
    off_of = {model if model == ANY_MODEL else clean_model(model).name: off for model, off in read.items()}
    discounts = ";".join(f"{model}={off:f}" for model, off in off_of.items() if off is not None)
    return {"gpu_model": IN_DOLLARS + ";".join(off_of), DOLLARS: usd or None, "discount_percent": discounts}


def gpus_untold(count: str) -> Message:
    """The words for a count of racks, nodes or hours of which nobody says how many GPUs they are."""
    return worded("unknown GPU count of {count}", count=count[:40])


def _whole_gpus(row: Row, milli_gpus: int) -> tuple[str | None, int, Decimal | None]:
    """The model, thousandths of GPUs and rate of a row; slices as their share of whole GPUs, as in logs.

    Law: what the row costs stays. A part that does not say its share stays a model of its own, and is asked about.
    """
    written, rate = row.text("gpu_model"), row.rate("rate_usd_per_gpu_hour")
    read = gpu_families().read(written or "")
    share = read.share if read is not None and read.part else None
    if read is None or share is None:
        return written, milli_gpus, rate
    whole = max(round(milli_gpus * share), 1)
    if rate is not None:
        rate = round(rate * milli_gpus / whole, RATE_DIGITS)
    row.say(
        "computed",
        worded(
            "{count} × {written} count as {gpus} {model}, at the rate of a whole GPU",
            count=significant(milli_gpus / 1000),
            written=written or "",
            gpus=significant(whole / 1000),
            model=read.whole.full,
        ),
    )
    return read.whole.full, whole, rate


def machine_terms(row: Row) -> dict[str, Any]:
    """Fields of contracts and offers: machines, their place, and what is paid beside a rate. Errors: RowError."""
    return {
        **{name: row.text(name) for name in ("region", "country")},
        **{name: row.flag(name) for name in ("bare_metal", "rdma")},
        **{name: row.real(name) for name in ("nic_gbps", "gpu_memory_gb")},
        **{name: row.number(name) for name in EXTRA_MONEY if name != "setup_usd"},  # of an offer alone
        "interconnect": row.word("interconnect", {name: name for name in INTERCONNECTS}),
        "support_percent": row.real("support_percent", high=100),
    }


def read_category(row: Row) -> PricingCategory | None:
    """The pricing category; None where none is stated.

    Errors: RowError where it is a word of nobody's: taking it for a commitment would be a guess.
    """
    text = (row.text("pricing_category") or "").lower()
    if text in ("", "null"):
        return None
    if text not in CATEGORIES:
        raise RowError(
            "unknown_value",
            not_one_of("pricing_category", text, ("STANDARD", "COMMITTED", "DYNAMIC", "OWNED")),
        )
    return CATEGORIES[text]

"""Twins in price lists: rows alike in all that is read but the rate. What tells them apart names them, or is asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.tables import column_mapping, headings
from gpuplanner.files.tables.column_mapping import ColumnMapping, TableMapping, mapping_text
from gpuplanner.files.tables.machine_or_gpu import cell_at
from gpuplanner.files.tables.small_table import Row, RowLeftOutError
from gpuplanner.files.tables.tier_columns import TIER_FIELD
from gpuplanner.files.values.amounts import read_amount
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import words
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.lazy_dataclass import dataclass

_NOT_COMPARED: Final = frozenset(
    ("offer_id", "source", "notes", "rate_low", "rate_high", column_mapping.RATE, "offered")
)
"""Texts of a row that are no terms of its offer."""
_SPECS: Final = words(
    "vcpu|vcpus|cpu|cpus|core|cores|thread|threads|ram|memory|mem|disk|storage|ssd|nvme|os|cuda|driver|tflops"
    "|architecture|generation|bandwidth|network|nvlink"
)
"""Words of headings of columns by which offers are named: the machine around the GPUs."""
_IDENTIFIERS: Final = words(
    "id|ids|sku|uuid|guid|pos|position|line|row|no|nr|number|#|url|link|href|ref|code|listing|index"
)
"""Words of headings of columns that differ in every row and tell nothing."""
_NAMES: Final = words("name|title|description|label|notes|tags|beschreibung|bezeichnung|désignation")
"""Words of headings of columns that are no reason for a price where machines differ."""
_WHAT_DIFFERS: Final = (
    "interconnect",
    "bare_metal",
    "sla_percent",
    "upfront_usd",
    "min_term_months",
    "lead_time_hours",
    "starts",
    "ends",
    "valid_until",
    "country",
    "max_gpus",
    "currency",
)
"""Fields that name offers which differ in them alone, the most telling first."""

_OF_TIERS: Final = (TIER_FIELD, "max_gpus_per_order")


@dataclass(slots=True, kw_only=True)
class ListedRow:
    """A row of a price list before its offers have names.

    base: the name by provider, machine, model and region. key: what is paid and the day, beside which names are unique.
    cells: as they are written.
    """

    row: Row
    base: str
    key: tuple[str, ...]
    cells: Sequence[str]

    @property
    def terms(self) -> tuple[tuple[str, str], ...]:
        """All texts that are terms of the offer, and what is paid for."""
        texts = self.row.texts.items()
        return tuple(sorted((name, text) for name, text in texts if text and name not in _NOT_COMPARED))

    @property
    def rates(self) -> Mapping[tuple[str, str], str]:
        """Rate by payment method and term."""
        return {(category, term): rate for category, term, rate in self.row.ways}


def name_apart(listed: Sequence[ListedRow], mapping: TableMapping, path: str, *, is_given: bool) -> None:
    """Name the offers of rows.

    Volume tiers are named by their GPUs, others by the terms or machines in which they differ. Rows that differ in
    nothing but the rate are one offer at its higher rate. Errors: PlannerError missing_column where another column
    tells rates apart, which must be answered; not if the mapping is_given.
    """
    groups: dict[tuple[str, ...], list[ListedRow]] = {}
    for offer_row in listed:
        groups.setdefault((offer_row.base, *offer_row.key), []).append(offer_row)
    several = [group for group in groups.values() if len(group) > 1]
    _complete_tiers(several)
    twins = [alike for group in several for alike in _twins(group)]
    unused = set(mapping.unused)
    specs = [place for place, name in enumerate(mapping.headings) if name in unused and _is_spec(name)]
    telling = [rows for rows in twins if _tell_apart(rows, specs)]
    asked = [
        place
        for place in _columns_that_tell(twins, mapping)
        if place not in specs and not (_is_name(mapping.headings[place]) and len(telling) == len(twins))
    ]
    if asked and not is_given:
        raise _question(asked[0], twins, mapping, path)
    names = {place: mapping.headings[place] for place in specs if telling}
    for group in groups.values():
        _name_group(group, names)
    for alike in twins:
        _keep_dearer(alike)


def _complete_tiers(groups: Iterable[Sequence[ListedRow]]) -> None:
    """Fill in where tiers begin that only state their end: up to 63, up to 255, over 255."""
    for group in groups:
        tiers = [
            offer_row.row
            for offer_row in group
            if offer_row.row.texts.get("max_gpus_per_order", "").isdecimal()
        ]
        ends = sorted({int(row.texts["max_gpus_per_order"]) for row in tiers})
        for row in tiers:
            below = [end for end in ends if end < int(row.texts["max_gpus_per_order"])]
            if below and not row.texts.get(TIER_FIELD):
                row.texts = {**row.texts, TIER_FIELD: f"{below[-1] + 1}"}


def _twins(group: Sequence[ListedRow]) -> list[list[ListedRow]]:
    """The rows that are alike in every term, where some have another rate for the same payment method."""
    alike: dict[tuple[tuple[str, str], ...], list[ListedRow]] = {}
    for offer_row in group:
        alike.setdefault(offer_row.terms, []).append(offer_row)
    return [rows for rows in alike.values() if len(rows) > 1 and _differ(rows)]


def _differ(rows: Sequence[ListedRow]) -> bool:
    """Whether rows state two rates for one payment method."""
    seen: dict[tuple[str, str], str] = {}
    return any(
        seen.setdefault(payment, rate) != rate
        for offer_row in rows
        for payment, rate in offer_row.rates.items()
        if rate
    )


def _columns_that_tell(twins: Sequence[Sequence[ListedRow]], mapping: TableMapping) -> list[int]:
    """The unread columns whose cells never meet between two rates, those that tell most of the twins first."""
    unused = set(mapping.unused)
    telling = {
        place: sum(_tell_apart(rows, [place]) for rows in twins)
        for place, name in enumerate(mapping.headings)
        if name in unused and not _is_identifier(name)
    }
    return sorted(
        (place for place, count in telling.items() if count), key=lambda place: (-telling[place], place)
    )


def _tell_apart(rows: Sequence[ListedRow], columns: Sequence[int]) -> bool:
    """Whether rows of other rates have other cells in some columns together; addresses and empty cells tell nothing."""
    by_rate: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for offer_row in rows:
        cells = tuple(cell_at(offer_row.cells, place).strip() for place in columns)
        by_rate.setdefault(tuple(offer_row.rates.values()), set()).add(cells)
    seen: set[tuple[str, ...]] = set()
    for texts in by_rate.values():
        if not seen.isdisjoint(texts):
            return False
        seen |= texts
    words_of = [text for cells in seen for text in cells]
    return any(words_of) and not any("://" in text for text in words_of)


def _is_spec(heading: str) -> bool:
    """Whether a column is of the machine around the GPUs: RAM, vCPUs.

    >>> _is_spec("RAM GB"), _is_spec("Support")
    (True, False)
    """
    return not _SPECS.isdisjoint(headings.plain_words(heading).split())


def _is_name(heading: str) -> bool:
    """Whether a column names or describes what the row is."""
    return not _NAMES.isdisjoint(headings.plain_words(heading).split())


def _is_identifier(heading: str) -> bool:
    """Whether a column differs in every row and tells nothing: SKU, listing id."""
    return not _IDENTIFIERS.isdisjoint(headings.plain_words(heading).split())


# --- Names


def _name_group(group: Sequence[ListedRow], specs: Mapping[int, str]) -> None:
    """Name the rows of one base: by the fewest words that tell those apart whose terms or machines differ."""
    parts: list[list[str]] = [[] for _ in group]
    if len(group) == 1:
        return
    others = sorted(
        {name for offer_row in group for name, _ in offer_row.terms} - {*_WHAT_DIFFERS, *_OF_TIERS}
    )
    fields = (_of_field(name) for name in (*_WHAT_DIFFERS, *others))
    wanted = [
        (offer_row.terms, tuple(cell_at(offer_row.cells, place).strip() for place in specs))
        for offer_row in group
    ]
    for words_of in (_of_tier, *fields, *map(_of_cell, specs.items())):
        if len({*map(tuple, parts)}) == len(set(wanted)):
            break
        words_found = [words_of(offer_row) for offer_row in group]
        if len(set(words_found)) > 1:
            parts = [
                [*own, *([words_told] if words_told else [])]
                for own, words_told in zip(parts, words_found, strict=True)
            ]
    for offer_row, own in zip(group, parts, strict=True):
        offer_row.row.texts = {**offer_row.row.texts, "offer_id": ", ".join((offer_row.base, *own))}


def tier_words(texts: Mapping[str, str]) -> str:
    """A tier by its GPUs, 64-255 GPUs or 256+ GPUs; empty without one."""
    low, high = (texts.get(name, "") for name in _OF_TIERS)
    if high:
        return f"{low or 1}-{high} GPUs"
    return f"{low}+ GPUs" if low else ""


def _of_tier(offer_row: ListedRow) -> str:
    """The words of the tier of a row."""
    return tier_words(offer_row.row.texts)


def _of_field(name: str) -> Callable[[ListedRow], str]:
    """The words of a field in which rows differ: sla percent 99.9."""

    def words_of(offer_row: ListedRow) -> str:
        """The words of one row; empty where it does not state the field."""
        text = offer_row.row.texts.get(name, "")
        return f"{name.replace('_', ' ')} {text}" if text else ""

    return words_of


def _of_cell(column: tuple[int, str]) -> Callable[[ListedRow], str]:
    """The words of a cell of a machine: 32 vCPUs."""
    place, heading = column
    return lambda offer_row: f"{cell_at(offer_row.cells, place).strip()} {heading}"


def _keep_dearer(alike: Sequence[ListedRow]) -> None:
    """Leave out rows that have the name of a dearer one: nothing says which of the rates is right."""
    by_name: dict[str, list[ListedRow]] = {}
    for offer_row in alike:
        by_name.setdefault(offer_row.row.texts["offer_id"], []).append(offer_row)
    for name, rows in by_name.items():
        if len(rows) < 2 or not _differ(rows):
            continue
        kept = max(rows, key=lambda offer_row: [read_decimal(rate) or 0 for rate in offer_row.rates.values()])
        for offer_row in rows:
            if offer_row is not kept and offer_row.rates != kept.rates:
                problem = worded(
                    "{offer} has two rates: {low} is skipped, {high} is used",
                    offer=name,
                    low=", ".join(filter(None, offer_row.rates.values())),
                    high=", ".join(filter(None, kept.rates.values())),
                )
                remedy = worded("add a column that distinguishes the rows, or delete one")
                offer_row.row.left_out = RowLeftOutError("left_out", problem, remedy)


# --- The question


def _question(
    place: int, twins: Sequence[Sequence[ListedRow]], mapping: TableMapping, path: str
) -> PlannerError:
    """The error for rows whose rates differ by a column that was not read."""
    cells = (cell_at(offer_row.cells, place).strip() for rows in twins for offer_row in rows)
    texts = list(dict.fromkeys(filter(None, cells)))
    name = mapping.headings[place]
    part = mapping_text(ColumnMapping({"variant": name}))
    if mapping.of("as_of") is None and all(map(read_date, texts)):
        remedy = worded(
            "--map {day} if it dates the price, --map {variant} if part of the offer",
            day=mapping_text(ColumnMapping({"as_of": name})),
            variant=part,
        )
    elif mapping.of("pricing_category") is None and any(
        headings.way_of_cell(part.strip())
        for text in texts
        for part in text.split("|")
        if not part.strip().isdecimal()
    ):
        remedy = worded(
            "--map {how} if it is the payment method, --map {variant} if part of the offer",
            how=mapping_text(ColumnMapping({"pricing_category": name, "variant": name})),
            variant=part,
        )
    elif all(read_amount(text).number is not None for text in texts) and mapping.of(TIER_FIELD) is None:
        remedy = worded(
            "--map {tier} if orders start at so many GPUs, --map {variant} if part of the offer",
            tier=mapping_text(ColumnMapping({TIER_FIELD: name})),
            variant=part,
        )
    else:
        remedy = worded("--map {variant} if part of the offer", variant=part)
    return PlannerError(
        f"{path}:{mapping.header_row}",
        "missing_column",
        worded(
            "identical rows differ in price by “{column}”, which was not read ({texts})",
            column=name,
            texts=", ".join(texts[:3])[:80],
        ),
        remedy,
    )

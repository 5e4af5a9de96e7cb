"""Quotes that came back: the filled Request for quote of an exported workbook as offers."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.book.exchange import USD, unstated_exchange
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.money_signs import in_money
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.files.sources.source import XLSX, Source
from gpuplanner.files.tables.row_ends import TableRead, collect_rows
from gpuplanner.files.tables.small_table import FLAGS, Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import CODES
from gpuplanner.files.workbook.plan import request_columns as names

FORMAT: Final = "workbook"
_INTERCONNECTS: Final = {name: name for name in ("infiniband", "nvlink", "roce_400", "roce", "ethernet")}
_SHEET_MARK: Final = f'name="{names.SHEET}"'.encode()


def is_quote_book(source: Source) -> bool:
    """Whether a file is a workbook with the sheet that goes to vendors; cheap."""
    if source.kind != XLSX:
        return False
    try:
        with zipfile.ZipFile(source.at) as archive:
            listed = next((name for name in archive.namelist() if name.lower() == "xl/workbook.xml"), None)
            return listed is not None and _SHEET_MARK in archive.read(listed)
    except Exception:  # a damaged member fails in many ways; whoever reads the rows says so
        return False


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things stand: columns by heading, each vendor's name and day; currency: that the request asks for."""

    columns: dict[str, int]
    vendors: tuple[str, ...]
    days: tuple[str, ...]
    currency: str

    def text(self, cells: list[str], heading: str) -> str:
        """The cell below a heading; empty without such a column or cell."""
        place = self.columns.get(heading, len(cells))
        return cells[place].strip() if place < len(cells) else ""


def read_quotes(source: Source) -> TableRead[Offer]:
    """Every quote that was filled in, as an offer with its vendor and day. A quote without a rate is "quote needed".

    A row of the request without any answer is ignored; each answer of a vendor is a row of its own.
    Errors: PlannerError missing_column, file_unreadable.
    """
    sheet = replace(source, sheet=names.SHEET)
    read = collect_rows(
        sheet, "prices", FORMAT, _quotes(sheet), lambda row: (_offer(row),), lambda offer: offer.offer_id
    )
    return replace(read, intake=replace(read.intake, facts=(("sheet", names.SHEET),)))


def _quotes(source: Source) -> Iterator[tuple[int, Row, str]]:
    """Each vendor's answer to each request as a row; PlannerError if the sheet has no table of requests."""
    with source.rows() as rows:
        layout: _Layout | None = None
        above: list[list[str]] = []
        for line, cells in rows:
            if layout is None:
                if cells[:1] == [names.REQUEST]:
                    layout = _layout(cells, above)
                above.append(cells)
                continue
            if not layout.text(cells, names.REQUEST):
                said = next(filter(None, (cell.strip() for cell in cells)), "")
                row = Row({}, left_out=RowLeftOutError("not_a_row", joined((f"“{said[:40]}”",))))
                yield line, row, ",".join(cells)
                continue
            yield from _answers(line, cells, layout)
    if layout is None:
        what = worded(
            "the sheet “{sheet}” has no row that begins with {request}",
            sheet=names.SHEET,
            request=names.REQUEST,
        )
        raise PlannerError(
            f"{source.path}:1", "missing_column", what, worded("fill in the workbook as it was exported")
        )


def _layout(headings: list[str], above: list[list[str]]) -> _Layout:
    """Where each column stands, the vendors' names and dates above their own, and the currency of the headings."""
    read = {heading.strip(): place for place, heading in reversed(list(enumerate(headings))) if heading}
    asked = names.quote_heading(0, names.RATE)
    currency = next((code for code in CODES if in_money(asked, code) in read), USD)
    each = (names.quote_heading(v, n) for v in range(names.VENDORS) for n in names.QUOTE_COLUMNS)
    ours = [*read, *each]
    signed = {in_money(name, currency): name for name in ours}
    columns = {signed[heading]: place for heading, place in read.items()}
    labelled = {cells[0].strip(): cells for cells in above if cells}
    places = [
        columns.get(names.quote_heading(vendor, names.RATE), len(headings)) for vendor in range(names.VENDORS)
    ]

    def beside(label: str) -> tuple[str, ...]:
        """What stands in the row of this label above each vendor's columns."""
        cells = labelled.get(label, [])
        return tuple(cells[place].strip() if place < len(cells) else "" for place in places)

    return _Layout(columns, beside(names.VENDOR_LABEL), beside(names.DATE_LABEL), currency)


def _answers(line: int, cells: list[str], layout: _Layout) -> Iterator[tuple[int, Row, str]]:
    """The answers of one row of the request, each with what was asked for."""
    asked = {
        column: layout.text(cells, column)
        for column in (
            names.REQUEST,
            names.MODEL,
            names.TERM,
            names.REGION,
            names.INTERCONNECT,
            names.MEMORY,
            names.BARE_METAL,
        )
    }
    asked = {column: "" if text.lower() in (names.ANY, "—") else text for column, text in asked.items()}
    is_answered = False
    for vendor in range(names.VENDORS):
        answer = {
            column: layout.text(cells, names.quote_heading(vendor, column)) for column in names.QUOTE_COLUMNS
        }
        if not any(answer.values()):
            continue
        is_answered = True
        row = Row(
            {
                **asked,
                **answer,
                names.VENDOR_LABEL: layout.vendors[vendor],
                names.DATE_LABEL: layout.days[vendor],
                "currency": layout.currency,
            }
        )
        row.notes = []
        yield line, row, ",".join((asked[names.REQUEST], layout.vendors[vendor], *answer.values()))
    if not is_answered:
        row = Row(asked, left_out=RowLeftOutError("no_quote", joined((asked[names.REQUEST],))))
        yield line, row, ",".join(asked.values())


def _offer(row: Row) -> Offer:
    """An answer as an offer; RowError where the vendor has no name or the term is none."""
    vendor = row.text(names.VENDOR_LABEL)
    request = row.required(names.REQUEST)
    if vendor is None:
        raise RowError(
            "missing_column",
            worded("{request}: the vendor's name above its columns is empty", request=request),
        )
    model = row.required(names.MODEL)
    term = row.integer(names.TERM)
    if not term:
        raise RowError(
            "bad_number",
            worded(
                "{request}: the term is {value}",
                request=request,
                value=row.text(names.TERM) or worded("empty"),
            ),
        )
    day = (row.text(names.DATE_LABEL) or "")[:10] or None
    rate = row.rate(names.RATE)
    if rate is None:
        row.said["quote_needed"] = worded("{request} of {vendor}", request=request, vendor=vendor)
    memory, lead = row.number(names.MEMORY), row.number(names.LEAD)
    sla = row.number(names.OFFERED_SLA, high=100)
    said = [f"Quote of {vendor} for {request}"]
    said += [f"SLA {row.text(names.OFFERED_SLA)}%"] if row.text(names.OFFERED_SLA) else []
    said += [row.texts[names.REMARK]] if row.text(names.REMARK) else []
    return Offer(
        offer_id=" ".join(filter(None, ("quote", vendor, request, model, f"{term}m", day))),
        gpu_model=model,
        pricing_category=PricingCategory.COMMITTED,
        term_months=term,
        rate_usd_per_gpu_hour=rate,
        provider=vendor,
        max_gpus=_most(row),
        lead_time_hours=float(lead or 0),
        gpu_memory_gb=None if memory is None else float(memory),
        bare_metal=row.word(names.BARE_METAL, FLAGS),
        sla_percent=None if sla is None else float(sla * 100 if sla <= 1 else sla),  # 0.999 is 99.9%
        interconnect=row.word(names.INTERCONNECT, _INTERCONNECTS),
        egress_usd_per_gb=row.number(names.EGRESS),
        region=row.text(names.REGION),
        source=", ".join(said),
        as_of=day,
        currency=(currency := row.text("currency") or USD),
        exchange=unstated_exchange(currency),
    )


def _most(row: Row) -> int | None:
    """The most GPUs a vendor has, in whole ones; None where it names no limit."""
    most = row.number(names.MOST)
    return None if most is None or most == 0 else int(most.to_integral_value(rounding="ROUND_FLOOR")) or 1

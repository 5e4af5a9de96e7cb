"""Contracts: a row for each, what to do by when, what happens without notice, what it costs and how far it is used."""

from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.commitment.contract_rows import ContractRow, contract_rows
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import day_of, has_calendar
from gpuplanner.files.workbook.front.by_number import NOT_STATED
from gpuplanner.files.workbook.front.pages import Fronts, Part, count_words, money, sentence
from gpuplanner.files.workbook.inputs.sheet_inputs import model_words
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.expressions import known
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import FrontPage
from gpuplanner.files.workbook.kit.sheets import CONTRACT_INPUTS
from gpuplanner.files.workbook.kit.sheets import CONTRACTS as SHEET

FIELDS: Final = fields_of("front.contracts")
WRAPPED: Final = ("name", "decision", "provider", "gpu_model", "without", "contract_no", "owner")
FIGURES: Final = ("gpus", "usd_per_month", "owed", "used", "idle_usd")
SUMMED: Final = ("gpus", "usd_per_month", "owed", "idle_usd")
LEAST_USED: Final = 0.4
"""Below it the share is red."""
NO_END: Final = "No end"


def write_contracts_page(fronts: Fronts) -> None:
    """Write the sheet."""
    page = FrontPage(fronts.book, fronts.form, SHEET, [field.width for field in FIELDS])
    rows = held_rows(fronts)
    row = page.title(_finding(fronts, rows), _sentence(fronts, rows))
    table = Table(book=fronts.book, sheet=SHEET, row=row, size=len(rows), fields=FIELDS)
    page.book.sheets[SHEET].freeze_panes(table.first_row, 2)
    for place, held in enumerate(rows):
        _put_row(fronts, table, place, held)
        texts = (
            (str(table.cell(key, place).value), table.fields[table.column_of(key)].width) for key in WRAPPED
        )
        page.fit(table.first_row + place, [(text, width, False) for text, width in texts])
    for field in FIELDS:
        look = "front.front_total.whole" if field.key in SUMMED else "front.front_total"
        content: Content = "Sum" if field.key == "act_by" else ""
        if field.key in SUMMED:
            content = table.range(field.key).known_sum() if rows else 0
        table.put_below(field.key, content, look)
    page.mark_due(table.area("act_by", "act_by"))
    page.mark_below(table.area("used", "used"), LEAST_USED)
    page.mark_words(table.area("without", "without"), (NOT_STATED,))
    last = page.gap(table.end_row + 1)
    for words in _risks(fronts, rows):
        last = page.gap(page.amber(last, words))
    page.across(last, 0, page.last, _note(fronts), "front_note")
    page.finish(last, repeated_row=table.first_row - 1)


def held_rows(fronts: Fronts) -> list[ContractRow]:
    """Return the contracts by the day to act, then by name; those that have ended come last."""
    numbered = fronts.numbered
    return contract_rows(
        numbered.held, fronts.inputs.verdicts.values(), numbered.decided, numbered.approval.seen
    )


def _put_row(fronts: Fronts, table: Table, place: int, held: ContractRow) -> None:
    """Write one contract: its figures are those of its row by number."""
    source, contract = fronts.numbered.contracts, held.contract
    source_place = fronts.numbered.held.index(contract)
    by_s = held.by_s
    is_dated = by_s is not None and has_calendar(by_s)
    table.put("act_by", place, float(int(day_number(by_s))) if by_s is not None and is_dated else None)
    table.fill(
        place,
        name=contract.contract_id,
        decision=held.words,
        provider=contract.provider or NOT_STATED,
        gpu_model=model_words(contract.gpu_model),
        notice=contract.notice_written if contract.is_notice_unknown else contract.notice_days,
        without=without_notice(contract),
        contract_no=contract.purchase_order or "",
        owner=contract.owner or "",
    )
    for key in FIGURES:
        cell = source.cell(key, source_place)
        table.put(key, place, known([cell], cell))
    end = source.cell("last_day", source_place)
    table.put("last_day", place, known([end], end) if contract.end_s is not None else NO_END)


def without_notice(contract: Contract) -> str:
    """Return what happens to a contract if nobody gives notice."""
    if contract.end_s is None:
        return "Runs on"
    if contract.renews_months is None:
        return NOT_STATED if contract.is_committed else "Expires"
    if not contract.renews_months:
        return "Expires"
    noun = "month" if contract.renews_months == 1 else "months"
    return f"Renews {contract.renews_months} {noun}"


def _finding(fronts: Fronts, rows: Sequence[ContractRow]) -> str:
    """Return what to end and where to give notice, by when."""
    ended = [held for held in rows if held.is_ended]
    stopped = [held for held in ended if not held.contract.notice]
    noticed = [held for held in ended if held.contract.notice]
    parts = []
    if stopped:
        parts.append(f"end {count_words(len(stopped))} {_from_day(fronts, stopped)}")
    if noticed:
        noun = "notice" if len(noticed) == 1 else "notices"
        parts.append(f"give {count_words(len(noticed))} {noun} {_from_day(fronts, noticed)}")
    if not parts:
        return "Contracts: nothing to end" if rows else "No contracts"
    return f"Contracts: {', '.join(parts)}"


def _from_day(fronts: Fronts, rows: Sequence[ContractRow]) -> str:
    """Return from when contracts are to be acted on: today, by a day, or from one on."""
    days = sorted({day_of(held.by_s) for held in rows if held.by_s is not None})
    seen = fronts.numbered.approval.seen
    if not days or not seen.is_dated:
        return "as the plan begins"
    if days[0] <= day_of(seen.written_s):
        return "today" if len(days) == 1 else "from today"
    return f"{'by' if len(days) == 1 else 'from'} {written_date(days[0])}"


def _sentence(fronts: Fronts, rows: Sequence[ContractRow]) -> Content:
    """Return what the contracts cost, and what is idle of it."""
    if not rows:
        return "No contract was read."
    source = fronts.numbered.contracts
    cost, idle, owed = (source.range(key).known_sum() for key in ("usd_per_month", "idle_usd", "owed"))
    count = (
        "One contract costs " if len(rows) == 1 else f"{count_words(len(rows)).capitalize()} contracts cost "
    )
    parts: list[Part] = [count, money(fronts.book, cost), " per month"]
    if idle.is_known:
        parts += [", of which ", money(fronts.book, idle), " is idle"]
    parts.append(". ")
    if owed.is_known:
        parts += ["If all work stopped, ", money(fronts.book, owed), " would still be owed."]
    return sentence(*parts)


def _risks(fronts: Fronts, rows: Sequence[ContractRow]) -> Iterator[Content]:
    """Return what is not known of the contracts."""
    unstated = [held for held in rows if not held.is_over and without_notice(held.contract) == NOT_STATED]
    if not unstated:
        return
    says = "contract does" if len(unstated) == 1 else "contracts do"
    words = (
        f"{count_words(len(unstated)).capitalize()} {says} not say what happens without notice. Read the contract and "
        "state it in the app."
    )
    renewals = [
        ((held.contract.cost_per_month or 0.0) * (held.contract.term_months or 0), held.contract)
        for held in unstated
    ]
    usd, most = max(renewals, key=lambda pair: (pair[0], pair[1].contract_id))
    if usd:
        term = most.term_months
        words += f" A silent renewal of {most.contract_id} alone would commit ${usd:,.0f} ({term} months)."
    yield words


def _note(fronts: Fronts) -> str:
    """Return how the columns are to be read."""
    window = fronts.inputs.project.window
    days = (
        f", {written_date(window.start_s)} – {written_date(window.end_s - 1)}"
        if has_calendar(window.end_s)
        else ""
    )
    return (
        f"Used: share of paid GPU-hours that ran jobs{days}; red below 40%. To change GPUs, rates or dates, use the "
        f"sheet {CONTRACT_INPUTS}."
    )

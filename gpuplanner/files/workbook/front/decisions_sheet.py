"""Decisions: what to approve now and by when, what can wait, and lines to sign."""

from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.brief import decision_words as words
from gpuplanner.domain.brief.approval import later_words, order_numbers_now
from gpuplanner.domain.brief.pages import counted
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import order_numbers
from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.plan.comparison import Horizon, saved_inputs
from gpuplanner.domain.commitment.plan.orders import gpus_in_rows, liability_usd
from gpuplanner.domain.commitment.words.orders import set_up_words
from gpuplanner.domain.figures.plan import NEXT_DECISION
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.front.pages import (
    Fronts,
    count_words,
    listed,
    live_in,
    money,
    sentence,
    sum_look,
    sum_of_orders,
)
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.checks import Light, add_light_colors
from gpuplanner.files.workbook.kit.expressions import call, formula, known
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import FrontPage
from gpuplanner.files.workbook.kit.sheets import DECISIONS as SHEET
from gpuplanner.files.workbook.kit.text_lines import count_lines
from gpuplanner.lazy_dataclass import dataclass

FIELDS: Final = fields_of("front.decisions")
WRAPPED: Final = ("title", "provider", "orders")
MOST_ROWS: Final = 18
"""Decisions that have a row: so many go on a page."""
CHOICES: Final = ("Approve", "Defer", "Reject")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Decisions of one table. rest: those without a row, which the last row sums up."""

    shown: tuple[NextDecision, ...]
    rest: tuple[NextDecision, ...] = ()


def write_decisions(fronts: Fronts, light: Light) -> None:
    """Write the sheet. light: over all checks."""
    book = fronts.book
    page = FrontPage(book, fronts.form, SHEET, [field.width for field in FIELDS])
    now, later = _listings(fronts)
    row = page.title(_finding(fronts), _sentence(fronts, now, later))
    _tiles(fronts, page, row, light)
    row = page.gap(row + 3)
    for risk in _risks(fronts):
        row = page.gap(page.amber(row, risk))
    title = str(words.now_title((*now.shown, *now.rest), fronts.numbered.approval.seen))
    for heading, listing in ((title, now), (str(words.LATER), later)):
        if listing.shown:
            table = _table(fronts, page, row, heading, listing)
            row = page.gap(_sum_of_now(fronts, table)) if listing is now else table.end_row
    row = _whole_plan(fronts, page, row)
    page.across(row, 0, page.last, _note(fronts), "front_note")
    last = _approval(page, page.gap(row + 1))
    page.finish(last)


def _listings(fronts: Fronts) -> tuple[Listing, Listing]:
    """Return the decisions of now and those of later; savings that are only offered are in the note."""
    now, later = words.now_and_later(fronts.numbered.decided, fronts.numbered.approval)
    room = max(1, MOST_ROWS - len(now)) if later else 0
    most_now = MOST_ROWS - (1 if later else 0)
    return _listing(now, most_now), _listing(later, room)


def _listing(decisions: Sequence[NextDecision], most: int) -> Listing:
    """Return the first decisions, with a row for the rest where there are more than so many."""
    if len(decisions) <= most:
        return Listing(shown=tuple(decisions))
    shown = max(0, most - 1)
    return Listing(shown=tuple(decisions[:shown]), rest=tuple(decisions[shown:]))


def _finding(fronts: Fronts) -> Content:
    """Return what to approve by when, and what to end; the amount follows the book."""
    evaluation, approval = fronts.inputs.evaluation, fronts.numbered.approval
    title = fronts.book.in_currency(words.page_title(evaluation, evaluation.advised, approval))
    known_usd, cells = liability_usd(approval.now), fronts.numbered.orders.range("now_usd")
    if not approval.now or known_usd is None or cells.unknown:
        return title
    written = fronts.book.in_currency(str(amount(known_usd)))
    return live_in(title, written, money(fronts.book, cells.known_sum()))


def _sentence(fronts: Fronts, now: Listing, later: Listing) -> Content:
    """Return what the plan saves, and what can wait."""
    waits = [*later.shown, *later.rest]
    days = [decision.by_s for decision in waits if decision.by_s is not None]
    can_wait = ""
    if days:
        whole = len(waits) + len(now.shown) + len(now.rest)
        can_wait = (
            f" {count_words(len(waits)).capitalize()} of the {count_words(whole)} decisions can wait until "
            f"{written_date(min(days))} or later."
        )
    if not fronts.saved.is_known:
        return f"Savings are unknown: a rate is missing, or the plan leaves work unserved.{can_wait}"
    usd = money(fronts.book, fronts.saved)
    return sentence("The plan saves ", usd, f" in 12 months compared with doing nothing.{can_wait}")


def _tiles(fronts: Fronts, page: FrontPage, row: int, light: Light) -> None:
    """Write the figures that the page is about."""
    numbered, book = fronts.numbered, fronts.book
    now = sum(numbered.is_now(shown) for shown in numbered.listed)
    numbers = order_numbers_now(numbered.approval, (shown.listed for shown in numbered.listed))
    of_orders = sum_look(numbered.approval, "dollars")
    cash = sum_of_orders(numbered.approval, known_cash(fronts))
    tiles: tuple[tuple[int, int, str, Content, str, Content], ...] = (
        (
            0,
            1,
            "Approve now",
            _approved(fronts),
            of_orders,
            f"{counted(now, 'order')}{f' ({numbers})' if numbers else ''}, whole terms{_at_least(fronts)}",
        ),
        (2, 2, str(NEXT_DECISION["decision_saves"].title), fronts.saved, "dollars", _saves_note(fronts)),
        (3, 4, "Cash with the orders", cash, of_orders, _cash_note(fronts)),
        (5, 6, "Later commitments", _later(fronts), of_orders, str(later_words(numbered.approval))),
        (7, 8, "Checks", light.word, "text", _checks_note(light)),
    )
    for first, last, title, figure, style, note in tiles:
        page.span(row, first, last, title, "tile.tile_title")
        page.span(row + 1, first, last, figure, f"tile.tile_amount.{style}")
        page.span(row + 2, first, last, note, "tile.tile_note")
    sheet = book.sheets[SHEET]
    sheet.set_row(row + 1, 24)
    sheet.set_row(row + 2, 24)
    add_light_colors(book, SHEET, row + 1, 7, row + 1, 7)


def _approved(fronts: Fronts) -> Content:
    """Return the commitment to approve now; what its orders come to where a rate of other work is missing."""
    return _sum_of_orders(fronts, "now_usd")


def _later(fronts: Fronts) -> Content:
    """Return what later orders commit; a dash where a rate is missing and none of them is known."""
    return _sum_of_orders(fronts, "later_usd")


def _sum_of_orders(fronts: Fronts, key: str) -> Content:
    """Return the sum of a column of the orders by number."""
    numbered = fronts.numbered
    return sum_of_orders(numbered.approval, numbered.orders.range(key).known_sum() if numbered.listed else 0)


def _at_least(fronts: Fronts) -> str:
    """Return that more may have to be approved, where it is so."""
    return "" if fronts.numbered.approval.usd is not None else "; at least, a rate is missing"


def known_cash(fronts: Fronts) -> Content:
    """Return what is due when the orders of now are signed."""
    numbered = fronts.numbered
    if not numbered.listed:
        return 0
    places = [place for place, shown in enumerate(numbered.listed) if numbered.is_now(shown)]
    cells = [numbered.orders.cell("cash", place) for place in places]
    return known(cells, call("SUM", *cells)) if cells else 0


def _cash_note(fronts: Fronts) -> str:
    """Return for which orders something is due at once."""
    numbered = fronts.numbered
    paid = [
        shown
        for shown in numbered.listed
        if numbered.is_now(shown) and any(order.due_at_once for order in shown.listed.orders)
    ]
    if not paid:
        return "nothing upfront"
    orders = [order for shown in paid for order in shown.listed.orders]
    whose = f"{gpus_in_rows(orders):g} GPUs ({listed(order_numbers(shown.listed.number for shown in paid))})"
    set_up = set_up_words(orders)
    return fronts.book.in_currency(f"{set_up}: {whose}") if set_up else f"upfront for {whose}"


def _saves_note(fronts: Fronts) -> Content:
    """Return the share of doing nothing, and the range of the plan's cost."""
    outlook, totals = fronts.inputs.evaluation.outlook, fronts.inputs.evaluation.totals
    plan_usd = None if totals is None else totals.plan
    hours = fronts.inputs.project.window.hours
    band = None if outlook is None else trusted_band(outlook.uncertainty, plan_usd, hours)
    spread = ""
    if band is not None and band.year_p10_usd is not None and band.year_p90_usd is not None:
        low, high = (
            fronts.book.in_currency(_millions(usd)) for usd in (band.year_p10_usd, band.year_p90_usd)
        )
        spread = f" Range of the plan's cost: {low} to {high} (P10 to P90)."
    nothing = fronts.comparison.sums["nothing"]
    if not fronts.saved.is_known or not nothing.is_known:
        _, why = saved_inputs(Horizon.TWELVE_MONTHS, fronts.inputs.advice)
        return spread.strip() or str(why) or "Cost of doing nothing unknown: a rate is missing"
    share = formula("IFERROR(FIXED(100*{saved}/{nothing},0),0)", saved=fronts.saved, nothing=nothing)
    return sentence(share, "% of ", money(fronts.book, nothing), f" (do nothing).{spread}")


def _millions(usd: float) -> str:
    """Return $ in short.

    >>> _millions(5_607_564), _millions(607_564)
    ('$5.6M', '$608K')
    """
    return f"${usd / 1e6:.1f}M" if usd >= 1e6 else f"${usd / 1e3:.0f}K"


def _checks_note(light: Light) -> Content:
    """Return what the light says behind its word."""
    given = {"failed": light.failed, "changed": light.changed, "number": light.number}
    return formula(
        'IF({failed}>0,{failed}&" checks fail: do not use",IF({changed}>0,{changed}&" inputs differ from the export",'
        '{number}&" of "&{number}&" agree with the app"))',
        **given,
    )


def _risks(fronts: Fronts) -> Iterator[Content]:
    """Return the open risks: missing rates, what prices rest on, orders without a provider, contracts without a
    decision."""
    evaluation, numbered = fronts.inputs.evaluation, fronts.numbered
    if unknown := words.unknown_words(evaluation.advised):
        yield f"{fronts.book.in_currency(unknown)}."
    if prices := " ".join(map(str, words.price_words(evaluation, numbered.approval))):
        yield fronts.book.in_currency(prices)
    decided = evaluation.listed_decisions_on(numbered.approval.seen.written_s)
    for risk in (
        words.without_provider_words(evaluation.listed_orders),
        words.undecided_words(evaluation, decided, numbered.approval),
    ):
        if risk:
            yield str(risk)


def _table(fronts: Fronts, page: FrontPage, row: int, heading: str, listing: Listing) -> Table:
    """Write decisions from a row on."""
    row = page.section(row, heading)
    size = len(listing.shown) + bool(listing.rest)
    table = Table(book=fronts.book, sheet=SHEET, row=row, size=size, fields=FIELDS)
    source = fronts.numbered.decisions
    places = {decided.decision_id: place for place, decided in enumerate(fronts.numbered.decided)}
    for place, decision in enumerate(listing.shown):
        source_place = places[decision.decision_id]
        title = _title(decision)
        table.put("number", place, source.cell("number", source_place))
        by: Content = "" if decision.by_s is None else float(int(day_number(decision.by_s)))
        table.put("by", place, by)
        table.fill(place, title=title, provider=decision.provider_words)
        table.put("orders", place, ", ".join(order_numbers(decision.order_numbers)) or None)
        for key in ("saves", "now_usd", "later_usd"):
            cell = source.cell(key, source_place)
            is_empty = key == "saves" and not words.has_savings(decision)
            table.put(key, place, "" if is_empty else known([cell], cell))
        table.put("yours", place, "")
        texts = ((str(table.cell(field.key, place).value), field) for field in FIELDS if field.key in WRAPPED)
        page.fit(
            table.first_row + place, [(text, field.width, field.key == "title") for text, field in texts]
        )
    if listing.rest:
        _put_rest(table, len(listing.shown), listing.rest, source, places)
    page.mark_due(table.area("by", "by"))
    page.choice(table.area("yours", "yours"), CHOICES)
    return table


def _title(decision: NextDecision) -> Text:
    """Return what to do, with the days of its orders where that goes on one line."""
    width = next(field.width for field in FIELDS if field.key == "title")
    titles = [words.what_to_do(decision, title) for title in (decision.title, decision.title_shortly)]
    return next((title for title in titles if count_lines(str(title), width, is_bold=True) == 1), titles[-1])


def _put_rest(
    table: Table, place: int, rest: Sequence[NextDecision], source: Table, places: dict[str, int]
) -> None:
    """Write what has no row of its own in one."""
    table.fill(place, number="", by="", provider="", orders="", saves="", yours="")
    table.put("title", place, f"{len(rest)} more on Orders and Contracts")
    for key in ("now_usd", "later_usd"):
        cells = [source.cell(key, places[decision.decision_id]) for decision in rest]
        table.put(key, place, known(cells, call("SUM", *cells)))


def _sum_of_now(fronts: Fronts, table: Table) -> int:
    """Write what the decisions of now commit and what of it is approved, and return the row below."""
    row = table.end_row
    for field in FIELDS:
        table.put_below(field.key, words.TO_APPROVE if field.key == "title" else "", "front.front_total")
    for key in ("now_usd", "later_usd"):
        total = sum_of_orders(fronts.numbered.approval, table.range(key).known_sum())
        table.put_below(key, total, f"front.front_total.{sum_look(fronts.numbered.approval, 'whole')}")
    approved = call("SUMIF", table.range("yours"), CHOICES[0], table.range("now_usd"))
    table.put_below(
        "yours", sentence(money(fronts.book, approved), " approved"), "front.front_total.front_small.right"
    )
    return row + 1


def _whole_plan(fronts: Fronts, page: FrontPage, row: int) -> int:
    """Write the sums of the whole plan, and return the row below."""
    cells: dict[str, Content] = {"title": words.WHOLE_PLAN, "saves": fronts.saved}
    cells["now_usd"] = _approved(fronts)
    cells["later_usd"] = _later(fronts)
    of_orders = f".{sum_look(fronts.numbered.approval, 'whole')}"
    for column, field in enumerate(FIELDS):
        looks = {"saves": ".whole", "now_usd": of_orders, "later_usd": of_orders}
        page.write(row, column, cells.get(field.key, ""), f"front_total{looks.get(field.key, '')}")
    return row + 1


def _note(fronts: Fronts) -> str:
    """Return how the savings are to be read, and what the plan does not have."""
    offered = fronts.book.in_currency(words.offered_words(fronts.numbered.decided))
    return " ".join(filter(None, (str(words.NOT_ADDED), offered)))


def _approval(page: FrontPage, row: int) -> int:
    """Write the lines to sign, and return the last row."""
    row = page.section(row, "Approval")
    spans = (
        (0, 1, "Role"),
        (2, 2, "Name and comment"),
        (3, 4, "Decision"),
        (5, 5, "Date"),
        (6, 8, "Signature"),
    )
    for first, last, heading in spans:
        own = "" if heading == "Role" else ".front_own_heading"
        page.span(row, first, last, heading, f"front_heading{own}.left")
    for role in words.ROLES:
        row += 1
        page.span(row, 0, 1, role, "line.strong.left")
        for first, last, _ in spans[1:]:
            page.own(row, first, last)
        page.choice((row, 3, row, 3), list(map(str, words.CHOICES)))
        page.book.sheets[SHEET].set_row(row, 18)
    return row

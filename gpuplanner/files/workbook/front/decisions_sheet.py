"""Decisions: what to approve now and by when, what can wait, and lines to sign."""

from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.brief.approval import ask
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import order_numbers
from gpuplanner.domain.commitment.order_days import ShownOrder
from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.plan.orders import gpus_in_rows
from gpuplanner.domain.message import joined
from gpuplanner.domain.model.window import day_of
from gpuplanner.domain.reports.orders import provider_words
from gpuplanner.files.workbook.front.pages import (
    Fronts,
    count_words,
    iso_words,
    listed,
    money,
    offered_words,
    sentence,
    several,
)
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.checks import Light, add_light_colors
from gpuplanner.files.workbook.kit.expressions import call, formula, known
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import FrontPage
from gpuplanner.files.workbook.kit.sheets import DECISIONS as SHEET
from gpuplanner.lazy_dataclass import dataclass

FIELDS: Final = fields_of("front.decisions")
MOST_ROWS: Final = 18
"""Decisions that have a row: so many go on a page."""
CHOICES: Final = ("Approve", "Defer", "Reject")
WHOLE_CHOICES: Final = ("Approve", "Approve with changes", "Reject")
ROLES: Final = ("Requested by", "Finance", "Procurement", "Approved by")
NOT_ADDED: Final = (
    "Savings of single decisions do not add up: each is the plan recalculated without that decision."
)


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
    row = page.title(_finding(fronts, now), _sentence(fronts, now, later))
    _tiles(fronts, page, row, light)
    row += 4
    for words in _risks(fronts):
        row = page.amber(row, words)
    for heading, listing in ((_now_words(fronts, now), now), ("Decide later", later)):
        if listing.shown:
            table = _table(fronts, page, row, heading, listing)
            row = _sum_of_now(fronts, table) if listing is now else table.end_row
    row = _whole_plan(fronts, page, row)
    page.across(row, 0, page.last, _note(fronts), "front_note")
    last = _approval(page, row + 2)
    page.finish(last, is_one_page=True)


def _listings(fronts: Fronts) -> tuple[Listing, Listing]:
    """Return the decisions of now and those of later; savings that are only offered are in the note."""
    approval = fronts.numbered.approval
    open_ones = [one for one in fronts.numbered.decided if one.kind != "saving" or one.is_in_plan]
    is_now = [one.is_now or any(order in approval.now for order in one.orders) for one in open_ones]
    now = [one for one, soon in zip(open_ones, is_now, strict=True) if soon]
    later = [one for one, soon in zip(open_ones, is_now, strict=True) if not soon]
    room = max(1, MOST_ROWS - len(now)) if later else 0
    most_now = MOST_ROWS - (1 if later else 0)
    return _listing(now, most_now), _listing(later, room)


def _listing(decisions: Sequence[NextDecision], most: int) -> Listing:
    """Return the first decisions, with a row for the rest where there are more than so many."""
    if len(decisions) <= most:
        return Listing(shown=tuple(decisions))
    shown = max(0, most - 1)
    return Listing(shown=tuple(decisions[:shown]), rest=tuple(decisions[shown:]))


def _finding(fronts: Fronts, now: Listing) -> Content:
    """Return what to approve by when, and what to end."""
    approval = fronts.numbered.approval
    ends = _ends(fronts, (*now.shown, *now.rest))
    if approval.usd is None or not approval.now or approval.overdue or approval.lapsed:
        words = fronts.book.in_currency(ask(approval))
        return f"{words}, and {ends}" if ends else words
    by = f" by {written_date(_first_day(fronts, now))}" if approval.seen.is_dated else " in the first month"
    usd = money(fronts.book, fronts.numbered.orders.range("now_usd").known_sum())
    return sentence("Approve ", usd, f"{by}{f' and {ends}' if ends else ''}")


def _first_day(fronts: Fronts, now: Listing) -> int:
    """Return the earliest day among the orders to approve and the decisions of now, epoch seconds."""
    approval = fronts.numbered.approval
    days = [decision.by_s for decision in now.shown if decision.by_s is not None and decision.is_in_plan]
    return max(min([approval.open_from_s, *days]), approval.seen.counted_from_s)


def _ends(fronts: Fronts, decisions: Sequence[NextDecision]) -> str:
    """Return which contracts to end by when, in words; empty without any."""
    ending = [
        one
        for one in decisions
        if one.is_in_plan and one.contract_id and one.kind != "renew" and one.by_s is not None
    ]
    if not ending:
        return ""
    held = {contract.contract_id: contract for contract in fronts.numbered.held}
    contracts = [held.get(one.contract_id) for one in ending]
    by_use = " on-demand" if all(one is not None and not one.is_committed for one in contracts) else ""
    noun = "contract" if len(ending) == 1 else "contracts"
    first_s = min(one.by_s for one in ending if one.by_s is not None)
    seen = fronts.numbered.approval.seen
    when_ = (
        "today"
        if day_of(max(first_s, seen.counted_from_s)) == day_of(seen.written_s)
        else f"by {written_date(first_s)}"
    )
    first = (
        ""
        if len(ending) == 1 or (when_ == "today" and len({day_of(one.by_s or 0) for one in ending}) == 1)
        else ", the first "
    )
    return f"end {count_words(len(ending))}{by_use} {noun}{first or ' '}{when_}"


def _sentence(fronts: Fronts, now: Listing, later: Listing) -> Content:
    """Return what the plan saves, and what can wait."""
    waits = [*later.shown, *later.rest]
    days = [one.by_s for one in waits if one.by_s is not None]
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
    orders = numbered.orders
    now = sum(numbered.is_now(one) for one in numbered.listed)
    cash = known_cash(fronts)
    tiles: tuple[tuple[int, int, str, Content, str, Content], ...] = (
        (
            0,
            1,
            "Approve now",
            _approved(fronts),
            "dollars",
            f"{several(now, 'order', 'orders')}, whole terms",
        ),
        (2, 2, "Saves in 12 months", fronts.saved, "dollars", _saves_note(fronts)),
        (3, 4, "Cash with the orders", cash, "dollars", _cash_note(fronts)),
        (
            5,
            6,
            "Later commitments",
            orders.range("later_usd").known_sum() if numbered.listed else 0,
            "dollars",
            "not for approval today",
        ),
        (
            7,
            8,
            "Checks",
            formula('UPPER(LEFT({light},1))&MID({light},2,FIND(":",{light}&":")-2)', light=light.checks),
            "text",
            _checks_note(light),
        ),
    )
    for first, last, title, figure, style, note in tiles:
        page.span(row, first, last, title, "tile.tile_title")
        page.span(row + 1, first, last, figure, f"tile.tile_amount.{style}")
        page.span(row + 2, first, last, note, "tile.tile_note")
    sheet = book.sheets[SHEET]
    sheet.set_row(row + 1, 24)
    sheet.set_row(row + 2, 26)
    add_light_colors(book, SHEET, row + 1, 7, row + 1, 7)


def _approved(fronts: Fronts) -> Content:
    """Return the commitment to approve now; None where a rate is missing."""
    if fronts.numbered.approval.usd is None:
        return None
    return fronts.numbered.orders.range("now_usd").known_sum() if fronts.numbered.listed else 0


def known_cash(fronts: Fronts) -> Content:
    """Return what is due when the orders of now are signed."""
    numbered = fronts.numbered
    if not numbered.listed:
        return 0
    places = [place for place, one in enumerate(numbered.listed) if numbered.is_now(one)]
    cells = [numbered.orders.cell("cash", place) for place in places]
    return known(cells, call("SUM", *cells)) if cells else 0


def _cash_note(fronts: Fronts) -> str:
    """Return for which orders something is due at once."""
    numbered = fronts.numbered
    paid = [
        one
        for one in numbered.listed
        if numbered.is_now(one) and any(order.due_at_once for order in one.listed.orders)
    ]
    if not paid:
        return "nothing upfront"
    gpus = gpus_in_rows([order for one in paid for order in one.listed.orders])
    return f"upfront for {gpus:g} GPUs ({listed(order_numbers(one.listed.number for one in paid))})"


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
        return spread.strip() or "unknown"
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
    return formula('MID({light},FIND(":",{light}&":")+2,90)', light=light.checks)


def _risks(fronts: Fronts) -> Iterator[Content]:
    """Return the open risks: what prices rest on, and what waiting for quotes costs."""
    numbered = fronts.numbered
    now = [one for one in numbered.listed if numbered.is_now(one)]
    words = [_price_words(fronts, now)]
    wait = fronts.inputs.evaluation.wait_for_quotes(usual_days(fronts.inputs.generated_at_s))
    if wait is not None:
        of = ""
        if wait.usd is not None and numbered.approval.usd:
            of = f", which is {100 * wait.usd / numbered.approval.usd:.1f}% of the commitment"
        words.append(f"{fronts.book.in_currency(wait.text)}{of}.")
        if wait.bridge_text is not None:
            words.append(f"{fronts.book.in_currency(wait.bridge_text)}.")
    if said := " ".join(filter(None, words)):
        yield said


def _price_words(fronts: Fronts, now: Sequence[ShownOrder]) -> str:
    """Return how many orders of now rest on list prices, and of which day; empty where all have a quote."""
    on_list = {one.order.offer_id for one in now if not one.listed.is_quote}
    count = sum(not one.listed.is_quote for one in now)
    if not count:
        return ""
    offers = [offer for offer in fronts.inputs.project.offers if offer.offer_id in on_list]
    days = {offer.as_of for offer in offers}
    day = next(iter(days)) if len(days) == 1 else None
    of = f" of {iso_words(day)}" if day else ""
    if len(now) == 1:
        return f"The order rests on a list price{of}, without a quote."
    whole = count_words(len(now))
    who = (
        f"All {whole} orders rest"
        if count == len(now)
        else f"{count_words(count).capitalize()} of {whole} orders rest"
    )
    if count == 1:
        who = who.replace("orders rest", "orders rests")
    return f"{who} on list prices{of}, without a quote."


def _now_words(fronts: Fronts, now: Listing) -> str:
    """Return the heading of the decisions of now, with the last of their days."""
    days = [one.by_s for one in (*now.shown, *now.rest) if one.by_s is not None]
    if not days or not fronts.numbered.approval.seen.is_dated:
        return "Decide now"
    last = max(*days, fronts.numbered.approval.seen.counted_from_s)
    return f"Decide now (by {written_date(last)})"


def _table(fronts: Fronts, page: FrontPage, row: int, heading: str, listing: Listing) -> Table:
    """Write decisions from a row on."""
    row = page.section(row, heading)
    size = len(listing.shown) + bool(listing.rest)
    table = Table(book=fronts.book, sheet=SHEET, row=row, size=size, fields=FIELDS)
    source = fronts.numbered.decisions
    places = {one.decision_id: place for place, one in enumerate(fronts.numbered.decided)}
    for place, decision in enumerate(listing.shown):
        at = places[decision.decision_id]
        title = joined(filter(None, (decision.title, decision.reason)), ", ")
        table.put("number", place, source.cell("number", at))
        by: Content = "" if decision.by_s is None else float(int(day_number(decision.by_s)))
        table.put("by", place, by)
        table.fill(place, title=title, provider=provider_words(decision))
        table.put("orders", place, ", ".join(order_numbers(decision.order_numbers)) or None)
        for key in ("saves", "now_usd", "later_usd"):
            cell = source.cell(key, at)
            table.put(key, place, known([cell], cell))
        table.put("yours", place, "")
        texts = [
            (str(table.cell(key, place).value), width)
            for key, width in (
                ("title", FIELDS[2].width),
                ("provider", FIELDS[3].width),
                ("orders", FIELDS[4].width),
            )
        ]
        page.fit(
            table.first_row + place, [(text, width - 1, width == FIELDS[2].width) for text, width in texts]
        )
    if listing.rest:
        _put_rest(table, len(listing.shown), listing.rest, source, places)
    page.mark_due(table.area("by", "by"))
    page.choice(table.area("yours", "yours"), CHOICES)
    return table


def _put_rest(
    table: Table, place: int, rest: Sequence[NextDecision], source: Table, places: dict[str, int]
) -> None:
    """Write what has no row of its own in one."""
    table.fill(place, number="", by="", provider="", orders="", saves="", yours="")
    table.put("title", place, f"{len(rest)} more on Orders and Contracts")
    for key in ("now_usd", "later_usd"):
        cells = [source.cell(key, places[one.decision_id]) for one in rest]
        table.put(key, place, known(cells, call("SUM", *cells)))


def _sum_of_now(fronts: Fronts, table: Table) -> int:
    """Write what the decisions of now commit and what of it is approved, and return the row of the next heading."""
    row = table.end_row
    for field in FIELDS:
        table.put_below(
            field.key, "Commitment to approve now" if field.key == "title" else "", "front.front_total"
        )
    for key in ("now_usd", "later_usd"):
        table.put_below(key, table.range(key).known_sum(), "front.front_total.whole")
    approved = call("SUMIF", table.range("yours"), CHOICES[0], table.range("now_usd"))
    table.put_below(
        "yours", sentence(money(fronts.book, approved), " approved"), "front.front_total.front_small.right"
    )
    return row + 2


def _whole_plan(fronts: Fronts, page: FrontPage, row: int) -> int:
    """Write the sums of the whole plan, and return the row below."""
    orders = fronts.numbered.orders
    cells: dict[str, Content] = {"title": "Whole plan against doing nothing", "saves": fronts.saved}
    cells["now_usd"] = _approved(fronts)
    cells["later_usd"] = orders.range("later_usd").known_sum() if fronts.numbered.listed else 0
    for column, field in enumerate(FIELDS):
        look = "front_total.whole" if field.key in ("saves", "now_usd", "later_usd") else "front_total"
        page.write(row, column, cells.get(field.key, ""), look)
    return row + 1


def _note(fronts: Fronts) -> str:
    """Return how the savings are to be read, and what the plan does not have."""
    return " ".join(filter(None, (NOT_ADDED, offered_words(fronts))))


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
    for first, last, words in spans:
        own = "" if words == "Role" else ".front_own_heading"
        page.span(row, first, last, words, f"front_heading{own}.left")
    for role in ROLES:
        row += 1
        page.span(row, 0, 1, role, "line.strong.left")
        for first, last, _ in spans[1:]:
            page.own(row, first, last)
        page.choice((row, 3, row, 3), WHOLE_CHOICES)
        page.book.sheets[SHEET].set_row(row, 20)
    return row

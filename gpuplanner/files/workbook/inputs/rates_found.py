"""Rates that other sheets ask Prices for: of an offer, the cheapest that a need may use, and dated steps of prices."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.recursion.rates import usd_by_model
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.extras import EXTRA_MONEY, EXTRA_TITLES
from gpuplanner.domain.model.book.offer import Offer, PriceCase, own_rate
from gpuplanner.domain.model.book.only import ANYBODY, Row, only_of
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import COUNTED_FLAG, YES, take_numbers
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Operand,
    Operands,
    Range,
    added,
    call,
    formula,
    lift,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import fields_of, figure_field
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import OFFER_INPUTS
from gpuplanner.lazy_dataclass import dataclass, field

STEP_FIELDS: Final = fields_of("rates_found.step")
BLEND_FIELDS: Final = fields_of("rates_found.blend")
Edges = Sequence[tuple[Expr, Expr]]
"""The two ends of each part of the months, hours of the plan."""
AT_ONCE, EVENLY = "at once", "evenly up to it"
BY_USE, SIGNED = "on demand, in parts of months", "when signed: first of the month"


@dataclass(frozen=True, slots=True)
class PriceSteps:
    """What steps make of prices. past: factors by GPU model that have happened when the plan begins.

    cells: shares of the price on the plan's first day, by what is priced (used or signed), GPU model and month; none of
    a model that no later step speaks of. blends: whose offers a usage rate is made of, shares of its $ by GPU model, by
    the pools and models that have it.
    """

    past: Mapping[str, tuple[Expr, ...]] = field(default_factory=dict)
    cells: Mapping[tuple[str, str, int], Expr] = field(default_factory=dict)
    blends: Mapping[frozenset[Row], Mapping[str, Expr]] = field(default_factory=dict)

    def at_first_day(self, rate: Expr, gpu_model: str) -> Expr:
        """A rate of the list on the day that the plan begins."""
        return _product([rate, *self.past.get(gpu_model, ())])

    def when_used(self, gpu_model: str | None, part: int) -> Expr | None:
        """On-demand spend of a part of a month as a share of the first day's price; None: as on the first day."""
        return self.cells.get(("used", gpu_model or "", part))

    def signed_in(self, gpu_model: str, month: Expr) -> Expr | None:
        """What is signed for a month, a cell or formula, likewise; after the twelve as in the last of them."""
        cells = [self.cells.get(("signed", gpu_model, at)) for at in range(COMPARED_MONTHS)]
        first, last = cells[0], cells[-1]
        if first is None or last is None:
            return None
        row = Range(f"{first.text}:{last.text.rpartition('!')[2]}", [cell.value for cell in cells if cell])
        return formula("INDEX({row},1+MIN({month},{last}))", row=row, month=month, last=COMPARED_MONTHS - 1)

    def of_blend(self, pairs: Sequence[Row], part: int) -> Expr | None:
        """What the usage rate of some pools and models comes to, which several models' offers may share."""
        shares = self.blends.get(frozenset(pairs), {})
        if not any(self.when_used(model, part) for model in shares):
            return None
        parts = [(share, self.when_used(model, part) or lift(1)) for model, share in sorted(shares.items())]
        return parts[0][1] if len(parts) == 1 else added([share * cell for share, cell in parts])


def _blend_shares(inputs: sheet_inputs.Inputs, pairs: Sequence[Row]) -> Mapping[str, float]:
    """Whose offers the usage rate of some pools and models is made of: shares of its $, by GPU model."""
    ground = inputs.ground
    known = [pair for pair in pairs if pair in ground.prices]
    usd = usd_by_model([(ground.prices[pair], ground.plan.users[pair]) for pair in known])
    whole = sum(usd.values())
    return {model: amount / whole for model, amount in usd.items()} if whole > 0 else {}


def write_price_steps(row: int, named: Named, edges: Edges) -> PriceSteps:
    """The steps and, of those after the plan begins, each month's prices; nothing is written without any."""
    book, inputs = named.book, named.inputs
    changes = sorted(inputs.scenario.price_changes, key=lambda change: change.from_s)
    if not changes:
        return PriceSteps()
    begins_s = inputs.project.plan_window.end_s
    title = "Steps of prices that the planner expects: change a day in the app"
    watch = Watch(title="Steps of prices", named_by=("gpu_model",), values=True)
    steps = Table(
        book=book,
        sheet=OFFER_INPUTS,
        row=row,
        size=len(changes),
        fields=STEP_FIELDS,
        watch=watch,
        section=title,
    )
    past: dict[str, list[Expr]] = {}
    later: dict[str, list[tuple[PriceChange, int]]] = {}
    for place, change in enumerate(changes):
        steps.put("gpu_model", place, change.gpu_model)
        factor = steps.put("factor", place, change.factor)
        day = steps.put("from", place, day_number(change.from_s))
        steps.put("by", place, EVENLY if change.by else AT_ONCE)
        month = formula(
            "ROUND(({day}-({start}+{from_h}/24))*86400,0)/3600/{hours}",
            day=day,
            start=named.window_start,
            from_h=named.plan_begins_h,
            hours=named.hours_per_month,
        )
        steps.put("month", place, month)
        if change.from_s <= begins_s:
            past.setdefault(change.gpu_model, []).append(factor)
        else:
            later.setdefault(change.gpu_model, []).append((change, place))
    take_numbers(steps, "factor", words="Enter a factor of prices from that day on, 0 or more.")
    return _by_month(steps, {model: tuple(factors) for model, factors in past.items()}, later, named, edges)


def _by_month(
    steps: Table,
    past: Mapping[str, tuple[Expr, ...]],
    later: Mapping[str, Sequence[tuple[PriceChange, int]]],
    named: Named,
    edges: Edges,
) -> PriceSteps:
    """Rows of months and of their parts for each GPU model that a later step speaks of."""
    book, inputs = named.book, named.inputs
    if not later:
        return PriceSteps(past)
    cells: dict[tuple[str, str, int], Expr] = {}
    row = steps.end_row + 1
    for kind, words, columns in (
        ("signed", SIGNED, [*map(sheet_inputs.month_words, range(COMPARED_MONTHS))]),
        ("used", BY_USE, [sheet_inputs.part_words(inputs, part) for part in range(len(inputs.parts))]),
    ):
        title = f"Prices after steps {words}, share of the first day's"
        fields = (
            Field(key="gpu_model", heading="GPU model"),
            *(Field(key=f"m{at}", heading=name, style="ratio") for at, name in enumerate(columns)),
        )
        watch = Watch(title=f"Prices {words}", named_by=("gpu_model",), values=True)
        table = Table(
            book=book, sheet=OFFER_INPUTS, row=row, size=len(later), fields=fields, watch=watch, section=title
        )
        for place, model in enumerate(sorted(later)):
            table.put("gpu_model", place, model)
            for at in range(len(columns)):
                month = at if kind == "signed" else inputs.parts[at].month
                first = lift(at) * named.hours_per_month if kind == "signed" else edges[at][0]
                price = _price_from(steps, later[model], month, first, named)
                cells[kind, model, at] = table.put(f"m{at}", place, price)
        row = table.end_row + 1
    return PriceSteps(past, cells, _blends(book, row, inputs, frozenset(later)))


def _blends(
    book: Book, row: int, inputs: sheet_inputs.Inputs, stepped: frozenset[str]
) -> Mapping[frozenset[Row], Mapping[str, Expr]]:
    """What usage rates are made of that a step moves, as a table where several models' offers share one."""
    shares = {
        frozenset(pairs): blend_shares
        for pairs in ((pair,) for pair in inputs.pairs)
        if stepped & (blend_shares := _blend_shares(inputs, pairs)).keys()
    }
    mixed = [
        (pairs, model, share)
        for pairs, of in shares.items()
        if len(of) > 1
        for model, share in sorted(of.items())
    ]
    cells: dict[frozenset[Row], dict[str, Expr]] = {
        pairs: {model: lift(1) for model in of} for pairs, of in shares.items()
    }
    if mixed:
        title = "Whose offers usage rates are made of, share of $"
        watch = Watch(title="Shares of usage rates", named_by=("pools", "offers"), values=True)
        table = Table(
            book=book,
            sheet=OFFER_INPUTS,
            row=row,
            size=len(mixed),
            fields=BLEND_FIELDS,
            watch=watch,
            section=title,
        )
        for place, (pairs, model, share) in enumerate(mixed):
            named = sorted(pairs, key=sheet_inputs.pair_order)
            table.put(
                "pools",
                place,
                " + ".join(
                    f"{sheet_inputs.pool_words(pool)} {sheet_inputs.model_words(name)}"
                    for pool, name in named
                ),
            )
            table.put("offers", place, model)
            cells[pairs][model] = table.put("share", place, share)
    return cells


def _product(factors: Sequence[Expr]) -> Expr:
    return reduce(lambda one, other: one * other, factors)


def _price_from(
    steps: Table, of_model: Sequence[tuple[PriceChange, int]], month: int, first: Expr, named: Named
) -> Expr:
    """The price of a month from a moment on, in hours of the plan: steps that come evenly are 1 + (f - 1) t / n."""
    factors = []
    for change, place in of_model:
        given: Operands = {"factor": steps.cell("factor", place), "begins": steps.cell("month", place)}
        if change.by:
            even = "(1+({factor}-1)*MIN(1,{month}/ROUNDUP({begins},0)))"
            factors.append(formula(even, month=month, **given))
        else:
            at_once = "IF(ROUND({begins}*{hours}-{first},6)<=0,{factor},1)"
            factors.append(formula(at_once, hours=named.hours_per_month, first=first, **given))
    return _product(factors)


COUNTED = Field(key="rate_counted", heading="Rate in this plan, $ per GPU-h", style="rate", width=11)
"""Only in a plan that does not count with mid rates as they are listed."""

UPFRONT: Final = Field(key="upfront", heading="Upfront, $ per GPU", style="rate.input", width=11).noted(
    "Paid once, at the start of the term. On-demand offers have no term: their cells are grey."
)
TERM_HOURS: Final = figure_field(ORDER["term_hours"], 11)
SPREAD: Final = Field(key="spread", heading="Rate with upfront, $ per GPU-h", style="rate", width=11).noted(
    "Rate plus upfront payment divided by the hours of the term."
)
"""These three only where an offer asks for money upfront."""

EXTRA_FIELDS: Final = (
    *(
        Field(key=key, heading=f"{EXTRA_TITLES[key]}, {unit}", style="rate.input", width=10)
        for key, unit in (
            ("storage", "$ per GPU and month"),
            ("network", "$ per GPU and month"),
            ("staff", "$ per GPU and month"),
            ("support", "% of rate"),
        )
    ),
    Field(key="setup", heading=f"{EXTRA_TITLES['setup']}, $ per GPU, once", style="rate.input", width=10),
)
SUPPORT: Final = "support_percent"
WITH_EXTRAS: Final = Field(key="rate_extras", heading="Rate with extras, $ per GPU-h", style="rate", width=11)
COUNTED_EXTRAS: Final = Field(
    key="counted_extras", heading="Rate with extras in this plan, $ per GPU-h", style="rate", width=11
)
"""These only where an offer states extras that count."""


def yes_or_no(value: bool | None) -> str | None:
    """Return the word for a yes or no of an offer or a contract; None where it states neither."""
    if value is None:
        return None
    return "yes" if value else "no"


def has_extras(offers: Sequence[Offer | Contract]) -> bool:
    """Whether one of them costs something beside its rate."""
    return any(offer.extras for offer in offers)


def stated_fields(
    fields: Mapping[str, Field], rows: Sequence[Offer | Contract], *, has_extras: bool
) -> tuple[Field, ...]:
    """Return the columns of which a row states something. fields: by attribute.

    has_extras: whether the extras have columns that figures follow, so that they are not stated a second time.
    """
    extras = (*EXTRA_MONEY, SUPPORT) if has_extras else ()
    return tuple(
        field
        for term, field in fields.items()
        if term not in extras and any(getattr(row, term) is not None for row in rows)
    )


def with_extras(table: Table, place: int, rate: Expr, sent: Operand, hours: Expr) -> Expr:
    """A rate of a row with its extras, as `extras.py` has them. sent: GB a GPU-hour; hours: of a month."""
    keys = ("storage", "network", "staff", "support", "egress")
    given: Operands = {key: table.cell(key, place) for key in keys}
    given |= {"rate": rate, "sent": sent, "hours": hours}
    once = upfront = ""
    if table.has(TERM_HOURS.key):
        given["term"] = table.cell(TERM_HOURS.key, place)
        once, given["setup"] = "+IF({term}>0,N({setup})/{term},0)", table.cell("setup", place)
    if table.has(UPFRONT.key):
        upfront, given["upfront"] = "+IF({term}>0,N({upfront})/{term},0)", table.cell(UPFRONT.key, place)
    monthly = "(N({storage})+N({network})+N({staff}))/{hours}"
    text = f"{{rate}}+{monthly}{once}+N({{support}})/100*({{rate}}{upfront})+N({{egress}})*N({{sent}})"
    return formula(f"IF(ISNUMBER({{rate}}),{text},{{rate}})", **given)


def with_upfront(table: Table, place: int, rate: Expr) -> Expr:
    """A rate with what is paid upfront; the rate itself where nothing is.

    One formula for every offer, so that a payment typed where there was none counts.
    """
    term, upfront = table.cell(TERM_HOURS.key, place), table.cell(UPFRONT.key, place)
    spread = "IF(ISNUMBER({rate}),{rate}+IF({term}>0,N({upfront})/{term},0),{rate})"
    return formula(spread, rate=rate, term=term, upfront=upfront)


class OfferCells(NamedTuple):
    """Cells of an offer for a need: its rate, and what one of its GPUs is worth (None: 1)."""

    rate: Expr
    worth: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The sheet's cells. usage: the table of needs; place_of: each need's row in it (and its column of flags)."""

    offers: Table
    usage: Table
    today: dict[Row, int]
    plan: dict[Row, int]
    unplanned: dict[Row, int]
    needs: tuple[sheet_inputs.NeedRow, ...]
    listed: tuple[Offer, ...]
    counted: tuple[Offer, ...]  # the same offers at the rates that count in the plan
    steps: PriceSteps

    @property
    def has_upfront(self) -> bool:
        """Whether an offer asks for money upfront."""
        return any(offer.upfront_usd for offer in self.listed)

    def key_of_rate(self, *, is_of_plan: bool = True) -> str:
        """The column of rates that count, with extras and without what is paid upfront; of the plan or of today."""
        is_counted = is_of_plan and self.counted is not self.listed
        if self.offers.has(WITH_EXTRAS.key):
            return COUNTED_EXTRAS.key if is_counted else WITH_EXTRAS.key
        return COUNTED.key if is_counted else "rate"

    def on_demand(self, place: int) -> Expr:
        """The cheapest eligible on-demand rate of a need."""
        return self.usage.cell("on_demand", place)

    def is_refused(self, place: int) -> bool:
        """Whether a need may be served by some alone, or by blocks alone, and nobody of them sells on demand."""
        is_limited = only_of(self.needs[place].gpu_model) != ANYBODY or self.needs[place].is_reserved
        return is_limited and not self._usage_offers(place, PricingCategory.STANDARD)

    def use_in(self, place: int, part: int) -> Expr | None:
        """What dated steps make of that rate in a part of a month, by the GPU model of the offer; None: nothing."""
        on_demand = self.on_demand_in_turn(place)
        return self.steps.when_used(on_demand[0].gpu_model, part) if on_demand else None

    def on_demand_in_turn(self, place: int) -> list[Offer]:
        """The offers on demand that a need may use, the cheapest first."""
        ratios = self.needs[place].ratios
        return sorted(
            self._usage_offers(place, PricingCategory.STANDARD),
            key=lambda offer: ((offer.rate or 0.0) / ratios.get(offer.offer_id, 1.0), offer.offer_id),
        )

    def usage_found(self, row: Expr) -> tuple[Expr, Expr]:
        """The rates on demand and on spot of the need whose row a cell says, wherever that stands."""
        at = call("MATCH", row, self.usage.range("number"), 0)
        return call("INDEX", self.usage.range("on_demand"), at), call("INDEX", self.usage.range("spot"), at)

    def usage_rate(self, place: int, category: PricingCategory) -> Expr:
        """The rate of the cheapest eligible offer of a usage-priced category in rows of the app; a dash without one."""
        rates, columns = self.offers.range(self._rates_key(place)), self.offers.range
        of_app: tuple[Operand, ...] = (columns(f"need{place}"), 1, columns(COUNTED_FLAG.key), YES)
        conditions = (*of_app, columns("category"), str(category), rates, ">0")
        return when(call("COUNTIFS", *conditions) > 0, call("_xlfn.MINIFS", rates, *conditions), DASH)

    def _usage_offers(self, place: int, category: PricingCategory) -> list[Offer]:
        """The priced offers of a category that a need may use."""
        return [
            offer
            for offer in (self.counted if self._is_of_plan(place) else self.listed)
            if offer.offer_id in self.needs[place].eligible
            and offer.pricing_category is category
            and offer.rate
        ]

    def offer_named(self, place: int) -> Expr:
        """An offer's rate that counts in the plan, as it stands on the sheet, by the offer's place."""
        return self.offers.cell(self.key_of_rate(), place)

    def offer_with_upfront(self, place: int) -> Expr:
        """That rate with what is paid upfront in it."""
        return self.offers.cell(SPREAD.key, place) if self.has_upfront else self.offer_named(place)

    def listed_with_upfront(self, place: int) -> Expr:
        """The same as it is listed today, whatever price case the plan counts with."""
        rate = self.offers.cell(self.key_of_rate(is_of_plan=False), place)
        return with_upfront(self.offers, place, rate) if self.has_upfront else rate

    def found(self, key: str, number: Expr) -> Expr:
        """What the list says of the offer whose number a cell holds, wherever it stands; the dash where it is gone.

        key: of a column of the list.
        """
        found = "IFERROR(INDEX({column},MATCH({number},{numbers},0)),{unknown})"
        numbers = self.offers.range("number")
        return formula(found, column=self.offers.range(key), number=number, numbers=numbers, unknown=DASH)

    def counted_rate(self, number: Expr) -> Expr:
        """The rate that counts in the plan of the offer whose number a cell holds, without extras and upfront."""
        return self.found("rate" if self.counted is self.listed else COUNTED.key, number)

    def number_of(self, offer_id: str | None) -> Expr | None:
        """The cell of an offer's number; None where the list has no such offer."""
        at = next((at for at, offer in enumerate(self.listed) if offer.offer_id == offer_id), None)
        return None if at is None else self.offers.cell("number", at)

    def rate_of(self, offer: Offer, need: int) -> Expr:
        """The rate of an offer for the work of one GPU of a need's model."""
        place = [offered.offer_id for offered in self.listed].index(offer.offer_id)
        return self.offer_for(place, need).rate

    def worth_of(self, offer_id: str, need: int) -> Expr | None:
        """GPUs of a need's model that one of an offer's is worth; None where both are of one model."""
        names = [one.offer_id for one in self.listed]
        return self.offer_for(names.index(offer_id), need).worth if offer_id in names else None

    def offer_for(self, place: int, need: int) -> OfferCells:
        """That rate for the work of one GPU of a need's model, and what one of the offer's GPUs is worth."""
        if self.listed[place].offer_id not in self.needs[need].ratios:
            return OfferCells(rate=self.offer_named(place), worth=None)
        rate, worth = self.offers.cell(f"at{need}", place), self.offers.cell(f"ratio{need}", place)
        return OfferCells(rate=rate, worth=worth)

    def spread_for(self, place: int, need: int) -> OfferCells:
        """As `offer_for`, with what is paid upfront in it."""
        rate, worth = self.offer_for(place, need)
        if not self.has_upfront:
            return OfferCells(rate=rate, worth=worth)
        spread = self.offers.cell(SPREAD.key if worth is None else f"spread{need}", place)
        return OfferCells(rate=spread, worth=worth)

    def _is_of_plan(self, place: int) -> bool:
        """Whether a need counts with the plan's price case, and that is not mid; the past counts at mid."""
        return self.counted is not self.listed and self.needs[place].label != "today"

    def _rates_key(self, place: int) -> str:
        """The column of rates that a need counts with."""
        has_upfront = self.has_upfront and self.needs[place].label != "today"
        if self.needs[place].ratios:
            return f"spread{place}" if has_upfront else f"at{place}"
        return SPREAD.key if has_upfront else self.key_of_rate(is_of_plan=self._is_of_plan(place))


def key_of_rate(offer: Offer, case: PriceCase) -> str:
    """Which column of the list has the rate that counts in a price case; an offer that states none has its mid rate."""
    has_own = case is not PriceCase.MID and bool(offer.rate) and own_rate(offer, case) is not None
    return f"rate_{case}" if has_own else "rate"

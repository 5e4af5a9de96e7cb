"""Prices: the offers with yellow rates, who may use which, and the cheapest usage rates that follow from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from gpuplanner.domain.figures.costs.owned import OWNED, PUE_LIMITS
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, gpu_model_of, only_of
from gpuplanner.domain.model.book.owned import has_owned, is_owned
from gpuplanner.domain.model.book.price_case import PriceCase, own_rate
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.mapped_models import at_ratio, write_mappings
from gpuplanner.files.workbook.inputs.price_steps import PriceSteps, write_price_steps
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, NeedRow, PairKey, model_words, pool_words
from gpuplanner.files.workbook.kit.book import NOTE_LINE, AsWritten, Book, Content, Field, Table
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Range,
    Value,
    call,
    copy_of,
    known,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, write_figures
from gpuplanner.files.workbook.kit.input_rules import take_between, take_numbers
from gpuplanner.files.workbook.kit.looks import is_yellow
from gpuplanner.files.workbook.kit.references import SPARE_ROWS
from gpuplanner.files.workbook.kit.row_flags import COUNTED_FLAG, YES, put_flags
from gpuplanner.files.workbook.kit.watch import Watch

SHEET = "Prices"

SOURCE_LETTERS: Final = 60
"""Of a source that go on a line of its column."""

OFFER_FIELDS = (
    Field("offer_id", "Offer", "text.fixed", 34),
    Field("provider", "Provider", "text.fixed", 26),
    Field("gpu_model", "GPU model", "text.fixed", 14),
    Field("category", "Pricing category", "text.fixed", 13),
    Field("term", LAYER["term_months"].heading(", "), "count.fixed", 8),
    Field("rate", LAYER["rate"].heading(", "), "rate.input", 11),
    Field("rate_low", "Low, $ per GPU-h", "rate.fixed", 10),
    Field("rate_high", "High, $ per GPU-h", "rate.fixed", 11),
    Field("max_gpus", "At most, GPUs", "count.fixed", 9),
    Field("lead", "Lead time, hours", "hours.fixed", 10),
    Field("min_term", "Minimum term, months", "count.fixed", 13),
    Field("memory", "Memory, GB per GPU", "hours.fixed", 11),
    Field("bare_metal", "Bare metal", "text.fixed", 9),
    Field("interconnect", "Interconnect", "text.fixed", 12),
    Field("egress", "Egress, $ per GB", "rate.input", 10),
    Field(
        "all_in",
        "All in, $ per GPU-h",
        "rate",
        10,
        "The rate and, where Assumptions say how much data a GPU-hour sends out, its egress. The plan counts "
        "rates alone.",
    ),
    Field("region", "Region", "text.fixed", 14),
    Field("source", "Source", "muted.fixed", 52),
    Field("as_of", "As of", "muted.fixed", 11),
    COUNTED_FLAG,
)

COUNTED = Field("rate_counted", "Rate in this plan, $ per GPU-h", "rate", 11)
"""Only in a plan that does not count with mid rates as they are listed."""

UPFRONT: Final = Field(
    "upfront",
    "Upfront, $ per GPU",
    "rate.input",
    11,
    "Paid once, when the term begins. What is sold by use has no term to spread it over: its cell is grey.",
)
TERM_HOURS: Final = figure_field(ORDER["term_hours"], 11)
SPREAD: Final = Field(
    "spread",
    "Rate with upfront, $ per GPU-h",
    "rate",
    11,
    "The rate that counts, and what is paid upfront divided by the hours of the term.",
)
"""These three only where an offer asks for money upfront."""

OWNED_WORKINGS: Final = ("capital_per_month", "owned_per_month")
OWNED_INPUTS: Final[Mapping[str, str]] = {
    "capex_per_gpu": "usd.input",
    "residual_share": "ratio.input",
    "life_months": "count.fixed",  # it is the term, too
    "kw_per_gpu": "number.input",
    "pue": "number.input",
    "price_per_kwh": "rate.input",
    "space_per_kw_month": "usd.input",
    "staff_per_month": "usd.input",
}
"""Columns of what owned GPUs cost, by the keys of OWNED, with how they look: only where the list has some."""
OWNED_LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "capex_per_gpu": (0.01, 1e12),  # a price of 0 is none, and the rate is then unknown
    "residual_share": (0, 1),
    "pue": PUE_LIMITS,
}
"""What its yellow cells take, as in a price list; the others 0 or more, in any currency."""
OWNED_FIELDS: Final = (
    *(figure_field(OWNED[key], 11, style=look) for key, look in OWNED_INPUTS.items()),
    *(figure_field(OWNED[key], 11) for key in OWNED_WORKINGS),
)

USED_FOR: Final = {"today": "today", "plan": "the plan", "joint": "one pool", "unplanned": "doing nothing"}
"""What a need is for, by its label."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The sheet's cells. usage: the table of needs; place_of: each need's row in it (and its column of flags)."""

    offers: Table
    usage: Table
    today: dict[PairKey, int]
    plan: dict[PairKey, int]
    joint: dict[str | None, int]
    unplanned: dict[PairKey, int]
    needs: tuple[NeedRow, ...]
    listed: tuple[Offer, ...]
    counted: tuple[Offer, ...]  # the same offers at the rates that count in the plan
    ratios: Range | None  # of mapped GPU models
    steps: PriceSteps
    case: PriceCase

    @property
    def has_upfront(self) -> bool:
        """Whether an offer asks for money upfront."""
        return any(offer.upfront_usd for offer in self.listed)

    @property
    def _is_signed_alone(self) -> bool:
        """Whether nothing is owned: commitments then have a category of their own, else they are told by their term."""
        return not has_owned(self.listed)

    def on_demand(self, place: int) -> Expr:
        """The cheapest eligible on-demand rate of a need."""
        return self.usage.cell("on_demand", place)

    def is_refused(self, place: int) -> bool:
        """Whether a need may be served by some alone, of whom nobody sells on demand."""
        is_limited = only_of(self.needs[place].gpu_model) != ANYBODY
        return is_limited and not self._usage_offers(place, PricingCategory.STANDARD)

    def use_in(self, place: int, month: int) -> Expr | None:
        """What dated steps make of that rate in a month, by the GPU model of the offer; None: nothing."""
        ratios = self.needs[place].ratios
        found = [
            ((offer.rate or 0.0) / ratios.get(offer.offer_id, 1.0), offer.offer_id, offer.gpu_model)
            for offer in self._usage_offers(place, PricingCategory.STANDARD)
        ]
        return self.steps.when_used(min(found)[2], month) if found else None

    def usage_found(self, key: str, row: Expr, place: int) -> Expr:
        """The rate on demand or on spot of the need whose row a cell says, wherever that stands; place: of the need."""
        numbers = self.usage.range("number").text
        at = call("MATCH", place + 1.0, row, numbers, 0)
        return call("INDEX", self.usage.cell(key, place).value, self.usage.range(key), at)

    def committed(self, place: int, term: Expr) -> Expr:
        """The rate of the cheapest eligible commitment of a term that can start in month 0; the dash without one.

        term: a cell. Leads of up to a month count as none; a term below an offer's minimum term is not for sale.
        """
        rates = [self._rate_of(offer, place) for offer in self._for_sale(place, term)]
        return self._lowest(place, self._conditions(place, term), rates)

    def worth(self, place: int, term: Expr, rate: Expr) -> Expr:
        """GPUs of the need's model that one GPU of that cheapest commitment is worth; rate: its cell."""
        ratios = self.needs[place].ratios
        found = [
            ratios.get(offer.offer_id, 1.0)
            for offer in self._for_sale(place, term)
            if self._rate_of(offer, place) == rate.value
        ]
        words = (*self._conditions(place, term), f"{self._rates(place).text},{rate.text}")
        most = call(
            "_xlfn.MAXIFS", max(found, default=0.0), self.offers.range(f"ratio{place}"), ",".join(words)
        )
        text = f"IF(ISNUMBER({rate.text}),MAX(0.01,{most.text}),1)"
        return Expr(text, max(0.01, most.number) if rate.is_known else 1.0, True)

    def cheapest_number(self, place: int, term: Expr, rate: Expr, advised: str | None) -> Expr:
        """The number of that cheapest commitment: of the advised one where it has the rate, else the first of the list.

        rate: its cell; the dash where it shows one.
        """
        offers, rates = self.offers, self._rates(place)
        found = {
            offer.offer_id
            for offer in self._for_sale(place, term)
            if self._rate_of(offer, place) == rate.value
        }
        first_place = next((at for at, offer in enumerate(self.listed) if offer.offer_id in found), None)
        rows = rates.text
        is_it = "*".join(
            (
                f"({self._flags(place)}=1)",
                f'({offers.range(COUNTED_FLAG.key).text}="{YES}")',
                *((f'({offers.range("category").text}="COMMITTED")',) if self._is_signed_alone else ()),
                f"({offers.range('term').text}={term.text})",
                f"({rows}={rate.text})",
                f"({offers.range('lead').text}<=hours_per_month)",
                f"({offers.range('min_term').text}<={term.text})",
            )
        )
        text = f"INDEX({offers.range('number').text},MATCH(1,INDEX({is_it},0),0))"
        value = DASH if first_place is None else offers.cell("number", first_place).value
        mine = next((at for at, offer in enumerate(self.listed) if offer.offer_id == advised), None)
        if mine is not None:
            cell, number = offers.cell(self._rates_key(place), mine), offers.cell("number", mine)
            text = f"IF({cell.text}={rate.text},{number.text},{text})"
            value = number.value if cell.value == rate.value else value
        return known([rate], Expr(text, value, True))

    def are_whole(self, place: int) -> bool:
        """Whether commitments of a need are bought in whole units, or whole GPUs of another model."""
        eligible = self.needs[place].eligible
        units = [offer.unit_gpus for offer in self.listed if offer.offer_id in eligible and offer.term_months]
        return bool(self.needs[place].ratios) or any(units)

    def unit_of(self, offer_id: str | None) -> int:
        """GPUs that an offer sells together."""
        found = next((offer.unit_gpus for offer in self.listed if offer.offer_id == offer_id), None)
        return found or 1

    def _for_sale(self, place: int, term: Expr) -> list[Offer]:
        """The offers that may be committed to for a term and start within a month, as the formula finds them."""
        return [
            offer
            for offer in self._at_rates(place)
            if offer.offer_id in self.needs[place].eligible
            and offer.pricing_category.is_commitment
            and offer.rate
            and offer.term_months == term.value
            and offer.lead_time_hours <= HOURS_PER_MONTH
            and offer.min_term_months <= offer.term_months
        ]

    def _conditions(self, place: int, term: Expr) -> tuple[str, ...]:
        """The same conditions as pairs of range and criterion for COUNTIFS and MINIFS."""
        return (
            f"{self._flags(place)},1",
            f'{self.offers.range(COUNTED_FLAG.key).text},"{YES}"',
            *((f'{self.offers.range("category").text},"COMMITTED"',) if self._is_signed_alone else ()),
            f"{self.offers.range('term').text},{term.text}",
            f'{self._rates(place).text},">0"',
            f'{self.offers.range("lead").text},"<="&hours_per_month',
            f'{self.offers.range("min_term").text},"<="&{term.text}',
        )

    def usage_rate(self, place: int, category: PricingCategory) -> Expr:
        """The rate of the cheapest eligible offer of a usage-priced category; the dash without one."""
        rates = [self._rate_of(offer, place) for offer in self._usage_offers(place, category)]
        conditions = (
            f"{self._flags(place)},1",
            f'{self.offers.range(COUNTED_FLAG.key).text},"{YES}"',
            f'{self.offers.range("category").text},"{category}"',
            f'{self._rates(place).text},">0"',
        )
        return self._lowest(place, conditions, rates)

    def _usage_offers(self, place: int, category: PricingCategory) -> list[Offer]:
        """The priced offers of a category that a need may use."""
        return [
            offer
            for offer in self._at_rates(place)
            if offer.offer_id in self.needs[place].eligible
            and offer.pricing_category is category
            and offer.rate
        ]

    def offer_named(self, place: int) -> Expr:
        """An offer's rate that counts in the plan, as it stands on the sheet, by the offer's place."""
        return self.offers.cell("rate" if self.counted is self.listed else COUNTED.key, place)

    def rate_on_the_list(self, place: int) -> Expr:
        """That rate before any dated step of prices, what is paid upfront spread over the term."""
        offer = self.listed[place]
        rate = self.offers.cell(_key_of_rate(offer, self.case), place)
        if not self.has_upfront or not offer.term_hours:
            return rate
        paid, hours = self.offers.cell(UPFRONT.key, place), self.offers.cell(TERM_HOURS.key, place)
        spread = Expr(
            f"{rate.text}+N({paid.text})/{hours.text}", rate.number + offer.upfront / offer.term_hours
        )
        return known([rate], spread)

    def offer_with_upfront(self, place: int) -> Expr:
        """That rate with what is paid upfront in it."""
        return self.offers.cell(SPREAD.key, place) if self.has_upfront else self.offer_named(place)

    def found(self, key: str, number: Expr) -> Expr:
        """What the list says of the offer whose number a cell holds, wherever it stands; the dash where it is gone.

        key: of a column of the list.
        """
        value = self.offers.cell(key, int(number.number) - 1).value if number.is_known else DASH
        place = f"MATCH({number.text},{self.offers.range('number').text},0)"
        return call("IFERROR", value, f"INDEX({self.offers.range(key).text},{place})", f'"{DASH}"')

    def counted_rate(self, number: Expr) -> Expr:
        """The rate that counts in the plan of the offer whose number a cell holds, without what is paid upfront."""
        return self.found("rate" if self.counted is self.listed else COUNTED.key, number)

    def number_of(self, offer_id: str | None) -> Expr | None:
        """The cell of an offer's number; None where the list has no such offer."""
        at = next((at for at, offer in enumerate(self.listed) if offer.offer_id == offer_id), None)
        return None if at is None else self.offers.cell("number", at)

    def offer_for(self, place: int, need: int) -> tuple[Expr, Expr | None]:
        """That rate for the work of one GPU of a need's model, and what one of the offer's GPUs is worth (None: 1)."""
        if self.listed[place].offer_id not in self.needs[need].ratios:
            return self.offer_named(place), None
        return self.offers.cell(f"at{need}", place), self.offers.cell(f"ratio{need}", place)

    def spread_for(self, place: int, need: int) -> tuple[Expr, Expr | None]:
        """As `offer_for`, with what is paid upfront in it."""
        rate, worth = self.offer_for(place, need)
        if not self.has_upfront:
            return rate, worth
        return self.offers.cell(SPREAD.key if worth is None else f"spread{need}", place), worth

    def _rate_of(self, offer: Offer, place: int) -> float:
        """The rate of a priced offer, upfront payments in it, for the work of one GPU of a need's model."""
        return (offer.spread_rate or 0.0) / self.needs[place].ratios.get(offer.offer_id, 1.0)

    def _is_of_plan(self, place: int) -> bool:
        """Whether a need counts with the plan's price case, and that is not mid; the past counts at mid."""
        return self.counted is not self.listed and self.needs[place].label != "today"

    def _at_rates(self, place: int) -> tuple[Offer, ...]:
        """The offers at the rates that a need counts with: the plan's have their fees and discounts in them."""
        return self.counted if self._is_of_plan(place) else self.listed

    def _rates(self, place: int) -> Range:
        """The column of rates that a need counts with."""
        return self.offers.range(self._rates_key(place))

    def _rates_key(self, place: int) -> str:
        """What that column is called in the table."""
        has_upfront = self.has_upfront and self.needs[place].label != "today"
        if self.needs[place].ratios:
            return f"spread{place}" if has_upfront else f"at{place}"
        if has_upfront:
            return SPREAD.key
        return COUNTED.key if self._is_of_plan(place) else "rate"

    def _flags(self, place: int) -> str:
        """The column of whether a need may use an offer."""
        return self.offers.range(f"need{place}").text

    def _lowest(self, place: int, conditions: Sequence[str], rates: Sequence[float]) -> Expr:
        """The lowest rate under some conditions, a dash if no offer meets them."""
        value: Value = min(rates, default=DASH, key=float) if rates else DASH
        words = ",".join(conditions)
        count = call("COUNTIFS", float(len(rates)), words)
        cheapest = call("_xlfn.MINIFS", value, self._rates(place), words)
        return when(count > 0, cheapest, DASH)


def write_prices(book: Book, inputs: Inputs, named: Named) -> Prices:
    """Write the sheet; its cells."""
    offers, case = inputs.project.offers, inputs.scenario.price_case
    counted = inputs.counted_offers
    today, plan, joint, unplanned = (
        inputs.today_needs,
        inputs.plan_needs,
        inputs.joint_needs,
        inputs.unplanned_needs,
    )
    needs = (*today.values(), *plan.values(), *joint.values(), *unplanned.values())
    row = book.title(
        SHEET,
        "Prices",
        "Yellow rates are inputs: a changed rate changes the Summary. A rate that is missing says quote needed. "
        "Grey cells: change them in the app."
        + ("" if case is PriceCase.MID else f" The plan counts with {case} rates where an offer states one."),
        (
            "The columns at the right say which offers each pool and model may use (1 yes): hardware "
            "that does not fit is left out by the app."
        ),
    )
    has_upfront = any(offer.upfront_usd for offer in offers)
    fields = (
        *OFFER_FIELDS,
        *((COUNTED,) if counted is not offers else ()),
        *((UPFRONT, TERM_HOURS, SPREAD) if has_upfront else ()),
        *(OWNED_FIELDS if has_owned(offers) else ()),
        Field("number", "No.", "count", 6),
        *(Field(f"need{place}", _need_words(need), "count", 22) for place, need in enumerate(needs)),
        *(
            field
            for place, need in enumerate(needs)
            if need.ratios
            for field in (
                Field(f"ratio{place}", f"Ratio, {_need_words(need)}", "amount", 22),
                Field(f"at{place}", f"Rate at it, {_need_words(need)}", "rate", 22),
                *([Field(f"spread{place}", f"With upfront, {_need_words(need)}", "rate", 22)] * has_upfront),
            )
        ),
    )
    watch = Watch("Offers", named_by=("offer_id",), values=True, number="number")
    table = Table(book, SHEET, row, len(offers), fields, name="OfferList", watch=watch)
    table.widen()
    if needs:
        book.group_workings(table, "number")
    book.sheets[SHEET].freeze_panes(table.first_row, 1)
    mappings = inputs.project.mappings
    below = table.free_row + max(1, len(needs)) + SPARE_ROWS + 6
    ratios = write_mappings(book, SHEET, below, mappings)
    below += len(mappings) + 3 if mappings else 0
    steps = write_price_steps(book, SHEET, below, inputs, named)
    for place, offer in enumerate(offers):
        _offer(table, place, offer, needs, named)
        if has_owned(offers):
            _owned(table, place, offer, named)
        table.put("all_in", place, _all_in(table.cell("rate", place), table.cell("egress", place), named))
        if counted is not offers:
            listed, counted_rate = table.cell(_key_of_rate(offer, case), place), counted[place].rate
            is_listed = answered_row(offer) is None  # a quote is firm: no step of prices moves it
            is_stepped = is_listed and offer.gpu_model in steps.past and counted_rate is not None
            table.put(
                COUNTED.key,
                place,
                known([listed], steps.at_first_day(listed, offer.gpu_model, counted_rate or 0.0))
                if is_stepped
                else listed,
            )
        spread = _put_spread(table, place, offer, counted is not offers, named) if has_upfront else None
        for number, need in enumerate(needs):
            if need.ratios:
                ratio = ratios.cells.get((gpu_model_of(need.gpu_model) or "", offer.gpu_model))
                is_mid = counted is offers or need.label == "today"
                rate = table.cell("rate" if is_mid else COUNTED.key, place)
                table.put(f"ratio{number}", place, Expr("1", 1.0, True) if ratio is None else copy_of(ratio))
                table.put(f"at{number}", place, at_ratio(rate, ratio))
                if spread is not None:
                    table.put(f"spread{number}", place, at_ratio(spread, ratio))
    put_flags(book, table)
    words = "Enter $ per GPU-hour, or clear the cell where a quote is needed."
    owned = [place for place, offer in enumerate(offers) if is_owned(offer)]
    take_numbers(table, "rate", words=words, or_unknown=True, but=owned)
    if owned:
        _take_costs(table, offers)
    words = "Enter $ per GB, or leave the dash where it is unknown."
    take_numbers(table, "egress", words=words, or_unknown=True)
    if has_upfront:
        by_use = [place for place, offer in enumerate(offers) if not offer.term_months]
        words = "Enter $ per GPU, or leave the dash where nothing is paid upfront."
        take_numbers(table, UPFRONT.key, words=words, or_unknown=True, but=by_use)
    usage = Table(
        book,
        SHEET,
        table.free_row + 3,
        len(needs),
        watch=Watch("Cheapest eligible rates", values=True, number="number"),
        fields=(
            Field("need", "Cheapest usage rates for"),
            Field("pool", "Pool"),
            Field("gpu_model", "GPU model"),
            Field("what", "Used for"),
            Field("number", "Row", "count"),
            Field("on_demand", "On demand, $ per GPU-h", "rate"),
            Field("spot", "Spot, $ per GPU-h", "rate"),
        ),
    )
    book.write(SHEET, table.free_row + 2, 0, "Cheapest eligible rates", "section")
    first_plan, first_joint = len(today), len(today) + len(plan)
    prices = Prices(
        table,
        usage,
        {pair: place for place, pair in enumerate(today)},
        {pair: first_plan + place for place, pair in enumerate(plan)},
        {model: first_joint + place for place, model in enumerate(joint)},
        {pair: first_joint + len(joint) + place for place, pair in enumerate(unplanned)},
        needs,
        offers,
        counted,
        ratios.column,
        steps,
        case,
    )
    for place, need in enumerate(needs):
        usage.put("need", place, f"{_pools_words(need)} · {model_words(need.gpu_model)}")
        usage.put("pool", place, _pools_words(need))
        usage.put("gpu_model", place, model_words(need.gpu_model))
        usage.put("what", place, USED_FOR[need.label])
        usage.put("number", place, place + 1)
        usage.put("on_demand", place, prices.usage_rate(place, PricingCategory.STANDARD))
        usage.put("spot", place, prices.usage_rate(place, PricingCategory.DYNAMIC))
    return prices


def _key_of_rate(offer: Offer, case: PriceCase) -> str:
    """Which column of the list has the rate that counts in a price case; an offer that states none has its mid rate."""
    has_own = case is not PriceCase.MID and bool(offer.rate) and own_rate(offer, case) is not None
    return f"rate_{case}" if has_own else "rate"


def _offer(table: Table, place: int, offer: Offer, needs: Sequence[NeedRow], named: Named) -> None:
    """Writes what an offer states; no rate stands as the words quote needed."""
    cells: dict[str, Content] = {
        "offer_id": offer.offer_id,
        "provider": offer.provider,
        "gpu_model": offer.gpu_model,
        "category": str(offer.pricing_category),
        "term": offer.term_months,
        "rate": named.counted(offer, offer.rate_usd_per_gpu_hour or None, "quote needed"),
        "rate_low": named.counted(offer, offer.rate_low),
        "rate_high": named.counted(offer, offer.rate_high),
        "max_gpus": offer.max_gpus,
        "lead": offer.lead_time_hours,
        "min_term": offer.min_term_months,
        "memory": offer.gpu_memory_gb,
        "bare_metal": None if offer.bare_metal is None else ("yes" if offer.bare_metal else "no"),
        "interconnect": offer.interconnect,
        "egress": named.counted(offer, offer.egress_usd_per_gb),
        "region": offer.region,
        "source": None if offer.source is None else AsWritten(offer.source),
        "as_of": offer.as_of,
    }
    lines = ceil(len(offer.source or "") / SOURCE_LETTERS)
    for key, content in cells.items():
        is_wrapped = key == "source" and lines > 1 and not table.is_long
        table.put(key, place, content, "muted.wrapped.fixed.indent" if is_wrapped else None)
    if lines > 1 and not table.is_long:  # on paper its neighbour cuts it
        table.book.sheets[SHEET].set_row(table.first_row + place, NOTE_LINE * lines + 1)
    table.put("number", place, place + 1)
    for number, need in enumerate(needs):
        table.put(f"need{number}", place, 1 if offer.offer_id in need.eligible else 0)


def _owned(table: Table, place: int, offer: Offer, named: Named) -> None:
    """What an owned GPU costs, and the rate that follows; empty cells in the rows of other offers."""
    if not is_owned(offer):
        for field in OWNED_FIELDS:
            table.put(field.key, place, "", field.style.removesuffix(".input"))
        return
    pue = named.assumptions["pue"]
    stated: dict[str, Content] = {
        "capex_per_gpu": named.counted(offer, offer.capex_usd_per_gpu, "quote needed"),
        "residual_share": offer.residual_share or 0,
        "life_months": offer.life_months or "quote needed",
        "kw_per_gpu": offer.kw_per_gpu or 0,
        "pue": Expr(pue.text, pue.value, True) if offer.pue is None else offer.pue,
        "price_per_kwh": named.counted(offer, offer.usd_per_kwh) or 0,
        "space_per_kw_month": named.counted(offer, offer.space_usd_per_kw_month) or 0,
        "staff_per_month": named.counted(offer, offer.staff_usd_per_gpu_month) or 0,
    }
    operands = {key: maybe(table.put(key, place, stated[key])) for key in OWNED_INPUTS}
    operands |= {"wacc": surely(named.assumptions["wacc"]), "month_hours": surely(named.hours_per_month)}
    write_figures(table, place, OWNED, operands, OWNED_WORKINGS)
    operands["owned_per_month"] = maybe(table.cell("owned_per_month", place))
    rate = OWNED.value("rate", operands).live
    table.put("rate", place, rate, "rate")


def _take_costs(table: Table, offers: Sequence[Offer]) -> None:
    """What the yellow cells of owned GPUs take; the same columns take nothing in the rows of other offers."""
    rented = [place for place, offer in enumerate(offers) if not is_owned(offer)]
    for key, look in OWNED_INPUTS.items():
        if key in OWNED_LIMITS:
            is_price = key == "capex_per_gpu"
            take_between(table, key, None, *OWNED_LIMITS[key], or_unknown=is_price, but=rented)
        elif is_yellow(look):
            take_numbers(table, key, but=rented)


def _put_spread(table: Table, place: int, offer: Offer, is_counted: bool, named: Named) -> Expr:
    """The upfront payment of an offer, and its rate with it; the rate itself where nothing is paid upfront.

    One formula for every offer, so that a payment typed where there was none counts.
    """
    style = None if offer.term_months else UPFRONT.style.replace(".input", ".fixed")
    upfront = table.put(UPFRONT.key, place, named.counted(offer, offer.upfront_usd or None), style)
    hours: Content = (
        24.0 * offer.term_days if offer.term_days else table.cell("term", place) * named.hours_per_month
    )
    term = table.put(TERM_HOURS.key, place, hours)
    rate = table.cell(COUNTED.key if is_counted else "rate", place)
    spread = Expr(
        f"IF({term.text}>0,N({upfront.text})/{term.text},0)", offer.upfront / (offer.term_hours or 1.0)
    )
    if not offer.upfront_usd:
        spread = Expr(spread.text, 0.0)
    value = rate.number + spread.number if rate.is_known else rate.value
    text = f"IF(ISNUMBER({rate.text}),{rate.text}+{spread.text},{rate.text})"
    return table.put(SPREAD.key, place, Expr(text, value, True))


def _all_in(rate: Expr, egress: Expr, named: Named) -> Expr:
    """As price_book.all_in has it: the rate alone while nobody said how much a GPU-hour sends out."""
    sent = named.assumptions["egress_gb_per_gpu_hour"]
    is_counted = call("N", sent.value if sent.is_known else 0.0, sent) > 0
    both = known([rate, egress, sent], rate + egress * sent)
    return when(is_counted, both, known([rate], Expr(rate.text, rate.value, True)))


def _pools_words(need: NeedRow) -> str:
    """The pools of a need, joined."""
    return " + ".join(pool_words(pool) for pool in need.pools)


def _need_words(need: NeedRow) -> str:
    """What a need is called above its column."""
    return f"{need.label}: {_pools_words(need)} {model_words(need.gpu_model)}"

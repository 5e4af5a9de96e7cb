"""Rates that other sheets ask the sheet Prices for: of an offer, and the cheapest that a need may use."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, only_of
from gpuplanner.domain.model.book.owned import has_owned
from gpuplanner.domain.model.book.price_case import PriceCase, own_rate
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.workbook.inputs.price_steps import PriceSteps
from gpuplanner.files.workbook.inputs.sheet_inputs import NeedRow, PairKey
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Range, Value, call, known, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field
from gpuplanner.files.workbook.kit.row_flags import COUNTED_FLAG, YES

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
        rate = self.offers.cell(key_of_rate(offer, self.case), place)
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


def key_of_rate(offer: Offer, case: PriceCase) -> str:
    """Which column of the list has the rate that counts in a price case; an offer that states none has its mid rate."""
    has_own = case is not PriceCase.MID and bool(offer.rate) and own_rate(offer, case) is not None
    return f"rate_{case}" if has_own else "rate"

"""Prices: the offers with yellow rates, who may use which, mapped models, owned GPUs, the cheapest rates."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.order import OWNED, PUE_LIMITS
from gpuplanner.domain.model.book.extras import EXTRA_MONEY
from gpuplanner.domain.model.book.offer import Offer, PriceCase, has_owned, is_owned
from gpuplanner.domain.model.book.only import LEAST_RATIO, MOST_RATIO, ModelMapping, gpu_model_of
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.tables.fields import DOLLARS
from gpuplanner.files.workbook.inputs import rates_found
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import (
    PAIR_FIELDS,
    Inputs,
    NeedRow,
    model_words,
    pool_words,
)
from gpuplanner.files.workbook.kit.book import NOTE_LINE, AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cells import SPARE_ROWS
from gpuplanner.files.workbook.kit.checks import COUNTED_FLAG, put_flags, take_between, take_numbers
from gpuplanner.files.workbook.kit.expressions import Expr, call, formula, known, lift, when
from gpuplanner.files.workbook.kit.figure_cells import (
    Cells,
    fields_of,
    figure_field,
    live,
    maybe,
    write_figures,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch, is_yellow
from gpuplanner.files.workbook.kit.sheets import OFFER_INPUTS

Ratios = Mapping[tuple[str, str, str], Expr]
"""Cells of the ratios by (model of the demand, model of the offer, pool; "": every pool that has none of its own)."""

_FIELDS = fields_of("prices")


_WATCH = Watch(title="Ratios of GPU models", named_by=("gpu_model", "offer_model", "pool"), values=True)


def write_mappings(book: Book, row: int, mappings: Sequence[ModelMapping]) -> Ratios:
    """A table of the ratios, where there are any; nothing is written without them."""
    if not mappings:
        return {}
    title = "GPU models that may serve others: one GPU does the work of so many"
    table = Table(
        book=book,
        sheet=OFFER_INPUTS,
        row=row,
        size=len(mappings),
        fields=_FIELDS,
        watch=_WATCH,
        section=title,
    )
    cells = {}
    for place, mapping in enumerate(mappings):
        pool = f"{pool_words(mapping.pool)} only" if mapping.pool else "every pool"
        table.fill(place, gpu_model=mapping.gpu_model, offer_model=mapping.offer_model, pool=pool)
        cells[mapping.key] = table.put("ratio", place, mapping.ratio, "amount.input")
    take_between(table, "ratio", None, LEAST_RATIO, MOST_RATIO)
    return cells


def at_ratio(rate: Expr, ratio: Expr | None) -> Expr:
    """A rate for the work of one GPU of the demand's model; text stays text."""
    if ratio is None:
        return rate
    return formula("IF(ISNUMBER({rate}),{rate}/{ratio},{rate})", rate=rate, ratio=ratio)


OWNED_WORKINGS: Final = ("capital_per_month", "owned_per_month")
OWNED_INPUTS: Final[Mapping[str, str]] = plain_table("owned_input_style")
"""Columns of what owned GPUs cost, by the keys of OWNED, with how they look: only where the list has some.
life_months is fixed, as it is the term, too."""
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


def put_owned(table: Table, place: int, offer: Offer, named: Named) -> None:
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
        "pue": Expr(pue.text, pue.value) if offer.pue is None else offer.pue,
        "price_per_kwh": named.counted(offer, offer.usd_per_kwh) or 0,
        "space_per_kw_month": named.counted(offer, offer.space_usd_per_kw_month) or 0,
        "staff_per_month": named.counted(offer, offer.staff_usd_per_gpu_month) or 0,
    }
    operands: Cells = {key: maybe(table.put(key, place, stated[key])) for key in OWNED_INPUTS}
    operands |= {"wacc": named.assumptions["wacc"], "month_hours": named.hours_per_month}
    write_figures(table, place, OWNED, operands, OWNED_WORKINGS)
    operands["owned_per_month"] = maybe(table.cell("owned_per_month", place))
    table.put("rate", place, live(OWNED, "rate", operands), "rate")


def take_costs(table: Table, offers: Sequence[Offer]) -> None:
    """What the yellow cells of owned GPUs take; the same columns take nothing in the rows of other offers."""
    rented = [place for place, offer in enumerate(offers) if not is_owned(offer)]
    for key, look in OWNED_INPUTS.items():
        if key in OWNED_LIMITS:
            is_price = key == "capex_per_gpu"
            take_between(table, key, None, *OWNED_LIMITS[key], or_unknown=is_price, but=rented)
        elif is_yellow(look):
            take_numbers(table, key, but=rented)


SOURCE_LETTERS: Final = 60
"""Of a source that go on a line of its column."""

OFFER_FIELDS = (
    *fields_of(
        "prices.offer",
        Field(key="term", heading=LAYER["term_months"].heading(", "), style="count.fixed", width=8),
        Field(key="rate", heading=LAYER["rate"].heading(", "), style="rate.input", width=11),
    ),
    COUNTED_FLAG,
)
USED_FOR: Final = {"today": "today", "plan": "the plan", "unplanned": "doing nothing"}
"""What a need is for, by its label."""


OF_TERMS: Final = {field.key: field for field in fields_of("prices.of_terms")}
"""What most offers do not state: each only where one does; an offer's attribute -> its column."""

WORTH: Final = figure_field(
    QUOTE["worth_rate"],
    14,
    "From the app: the highest rate at which the plan would sign it, all else as it is.",
)

WORTH_ASKED: Final = (
    "For a column with break-even rates use export --worth, or Prices > What each term is worth in the app. Each "
    "offer takes about ten plans."
)


def write_prices(book: Book, inputs: Inputs, named: Named, edges: rates_found.Edges) -> rates_found.Prices:
    """Write the sheet; its cells. edges: of the parts of months."""
    offers, case = inputs.project.offers, inputs.scenario.price_case
    counted = inputs.counted_offers
    today, plan, unplanned = inputs.today_needs, inputs.plan_needs, inputs.unplanned_needs
    needs = (*today.values(), *plan.values(), *unplanned.values())
    row = book.title(
        OFFER_INPUTS,
        "Yellow rates are inputs: all figures follow them. Offers without a rate need a quote. Change grey cells in "
        "the app."
        + ("" if case is PriceCase.MID else f" The plan counts with {case} rates where an offer states one."),
        "The columns on the right list the offers for each pool and model (1 yes). The app excludes hardware that "
        "does not fit.",
        *(() if inputs.evaluation.worths else (WORTH_ASKED,)),
    )
    has_upfront, has_more = (
        any(offer.upfront_usd for offer in offers),
        rates_found.has_extras((*offers, *counted)),
    )
    fields = (
        *OFFER_FIELDS,
        *((rates_found.COUNTED,) if counted is not offers else ()),
        *((*rates_found.EXTRA_FIELDS, rates_found.WITH_EXTRAS) if has_more else ()),
        *((rates_found.COUNTED_EXTRAS,) if has_more and counted is not offers else ()),
        *((rates_found.UPFRONT,) if has_upfront else ()),
        *((rates_found.TERM_HOURS,) if has_upfront or has_more else ()),
        *((rates_found.SPREAD,) if has_upfront else ()),
        *(OWNED_FIELDS if has_owned(offers) else ()),
        *((WORTH,) if inputs.evaluation.worths else ()),
        *rates_found.stated_fields(OF_TERMS, offers, has_extras=has_more),
        Field(key="number", heading="No.", style="count", width=6),
        *(
            Field(key=f"need{place}", heading=_need_words(need), style="count", width=22)
            for place, need in enumerate(needs)
        ),
        *(
            field
            for place, need in enumerate(needs)
            if need.ratios
            for field in (
                Field(key=f"ratio{place}", heading=f"Ratio, {_need_words(need)}", style="amount", width=22),
                Field(key=f"at{place}", heading=f"Rate at it, {_need_words(need)}", style="rate", width=22),
                *(
                    [
                        Field(
                            key=f"spread{place}",
                            heading=f"With upfront, {_need_words(need)}",
                            style="rate",
                            width=22,
                        )
                    ]
                    * has_upfront
                ),
            )
        ),
    )
    watch = Watch(title="Offers", named_by=("offer_id",), values=True, number="number")
    table = Table(
        book=book, sheet=OFFER_INPUTS, row=row, size=len(offers), fields=fields, name="OfferList", watch=watch
    )
    table.widen()
    if needs:
        book.group_workings(table, "number")
    book.sheets[OFFER_INPUTS].freeze_panes(table.first_row, 1)
    mappings = inputs.project.mappings
    below = table.free_row + max(1, len(needs)) + SPARE_ROWS + 6
    ratios = write_mappings(book, below, mappings)
    below += len(mappings) + 3 if mappings else 0
    steps = rates_found.write_price_steps(below, named, edges)
    listed_key = rates_found.WITH_EXTRAS.key if has_more else "rate"
    counted_key = rates_found.COUNTED_EXTRAS.key if has_more else rates_found.COUNTED.key
    key = listed_key if counted is offers else counted_key
    for place, offer in enumerate(offers):
        _offer(table, place, offer, needs, named)
        if has_owned(offers):
            put_owned(table, place, offer, named)
        if has_upfront or has_more:
            _put_term(table, place, offer, named)
        if has_more:
            _put_extras(table, place, offer, inputs, named)
        if counted is not offers:
            _put_counted(table, place, offer, rates_found.key_of_rate(offer, case), steps, named)
        spread = None
        if has_upfront:
            spread = table.put(
                rates_found.SPREAD.key, place, rates_found.with_upfront(table, place, table.cell(key, place))
            )
        if inputs.evaluation.worths:
            worth = inputs.evaluation.worths.get(offer.offer_id, "")
            table.put(WORTH.key, place, worth if isinstance(worth, float) else str(worth))
        table.put("all_in", place, _all_in(table, place, table.cell(key, place), named))
        for number, need in enumerate(needs):
            if need.ratios:
                pair = (gpu_model_of(need.gpu_model) or "", offer.gpu_model)
                ratio = ratios.get((*pair, need.pool), ratios.get((*pair, "")))
                is_mid = counted is offers or need.label == "today"
                rate = table.cell(listed_key if is_mid else key, place)
                table.put(f"ratio{number}", place, lift(1) if ratio is None else ratio)
                table.put(f"at{number}", place, at_ratio(rate, ratio))
                if spread is not None:
                    table.put(f"spread{number}", place, at_ratio(spread, ratio))
    put_flags(book, table)
    _take_inputs(table, offers)
    usage = Table(
        book,
        OFFER_INPUTS,
        table.free_row + 3,
        len(needs),
        watch=Watch(title="Cheapest eligible rates", values=True, number="number"),
        fields=(
            Field(key="need", heading="Cheapest usage rates for"),
            *PAIR_FIELDS,
            *fields_of("prices.what"),
        ),
    )
    book.write(OFFER_INPUTS, table.free_row + 2, 0, "Cheapest eligible rates", "section")
    first_plan, first_unplanned = len(today), len(today) + len(plan)
    prices = rates_found.Prices(
        offers=table,
        usage=usage,
        today={pair: place for place, pair in enumerate(today)},
        plan={pair: first_plan + place for place, pair in enumerate(plan)},
        unplanned={pair: first_unplanned + place for place, pair in enumerate(unplanned)},
        needs=needs,
        listed=offers,
        counted=counted,
        steps=steps,
    )
    for place, need in enumerate(needs):
        usage.put("need", place, f"{pool_words(need.pool)} · {model_words(need.gpu_model)}")
        usage.put("pool", place, pool_words(need.pool))
        usage.fill(place, gpu_model=model_words(need.gpu_model), what=USED_FOR[need.label])
        usage.fill(place, number=place + 1, on_demand=prices.usage_rate(place, PricingCategory.STANDARD))
        usage.put("spot", place, prices.usage_rate(place, PricingCategory.DYNAMIC))
    return prices


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
        "bare_metal": rates_found.yes_or_no(offer.bare_metal),
        "interconnect": offer.interconnect,
        "gbps": offer.nic_gbps,
        "rdma": rates_found.yes_or_no(offer.rdma),
        "egress": named.counted(offer, offer.egress_usd_per_gb),
        "region": offer.region,
        "country": offer.country,
        "source": None if offer.source is None else AsWritten(offer.source),
        "as_of": offer.as_of,
    }
    for term in filter(table.has, OF_TERMS):
        stated = getattr(offer, term)
        cells[term] = named.counted(offer, stated) if term in (*EXTRA_MONEY, DOLLARS) else stated
    lines = ceil(len(offer.source or "") / SOURCE_LETTERS)
    for key, content in cells.items():
        is_wrapped = key == "source" and lines > 1 and not table.is_long
        table.put(key, place, content, "muted.wrapped.fixed.indent" if is_wrapped else None)
    if lines > 1 and not table.is_long:  # on paper its neighbour cuts it
        table.book.sheets[OFFER_INPUTS].set_row(table.first_row + place, NOTE_LINE * lines + 1)
    table.put("number", place, place + 1)
    for number, need in enumerate(needs):
        table.put(f"need{number}", place, 1 if offer.offer_id in need.eligible else 0)


def _take_inputs(table: Table, offers: Sequence[Offer]) -> None:
    """What the yellow cells take."""
    words = "Enter $ per GPU-hour, or clear the cell where a quote is needed."
    owned = [place for place, offer in enumerate(offers) if is_owned(offer)]
    take_numbers(table, "rate", words=words, or_unknown=True, but=owned)
    if owned:
        take_costs(table, offers)
    words = "Enter $ per GB, or leave the dash where it is unknown."
    take_numbers(table, "egress", words=words, or_unknown=True)
    for field in rates_found.EXTRA_FIELDS if table.has(rates_found.WITH_EXTRAS.key) else ():
        take_numbers(
            table, field.key, words="Enter an amount, or leave the dash where there is none.", or_unknown=True
        )
    if table.has(rates_found.UPFRONT.key):
        by_use = [place for place, offer in enumerate(offers) if not offer.term_months]
        words = "Enter $ per GPU, or leave the dash where nothing is paid upfront."
        take_numbers(table, rates_found.UPFRONT.key, words=words, or_unknown=True, but=by_use)


def _put_counted(
    table: Table, place: int, offer: Offer, key: str, steps: rates_found.PriceSteps, named: Named
) -> None:
    """The rate that counts in the plan, and with its extras. key: of the column of its price case."""
    listed = table.cell(key, place)  # a quote is firm: no step of prices moves it
    is_stepped = answered_row(offer) is None and offer.gpu_model in steps.past and bool(offer.bare_rate)
    stepped = known([listed], steps.at_first_day(listed, offer.gpu_model)) if is_stepped else listed
    rate = table.put(rates_found.COUNTED.key, place, stepped)
    if table.has(rates_found.COUNTED_EXTRAS.key):
        sent, hours = named.assumptions[SENT], named.hours_per_month
        table.put(
            rates_found.COUNTED_EXTRAS.key, place, rates_found.with_extras(table, place, rate, sent, hours)
        )


SENT: Final = "egress_gb_per_gpu_hour"


def _put_term(table: Table, place: int, offer: Offer, named: Named) -> None:
    """The hours of the term, and what is paid upfront for it."""
    if table.has(rates_found.UPFRONT.key):
        style = None if offer.term_months else rates_found.UPFRONT.style.replace(".input", ".fixed")
        table.put(rates_found.UPFRONT.key, place, named.counted(offer, offer.upfront_usd or None), style)
    hours: Content = (
        24.0 * offer.term_days if offer.term_days else table.cell("term", place) * named.hours_per_month
    )
    table.put(rates_found.TERM_HOURS.key, place, hours)


def _put_extras(table: Table, place: int, offer: Offer, inputs: Inputs, named: Named) -> None:
    """What an offer states beside its rate, and the rate with it."""
    for key in ("storage", "network", "staff"):
        table.put(key, place, named.counted(offer, getattr(offer, f"{key}_usd_per_gpu_month")))
    if is_owned(offer):
        table.put("staff", place, "", "rate.fixed")  # it is in the rate
    table.fill(place, support=offer.support_percent, setup=named.counted(offer, offer.setup_usd))
    sent_today = inputs.project.assumptions.egress_gb_per_gpu_hour
    is_same = sent_today == inputs.assumptions.egress_gb_per_gpu_hour
    sent = named.assumptions[SENT] if is_same else sent_today or 0.0
    rate = rates_found.with_extras(table, place, table.cell("rate", place), sent, named.hours_per_month)
    table.put(rates_found.WITH_EXTRAS.key, place, rate)


def _all_in(table: Table, place: int, rate: Expr, named: Named) -> Expr:
    """As all_in_rate.all_in has it: without egress while nobody said how much a GPU-hour sends out."""
    whole = rates_found.with_upfront(table, place, rate) if table.has(rates_found.UPFRONT.key) else rate
    egress, sent = table.cell("egress", place), named.assumptions[SENT]
    with_egress = whole if table.has(rates_found.WITH_EXTRAS.key) else whole + egress * sent
    return when(call("N", sent) > 0, known([rate, egress, sent], with_egress), known([rate], whole))


def _need_words(need: NeedRow) -> str:
    """What a need is called above its column."""
    return f"{need.label}: {pool_words(need.pool)} {model_words(need.gpu_model)}"

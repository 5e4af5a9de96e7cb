"""What owned GPUs cost, in columns of the sheet Prices: the rate that follows, and what its yellow cells take."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.figures.costs.owned import OWNED, PUE_LIMITS
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.owned import is_owned
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, write_figures
from gpuplanner.files.workbook.kit.input_rules import take_between, take_numbers
from gpuplanner.files.workbook.kit.looks import is_yellow

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


def take_costs(table: Table, offers: Sequence[Offer]) -> None:
    """What the yellow cells of owned GPUs take; the same columns take nothing in the rows of other offers."""
    rented = [place for place, offer in enumerate(offers) if not is_owned(offer)]
    for key, look in OWNED_INPUTS.items():
        if key in OWNED_LIMITS:
            is_price = key == "capex_per_gpu"
            take_between(table, key, None, *OWNED_LIMITS[key], or_unknown=is_price, but=rented)
        elif is_yellow(look):
            take_numbers(table, key, but=rented)

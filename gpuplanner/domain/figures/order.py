"""Figures of an order: what is signed or bought, what it costs, and what GPUs cost that are owned."""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, discounted, phrased, repaid, share
from gpuplanner.domain.figures.layer import HOURS_OF_MONTH, TERM_MONTHS
from gpuplanner.domain.message import capital, worded

# --- Figures of GPUs that are owned: what one costs a month over its life, and an hour of it -----
# Source of the formulas: docs/formulas/prices.md, Owned GPUs.


PUE_LIMITS: Final = (1, 3)
"""What a PUE may be wherever it is said: below 1 a building would give energy, over 3 it is a misprint, such as 130."""

OWNED: Final = Subject(
    "owned",
    (
        Figure(
            key="capex_per_gpu",
            title=titles.PRICE_TO_OWN,
            unit=writing.MONEY_PER_GPU,
            phrase=worded("purchase price per GPU"),
        ),
        Figure(
            key="residual_share",
            title=worded("Residual value"),
            unit=writing.SHARE,
            phrase=worded("residual share"),
        ),
        phrased("wacc", worded("yearly capital cost"), writing.SHARE),
        Figure(key="life_months", title=worded("Life"), unit=writing.MONTHS, phrase=worded("life in months")),
        Figure(key="kw_per_gpu", title=worded("Power"), unit=writing.KW_PER_GPU, phrase=worded("kW per GPU")),
        Figure(key="pue", title="PUE", unit=writing.TIMES),
        HOURS_OF_MONTH,
        Figure(
            key="price_per_kwh",
            title=worded("Electricity"),
            unit=writing.MONEY_PER_KWH,
            phrase=worded("$ per kWh"),
        ),
        Figure(
            key="space_per_kw_month",
            title=worded("Space per kW"),
            unit=writing.MONEY_PER_KW_MONTH,
            phrase=worded("$ per kW for space"),
        ),
        Figure(
            key="staff_per_month",
            title=worded("Staff"),
            unit=writing.MONEY_PER_GPU_MONTH,
            phrase=worded("monthly staff cost per GPU"),
        ),
        Figure(
            key="used_share", title=titles.USED, unit=writing.SHARE, phrase=worded("share of time in use")
        ),
    ),
)
"""A GPU of our own. Money is in the currency that its offer is quoted in."""


@OWNED.figure(worded("Capital"), writing.MONEY_PER_GPU_MONTH)
def capital_per_month(
    capex_per_gpu: Operand, residual_share: Operand, wacc: Operand, life_months: Operand
) -> Operand:
    """Capital cost per month: purchase price less discounted residual value, as an annuity."""
    return capex_per_gpu * (1 - residual_share * discounted(wacc, life_months)) * repaid(wacc, life_months)


@OWNED.figure(worded("Electricity per month"), writing.MONEY_PER_GPU_MONTH)
def power_per_month(
    kw_per_gpu: Operand, pue: Operand, month_hours: Operand, price_per_kwh: Operand
) -> Operand:
    """Electricity per month at rated power, times PUE."""
    return kw_per_gpu * pue * month_hours * price_per_kwh


@OWNED.figure(worded("Space per month"), writing.MONEY_PER_GPU_MONTH)
def space_per_month(kw_per_gpu: Operand, space_per_kw_month: Operand) -> Operand:
    """Space per month, by kW of rated power."""
    return kw_per_gpu * space_per_kw_month


@OWNED.figure(worded("An owned GPU"), writing.MONEY_PER_GPU_MONTH)
def owned_per_month(
    capital_per_month: Operand, power_per_month: Operand, space_per_month: Operand, staff_per_month: Operand
) -> Operand:
    """Total cost of an owned GPU per month."""
    return capital_per_month + power_per_month + space_per_month + staff_per_month


@OWNED.figure(titles.RATE, writing.RATE, phrase=worded("rate"), why="offer_rate")
def rate(owned_per_month: Operand, month_hours: Operand) -> Operand:
    """Cost per hour owned, used or idle."""
    return owned_per_month / month_hours


@OWNED.figure(worded("Rate while in use"), writing.RATE)
def rate_in_use(rate: Operand, used_share: Operand) -> Operand:
    """Cost per hour in use."""
    return share(rate, used_share)


# --- Figures of an order: what is signed or bought, what it costs a month and in all, and the offers it is chosen among
# Sources of the formulas: docs/formulas/orders.md; docs/formulas/prices.md, Price book.


ORDER: Final = Subject(
    "order",
    (
        Figure(key="gpus", title="GPUs", unit=writing.GPUS, why="order_gpus"),
        Figure(key="bought_gpus", title="GPUs", unit=writing.GPUS, phrase="GPUs", json="offer_gpus"),
        phrased(
            "rate",
            worded("rate"),
            writing.RATE,
            unknown=worded("Quote needed: enter its rate in Prices"),
            json="rate_usd_per_gpu_hour",
        ),
        Figure(
            key="upfront_per_gpu",
            title=worded("Upfront per GPU"),
            unit=writing.MONEY_PER_GPU,
            phrase=worded("upfront per GPU"),
        ),
        Figure(
            key="setup_per_gpu",
            title=worded("Set-up"),
            unit=writing.MONEY_PER_GPU,
            phrase=worded("set-up per GPU"),
        ),
        Figure(
            key="capex_per_gpu",
            title=titles.PRICE_TO_OWN,
            unit=writing.MONEY_PER_GPU,
            phrase=worded("purchase price per GPU"),
            json="capex_usd_per_gpu",
        ),
        TERM_MONTHS,
        phrased("term_hours", worded("term hours"), writing.HOURS),
        Figure(
            key="paid_hours",
            title=titles.HOURS_PAID,
            unit=writing.HOURS_A_MONTH,
            phrase=worded("hours in a month"),
        ),
    ),
)
"""A commitment to sign, or GPUs to buy. Rate, upfront payment and price to own are those of the month in which it is
signed; the price to own is 0 of what is signed."""


@ORDER.figure(titles.SPREAD_RATE, writing.RATE)
def spread_rate(rate: Operand, upfront_per_gpu: Operand, term_hours: Operand) -> Operand:
    """Rate with the upfront payment spread over the hours of the term."""
    return rate + upfront_per_gpu / term_hours


@ORDER.figure(
    titles.COST,
    writing.MONEY_PER_MONTH,
    short=worded("$ per month"),
    why="order_usd",
    is_better="down",
    unknown=worded("Quote needed: enter its rate in Prices"),
)
def cost_per_month(bought_gpus: Operand, spread_rate: Operand, paid_hours: Operand) -> Operand:
    """Cost of a whole month, upfront spread over the term."""
    return bought_gpus * spread_rate * paid_hours


@ORDER.figure(worded("Whole term"), writing.MONEY_IN_ALL, is_better="down")
def liability(bought_gpus: Operand, term_hours: Operand, rate: Operand, upfront_per_gpu: Operand) -> Operand:
    """Total commitment: the rate over the whole term, plus upfront."""
    return bought_gpus * (term_hours * rate + upfront_per_gpu)


@ORDER.figure(worded("Due at once"), writing.MONEY_IN_ALL, is_better="down")
def due_at_once(
    bought_gpus: Operand, upfront_per_gpu: Operand, setup_per_gpu: Operand, capex_per_gpu: Operand
) -> Operand:
    """Payment on the order date: upfront, setup and purchase price."""
    return bought_gpus * (upfront_per_gpu + setup_per_gpu + capex_per_gpu)


OFFER_PAIR: Final = Subject(
    "offer_pair",
    (
        Figure(key="rate", title=titles.RATE, unit=writing.RATE, phrase=worded("offer rate")),
        phrased("chosen_rate", worded("rate of the chosen one"), writing.RATE),
    ),
)
"""An offer beside the one that is chosen to compare with; both rates are all in."""


@OFFER_PAIR.figure(capital(worded("below")), writing.SHARE, why="offer_below")
def below(rate: Operand, chosen_rate: Operand) -> Operand:
    """1 less the rate over the rate of the chosen offer; below 0 the rate is higher."""
    return 1 - share(rate, chosen_rate)

"""Figures of GPUs that are owned: what one costs a month over its life, and an hour of it.

Source of the formulas: docs/formulas.md, Owned GPUs.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.layer import HOURS_OF_MONTH
from gpuplanner.domain.figures.operations import Operand, discounted, repaid, share
from gpuplanner.domain.figures.units import (
    KW_PER_GPU,
    MONEY_PER_GPU,
    MONEY_PER_GPU_MONTH,
    MONEY_PER_KW_MONTH,
    MONEY_PER_KWH,
    MONTHS,
    RATE,
    SHARE,
    TIMES,
)
from gpuplanner.domain.message import worded


def capital_per_month(
    capex_per_gpu: Operand, residual_share: Operand, wacc: Operand, life_months: Operand
) -> Operand:
    """What its price costs a month, less what it is still worth at the end: an annuity at the cost of capital."""
    return capex_per_gpu * (1 - residual_share * discounted(wacc, life_months)) * repaid(wacc, life_months)


def power_per_month(
    kw_per_gpu: Operand, pue: Operand, month_hours: Operand, price_per_kwh: Operand
) -> Operand:
    """Electricity of a month at rated power, with that of the building."""
    return kw_per_gpu * pue * month_hours * price_per_kwh


def space_per_month(kw_per_gpu: Operand, space_per_kw_month: Operand) -> Operand:
    """Space, which is let by the kW of rated power."""
    return kw_per_gpu * space_per_kw_month


def owned_per_month(
    capital_per_month: Operand, power_per_month: Operand, space_per_month: Operand, staff_per_month: Operand
) -> Operand:
    """All of it."""
    return capital_per_month + power_per_month + space_per_month + staff_per_month


def rate(owned_per_month: Operand, month_hours: Operand) -> Operand:
    """$ per hour that it is owned, used or not."""
    return owned_per_month / month_hours


def rate_in_use(rate: Operand, used_share: Operand) -> Operand:
    """$ per hour in use, where it is used for a part of the time."""
    return share(rate, used_share)


PUE_LIMITS: Final = (1, 3)
"""What a PUE may be wherever it is said: below 1 a building would give energy, over 3 it is a misprint, such as 130."""

OWNED: Final = Subject(
    "owned",
    (
        Figure("capex_per_gpu", titles.PRICE_TO_OWN, MONEY_PER_GPU, phrase=worded("price of a GPU")),
        Figure(
            "residual_share",
            worded("Worth at the end"),
            SHARE,
            phrase=worded("share of it that is left at the end"),
        ),
        Figure("wacc", worded("Cost of capital a year"), SHARE, phrase=worded("cost of capital a year")),
        Figure("life_months", worded("Life"), MONTHS, phrase=worded("months of its life")),
        Figure("kw_per_gpu", worded("Power"), KW_PER_GPU, phrase=worded("kW of a GPU")),
        Figure("pue", "PUE", TIMES),
        HOURS_OF_MONTH,
        Figure("price_per_kwh", worded("Electricity"), MONEY_PER_KWH, phrase=worded("$ per kWh")),
        Figure(
            "space_per_kw_month",
            worded("Space of a kW"),
            MONEY_PER_KW_MONTH,
            phrase=worded("$ per kW for space"),
        ),
        Figure(
            "staff_per_month",
            worded("Staff"),
            MONEY_PER_GPU_MONTH,
            phrase=worded("staff of a GPU, per month"),
        ),
        Figure("used_share", titles.USED, SHARE, phrase=worded("share of the time in use")),
        Figure("capital_per_month", worded("Capital"), MONEY_PER_GPU_MONTH, capital_per_month),
        Figure("power_per_month", worded("Electricity of a month"), MONEY_PER_GPU_MONTH, power_per_month),
        Figure("space_per_month", worded("Space of a month"), MONEY_PER_GPU_MONTH, space_per_month),
        Figure("owned_per_month", worded("An owned GPU"), MONEY_PER_GPU_MONTH, owned_per_month),
        Figure("rate", titles.RATE, RATE, rate, phrase=worded("rate"), why="offer_rate"),
        Figure("rate_in_use", worded("Rate while in use"), RATE, rate_in_use),
    ),
)
"""A GPU of our own. Money is in the currency that its offer is quoted in."""

"""All that has figures, for who goes through every one of them: tests, the glossary, the reference of formulas."""

from typing import Final

from gpuplanner.domain.figures.award import AWARD, QUOTE, VENDOR
from gpuplanner.domain.figures.card import CARD, CARD_PART, SPOT
from gpuplanner.domain.figures.cash import CASH, OWED, UP_FRONT
from gpuplanner.domain.figures.changes import (
    BURN_DOWN,
    CHANGE,
    CONTRACT_CHANGE,
    PERIOD,
    TRACK,
    TRACK_QUARTER,
    WORKLOAD_CHANGE,
)
from gpuplanner.domain.figures.chargeback import BUDGET_MONTH, CHARGE, CHARGE_PART, IDLE_SHARE, OWN_IDLE
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.energy import ENERGY, PLAN_ENERGY
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.order import OFFER_PAIR, ORDER, OWNED
from gpuplanner.domain.figures.plan import (
    AHEAD,
    LIMIT,
    ONE_PROVIDER,
    PATH,
    PLAN,
    SAVINGS_BUY,
    SAVINGS_STEP,
    SEPARATION,
    STEP,
    STOP,
)
from gpuplanner.domain.figures.serving import SITE_SET, SIZING, WAY
from gpuplanner.domain.figures.unit_costs import (
    BUSINESS,
    ENDPOINT,
    EQUAL_TERMS,
    EXPERIMENT,
    MODEL_COST,
    MODEL_PART,
    PREMIUM,
    RETRAINING,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.figures.use import CONTRACT, CONTRACT_MONTH, HELD
from gpuplanner.domain.figures.window import CLASS, QUALITY, TEAM, USE, WINDOW

SUBJECTS: Final[tuple[Subject, ...]] = (
    CONTRACT,
    CONTRACT_MONTH,
    CLUSTER,
    WINDOW,
    QUALITY,
    USE,
    TEAM,
    CLASS,
    LEAK,
    LAYER,
    TERM,
    PLAN,
    PATH,
    STEP,
    SAVINGS_STEP,
    SAVINGS_BUY,
    SEPARATION,
    ONE_PROVIDER,
    LIMIT,
    STOP,
    AHEAD,
    ORDER,
    CARD,
    CARD_PART,
    SPOT,
    RUN,
    MODEL_PART,
    MODEL_COST,
    ENDPOINT,
    TRAFFIC,
    EQUAL_TERMS,
    PREMIUM,
    EXPERIMENT,
    BUSINESS,
    RETRAINING,
    IDLE_SHARE,
    OWN_IDLE,
    CHARGE_PART,
    CHARGE,
    BUDGET_MONTH,
    PERIOD,
    CHANGE,
    WORKLOAD_CHANGE,
    CONTRACT_CHANGE,
    OFFER_PAIR,
    OWNED,
    ENERGY,
    PLAN_ENERGY,
    AWARD,
    QUOTE,
    VENDOR,
    TRACK,
    TRACK_QUARTER,
    BURN_DOWN,
    SIZING,
    SITE_SET,
    WAY,
    OWED,
    CASH,
    UP_FRONT,
    HELD,
)


def formulas() -> tuple[tuple[Subject, Figure], ...]:
    """Every figure that has a formula, with its subject.

    In the order of SUBJECTS and of the figures in each.
    """
    return tuple((subject, one) for subject in SUBJECTS for one in subject.figures if one.formula is not None)

"""All that has figures, for who goes through every one of them: tests, the glossary, the reference of formulas."""

from typing import Final

from gpuplanner.domain.figures import changes, plan, unit_costs
from gpuplanner.domain.figures.award import AWARD, QUOTE, VENDOR
from gpuplanner.domain.figures.card import CARD, CARD_PART, SPOT
from gpuplanner.domain.figures.cash import CASH, OWED, UP_FRONT
from gpuplanner.domain.figures.chargeback import BUDGET_MONTH, CHARGE, CHARGE_PART, IDLE_SHARE, OWN_IDLE
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.energy import ENERGY, PLAN_ENERGY
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.mix import BILL, EQUIVALENT, GAP, MODEL_PREMIUM, PUBLISHED, RUN_KIND
from gpuplanner.domain.figures.order import OFFER_PAIR, ORDER, OWNED
from gpuplanner.domain.figures.serving import SITE_SET, SIZING, WAY
from gpuplanner.domain.figures.training import PAST_RUN
from gpuplanner.domain.figures.use import CONTRACT, CONTRACT_MONTH, HELD
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.figures.window import CLASS, QUALITY, SERIES, TEAM, USE, WINDOW

SUBJECTS: Final[tuple[Subject, ...]] = (
    CONTRACT,
    CONTRACT_MONTH,
    CLUSTER,
    WINDOW,
    SERIES,
    PUBLISHED,
    BILL,
    EQUIVALENT,
    MODEL_PREMIUM,
    RUN_KIND,
    GAP,
    QUALITY,
    USE,
    TEAM,
    CLASS,
    LEAK,
    LAYER,
    TERM,
    plan.PLAN,
    plan.PATH,
    plan.STEP,
    plan.SAVINGS_STEP,
    plan.NEXT_DECISION,
    plan.SAVINGS_BUY,
    plan.SEPARATION,
    plan.ONE_PROVIDER,
    plan.LIMIT,
    plan.STOP,
    plan.AHEAD,
    ORDER,
    CARD,
    CARD_PART,
    SPOT,
    unit_costs.RUN,
    unit_costs.MODEL_PART,
    unit_costs.MODEL_COST,
    unit_costs.ENDPOINT,
    unit_costs.TRAFFIC,
    unit_costs.EQUAL_TERMS,
    unit_costs.PREMIUM,
    unit_costs.EXPERIMENT,
    unit_costs.BUSINESS,
    unit_costs.RETRAINING,
    IDLE_SHARE,
    OWN_IDLE,
    CHARGE_PART,
    CHARGE,
    BUDGET_MONTH,
    changes.PERIOD,
    changes.CHANGE,
    changes.WORKLOAD_CHANGE,
    changes.CONTRACT_CHANGE,
    OFFER_PAIR,
    OWNED,
    ENERGY,
    PLAN_ENERGY,
    AWARD,
    QUOTE,
    VENDOR,
    changes.TRACK,
    changes.TRACK_QUARTER,
    changes.BURN_DOWN,
    changes.TRACK_WORKLOAD,
    SIZING,
    SITE_SET,
    WAY,
    OWED,
    CASH,
    UP_FRONT,
    HELD,
    WAITING,
    PAST_RUN,
)


def formulas() -> tuple[tuple[Subject, Figure], ...]:
    """Every figure that has a formula, with its subject.

    In the order of SUBJECTS and of the figures in each.
    """
    return tuple((subject, row) for subject in SUBJECTS for row in subject.figures if row.formula is not None)

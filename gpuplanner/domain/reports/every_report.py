"""All reports, for who goes through every one of them: tests, and the reference of documents."""

from typing import Final

from gpuplanner.domain.figures.changes import CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.figures.classes import CLASS
from gpuplanner.domain.figures.costs import (
    ENDPOINT,
    EXPERIMENT,
    MODEL_COST,
    MODEL_PART,
    PREMIUM,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.figures.figure import Subject
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.reports.changes import CONTRACT_PARTS, PERIODS, WORKLOAD_PARTS
from gpuplanner.domain.reports.classes import CLASSES
from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.domain.reports.costs import (
    ENDPOINTS,
    EXPERIMENTS,
    MODEL_PARTS,
    MODELS,
    PREMIUMS,
    RUNS,
    TOKENS,
)
from gpuplanner.domain.reports.leaks import LEAK_PARTS, LEAKS
from gpuplanner.domain.reports.orders import ORDERS, TO_SIGN
from gpuplanner.domain.reports.plan_layers import PLAN_LAYERS
from gpuplanner.domain.reports.report import Report

REPORTS: Final[tuple[tuple[Subject, Report], ...]] = (
    (CLASS, CLASSES),
    (CONTRACT, CONTRACTS),
    (LEAK, LEAKS),
    (LEAK, LEAK_PARTS),
    (LAYER, PLAN_LAYERS),
    (ORDER, ORDERS),
    (ORDER, TO_SIGN),
    (RUN, RUNS),
    (MODEL_COST, MODELS),
    (MODEL_PART, MODEL_PARTS),
    (ENDPOINT, ENDPOINTS),
    (TRAFFIC, TOKENS),
    (PREMIUM, PREMIUMS),
    (EXPERIMENT, EXPERIMENTS),
    (PERIOD, PERIODS),
    (WORKLOAD_CHANGE, WORKLOAD_PARTS),
    (CONTRACT_CHANGE, CONTRACT_PARTS),
)
"""A report and what its rows are."""

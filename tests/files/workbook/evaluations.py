"""Evaluations to export: the oracle's small projects, put together as the app does it."""

import atexit
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_figures, outlook_plan
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.workbook.write import write_workbook
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

OWNED = Offer(
    offer_id="own",
    gpu_model="A100",
    pricing_category=PricingCategory.OWNED,
    term_months=48,
    rate_usd_per_gpu_hour=None,
    capex_usd_per_gpu=Decimal(22_000),
    life_months=48,
    residual_share=0.1,
    kw_per_gpu=0.7,
    usd_per_kwh=Decimal("0.12"),
)
"""A100 of our own: what one costs to buy, what it is worth at the end of 48 months, and its power."""


def two_clusters_with_layers():
    """Pinned, free and on-demand rows, jobs of unknown model, spot, two terms worth signing, two pools of a model."""
    hours = 192
    case = Case(
        hours, sigma=0.02, delta=0.0, slices_lived=False, **{"lambda": 0.0}
    )  # eight days stand for long ones
    case.workload("alpha", "chat", "inference", daily(hours, 6, 14))
    case.workload("alpha", "pretrain", "training", daily(hours, 3, 8), activity=0.7)
    case.workload("alpha", "mystery", "burst", daily(hours, 0, 3), model=None, longest_job_s=7200)
    case.workload("beta", "embed", "inference", {"A100": daily(hours, 2, 6), None: daily(hours, 0, 2)})
    case.workload("beta", "sweep", "burst", daily(hours, 0, 2), model="A100", longest_job_s=7200, max_nodes=2)
    case.contract("a-free", "alpha", 3, 2.5, ends=5.4, term_months=12, notice_days=30)
    case.contract("a-held", "alpha", 2, 4.5, pricing_category=PricingCategory.STANDARD)
    case.contract("a-pinned", "alpha", 2, 2.9, ends=5.9, term_months=3, pool=Pool.INFERENCE)
    case.contract("b-free", "beta", 1.5, 1.4, model="A100", notice_days=60)
    case.contract("b-over", "beta", 2, 1.1, model="A100", ends=-0.1)
    case.offers_of("H100", 6.88, {3: 4.2, 12: 2.75}, lead_time_hours=48)
    case.offers_of("A100", 3.5, {3: 2.4, 12: 1.6})
    case.offer("spot-A100", "spot", 1.2, "A100")
    case.offer("spot-H100", "spot", 2.5)
    return case


def evaluation_of(case):
    """A case of the oracle, evaluated; its workloads stand where the case puts them."""
    scenario = replace(case.scenario, pools=dict(case.pools))
    project = replace(case.project, scenarios=(scenario,), title="Small case")
    return evaluated(project, case.classifications)


@cache
def two_clusters_evaluated():
    """The case of two clusters, evaluated once for all tests of a worker: a frozen value."""
    return evaluation_of(two_clusters_with_layers())


@cache
def two_clusters_sensitivity():
    """What that project's plans hang on, for its brief."""
    return sensitivity_of(two_clusters_evaluated())


@cache
def two_clusters_book():
    """Its book, written at 0, once for all tests of a worker. Nobody writes here."""
    folder = TemporaryDirectory(prefix="gpuplanner-book-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "plan.xlsx"
    write_workbook(two_clusters_evaluated(), path, 0)
    return path


def evaluated(project, classifications, seen=None):
    """Audit, figures, advice and outlook of a project's first scenario. seen: an outlook that does for its own."""
    scenario = project.scenarios[0]
    past = audit(project, classifications)
    figures = evaluate_figures(project, scenario.name, past)
    advice = advise_plan(project, figures)
    seen = seen or outlook_plan(project, figures, advice)
    return Evaluation(
        project=project, scenario=scenario.name, audit=past, figures=figures, advice=advice, outlook=seen
    )


def hand_layers(pools):
    """The committed layers of pool plans as layers set by hand, so that nothing is advised anew."""
    return {(pool.pool, pool.gpu_model): _by_hand(pool) for pool in pools}


def _by_hand(pool):
    return tuple(
        HandLayer(layer.term_months, round(layer.gpus))
        for layer in pool.layers
        if not layer.existing and layer.term_months
    )

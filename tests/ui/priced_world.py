"""The sample project with a rate for everything, evaluated by the engine itself: a plan and today."""

from dataclasses import replace
from decimal import Decimal
from functools import cache

from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from tests.ui.sample_world import sample_project


@cache
def priced_project() -> Project:
    """The sample with a rate for everything, and with too few GPUs under contract, so that some overflows."""
    project = sample_project()
    atlas, borealis, cedar = project.contracts
    offers = (
        Offer(
            offer_id="cloud-a100-od",
            gpu_model="A100",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("2.91"),
        ),
        Offer(
            offer_id="cloud-a100-12",
            gpu_model="A100",
            pricing_category=PricingCategory.COMMITTED,
            term_months=12,
            rate_usd_per_gpu_hour=Decimal("1.83"),
        ),
        Offer(
            offer_id="cloud-h100-06",
            gpu_model="H100",
            pricing_category=PricingCategory.COMMITTED,
            term_months=6,
            rate_usd_per_gpu_hour=Decimal("3.01"),
        ),
        Offer(
            offer_id="cloud-h100-spot",
            gpu_model="H100",
            pricing_category=PricingCategory.DYNAMIC,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("2.27"),
        ),
    )
    contracts = (replace(atlas, milli_gpus=31_000), borealis, replace(cedar, milli_gpus=5_000))
    return replace(project, contracts=contracts, offers=(*project.offers, *offers))


@cache
def plan() -> ViewState:
    project = priced_project()
    return next_view_state(None, evaluate(project, project.scenarios[0].name, read_tables()))


@cache
def today() -> ViewState:
    return next_view_state(None, evaluate(priced_project(), TODAY, read_tables()))

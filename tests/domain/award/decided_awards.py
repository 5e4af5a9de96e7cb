"""Awards of evaluated plans, and quotes that answer their rows."""

from decimal import Decimal

from gpuplanner.domain.award.award import Award
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import PricingCategory, Tables
from gpuplanner.domain.model.window import iso_day


def at_market(offer: Offer) -> tuple[float, float]:
    return 3.0, 3.5


def awarded(evaluation: Evaluation, **limits: float) -> Award:
    end_s = evaluation.project.plan_window.end_s
    found = decide(evaluation, end_s + 5 * 3600, at_market, **limits)
    assert found is not None
    return found


def evaluated(project: Project) -> Evaluation:
    return evaluate(project, project.scenarios[0].name, Tables())


def as_asked(row: AskedRow, offer_id: str, rate: str = "0.90", said: str = "", **values: object) -> Offer:
    """A quote that answers a row with all that it asks for."""
    given = {
        "provider": "Elm",
        "starts": iso_day(row.start_s),
        "valid_until": "2030-01-01",
        "term_days": row.term_days or None,
        "source": f"Quote RFQ-20250101-7C1E {row.name}{said}",
        "interconnect": row.needs.interconnect,
        "bare_metal": row.needs.bare_metal,
        "gpu_memory_gb": row.needs.memory_gb,
        **values,
    }
    return Offer(
        offer_id=offer_id,
        gpu_model=row.gpu_model,
        pricing_category=PricingCategory.COMMITTED,
        term_months=row.term_months,
        rate_usd_per_gpu_hour=Decimal(rate),
        **given,  # type: ignore[arg-type]
    )

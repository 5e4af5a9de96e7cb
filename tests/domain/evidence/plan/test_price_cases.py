"""Answers about price cases, with rows that are written here."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.result import Layer, with_figures
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.plan.price_cases import layer_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain import worlds

YEAR = Layer(
    existing=False,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id="y1",
    gpus=4.0,
    busy_gpus=3.0,
    rate=2.5,
)
HELD = Layer(
    existing=True,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id=None,
    gpus=1.0,
    busy_gpus=1.0,
    rate=2.0,
)


def case_with(*layers: Layer) -> PlanEvidence:
    """The high case, in which every row has these layers."""
    evidence = worlds.evidence_of_trials()
    advice = worlds.plan().advised
    pools = tuple(
        replace(
            plan, layers=with_figures(tuple(replace(layer, gpus=layer.gpus + at) for layer in layers), 4.0)
        )
        for at, plan in enumerate(advice.pools)
    )
    case = CasePlan(
        case=PriceCase.HIGH,
        plan_usd_per_month=1.0,
        do_nothing_usd_per_month=2.0,
        savings_vs_do_nothing_usd_per_month=1.0,
        priced_offers=3,
        at_mid=1,
        changed_layers=(),
        advice=replace(advice, pools=pools),
    )
    return replace(evidence, cases=(replace(case, case=PriceCase.LOW, advice=None), case))


@pytest.mark.parametrize(
    # burst A100 has 4, inference H100 5 and training H100 6
    ("pool", "model", "term", "gpus"),
    [
        ("training", "H100", 12, 6.0),
        ("inference", "H100", 12, 5.0),
        ("burst", "A100", 12, 4.0),
        ("burst", "H100", 12, 0.0),
        ("training", "H100", 24, 0.0),
        ("training", None, 12, 0.0),
    ],
)
def test_new_commitments_of_a_case_are_of_one_pool_model_and_term(
    pool: str, model: str | None, term: int, gpus: float
) -> None:
    trace = answer(case_with(YEAR, HELD), figure("case_layer", layer_subject(pool, model, term), "high"))
    assert trace.value == gpus and len(trace.rows) == (gpus > 0)
    assert bool(str(trace.note)) is (gpus == 0)
    assert layer_subject(pool, model, term) == f"{pool}\t{model or ''}\t{term}"


def test_a_case_without_a_plan_has_no_layers() -> None:
    subject = figure("case_layer", layer_subject("training", "H100", 12), "low")
    assert answer(case_with(YEAR), subject).value == 0.0
    assert answer(case_with(YEAR), "case_plan:low:").rows == ()
    idle = len(worlds.plan().advised.idle_existing)
    # burst has none of a layer of no GPUs, the rows behind it have 1 and 2
    assert len(answer(case_with(replace(YEAR, gpus=0.0)), "case_plan:high:").rows) == 2 + idle

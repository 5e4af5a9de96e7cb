"""The advice in words: every figure of a sentence is the plan's, whatever the plan."""

import re
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at
from gpuplanner.domain.commitment.uncertainty.screening import screening_of
from gpuplanner.domain.commitment.words.sentences import (
    coverage_sentences,
    layer_sentences,
    npv_sentence,
    savings_rate_sentence,
)
from gpuplanner.domain.model.book.model_mapping import ModelMapping
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.plan_inputs import HandLayer
from gpuplanner.domain.reports.plan.plan_layers import layer_words
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

OFFERS = [offer("od", 0, 7.0), offer("q1", 3, 4.6), offer("y1", 12, 3.9), offer("y3", 36, 2.6)]
HOURS = 700
GPUS = [6.5 + hour % 12 for hour in range(HOURS)]


@pytest.fixture(scope="module")
def plan() -> PoolPlan:
    made = case([Load(Pool.INFERENCE, GPUS)], [contract("k1", 4, 3.0, 40, HOURS)], OFFERS)
    (found,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    return found


def figures(sentence: str) -> list[float]:
    return [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*\.?\d*", str(sentence))]


def test_every_layer_has_a_sentence_with_its_figures(plan: PoolPlan) -> None:
    sentences = layer_sentences(plan)
    assert len(sentences) == len(plan.layers) >= 3
    bound = {one.term_months: one.break_even for one in plan.break_even}
    for layer, said in zip(plan.layers, sentences, strict=True):
        if layer.existing or not layer.term_months:
            continue
        limit, value = bound[layer.term_months], layer.value_per_month
        assert limit is not None and value is not None
        gpus, model, months, rate, busy, above, usd = figures(str(said))
        assert (gpus, model, months, rate) == (
            layer.gpus,
            100,
            layer.term_months,
            layer.rate,
        )
        assert busy == round(100 * (layer.utilization or 0), 1)
        assert (above, usd) == (round(100 * limit, 1), round(value))


def test_a_layer_in_words(plan: PoolPlan) -> None:
    tried = plan_at(level_ground(plan, None, {}), (HandLayer(36, 3), HandLayer(24, 1)))
    bound = next(one.break_even for one in plan.break_even if one.term_months == 36) or 0
    existing, longest, unknown, by_use = layer_sentences(tried)
    assert str(existing) == "Existing contracts serve 4.0 H100 of inference at $3.00 on average."
    assert str(longest) == (
        f"Commit 3 H100 for inference for 36 months at $2.60: busy {tried.layers[1].utilization:.1%} of the hours, "
        f"worth it above {bound:.1%}, saves ${730 * 3 * ((tried.layers[1].utilization or 0) * 7 - 2.6):,.0f} per month "
        "beside on demand."
    )
    assert str(unknown) == (
        "Commit 1 H100 for inference for 24 months: nobody offers that term, so its price is unknown."
    )
    assert str(by_use).startswith("Pay for") and "on demand at $7.00" in str(by_use)


def test_a_layer_of_days_is_told_in_days() -> None:
    made = case([Load(Pool.INFERENCE, GPUS)], (), [OFFERS[0], offer("d45", 2, 1.0, term_days=45)])
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    told = dict(zip(row.layers, layer_sentences(row), strict=True))
    (said,) = [str(one) for layer, one in told.items() if layer.offer_id == "d45"]
    (layer,) = [layer for layer in told if layer.offer_id == "d45"]
    assert " for 45 days at $1.00" in said and str(layer_words(layer)) == "45 days"


def test_a_layer_that_does_not_pay_says_what_it_costs(plan: PoolPlan) -> None:
    tried = plan_at(level_ground(plan, None, {}), (HandLayer(3, 40),))
    said = layer_sentences(tried)[1]
    value = tried.layers[1].value_per_month or 0
    assert value < 0 and str(said).endswith(f"costs ${-value:,.0f} per month more beside on demand.")


def test_layers_of_another_model_are_told_in_what_is_bought_and_what_it_stands_in_for(plan: PoolPlan) -> None:
    """Terms at H200s that are worth 1.6 H100 each; each figure of a sentence is the layer's."""
    offers = [*OFFERS, *(replace(one, offer_id=f"big-{one.offer_id}", gpu_model="H200") for one in OFFERS)]
    made = case([Load(Pool.INFERENCE, GPUS)], (), offers)
    made = replace(made, project=replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),)))
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    told = dict(zip(row.layers, layer_sentences(row), strict=True))
    for layer, said in told.items():
        of = "H200, which do the work of" if layer.term_months else "H200, in place of H100, of inference"
        assert of in str(said)
        plain = str(said).replace("H200", "").replace("H100", "")
        bought, rate = layer.offer_gpus or 0.0, layer.offer_rate
        if layer.term_months:
            gpus, work, months, at, busy, *_ = figures(plain)
            assert (gpus, work, months) == (bought, layer.gpus, layer.term_months)
        else:
            mean, at, most, busy = figures(plain)
            assert mean == round(bought * (layer.utilization or 0.0), 1)
            assert most - 1 < bought <= most
        assert (at, busy) == (round(rate or 0.0, 2), round(100 * (layer.utilization or 0.0), 1))


MORE_FOR_TARGET = "Committing 3 GPUs more would come to 71.0%, for a target of 70%: $1,234 per month more."
LESS_FOR_TARGET = (
    "Letting 1 GPU go back to pay by use would come to 72.0%, for a target of 70%: $500 per month more."
)
CHEAPER = "Committing 2 GPUs more would come to 70.0%, for a target of 70%: $80 per month less."


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (Coverage(0.2, 0.5, 0.7, 0.71, 3, 1234.4), MORE_FOR_TARGET),
        (Coverage(0.2, 0.9, 0.7, 0.72, -1, 500.0), LESS_FOR_TARGET),
        (Coverage(0.2, 0.5, 0.7, 0.7, 2, -80.0), CHEAPER),
        (
            Coverage(0.2, 0.7, 0.7, 0.7, 0, 0.0),
            "That is the target of 70%, as near as whole GPUs come to it.",
        ),
        (Coverage(0.2, 0.5, 0.7, None, 3, None), "No commitments on offer reach the target of 70%."),
    ],
)
def test_coverage_in_words(coverage: Coverage, said: str) -> None:
    first, second = coverage_sentences(coverage)
    assert figures(str(first)) == [100 * (coverage.plan or 0), 100 * (coverage.now or 0)]
    assert str(second) == said


def test_no_demand_and_no_value_are_said() -> None:
    assert tuple(map(str, coverage_sentences(Coverage(None, None, 0.7, None, 0, None)))) == (
        "No demand to cover.",
    )
    assert "unknown" in str(npv_sentence(None, 60))
    assert "saves $1,000 in" in str(npv_sentence(1000.0, 60)) and "60 months" in str(npv_sentence(1000.0, 60))
    assert "costs $1,000 more in" in str(npv_sentence(-1000.0, 60))


def test_the_effective_savings_rate_in_words(plan: PoolPlan) -> None:
    made = case([Load(Pool.INFERENCE, GPUS)], [contract("k1", 4, 3.0, 40, HOURS)], OFFERS)
    totals = advise(made.project, made.project.scenarios[0], made.pools, audit()).totals
    rate, usd = totals.effective_savings_rate or 0.0, totals.on_demand_equivalent or 0.0
    assert usd == pytest.approx(730 * plan.mean_gpus * 7.0) and rate > 0
    assert str(savings_rate_sentence(totals)) == (
        f"The effective savings rate is {rate:.1%}: this plan is that far below ${usd:,.0f} per month, all of it on "
        "demand."
    )
    worse = savings_rate_sentence(replace(totals, effective_savings_rate=-0.123))
    assert str(worse).startswith("The effective savings rate is \u221212.3%: this plan is that far above $")
    assert "unknown" in str(savings_rate_sentence(replace(totals, effective_savings_rate=None)))


def test_the_lines_of_the_screening_curve_cross_at_the_break_evens(plan: PoolPlan) -> None:
    screening = screening_of(plan)
    assert screening is not None and screening.by_use_usd == pytest.approx(730 * 7.0)
    assert [term.term_months for term in screening.terms] == [36, 12, 3]
    bound = {one.term_months: one.break_even for one in plan.break_even}
    for term in screening.terms:
        assert term.break_even == bound[term.term_months]
        assert term.compared_per_month == pytest.approx(screening.by_use_usd * term.break_even)
        assert term.compared_per_month >= 730 * term.rate - 1e-9  # a term is never flattered
    (best,) = [term for term in screening.terms if term.is_cheapest]
    assert best.compared_per_month == min(term.compared_per_month for term in screening.terms)


def test_nothing_by_use_no_screening_curve(plan: PoolPlan) -> None:
    assert screening_of(replace(plan, r_flex=None)) is None

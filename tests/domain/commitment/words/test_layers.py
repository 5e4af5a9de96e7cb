"""Layers in words: every figure of a sentence is the plan's, whatever the plan."""

from dataclasses import replace

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at
from gpuplanner.domain.commitment.words.layers import layer_sentences
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.plan_layers import layer_words
from tests.domain.commitment.conftest import Load, audit, case, offer
from tests.domain.commitment.four_offers import GPUS, OFFERS
from tests.domain.commitment.words.sentence_figures import figure_values


def test_every_layer_has_a_sentence_with_its_figures(plan: PoolPlan) -> None:
    sentences = layer_sentences(plan)
    assert len(sentences) == len(plan.layers) >= 3
    bound = {one.term_months: one.break_even for one in plan.break_even}
    for layer, said in zip(plan.layers, sentences, strict=True):
        if layer.existing or not layer.term_months:
            continue
        limit, value = bound[layer.term_months], layer.value_per_month
        assert limit is not None and value is not None
        gpus, model, months, rate, busy, above, usd = figure_values(str(said))
        assert (gpus, model, months, rate) == (layer.gpus, 100, layer.term_months, layer.rate)
        assert busy == round(100 * (layer.utilization or 0), 1)
        assert (above, usd) == (round(100 * limit, 1), round(value))


def test_a_layer_in_words(plan: PoolPlan) -> None:
    tried = plan_at(level_ground(plan, {}), (HandLayer(36, 3), HandLayer(24, 1)))
    bound = next(one.break_even for one in plan.break_even if one.term_months == 36) or 0
    existing, longest, unknown, by_use = layer_sentences(tried)
    assert "4.0 H100" in str(existing) and "$3.00" in str(existing)
    busy = tried.layers[1].utilization or 0
    texts = (
        "3 H100",
        "36 months",
        "$2.60",
        f"{busy:.1%}",
        f"{bound:.1%}",
        f"${730 * 3 * (busy * 7 - 2.6):,.0f}",
    )
    assert [text for text in texts if text not in str(longest)] == []
    assert "1 H100" in str(unknown) and "24 months" in str(unknown) and "$" not in str(unknown)
    assert "$7.00" in str(by_use)


def test_a_layer_of_days_is_told_in_days() -> None:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), [OFFERS[0], offer("d45", 2, 1.0, term_days=45)])
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    told = dict(zip(row.layers, layer_sentences(row), strict=True))
    (said,) = [str(one) for layer, one in told.items() if layer.offer_id == "d45"]
    (layer,) = [layer for layer in told if layer.offer_id == "d45"]
    assert " for 45 days at $1.00" in said and str(layer_words(layer)) == "45 days"


def test_a_layer_that_does_not_pay_says_what_it_costs(plan: PoolPlan) -> None:
    tried = plan_at(level_ground(plan, {}), (HandLayer(3, 40),))
    said = layer_sentences(tried)[1]
    value = tried.layers[1].value_per_month or 0
    assert value < 0 and f"costs ${-value:,.0f} per" in str(said)


def test_layers_of_another_model_are_told_in_what_is_bought_and_what_it_stands_in_for(plan: PoolPlan) -> None:
    """Terms at H200s that are worth 1.6 H100 each; each figure of a sentence is the layer's."""
    offers = [*OFFERS, *(replace(one, offer_id=f"big-{one.offer_id}", gpu_model="H200") for one in OFFERS)]
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), offers)
    made = replace(made, project=replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),)))
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    told = dict(zip(row.layers, layer_sentences(row), strict=True))
    for layer, said in told.items():
        assert str(said).count("H200") == 1 and str(said).index("H200") < str(said).rindex("H100")
        plain = str(said).replace("H200", "").replace("H100", "")
        bought, rate = layer.offer_gpus or 0.0, layer.offer_rate
        if layer.term_months:
            gpus, work, months, at, busy, *_ = figure_values(plain)
            assert (gpus, work, months) == (bought, layer.gpus, layer.term_months)
        else:
            mean, at, most, busy = figure_values(plain)
            assert mean == round(bought * (layer.utilization or 0.0), 1)
            assert most - 1 < bought <= most
        assert (at, busy) == (round(rate or 0.0, 2), round(100 * (layer.utilization or 0.0), 1))

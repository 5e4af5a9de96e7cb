"""Layers in words: each branch with its figures, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.commitment.words.layers import layer_sentences
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.words.sentence_figures import figures


def layers_of(*layers: Layer, **values: Any) -> Any:
    base: dict[str, Any] = {
        "layers": layers,
        "break_even": (),
        "pool": Pool.TRAINING,
        "gpu_model": "H100",
        "supply": SimpleNamespace(ratios={}),
    }
    return SimpleNamespace(**(base | values))


def test_layers_say_their_price_where_it_is_known() -> None:
    existing = Layer(
        existing=True,
        pricing_category=PricingCategory.COMMITTED,
        term_months=None,
        offer_id=None,
        gpus=4.0,
        busy_gpus=4.0,
        rate=3.0,
    )
    use = Layer(
        existing=False,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        offer_id="od",
        gpus=6.0,
        busy_gpus=2.5,
        rate=7.0,
        utilization=0.416,
    )
    first, second = layer_sentences(layers_of(existing, use))
    assert figures(str(first).replace("H100", "")) == ["4.0", "$3.00"]
    assert figures(str(second).replace("H100", "")) == ["2.5", "$7.00", "6", "41.6%"]
    (unpriced,) = layer_sentences(layers_of(replace(existing, rate=None), replace(use, rate=None)))
    assert "$" not in str(unpriced)  # use without a price is not told
    assert "H100" not in str(layer_sentences(layers_of(existing, gpu_model=None))[0])


@pytest.mark.parametrize(
    ("value", "bound", "said"),
    [
        (0.0, None, ["3", "12", "$2.00", "50.0%", "$0"]),
        (-9.0, 0.25, ["3", "12", "$2.00", "50.0%", "25.0%", "$9"]),
        (None, 0.25, ["3", "12", "$2.00", "50.0%", "25.0%"]),
    ],
)
def test_a_commitment_says_how_busy_it_is_and_what_it_saves(value: Any, bound: Any, said: list[str]) -> None:
    layer = Layer(
        existing=False,
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        offer_id="y1",
        gpus=3.0,
        busy_gpus=1.5,
        rate=2.0,
        utilization=0.5,
        value_per_month=value,
    )
    terms = (
        SimpleNamespace(term_months=12, break_even=bound),
        SimpleNamespace(term_months=6, break_even=0.9),
    )
    (words,) = layer_sentences(layers_of(layer, break_even=terms))
    assert figures(str(words).replace("H100", "")) == said
    assert ("more than on demand" in str(words)) is (value is not None and value < 0)


def test_use_of_a_mapped_model_is_told_in_its_own_gpus() -> None:
    """8 H100 at once are 5 H200, of which 2.5 do the work of 4 on average, at $4.80."""
    use = Layer(
        existing=False,
        pricing_category=PricingCategory.DYNAMIC,
        term_months=0,
        offer_id="od",
        gpus=8.0,
        busy_gpus=4.0,
        rate=3.0,
        offer_gpu_model="H200",
        offer_gpus=4.6,
        offer_rate=4.8,
        utilization=0.5,
    )
    plan = layers_of(use, supply=SimpleNamespace(ratios={"od": 1.6}))
    plain = str(layer_sentences(plan)[0]).replace("H100", "").replace("H200", "")
    assert figures(plain) == ["2.3", "$4.80", "5", "50.0%"] and "spot" in plain
    for missing in ({"offer_gpus": None}, {"offer_rate": None}):
        plan.layers = (replace(use, **missing),)
        assert "H200" not in str(layer_sentences(plan)[0])
    plan = layers_of(use)
    assert "H200" not in str(layer_sentences(plan)[0])

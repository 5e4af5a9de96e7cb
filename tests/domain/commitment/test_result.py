"""What several layers come to together, worked out by hand."""

import dataclasses

import pytest

from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.plan.layers import as_one, mean_paid_gpus, mean_rate, used_of
from gpuplanner.domain.commitment.result import Layer, with_figures
from gpuplanner.domain.model.tables import PricingCategory


def layer(gpus, busy, rate, paid_hours=730.0):
    return Layer(
        existing=False,
        pricing_category=PricingCategory.COMMITTED,
        term_months=1,
        offer_id="an offer",
        gpus=gpus,
        busy_gpus=busy,
        rate=rate,
        paid_hours=paid_hours,
    )


MONTH = layer(4.0, 3.0, 2.0)  # 2,920 GPU-h for $5,840, of which 2,190 are used
DAYS = layer(5.0, 4.0, 3.0, 240.0)  # 10 days: 1,200 GPU-h for $3,600, of which 960 are used


def test_a_term_of_days_counts_for_the_hours_that_it_pays():
    layers = with_figures([MONTH, DAYS], 4.0)
    assert mean_rate(layers) == pytest.approx(9_440 / 4_120)
    assert used_of(layers) == pytest.approx(3_150 / 4_120)


def test_gpus_of_days_are_paid_for_in_their_days_on_average():
    assert mean_paid_gpus([MONTH, DAYS]) == pytest.approx(4 + 5 * 240 / 730)


def test_days_alone_are_at_their_own_rate():
    assert mean_rate(with_figures([DAYS], 4.0)) == pytest.approx(3.0)


def test_what_is_unknown_of_one_is_unknown_of_all():
    assert mean_rate(with_figures([MONTH, layer(1.0, 1.0, None)], 4.0)) is None
    assert mean_rate([]) is None
    assert used_of([]) is None


def test_layers_as_one_have_sums_and_means_of_all():
    one = as_one(with_figures([MONTH, DAYS], 4.0))
    assert (one.gpus, one.busy_gpus) == (9.0, 7.0)
    assert one.rate == pytest.approx(9_440 / 4_120)
    assert one.utilization == pytest.approx(3_150 / 4_120)
    assert (one.cost_per_month, one.paid_gpu_hours_per_month) == (9_440.0, 4_120.0)
    assert one.unused_per_month == pytest.approx(730 * 2 + 240 * 3)
    assert one.on_demand_per_month == pytest.approx(4 * 3_150)
    assert one.value_per_month == pytest.approx(4 * 3_150 - 9_440)
    assert one.beside_on_demand == pytest.approx(9_440 - 4 * 3_150)
    assert one.bound == 9_440.0


def test_layers_as_one_are_unknown_where_one_of_them_is():
    one = as_one(with_figures([MONTH, layer(1.0, 1.0, None)], 4.0))
    assert (one.rate, one.cost_per_month, one.bound) == (None, None, None)
    assert one.utilization == pytest.approx(4 / 5)


def test_what_no_plan_states_is_nothing():
    """A number that a part of a result is made without is 0; a layer alone is paid for all hours of a month."""
    classes = [
        value for value in vars(result).values() if getattr(value, "__module__", "") == result.__name__
    ]
    stated = {
        (made.__name__, field.name): field.default
        for made in filter(dataclasses.is_dataclass, classes)
        for field in dataclasses.fields(made)
        if isinstance(field.default, int | float) and field.default
    }
    assert stated == {("Layer", "paid_hours"): 730}

"""What several layers come to together, worked out by hand."""

import pytest

from gpuplanner.domain.commitment.layer_figures import mean_paid_gpus, mean_rate, used_of, with_figures
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.model.pool import PricingCategory


def layer(gpus, busy, rate, paid_hours=730.0):
    return Layer(False, PricingCategory.COMMITTED, 1, "an offer", gpus, busy, rate, paid_hours=paid_hours)


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

"""Net present value: what signing saves against use."""

import pytest

from gpuplanner.domain.commitment.uncertainty.net_present_value import npv_usd
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from tests.domain.commitment.conftest import contract, offer
from tests.domain.commitment.uncertainty.calm_world import OFFERS, ROW, world


def test_signing_is_worth_what_it_saves_against_use() -> None:
    """5 GPUs for 24 months at $3 in place of $4."""
    gpus = [5.0] * 400
    _, planned = world(gpus, OFFERS, horizon_months=24)
    assert npv_usd(planned) == pytest.approx(5 * 24 * 730 * (4.0 - 3.0))
    held = Scenario(name="A", hand_layers={ROW: (HandLayer(12, 2),)})
    assert npv_usd(world(gpus, OFFERS, scenario=held)[1]) is None
    assert npv_usd(world(gpus, OFFERS[1:])[1]) is None
    assert npv_usd(world(gpus, [offer("od", 0, 4.0, max_gpus=3), *OFFERS[1:]])[1]) is None
    forever = [contract("k", 5, 1.0, None, 400)]
    assert npv_usd(world(gpus, OFFERS, forever)[1]) == 0.0  # nothing is left to sign

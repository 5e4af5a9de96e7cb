"""The bridge from the bill to stranded spend, per cluster and in total, to the cent."""

from dataclasses import astuple, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.spend.stranded import (
    NOTHING_KNOWN,
    StrandedBridge,
    total_bridge,
    why_readings_differ,
)
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR

# stays unknown

CENT = 0.005
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
amounts = st.none() | st.floats(0, 1e9)


def adds_up(bridge):
    """Both laws, where everything is known."""
    paid, served, idle, metered, scaled, audited = astuple(bridge)
    return paid - served - idle == pytest.approx(metered, abs=CENT) and metered + scaled == pytest.approx(
        audited, abs=CENT
    )


@given(st.lists(st.tuples(*[amounts] * 6), max_size=4))
def test_a_total_is_the_sum_or_unknown(rows):
    names = [part.name for part in fields(StrandedBridge)]
    bridges = [StrandedBridge(**dict(zip(names, row, strict=True))) for row in rows]
    total = astuple(total_bridge(bridges))
    for place, of_all in enumerate(total):
        each = [astuple(bridge)[place] for bridge in bridges]
        assert of_all == (None if None in each else pytest.approx(sum(each)))


def test_a_hundred_thousand_at_a_fifth(world):
    """$100,000 a month, 20% used in hours without training: audit strands $80,000."""
    hours = 10
    rate = 100_000 / 730 / 100
    rows = [(0, 0, hour, 20 * GPU_HOUR) for hour in range(hours)]
    project = world.project(hours, [world.workload("serve")], rows, [world.contract("k", 100, repr(rate))])
    bridge = audit(project, world.classified(INFERENCE)).bridge
    assert astuple(bridge) == pytest.approx((100_000, 20_000, 0, 80_000, 0, 80_000), abs=CENT)


def test_every_part_in_cents(world):
    """10 GPUs at $2: 4 h trained on 8 of them, 6 h served on 3. What idles in trained hours is not metered."""
    rows = [(0, 0, hour, 8 * GPU_HOUR) for hour in range(4)]
    rows += [(1, 0, hour, 3 * GPU_HOUR) for hour in range(4, 10)]
    project = world.project(
        10, [world.workload("llm"), world.workload("chat")], rows, [world.contract("k", 10, "2.00")]
    )
    answer = audit(project, world.classified(TRAINING, INFERENCE))
    a_month = 730 / 10 * 2  # $ a month for one GPU-hour of the window
    expected = [100, 32 + 18, 8, 42, 70 - 42, 70]  # GPU-hours; audit: 70% of 100 is idle where nothing trains
    assert astuple(answer.bridge) == pytest.approx([each * a_month for each in expected], abs=CENT)
    assert total_bridge(answer.clusters) == answer.bridge


def test_a_missing_rate_leaves_its_own_cluster_and_the_total_unknown(world):
    rows = [(0, 0, 0, GPU_HOUR), (1, 0, 0, GPU_HOUR)]
    workloads = [world.workload("a", "atlas"), world.workload("b", "borealis")]
    contracts = [world.contract("k", 2, None), world.contract("m", 2, "3.00", cluster="borealis")]
    answer = audit(world.project(2, workloads, rows, contracts), world.classified(BURST, BURST))
    atlas, borealis = answer.clusters
    assert total_bridge([atlas]) == NOTHING_KNOWN
    assert answer.bridge == NOTHING_KNOWN
    assert adds_up(total_bridge([borealis]))


def test_training_in_every_hour_leaves_the_audit_unknown_and_metered_nought(world):
    rows = [(0, 0, hour, GPU_HOUR) for hour in range(3)]
    project = world.project(3, [world.workload("llm")], rows, [world.contract("k", 2, "1.00")])
    bridge = audit(project, world.classified(TRAINING)).bridge
    assert bridge.stranded_metered == 0
    assert bridge.idle_while_training == pytest.approx(730)
    assert (bridge.scaled_to_all_hours, bridge.stranded_audit) == (None, None)


@pytest.mark.parametrize(
    ("metered", "reading", "idle", "word"),
    [
        (5.0, 10.0, 9.5, ""),
        (5.0, 10.0, 9.4, "exceeds idle cost"),
        (5.0, 10.0, None, ""),
        (10.5, 10.0, 99.0, "cost more"),
        (10.4, 10.0, 99.0, ""),
        (10.5, 10.0, 9.0, "exceeds idle cost"),
        (None, 10.0, 99.0, ""),
        (10.5, None, 1.0, ""),
    ],
)
def test_readings_differ_by_half_a_dollar_or_more(
    metered: float | None, reading: float | None, idle: float | None, word: str
) -> None:
    text = str(why_readings_differ(metered, reading, idle))
    assert (word in text) if word else text == ""

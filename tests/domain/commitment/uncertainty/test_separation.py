"""Separation: joint rows, and what peaks that are not shared cost."""

from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, Site, Stream
from gpuplanner.domain.commitment.outlook_result import Separation
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.uncertainty import separation
from gpuplanner.domain.commitment.uncertainty.separation import joint_demand, separation_of
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, offer
from tests.domain.commitment.uncertainty.calm_world import CALM, A
from tests.domain.commitment.uncertainty.outlooks import HOURS, STILL, both


def test_joint_rows_have_the_streams_of_all_their_pools() -> None:
    rows = ((Pool.INFERENCE, "H100"), (Pool.TRAINING, "H100"), (Pool.BURST, "H100 @ Ada"))
    streams = tuple(Stream(row=at, grows_with=pool, demand=np.ones(2)) for at, (pool, _) in enumerate(rows))
    model = ModelDemand("H100", rows, (Site("c1", streams),))
    joint = joint_demand(model, (rows[1], rows[2]))
    assert joint.rows == (rows[1], rows[2])
    assert [stream.row for stream in joint.sites[0].streams] == [0, 0, 1]
    assert [stream.grows_with for stream in joint.sites[0].streams] == [pool for pool, _ in rows]


def test_separate_pools_cost_their_unshared_peaks() -> None:
    """Two pools of 4 GPUs in turn: apart each is paid by use half of the time; together 4 for a year."""
    hours = 400
    loads = [
        Load(pool=Pool.TRAINING, gpus=[4.0, 0.0] * (hours // 2)),
        Load(pool=Pool.INFERENCE, gpus=[0.0, 4.0] * (hours // 2)),
    ]
    made = case(loads, (), [offer("od", 0, 4.0), offer("y1", 12, 3.0)], **CALM)
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    found = separation_of(ground, AdviceCache())
    assert found.apart_usd == pytest.approx([2 * 4 * 0.5 * 4.0 * 730] * 12)
    assert found.joint_usd == pytest.approx([4 * 3.0 * 730] * 12)
    assert found.cost_usd() == pytest.approx(4 * 730) and found.cost_usd(12) == pytest.approx(12 * 4 * 730)
    (row,) = found.joint
    assert row.gpu_model == "H100" and row.demand.mean_gpus == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("apart", "joint", "is_said"),
    [
        ((10.0,) * 12, (9.0,) * 12, True),
        ((10.0,) * 12, (10.0,) * 12, False),
        ((10.0, *(20.0,) * 11), (10.0, *(19.0,) * 11), True),
        ((11.0, *(10.0,) * 11), (10.0, *(20.0,) * 11), True),
        ((10.004, *(0.0,) * 11), (10.0, *(0.0,) * 11), False),
        ((None,) * 12, (9.0,) * 12, False),
        ((10.0, None, *(0.0,) * 10), (9.0,) * 12, False),
    ],
)
def test_what_separation_costs_is_told_from_half_a_cent_on(apart: Any, joint: Any, is_said: bool) -> None:
    checks = separation.check_separation(Separation(apart, joint))
    assert [(check.code, check.severity) for check in checks] == [("separation_costs", "info")] * is_said
    for check in checks:
        values = check.message.values  # type: ignore[union-attr]
        assert (str(values["cost_usd"]), check.usd_per_month) == (
            more_or_less(apart[0] - joint[0]),
            apart[0] - joint[0],
        )
        assert str(values["year_usd"]) == more_or_less(sum(apart) - sum(joint))


def more_or_less(usd: float) -> str:
    return f"${abs(usd):.0f} {'more' if usd > 0 else 'less'}" if abs(usd) >= 0.5 else "nothing more"


def test_pools_that_take_turns_would_share_gpus(make_case, make_load, make_offer, make_audit) -> None:  # type: ignore[no-untyped-def]
    """One pool works by day, the other by night: together they are one flat load that is worth committing to."""
    day = np.where(np.arange(HOURS) % 24 < 12, 10.0, 0.0)
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 4.0)]
    made = make_case(
        [make_load(Pool.TRAINING, day), make_load(Pool.INFERENCE, 10 - day)], offers=offers, **STILL
    )
    advice, later = both(made, make_audit())
    assert advice.totals.plan == pytest.approx(730 * 10 * 6.0)
    assert later.separation.cost_usd() == pytest.approx(730 * 10 * (6.0 - 4.0))
    assert [(plan.demand.mean_gpus, plan.layers[0].term_months) for plan in later.separation.joint] == [
        (10.0, 12)
    ]
    assert [check.code for check in later.checks] == ["separation_costs"]


def test_one_pool_for_each_model_costs_nothing_to_keep(
    make_case, make_load, make_offer, make_contract, make_audit
) -> None:  # type: ignore[no-untyped-def]
    random = np.random.default_rng(3)
    loads = [
        make_load(Pool.TRAINING, random.random(HOURS) * 9),
        make_load(Pool.BURST, random.random(HOURS) * 5, "A100"),
    ]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 4.0), make_offer("oda", 0, 3.0, gpu_model="A100")]
    made = make_case(loads, [make_contract("k", 3, 3.0, 4.5, HOURS)], offers)
    _, later = both(made, make_audit())
    assert later.separation.cost_usd() == pytest.approx(0, abs=1e-6)
    assert later.checks == ()


def test_in_the_joint_row_each_pool_keeps_its_growth() -> None:
    streams = (
        Stream(row=0, grows_with=Pool.INFERENCE, demand=np.ones(2)),
        Stream(row=1, grows_with=Pool.BURST, demand=np.ones(2)),
    )
    rows = ((Pool.INFERENCE, "H100"), (Pool.BURST, "H100"))
    joint = joint_demand(ModelDemand("H100", rows, (Site("c", streams),)), rows[1:])
    assert joint.rows == rows[1:]
    assert [(stream.row, stream.grows_with) for stream in joint.sites[0].streams] == [
        (0, Pool.INFERENCE),
        (0, Pool.BURST),
    ]

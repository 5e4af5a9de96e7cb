"""Who pays for which hour: a workload pays for the GPU model that it ran on, by hand."""

from dataclasses import fields, replace

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.chargeback import charged
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.spend.stranded import StrandedBridge, total_bridge
from gpuplanner.domain.audit.spend.workload_spend import workload_usd_of
from gpuplanner.domain.audit.variance import used_gpu_hours
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import START_S

HOURS_IN_MONTH = 730


def test_a_workload_pays_for_the_model_it_ran_on(past):
    """H100: (2 x $2 + 1 x $5) / 3 a GPU-hour; A100: $1; unknown: half an A100 is left, half is rented as the H100."""
    assert [usd / HOURS_IN_MONTH for usd in past.workload_usd_per_month] == pytest.approx(
        [6.0, 3.0, 0.5, 3.0]
    )


def test_what_served_and_what_overflowed_are_of_the_model_too(past):
    rows = charged(past, audit(past.project, past.classifications)).workloads
    assert [row.direct for row in rows] == pytest.approx([8 / 3, 4 / 3, 0.5, 0.5])
    assert [row.overflow for row in rows] == pytest.approx([10 / 3, 5 / 3, 0.0, 2.5])


def test_hours_served_are_counted_where_they_were_served(past):
    used = used_gpu_hours(past, [Period(0, 1)])
    assert np.allclose(used, [[4 / 3, 2 / 3, 0.5, 0.5]])


def test_dollars_of_the_window_are_a_month_of_730_hours() -> None:
    usd = workload_usd_of(np.array([10.0, np.nan, 0.0]), Window(START_S, 146))
    assert usd == [pytest.approx(50.0), None, 0.0]
    bridge = StrandedBridge(
        cost_per_month=1.0,
        allocated_per_month=2.0,
        idle_while_training=3.0,
        stranded_metered=4.0,
        scaled_to_all_hours=5.0,
        stranded_audit=6.0,
    )
    assert total_bridge([]) == StrandedBridge(
        **dict.fromkeys((part.name for part in fields(StrandedBridge)), 0)
    )
    unknown = total_bridge([bridge, bridge, replace(bridge, scaled_to_all_hours=None)])
    assert unknown == StrandedBridge(
        cost_per_month=3.0,
        allocated_per_month=6.0,
        idle_while_training=9.0,
        stranded_metered=12.0,
        scaled_to_all_hours=None,
        stranded_audit=18.0,
    )

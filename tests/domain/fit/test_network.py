"""The network of a run: 4 s against 40 s, by hand and as a law."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.fit.network import network_cost
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.scenario.assumptions import Assumptions

# 3 days on 16 GPUs; 7,300 GPU-hours in a window of one month, for $14,600: $2 a GPU-hour
RUN = Workload(
    "c/o/w", "w", "c", "o", milli_gpu_seconds=7300 * 3_600_000, max_milli_gpus=16_000, longest_job_s=72 * 3600
)


def test_over_ethernet_the_same_run_on_infiniband_takes_a_tenth():
    found = network_cost(RUN, ["ethernet"], 14_600.0, 1.0, Assumptions())
    assert found.has == "ethernet"
    assert (found.ethernet.run_hours, found.infiniband.run_hours) == (72, pytest.approx(7.2))
    assert (found.ethernet.run_gpu_hours, found.infiniband.run_gpu_hours) == (1152, pytest.approx(115.2))
    assert (found.ethernet.run_usd, found.infiniband.run_usd) == (pytest.approx(2304), pytest.approx(230.4))
    assert (found.ethernet.usd_per_month, found.infiniband.usd_per_month) == (14_600, pytest.approx(1460))


def test_on_infiniband_the_same_run_over_ethernet_takes_ten_times_as_long():
    found = network_cost(RUN, ["infiniband", "nvlink"], 14_600.0, 1.0, Assumptions())
    assert found.has == "infiniband"
    assert (found.infiniband.run_hours, found.ethernet.run_hours) == (72, 720)
    assert found.ethernet.run_usd == pytest.approx(23_040)


def test_the_seconds_are_assumptions():
    found = network_cost(RUN, ["ethernet"], None, 1.0, Assumptions(step_seconds_ethernet=8))
    assert found.infiniband.run_hours == 36
    assert (found.infiniband.run_usd, found.usd_per_gpu_hour) == (None, None)


@pytest.mark.parametrize("interconnects", [[None], ["roce_400"], ["infiniband", None]])
def test_where_nobody_knows_the_network_nothing_is_told(interconnects):
    found = network_cost(RUN, interconnects, 14_600.0, 1.0, Assumptions())
    assert (found.has, found.infiniband, found.ethernet) == (None, None, None)
    assert found.reason


def test_the_slowest_of_several_contracts_counts():
    assert network_cost(RUN, ["infiniband", "roce"], None, 1.0, Assumptions()).has == "ethernet"


@given(st.floats(0.1, 100), st.floats(0.1, 100), st.sampled_from(["ethernet", "infiniband"]))
def test_money_and_time_grow_alike_and_what_it_has_is_what_it_cost(fast, slow, has):
    assumptions = Assumptions(step_seconds_infiniband=fast, step_seconds_ethernet=slow)
    found = network_cost(RUN, [has], 14_600.0, 1.0, assumptions)
    own = found.infiniband if has == "infiniband" else found.ethernet
    assert (own.run_hours, own.usd_per_month) == (72, pytest.approx(14_600))
    assert found.ethernet.run_usd * fast == pytest.approx(found.infiniband.run_usd * slow)
    assert found.ethernet.run_hours * fast == pytest.approx(found.infiniband.run_hours * slow)

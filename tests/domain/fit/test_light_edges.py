"""Edges of the traffic lights: the figures that decided, margins of memory, networks and terms."""

import pytest

from gpuplanner.domain.fit import rules
from gpuplanner.domain.fit.rules import Light

GREEN, AMBER, RED = Light


def values(answer: rules.Answer) -> dict[str, str]:
    """What stands in the reason of a light, as it is written."""
    return {name: str(value) for name, value in answer[1].values.items()}  # type: ignore[union-attr]


@pytest.mark.parametrize(("gpu_hours", "ran"), [(0.24, "0.2"), (9.75, "9.8"), (10.0, "10"), (12.34, "12")])
def test_contention_is_written_in_tenths_below_ten(gpu_hours: float, ran: str) -> None:
    assert values(rules.training_cluster(is_shared=True, contended_gpu_hours=gpu_hours)) == {"ran": ran}


def test_reasons_have_the_figures_that_decided() -> None:
    assert values(rules.training_memory(80.0)) == {"has": "80", "wished": "141"}
    assert values(rules.training_memory(40.0)) == {"has": "40", "least": "80"}
    assert values(rules.training_memory(40.0, 64.0)) == {"has": "40", "least": "64"}
    assert values(rules.served_memory(80.123456, 79.87654)) == {"needs": "80.12", "has": "79.88"}
    assert values(rules.served_memory(75.123456, 80.06789)) == {
        "needs": "75.12",
        "has": "80.07",
        "full": "90%",
    }
    assert values(rules.training_interconnect(None, several_nodes=True)) == {"has": "not stated"}
    assert values(rules.training_interconnect("roce_400", several_nodes=True)) == {"has": "roce_400"}
    assert values(rules.burst_term(730.0, 100.0))["hours"] == "100"
    assert values(rules.training_interconnect("ethernet", several_nodes=True, gbps=100)) == {"gbps": "100"}


@pytest.mark.parametrize(
    ("need", "light"), [(80.0, GREEN), (80.01, AMBER), (105.8, AMBER), (105.81, RED), (92.0, AMBER)]
)
def test_a_run_is_green_with_15_percent_to_spare_and_red_with_as_much_over(need: float, light: Light) -> None:
    """Of 92 GB: 80 x 1.15 = 92, and 92 x 1.15 = 105.8."""
    assert rules.light_of(need, 92.0) is light
    assert rules.trained_memory(92.0, need)[0] is light
    assert rules.trained_memory(None, need)[0] is AMBER
    if light is not GREEN:
        assert values(rules.trained_memory(92.0, need))["has"] == "92"


def test_a_network_of_another_name_is_not_known() -> None:
    for needs in (None, "ethernet", "infiniband"):
        assert rules.training_interconnect("token ring", several_nodes=True, needs=needs)[0] is AMBER
    assert rules.training_interconnect(None, several_nodes=True, needs="roce_400")[0] is AMBER
    assert rules.training_interconnect(None, several_nodes=True, needs="roce")[0] is GREEN


def test_a_term_that_is_as_long_as_the_work_is_green() -> None:
    for term, active, light in ((1.0, 0.5, AMBER), (0.0, 0.0, GREEN), (5.0, 5.0, GREEN), (5.5, 5.0, AMBER)):
        assert rules.burst_term(term, active)[0] is light

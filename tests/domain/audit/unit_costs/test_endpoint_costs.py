"""Endpoints by hour and weekday, and the price of their tokens, by hand."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs as costs_of_past
from gpuplanner.domain.model.places import ServingChoice, Traffic, WeekRates
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR

# by hand

START_S = 1_782_864_000  # 2026-07-01T00:00:00Z, a Wednesday


def costs_of(project, classifications):
    answer = audit(project, classifications)
    return answer, costs_of_past(past_of(project, answer))


def entries(workload, spans, gpus=1, model=0):
    return [
        (workload, model, hour, int(gpus * GPU_HOUR)) for first, last in spans for hour in range(first, last)
    ]


def test_an_endpoint_by_hour_and_weekday(world):
    project = world.project(
        730,
        [world.workload("chat", activity=0.25)],
        entries(0, [(0, 2), (24 * 7, 24 * 7 + 1)], gpus=1),  # Wednesday 0 and 1 o'clock, Wednesday after 0
        [world.contract("k", 1, "3")],
    )
    _, costs = costs_of(project, world.classified(Pool.INFERENCE))
    (row,) = costs.endpoints
    assert row.cost_per_month == pytest.approx(9)
    assert row.by_hour_per_month == (pytest.approx(6), pytest.approx(3), *[0.0] * 22)
    assert row.by_weekday_per_month[2][:2] == (pytest.approx(6), pytest.approx(3))
    assert (row.active_per_month, row.inactive_per_month) == (pytest.approx(2.25), pytest.approx(6.75))
    assert row.tokens is None


def chat_with(world, traffic, hours=730):
    project = world.project(
        hours, [world.workload("chat")], entries(0, [(0, 100)], gpus=2), [world.contract("k", 2, "3")]
    )
    project = replace(project, traffic={} if traffic is None else {project.workloads[0].key: traffic})
    (row,) = costs_of(project, world.classified(Pool.INFERENCE))[1].endpoints
    return row.tokens


def test_tokens_are_priced_over_the_time_that_is_shared(world):
    """Half an hour, then a whole one: 1.5 h at 6 $ are 9 $ for 3 million tokens, of which a third were generated."""
    start = START_S + 10 * 3600 + 1800
    hours = ((START_S + 10 * 3600, 500_000, 250_000), (START_S + 11 * 3600, 1_500_000, 750_000))
    tokens = chat_with(world, Traffic(start_s=start, end_s=start + 5400, hours=hours))
    assert tokens.cost == pytest.approx(9)
    assert tokens.cost_per_million_tokens == pytest.approx(3)
    assert tokens.cost_per_million_generated_tokens == pytest.approx(9)


def test_traffic_before_the_window_counts_nothing_there(world):
    hours = ((START_S - 3600, 999, 999), (START_S, 1_000_000, 0))
    tokens = chat_with(world, Traffic(start_s=START_S - 3600, end_s=START_S + 3600, hours=hours))
    assert (tokens.tokens, tokens.cost) == (1_000_000, pytest.approx(6))
    assert tokens.cost_per_million_generated_tokens is None


def test_traffic_of_another_time_says_nothing(world):
    for end_s in (START_S - 3600, START_S):
        assert (
            chat_with(world, Traffic(start_s=START_S - 7200, end_s=end_s, hours=((START_S - 7200, 5, 5),)))
            is None
        )
    end_s = START_S + 730 * 3600
    assert chat_with(world, Traffic(start_s=end_s, end_s=end_s + 3600, hours=((end_s, 5, 5),))) is None


def chat_sized_for(world, rates, listed=None, stated=()):
    """What 730 h of an endpoint at 6 $ an hour say of its tokens, sized for a week of such rates, 3 and 1 tokens."""
    project = world.project(
        730, [world.workload("chat")], entries(0, [(0, 730)], gpus=2), [world.contract("k", 2, "3")]
    )
    key = project.workloads[0].key
    assumptions = replace(project.assumptions, serving_context_tokens=3, serving_generated_tokens=1)
    project = replace(
        project,
        assumptions=assumptions,
        serving={key: ServingChoice(week=WeekRates(rates), rates=stated)},
        traffic={} if listed is None else {key: listed},
    )
    (row,) = costs_of(project, world.classified(Pool.INFERENCE))[1].endpoints
    return row.tokens


def test_without_a_list_the_week_that_it_was_sized_for_says_its_tokens(world):
    """730 h at 1 request a second are 2,628,000 requests of 4 tokens; 4380 $ for 10.512 million."""
    tokens = chat_sized_for(world, (1.0,) * 168)
    assert (tokens.context_tokens, tokens.generated_tokens) == (3 * 2_628_000, 2_628_000)
    assert tokens.is_assumed
    assert tokens.cost == pytest.approx(4380)
    assert tokens.cost_per_million_tokens == pytest.approx(4380 / 10.512)


def test_a_week_with_an_hour_left_open_says_nothing_and_a_list_goes_before_a_week(world):
    assert chat_sized_for(world, (None, *(1.0,) * 167)) is None
    assert chat_sized_for(world, (1.0,) * 168, stated=(("L4", 1200.0),)) is None  # no language model
    listed = chat_sized_for(
        world, (1.0,) * 168, Traffic(start_s=START_S, end_s=START_S + 3600, hours=((START_S, 1_000_000, 0),))
    )
    assert not listed.is_assumed
    assert listed.cost_per_million_tokens == pytest.approx(6)

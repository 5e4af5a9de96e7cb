"""Autoscaling replayed: the known answer, an event simulation beside it, and what must hold for all."""

from dataclasses import replace
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.serving.autoscaling import Autoscaler, replay, replay_row, stretches
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.replicas import ServingTargets, ServingTerms, replicas_for
from gpuplanner.domain.serving.sizing import SizedRow

MU, HEADROOM = 18.67, 0.9
SCALER = Autoscaler(delay_s=60, start_s=240, cool_down_s=300, least=1, spare=0, most=3)


def load_of(*hours: tuple[float, float]) -> Load:
    made = tuple(LoadHour(at % 168, rate, seconds) for at, (rate, seconds) in enumerate(hours))
    return Load(
        hours=made,
        requests_per_month=1.0,
        context_tokens=1.0,
        generated_tokens=1.0,
        longest_tokens=2.0,
        are_tokens_known=True,
    )


def test_two_more_replicas_come_after_five_minutes() -> None:
    """0 -> 37 requests/s on one warm replica of 18.67/s: 5,499 wait after 300 s, and none 289 s later."""
    found = replay(load_of((0, 3600), (37, 3600)), MU, HEADROOM, SCALER)
    assert isclose(found.backlog_most, (37 - 18.67) * 300) and round(found.backlog_most) == 5499
    gone_s = found.backlog_hours * 3600 - 300
    assert round(gone_s) == 289
    assert isclose(found.missed_share, (300 + gone_s) / 3600)
    assert isclose(found.replicas_mean, (3600 + 60 + 3 * 3540) / 7200)  # a replica that starts is paid
    assert (found.replicas_flat, found.replicas_perfect) == (3, 1.5)


def test_a_target_lets_some_wait() -> None:
    found = replay(load_of((0, 3600), (37, 3600)), MU, HEADROOM, SCALER, may_wait_s=10.0)
    over_s = 300 - 186.7 / 18.33 + (5499 - 560.1) / 19.01
    assert isclose(found.missed_share, over_s / 3600, rel_tol=1e-9)


def test_replicas_that_come_while_one_waits_serve_it_in_time() -> None:
    """Of 3,734 that wait before two more replicas serve, the last is served 200 s after it came: nobody waits more."""
    step = load_of((0, 3600), (37, 3600))
    assert replay(step, MU, HEADROOM, SCALER, may_wait_s=200.0).missed_share == 0.0
    assert 0 < replay(step, MU, HEADROOM, SCALER, may_wait_s=145.0).missed_share < 0.01
    dead = replay(load_of((37, 3600)), MU, HEADROOM, replace(SCALER, least=0, most=0), may_wait_s=600.0)
    assert isclose(dead.missed_share, 1.0)  # nothing serves: who comes last is not served either


def test_replicas_go_after_the_cool_down_and_stay_for_a_short_lull() -> None:
    parts = list(stretches(load_of((37, 3600), (1, 3600)), MU, HEADROOM, SCALER))
    assert [(part.seconds, part.ready) for part in parts] == [(3600, 3), (300, 3), (3300, 1)]
    short = list(stretches(load_of((37, 3600), (1, 200), (37, 3600)), MU, HEADROOM, SCALER))
    assert {part.ready for part in short} == {3}


def test_what_was_asked_for_within_the_cool_down_is_kept() -> None:
    """100, 50, 10 requests/s by the hour on replicas of 10/s: 5 are kept two hours after they were last asked for."""
    slow = Autoscaler(delay_s=0, start_s=0, cool_down_s=7200, least=1, spare=0, most=10)
    parts = list(
        stretches(load_of((100, 3600), (50, 3600), (10, 3600), (10, 3600), (10, 3600)), 10, 1.0, slow)
    )
    assert [part.ready for part in parts] == [10, 10, 10, 5, 1]


def test_a_sized_row_is_replayed_within_what_its_target_leaves() -> None:
    load = load_of((0, 3600), (37, 3600))
    row = SizedRow(
        gpu_model="H100",
        precision="BF16",
        tensor_parallel=4,
        fits=True,
        weights_gb=1.0,
        memory_gb=1.0,
        usable_gb=9.0,
        gpu_memory_gb=9.0,
        requests_per_s=MU,
        replicas_peak=4,
        replicas_spare=1,
        prefill_ms=100.0,
    )
    terms = ServingTerms(start_s=240, targets=ServingTargets(ttft_p95_ms=10_104))
    found = replay_row(load, row, terms)
    wanted = replay(load, MU, HEADROOM, replace(SCALER, spare=1, most=4), may_wait_s=10.0)
    assert found == wanted and found is not None and found.replicas_flat == 4
    assert replay_row(load, replace(row, requests_per_s=None), terms) is None


def simulated(load: Load, mu: float, scaler: Autoscaler, may_wait_s: int) -> tuple[float, float, float]:
    """Second by second: what waits at most, for how many seconds anybody waits, and how many of whom wait too long."""
    came, served = [0.0], [0.0]
    rates = [hour.requests_per_s for hour in load.hours for _ in range(int(hour.seconds))]
    wanted = [
        min(max(scaler.least, replicas_for(rate, mu, HEADROOM)), max(scaler.most, scaler.least))
        for rate in rates
    ]
    ready, coming, low, backlog, most, waited = wanted[0], [], 0, 0.0, 0.0, 0
    for second, rate in enumerate(rates):
        ready += sum(count for when, count in coming if when <= second)
        coming = [(when, count) for when, count in coming if when > second]
        held = ready + sum(count for _, count in coming)
        if wanted[second] > held:
            coming.append((second + int(scaler.delay_s + scaler.start_s), wanted[second] - held))
        low = low + 1 if wanted[second] < held else 0
        if low > scaler.cool_down_s:
            ready, low = wanted[second], 0
        backlog = max(0.0, backlog + rate - ready * mu)
        most, waited = max(most, backlog), waited + (backlog > 1e-9)
        came.append(came[-1] + rate)
        served.append(came[-1] - backlog)
    served += [min(came[-1], served[-1] + ready * mu * (at + 1)) for at in range(may_wait_s)]
    late = (one > served[at + may_wait_s] + 1e-6 for at, one in enumerate(came))
    return most, waited, sum(rate for rate, is_late in zip(rates, late, strict=False) if is_late)


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 5.0, 17.0, 37.0, 60.0, 95.0]), min_size=1, max_size=8),
    st.integers(0, 3),
    st.sampled_from([0, 10, 120, 400]),
)
def test_it_is_what_a_simulation_second_by_second_comes_to(
    rates: list[float], least: int, may_wait_s: int
) -> None:
    load = load_of(*((rate, 1800) for rate in rates))
    scaler = replace(SCALER, least=least, most=6)
    found = replay(load, MU, HEADROOM, scaler, may_wait_s)
    most, waited, late = simulated(load, MU, scaler, may_wait_s)
    assert abs(found.missed_share * sum(rates) * 1800 - late) < 8 * sum(rates) + 1e-6
    assert abs(found.backlog_most - most) < 100 and abs(found.backlog_hours * 3600 - waited) < 4 * len(rates)
    assert 0 <= found.missed_share <= 1
    assert found.replicas_mean <= max(6, least) + 1e-9


@pytest.mark.parametrize(
    ("p50_ms", "p95_ms", "prefill_ms", "missed"),
    [
        (None, None, 10.0, 0.0),  # nothing says how long one may wait: who waits at all is missed
        (200_020.0, None, 10.0, 200.0),
        (200_020.0, 100_020.0, 10.0, 100.0),
        (100_020.0, 200_020.0, None, 100.01),
        (5.0, 200_020.0, 10.0, 0.0),
    ],
)
def test_a_request_may_wait_for_what_targets_of_the_first_token_leave(
    p50_ms: float | None, p95_ms: float | None, prefill_ms: float | None, missed: float
) -> None:
    """The nearer target less 10 ms of way and the prefill; missed: seconds that one may wait."""
    load = load_of((0, 3600), (37, 3600))
    row = SizedRow(
        gpu_model="H100",
        precision="BF16",
        tensor_parallel=1,
        fits=True,
        requests_per_s=MU,
        replicas_peak=3,
        prefill_ms=prefill_ms,
    )
    terms = ServingTerms(
        targets=ServingTargets(ttft_p50_ms=p50_ms, ttft_p95_ms=p95_ms),
        way_ms=10.0,
        headroom=HEADROOM,
        scale_delay_s=60,
        start_s=240,
        cool_down_s=300,
        replicas_least=5,
    )
    expected = replay(load, MU, HEADROOM, replace(SCALER, least=3), missed)
    result = replay_row(load, row, terms)
    assert result is not None and isclose(result.missed_share, expected.missed_share, abs_tol=1e-9)
    lazy = replay_row(load, row, replace(terms, replicas_least=1))
    assert lazy is not None
    assert isclose(lazy.missed_share, replay(load, MU, HEADROOM, SCALER, missed).missed_share, abs_tol=1e-9)
    assert replay_row(load, replace(row, replicas_peak=None), terms) is None
    assert replay_row(load, replace(row, requests_per_s=None), terms) is None

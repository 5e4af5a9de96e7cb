"""Memory, speed and the M/M/c wait of a replica: by hand, against plain sums, and what must hold for all."""

from dataclasses import replace
from fractions import Fraction
from math import factorial, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.domain.serving.memory import cache_gb, kv_bytes_per_token, weights_gb, weights_read_gb
from gpuplanner.domain.serving.replica import Engine, chance_of_waiting, mean_wait_s, replica_speed

SMALL = ServedModel("small", 8_000_000_000, 32, 8, 128)
MIXED = ServedModel("mixed", 47_000_000_000, 32, 8, 128, 13_000_000_000, 8, 2)
LATENT = replace(SMALL, kv_values_per_layer=576)


def test_memory_by_hand() -> None:
    assert kv_bytes_per_token(SMALL) == 2 * 32 * 8 * 128 * 2 == 131_072
    assert kv_bytes_per_token(LATENT) == 32 * 576 * 2
    need = weights_gb(SMALL.parameters, 2) + cache_gb(SMALL, concurrency=10, context_tokens=1000)
    assert isclose(need, 16 + 10 * 1000 * 131_072 / 1e9)


@given(
    st.sampled_from([2.0, 1.0, 0.5]), st.integers(0, 1000), st.integers(0, 200_000), st.integers(0, 500),
    st.integers(0, 10_000),
)  # fmt: skip
def test_memory_grows_with_concurrency_context_and_precision(width, at_once, context, more, longer) -> None:
    less = cache_gb(SMALL, concurrency=at_once, context_tokens=context)
    assert cache_gb(SMALL, concurrency=at_once + more, context_tokens=context + longer) >= less
    assert weights_gb(SMALL.parameters, width * 2) > weights_gb(SMALL.parameters, width)


def test_a_mixture_reads_the_experts_that_are_awake() -> None:
    assert isclose(weights_read_gb(MIXED, 2, 1), 2 * 13)  # one request wakes what one token passes through
    assert weights_read_gb(MIXED, 2, 1) < weights_read_gb(MIXED, 2, 4) < weights_read_gb(MIXED, 2, 400)
    assert isclose(weights_read_gb(MIXED, 2, 400), 2 * 47)
    assert weights_read_gb(SMALL, 2, 1) == weights_read_gb(SMALL, 2, 64) == 16


def test_speed_by_hand() -> None:
    """8e9 parameters in BF16 on 2 TB/s and 400 TFLOP/s, four requests of 900 + 100 tokens."""
    speed = replica_speed(
        SMALL, Engine(2.0, 400.0), 2, concurrency=4, context_tokens=900, generated_tokens=100
    )
    step_s = (16 + 4 * 1000 * 131_072 / 1e9) / 2000
    prefill_s = 2 * 8e9 * 900 / 400e12
    assert isclose(speed.step_s, step_s)
    assert isclose(speed.prefill_s or 0, prefill_s)
    assert isclose(speed.requests_per_s or 0, 1 / (prefill_s + 100 * step_s / 4))
    assert isclose(speed.decode_tokens_per_s, 4 / step_s)


def test_decoding_is_bound_by_compute_where_that_takes_longer() -> None:
    speed = replica_speed(SMALL, Engine(1000.0, 1.0), 2, concurrency=10, context_tokens=0, generated_tokens=1)
    assert isclose(speed.step_s, 2 * 8e9 * 10 / 1e12)


@given(st.integers(1, 500), st.floats(1, 1e5), st.floats(1, 1e4))
def test_the_decode_rate_never_exceeds_bandwidth_by_bytes_read(at_once, context, generated) -> None:
    speed = replica_speed(
        SMALL,
        Engine(3.35, 990.0),
        2,
        concurrency=at_once,
        context_tokens=context,
        generated_tokens=generated,
    )
    read_gb_per_token = 16 / at_once + (context + generated) * 131_072 / 1e9
    assert speed.decode_tokens_per_s <= 3350 / read_gb_per_token * (1 + 1e-9)
    assert (speed.requests_per_s or 0) * generated <= speed.decode_tokens_per_s * (1 + 1e-9)


def test_requests_without_tokens_have_no_rate() -> None:
    speed = replica_speed(SMALL, Engine(1.0, None), 2, concurrency=1, context_tokens=10, generated_tokens=0)
    assert speed.prefill_s is None
    assert speed.requests_per_s is None


def test_a_model_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        ServedModel("none", 1, 0, 1, 1)


def plain_erlang_c(servers: int, offered: Fraction) -> Fraction:
    """The textbook sum, with fractions: no cancellation, no overflow."""
    top = offered**servers / factorial(servers) * servers / (servers - offered)
    below = sum((offered**k / factorial(k) for k in range(servers)), Fraction(0))
    return top / (below + top)


@given(servers=st.integers(1, 60), busy=st.integers(1, 99))
def test_the_chance_of_waiting_is_the_textbook_sum(servers: int, busy: int) -> None:
    offered = Fraction(servers * busy, 100)
    wanted = float(plain_erlang_c(servers, offered))
    assert isclose(chance_of_waiting(servers, float(offered)), wanted, rel_tol=1e-9, abs_tol=1e-15)


@pytest.mark.parametrize(("servers", "offered", "wanted"), [(1, 0.5, 0.5), (2, 1.0, 1 / 3), (3, 2.0, 4 / 9)])
def test_known_chances(servers: int, offered: float, wanted: float) -> None:
    assert isclose(chance_of_waiting(servers, offered), wanted)


def test_one_server_waits_as_m_m_1() -> None:
    assert isclose(mean_wait_s(1, 4.0, 5.0) or 0, 0.8)  # rho / (mu - lambda)


@pytest.mark.parametrize("arrivals", [2.0, 2.5])
def test_a_queue_that_never_settles_has_no_wait(arrivals: float) -> None:
    assert mean_wait_s(4, arrivals, 0.5) is None


@given(st.integers(1, 5000), st.floats(0.01, 0.999))
def test_one_more_server_never_waits_longer(servers: int, busy: float) -> None:
    offered = servers * busy
    assert 0 <= chance_of_waiting(servers + 1, offered) <= chance_of_waiting(servers, offered) <= 1


def test_nobody_who_comes_never_waits() -> None:
    assert chance_of_waiting(3, 0.0) == 0.0
    with pytest.raises(ValueError, match="0 servers"):
        chance_of_waiting(0, 1.0)

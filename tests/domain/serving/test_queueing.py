"""The M/M/c wait against plain sums, known values, and what must hold for any queue."""

from fractions import Fraction
from math import factorial, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.serving.replica import chance_of_waiting, mean_wait_s


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

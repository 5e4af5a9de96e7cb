"""The M/M/c queue: how long a request waits for one of c replicas, when requests come and end at random."""

from typing import Final

_NEVER: Final = 1e300  # 1 / B beyond it: nobody waits
_NO_MORE: Final = 1e-17  # of the sum: a term that changes it no longer


def chance_of_waiting(servers: int, offered: float) -> float:
    """Erlang C: the share of requests that find all servers busy. offered: arrivals / rate of one server.

    1 where offered >= servers (the queue grows for ever). Its inverse is summed: 1 / B = sum over k of
    c! / ((c - k)! a^k), each term from the one before, so that thousands of servers take no longer than few.
    Errors: ValueError for less than one server. Source: Erlang (1917); Kleinrock, Queueing Systems I (1975).
    """
    if servers < 1 or offered < 0:
        raise ValueError(f"queue: {servers} servers, {offered} offered")
    if offered == 0:
        return 0.0
    busy = offered / servers
    if busy >= 1:
        return 1.0
    term = inverse_b = 1.0
    for left in range(servers, 0, -1):
        term *= left / offered
        inverse_b += term
        if inverse_b > _NEVER:
            return 0.0
        if term < inverse_b * _NO_MORE:
            break
    return 1 / ((1 - busy) * inverse_b + busy)


def mean_wait_s(servers: int, arrivals_per_s: float, rate_per_s: float) -> float | None:
    """Mean seconds in the queue; rate_per_s is of one server. None where it never settles (arrivals >= all servers).

    >>> mean_wait_s(1, 0.5, 1.0)
    1.0
    >>> mean_wait_s(2, 2.0, 1.0) is None
    True
    """
    spare = servers * rate_per_s - arrivals_per_s
    if spare <= 0:
        return None
    return chance_of_waiting(servers, arrivals_per_s / rate_per_s) / spare

"""An API in place of hosting, and the requests from which hosting pays."""

from dataclasses import replace
from math import isclose

import pytest

from gpuplanner.domain.fit.api_offers import api_offer, break_even_requests
from tests.domain.fit.stated_endpoint import LOAD, PRICED, ROW


def test_an_api_needs_both_prices_and_the_traffic_of_a_replica() -> None:
    """500,000 requests a replica are $500; at $0.25 two GPUs of a replica cost 2 x 730 x 0.25 = $365.

    With none spare one replica pays from 365,000 requests on (beside = 0: 500 / 135 = 3.7, three steps: 1,095,000).
    """
    result = api_offer(LOAD, ROW, PRICED, 0.25, 0)
    assert result is not None
    assert (result.usd_per_million_in, result.usd_per_million_out) == (0.5, 2.0)
    assert isclose(result.usd_per_month, 1000.0)
    assert isclose(result.break_even_requests_per_month or 0, 1_095_000)
    assert isclose(result.break_even_requests_per_s or 0, 20 * 1.095)
    for name in ("serving_api_usd_in", "serving_api_usd_out"):
        assert api_offer(LOAD, ROW, replace(PRICED, **{name: None}), 0.25, 0) is None
    free = replace(PRICED, serving_api_usd_in=0.0)
    assert isclose(api_offer(LOAD, ROW, free, 0.25, 0).usd_per_month, 500.0)  # type: ignore[union-attr]
    for load, row, rate in (
        (replace(LOAD, requests_per_month=0.0), ROW, 0.25),
        (LOAD, replace(ROW, replicas_asked=0.0), 0.25),
        (LOAD, replace(ROW, replicas_asked=None), 0.25),
        (LOAD, ROW, None),
    ):
        none = api_offer(load, row, PRICED, rate, 0)
        assert none is not None
        assert none.break_even_requests_per_month is none.break_even_requests_per_s is None


@pytest.mark.parametrize(
    ("replica_requests", "replica_usd", "spare", "result"),
    [
        (3_000_000.0, 1000.0, 0, 1_000_000.0),
        (1_500_000.0, 1000.0, None, 5_000_000.0),
        (1_500_000.0, 1000.0, 0, 2_000_000.0),
        (500_000.0, 1000.0, 0, None),
        (1_000_000.0, 1000.0, 0, None),  # a full replica costs as much as the API
        (4_000_000.0, 1000.0, None, 1_000_000.0),
        (4_000_000.0, 1000.0, 1, 2_000_000.0),
        (3_000_000.0, 1000.0, 2, 4_000_000.0),  # two that are asked for, and two beside them
        (10_000_000.0, 1000.0, 2, 3_000_000.0),
    ],
)
def test_replicas_pay_from_so_many_requests_on(
    replica_requests: float, replica_usd: float, spare: int | None, result: float | None
) -> None:
    """A request costs a tenth of a cent. Of replicas of 1.5 million the second pays once requests cost as much as two
    of them, $2,000; at 3 million a third costs what these do."""
    assert break_even_requests(0.001, replica_requests, replica_usd, spare) == (
        None if result is None else pytest.approx(result)
    )

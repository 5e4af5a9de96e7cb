"""Hosting beside an API, and what a shorter way is worth: by hand, and laws."""

from dataclasses import replace
from decimal import Decimal
from math import ceil, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import MeasuredTransit, Site, UserCity, places_of
from gpuplanner.domain.serving.hosting import api_offer, shorter_ways
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.domain.serving.sizing import SizedRow

LOAD = Load((LoadHour(0, 20.0), LoadHour(1, 10.0)), 48_470_957, 1000.0, 250.0, 1250.0, are_tokens_known=True)
ROW = SizedRow("H100", "BF16", 4, True, 140.0, 150.0, 288.0, 80.0, replicas_asked=1.6)
PRICED = Assumptions(serving_api_usd_in=0.5, serving_api_usd_out=2.0)
SPARE = st.one_of(st.none(), st.integers(0, 3))


def test_an_api_is_paid_by_the_token() -> None:
    """1,000 tokens at 0.50 and 250 at 2.00 a million: $0.001 a request; 4 H100 at 2.50: $7,300."""
    found = api_offer(LOAD, ROW, PRICED, 2.5, None)
    assert found is not None and isclose(found.usd_per_month, 48_470.957)
    assert isclose(
        found.break_even_requests_per_month, 7_300_000
    )  # 30,294,348 a replica: the next ones pay at once
    assert isclose(found.break_even_requests_per_s, 20 * 7_300_000 / 48_470_957)
    assert api_offer(LOAD, ROW, Assumptions(), 2.5, None) is None
    unpriced = api_offer(LOAD, ROW, PRICED, None, None)
    assert unpriced is not None and unpriced.break_even_requests_per_month is None


@pytest.mark.parametrize(("rate", "spare"), [(11.0, 0), (1e4, None)])
def test_an_api_that_costs_less_at_any_traffic_has_no_break_even(rate, spare) -> None:
    found = api_offer(LOAD, ROW, PRICED, rate, spare)
    assert found is not None and found.break_even_requests_per_month is None


@given(st.floats(0.01, 20), SPARE, st.floats(0.1, 50), st.floats(1, 20))
def test_hosting_costs_no_more_from_the_break_even_on(rate, spare, asked, times) -> None:
    found = api_offer(LOAD, replace(ROW, replicas_asked=asked), PRICED, rate, spare)
    if found.break_even_requests_per_month is None:
        return
    requests = found.break_even_requests_per_month * times
    replicas = max(1, ceil(requests / LOAD.requests_per_month * asked * (1 - 1e-9)))
    beside = int(replicas > 1) if spare is None else spare
    assert (replicas + beside) * 4 * rate * 730 <= requests * 0.001 * (1 + 1e-6)


def test_a_shorter_way_is_worth_what_the_planner_states() -> None:
    """1% of completions for 100 ms, $0.02 each, 48,470,957 requests: 76.9 ms saved are $7,455."""
    places = places_of(
        (UserCity("Here", "US", 0.0, 0.0, Decimal(1)),),
        (Site("near", "A", "US", 0.0, 0.0), Site("far", "B", "US", 0.0, 0.0, is_current=True)),
        (MeasuredTransit("Here", "far", Decimal("87.9")), MeasuredTransit("Here", "near", Decimal("49.45"))),
    )
    stated = Assumptions(serving_usd_per_request=0.02, serving_completions_per_100_ms=0.01)
    found = next(one for one in shorter_ways(placement_of(places), LOAD, stated) if one.sites == ("near",))
    assert isclose(found.ms_saved, 76.9) and round(found.usd_per_month) == 7455
    assert shorter_ways(placement_of(places), LOAD, Assumptions()) == ()

"""Great-circle distances and the time over them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.serving.distance import EARTH_RADIUS_KM, haversine_km, one_way_ms

LATITUDE = st.floats(-90, 90)
LONGITUDE = st.floats(-180, 180)


@pytest.mark.parametrize(
    ("here", "there", "km"),
    [
        ((0, 0), (0, 90), np.pi / 2 * 6371.0088),
        ((0, 0), (90, 0), np.pi / 2 * 6371.0088),
        ((0, 0), (0, 180), np.pi * 6371.0088),
        ((90, 0), (-90, 77), np.pi * 6371.0088),
        ((10, 20), (10, 20), 0),
        ((0, 179.5), (0, -179.5), np.radians(1) * 6371.0088),  # over the date line
        ((51.5074, -0.1278), (40.7128, -74.0060), 5570),  # London to New York, to the kilometre
        ((35.6762, 139.6503), (1.3521, 103.8198), 5312),  # Tokyo to Singapore
        ((-33.8688, 151.2093), (-36.8509, 174.7645), 2156),  # Sydney to Auckland
    ],
)
def test_known_distances(here, there, km):
    assert float(haversine_km(*here, *there)) == pytest.approx(km, abs=1)


@given(LATITUDE, LONGITUDE, LATITUDE, LONGITUDE)
def test_there_is_as_far_as_back_and_never_over_half_the_globe(north, east, other_north, other_east):
    there = float(haversine_km(north, east, other_north, other_east))
    back = float(haversine_km(other_north, other_east, north, east))
    assert there == pytest.approx(back, abs=1e-6)
    assert 0 <= there <= np.pi * EARTH_RADIUS_KM + 1e-6


@given(LATITUDE, LONGITUDE, LATITUDE, LONGITUDE, LATITUDE, LONGITUDE)
def test_a_way_round_is_never_shorter(a, b, c, d, e, f):
    def km(*places):
        return float(haversine_km(*places))

    assert km(a, b, e, f) <= km(a, b, c, d) + km(c, d, e, f) + 1e-6


def test_time_is_of_a_longer_fibre_and_a_fixed_part():
    assert one_way_ms([0, 200, 9750]).tolist() == [2.0, 3.6, 80.0]

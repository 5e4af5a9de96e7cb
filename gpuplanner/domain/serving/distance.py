"""Distance: kilometres between two places on the globe, and the one-way time that a packet takes for them."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats

EARTH_RADIUS_KM: Final = 6371.0088
"""Mean radius (2a + b) / 3 of the reference ellipsoid."""

KM_PER_MS_IN_FIBRE: Final = 200.0
DETOUR: Final = 1.6
"""How much longer the fibre is than the great circle."""
FIXED_MS: Final = 2.0
"""Of routers and the last mile."""


def haversine_km(
    from_latitude: npt.ArrayLike,
    from_longitude: npt.ArrayLike,
    to_latitude: npt.ArrayLike,
    to_longitude: npt.ArrayLike,
) -> Floats:
    """Great-circle kilometres; degrees in, arrays are broadcast.

    Law: symmetric, 0 for a place and itself, at most half the circumference.
    Source: haversine formula, R. W. Sinnott, Virtues of the Haversine (1984).

    >>> round(float(haversine_km(0, 0, 0, 180)), 1)
    20015.1
    """
    phi, psi = np.radians(from_latitude), np.radians(to_latitude)
    across = np.radians(to_longitude) - np.radians(from_longitude)
    half = np.sin((psi - phi) / 2) ** 2 + np.cos(phi) * np.cos(psi) * np.sin(across / 2) ** 2
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(half, 0.0, 1.0))), dtype=np.float64)


def one_way_ms(km: npt.ArrayLike) -> Floats:
    """Milliseconds one way over so many kilometres: km / 200 x 1.6 + 2.

    >>> float(one_way_ms(9750))
    80.0
    """
    return np.asarray(km, dtype=np.float64) / KM_PER_MS_IN_FIBRE * DETOUR + FIXED_MS

"""The p-median: of all subsets of at most fifteen sites, for each size the one with the shortest mean way."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.serving.distance import Floats

MOST_SITES: Final = 15
"""Sites whose subsets are all tried: 32,767 of them."""

ALIKE: Final = 1e-12
"""Relative: means so close are one, the rest is rounding."""

_CITIES_AT_ONCE: Final = 64

Ints = npt.NDArray[np.int64]


def subset_means(ms: Floats, users: Floats) -> tuple[Floats, Ints]:
    """Of every subset of sites: the mean way of the users it may serve, and how many cities it may not serve.

    Shapes: ms (cities, sites), inf where a site may not serve a city; users (cities,); both answers (2 ** sites,),
    in the place of the number whose bits are the sites. The mean of nobody is nan.
    """
    cities, sites = ms.shape
    spent, reached = np.zeros(1 << sites), np.zeros(1 << sites)
    unserved = np.zeros(1 << sites, dtype=np.int64)
    for first in range(0, cities, _CITIES_AT_ONCE):
        part = slice(first, first + _CITIES_AT_ONCE)
        nearest = np.full((1 << sites, ms[part].shape[0]), np.inf)
        for site in range(sites):
            half = 1 << site
            np.minimum(nearest[:half], ms[part, site], out=nearest[half : 2 * half])
        served = np.isfinite(nearest)
        unserved += (~served).sum(axis=1)
        reached += served @ users[part]
        spent += np.where(served, nearest, 0.0) @ users[part]
    mean = np.full(1 << sites, np.nan)
    np.divide(spent, reached, out=mean, where=reached > 0)
    return mean, unserved


def best_subsets(mean: Floats, unserved: Ints, usd: Sequence[float | None]) -> dict[int, int]:
    """For each number of sites the best subset, as a number whose bits are the sites.

    Only subsets that serve every city that all sites together may serve; a size without one is not there. usd: price
    of each site. Of subsets whose means are alike the cheapest (one of unknown price last), then the one whose sites
    come first.
    """
    sizes, price = _sizes(len(usd)), _prices(usd)
    able = (unserved == unserved[-1]) & np.isfinite(mean)
    best: dict[int, int] = {}
    for size in range(1, len(usd) + 1):
        masks = np.flatnonzero(able & (sizes == size))
        if len(masks):
            least = mean[masks].min()
            alike = masks[mean[masks] <= least * (1 + ALIKE)]
            best[size] = min(map(int, alike), key=lambda mask: (price[mask], members(mask)))
    return best


def cheapest_first(mean: Floats, unserved: Ints, usd: Sequence[float | None], longest_ms: float) -> list[int]:
    """Subsets of known price that serve every city with a mean of about `longest_ms` or less.

    The cheapest first, then the shorter mean, then fewer sites.
    """
    price, sizes = _prices(usd), _sizes(len(usd))
    able = (unserved == 0) & (mean <= longest_ms * (1 + ALIKE)) & np.isfinite(price)
    masks = [int(mask) for mask in np.flatnonzero(able)]
    return sorted(masks, key=lambda mask: (price[mask], mean[mask], sizes[mask], members(mask)))


def members(mask: int) -> tuple[int, ...]:
    """The sites of a subset, ascending."""
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


def shortlist(ms: Floats, users: Floats, current: Sequence[int]) -> tuple[int, ...]:
    """Which sites are tried where there are more than fifteen: those in use first, then whichever helps most next.

    Helping most: fewest cities left without a site, then the shortest mean, then the first by id. Ascending.
    """
    chosen: list[int] = []
    best = np.full(ms.shape[0], np.inf)
    for pool in (list(current), [at for at in range(ms.shape[1]) if at not in set(current)]):
        while pool and len(chosen) < MOST_SITES:
            nearest = np.minimum(ms[:, pool], best[:, None])
            served = np.isfinite(nearest)
            spent = (np.where(served, nearest, 0.0) * users[:, None]).sum(axis=0)
            reached = (served * users[:, None]).sum(axis=0)
            mean = np.divide(spent, reached, out=np.full(len(pool), np.inf), where=reached > 0)
            at = int(np.lexsort((np.arange(len(pool)), mean, (~served).sum(axis=0)))[0])
            best = nearest[:, at]
            chosen.append(pool.pop(at))
    return tuple(sorted(chosen))


def _sizes(sites: int) -> Ints:
    numbers = np.arange(1 << sites, dtype=np.int64)
    return np.asarray(((numbers[:, None] >> np.arange(sites)) & 1).sum(axis=1), dtype=np.int64)


def _prices(usd: Sequence[float | None]) -> Floats:
    """Price of every subset; inf where that of one of its sites is unknown."""
    total = np.zeros(1 << len(usd))
    for site, own in enumerate(usd):
        half = 1 << site
        total[half : 2 * half] = total[:half] + (np.inf if own is None else own)
    return total

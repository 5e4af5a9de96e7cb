"""The p-median: of all subsets of at most fifteen sites, for each size the one with the shortest mean way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints

MOST_SITES: Final = 15
"""Sites whose subsets are all tried: 32,767 of them."""

ALIKE: Final = 1e-12
"""Relative: means so close are one, the rest is rounding."""

_CITIES_AT_ONCE: Final = 8


@dataclass(frozen=True, slots=True)
class Subsets:
    """Every subset of some sites, in the place of the number whose bits are the sites.

    mean: the mean way, weighted by users, of the cities that all sites together may serve; nan where the subset leaves
    one of these out, or one of the others that some site may serve, and for nobody. impossible: how many cities none of
    the sites may serve, of these and of the others.
    """

    mean: Floats
    impossible: int


def subset_means(ms: Floats, users: Floats, others: Bools | None = None) -> Subsets:
    """The mean way of every subset of sites.

    Shapes: ms (cities, sites), inf where a site may not serve a city; users (cities,), more than 0. others: which site
    may serve which city that is not in the mean; shape (other cities, sites).
    """
    is_possible = np.isfinite(ms).any(axis=1)
    ways, weights = ms[is_possible], users[is_possible]
    sites = ms.shape[1]
    spent = np.zeros(1 << sites)
    nearest = np.full((_CITIES_AT_ONCE, 1 << sites), np.inf)
    for first in range(0, len(ways), _CITIES_AT_ONCE):
        part = ways[first : first + _CITIES_AT_ONCE]
        block = nearest[: len(part)]
        for site in range(sites):
            half = 1 << site
            np.minimum(block[:, :half], part[:, site, None], out=block[:, half : 2 * half])
        spent += weights[first : first + len(part)] @ block  # one city that is left out makes it infinite
    total = weights.sum()
    mean = np.full(1 << sites, np.nan)
    np.divide(spent, total, out=mean, where=np.isfinite(spent) & (total > 0))
    impossible = int((~is_possible).sum())
    if others is not None:
        subset = np.arange(1 << sites)
        for row in np.unique(others[others.any(axis=1)], axis=0):
            mean[subset & int((1 << np.flatnonzero(row)).sum()) == 0] = np.nan
        impossible += int((~others.any(axis=1)).sum())
    return Subsets(mean, impossible)


def best_subsets(subsets: Subsets, usd: Sequence[float | None]) -> dict[int, int]:
    """For each number of sites the best subset, as a number whose bits are the sites.

    Only subsets that serve every city that all sites together may serve; a size without one is not there. usd: price
    of each site. Of subsets whose means are alike the cheapest (one of unknown price last), then the one whose sites
    come first.
    """
    sizes, price, mean = _sizes(len(usd)), _prices(usd), subsets.mean
    best: dict[int, int] = {}
    for size in range(1, len(usd) + 1):
        masks = np.flatnonzero(np.isfinite(mean) & (sizes == size))
        if len(masks):
            least = mean[masks].min()
            alike = masks[mean[masks] <= least * (1 + ALIKE)]
            best[size] = min(map(int, alike), key=lambda mask: (price[mask], members(mask)))
    return best


def cheapest_first(subsets: Subsets, usd: Sequence[float | None], longest_ms: float) -> list[int]:
    """Subsets of known price that serve every city with a mean of about `longest_ms` or less.

    The cheapest first, then the shorter mean, then fewer sites.
    """
    if subsets.impossible:
        return []
    price, sizes, mean = _prices(usd), _sizes(len(usd)), subsets.mean
    masks = np.flatnonzero((mean <= longest_ms * (1 + ALIKE)) & np.isfinite(price))
    order = np.lexsort((_late(masks, len(usd)), sizes[masks], mean[masks], price[masks]))
    return [int(mask) for mask in masks[order]]


def members(mask: int) -> tuple[int, ...]:
    """The sites of a subset, ascending.

    mask: a number whose bits are the sites, as in `Subsets`.

    >>> members(0b1101), members(0)
    ((0, 2, 3), ())
    """
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


def _late(masks: Ints, sites: int) -> Ints:
    """How late a subset stands among those of its size: the less, the earlier its sites come."""
    mirrored = np.zeros(len(masks), dtype=np.int64)
    for site in range(sites):
        mirrored |= (masks >> site & 1) << (sites - 1 - site)
    return -mirrored


def _sizes(sites: int) -> Ints:
    """How many sites each subset has, in the place of its number; shape (2^sites,)."""
    numbers = np.arange(1 << sites, dtype=np.int64)
    return np.asarray(((numbers[:, None] >> np.arange(sites)) & 1).sum(axis=1), dtype=np.int64)


def _prices(usd: Sequence[float | None]) -> Floats:
    """Price of every subset; inf where that of one of its sites is unknown."""
    total = np.zeros(1 << len(usd))
    for site, own in enumerate(usd):
        half = 1 << site
        total[half : 2 * half] = total[:half] + (np.inf if own is None else own)
    return total

"""Placement: what today's sites give the users, and the best sites for each number of them (p-median)."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import groupby
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.figures.serving import SITE_SET
from gpuplanner.domain.figures.typed import amount, decimals, exact, whole
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import Places, UserCity, folded, is_between_countries
from gpuplanner.domain.serving.transit import Egress, Service, TransitTable, egress_of, serve, transit_table
from gpuplanner.lazy_dataclass import dataclass, replace

# --- The p-median: of all subsets of at most fifteen sites, for each size the one with the shortest mean way

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


def subset_means(ms: Floats, users: Floats, others: Bools | None) -> Subsets:
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
    sizes, price, mean = subset_sizes(len(usd)), subset_prices(usd), subsets.mean
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
    price, sizes, mean = subset_prices(usd), subset_sizes(len(usd)), subsets.mean
    masks = np.flatnonzero((mean <= longest_ms * (1 + ALIKE)) & np.isfinite(price))
    order = np.lexsort((subset_order(masks, len(usd)), sizes[masks], mean[masks], price[masks]))
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

    Ascending.
    """
    return tuple(sorted(helping_most(ms, users, current, MOST_SITES)))


def helping_most(ms: Floats, users: Floats, first: Sequence[int], most: int) -> tuple[int, ...]:
    """Sites in the order in which they help: `first`, then whichever helps most next, so many of them.

    Helping most: fewest cities left without a site, then the shortest mean, then the first by id.
    """
    chosen: list[int] = []
    best = np.full(ms.shape[0], np.inf)
    for pool in (list(first), [at for at in range(ms.shape[1]) if at not in set(first)]):
        while pool and len(chosen) < most:
            at, best = choose_next_site(ms[:, pool], users, best)
            chosen.append(pool.pop(at))
    return tuple(chosen)


def choose_next_site(ms: Floats, users: Floats, nearest: Floats) -> tuple[int, Floats]:
    """The column that helps most beside the ways that there are, and the ways with it."""
    ways = np.minimum(ms, nearest[:, None])
    served = np.isfinite(ways)
    spent = (np.where(served, ways, 0.0) * users[:, None]).sum(axis=0)
    reached = (served * users[:, None]).sum(axis=0)
    mean = np.divide(spent, reached, out=np.full(ms.shape[1], np.inf), where=reached > 0)
    at = int(np.lexsort((np.arange(ms.shape[1]), mean, (~served).sum(axis=0)))[0])
    return at, ways[:, at]


def subset_order(masks: Ints, sites: int) -> Ints:
    """How late a subset stands among those of its size: the less, the earlier its sites come."""
    mirrored = np.zeros(len(masks), dtype=np.int64)
    for site in range(sites):
        mirrored |= (masks >> site & 1) << (sites - 1 - site)
    return -mirrored


def subset_sizes(sites: int) -> Ints:
    """How many sites each subset has, in the place of its number; shape (2^sites,)."""
    numbers = np.arange(1 << sites, dtype=np.int64)
    return np.asarray(((numbers[:, None] >> np.arange(sites)) & 1).sum(axis=1), dtype=np.int64)


def subset_prices(usd: Sequence[float | None]) -> Floats:
    """Price of every subset; inf where that of one of its sites is unknown."""
    total = np.zeros(1 << len(usd))
    for site, own in enumerate(usd):
        half = 1 << site
        total[half : 2 * half] = total[:half] + (np.inf if own is None else own)
    return total


# --- Placement: what today's sites give the users, what the best sites would for each number of them, and their price

KEPT: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSet:
    """Some sites and what they give.

    sites: ids; adds, drops: those that it has beside today's, and those of today's that it is without.
    round_trip_ms: over the top 80% of users, None where the way is. usd_per_month: of all its sites, None where one of
    them states no price. Source: docs/formulas/placement.md.
    shortest_ms: a mean way that no set of as many sites beats, where not all subsets were tried.
    """

    sites: tuple[str, ...]
    service: Service
    round_trip_ms: float | None
    usd_per_month: float | None
    adds: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    shortest_ms: float | None = None

    @property
    def gap(self) -> float | None:
        """By how much the mean way may be longer than the best of as many sites, 0..; None where every subset was
        tried, or the way is not known.
        """
        mean, bound = self.mean_one_way_ms, self.shortest_ms
        return None if mean is None or not bound or not np.isfinite(bound) else mean / bound - 1

    @property
    def mean_one_way_ms(self) -> float | None:
        """Over the top 80% of users, weighted by users.

        Units: ms, one way. None where a city of the top 80% is served by no site of the set.
        """
        return self.service.mean_one_way_ms


@dataclass(frozen=True, slots=True, eq=False)
class CurrentPlacement:
    """Today: every way from a city to a site, the set of current sites, and what may be said of them.

    covered_share: of all users, 0..1, that the top cities of `table` hold; None where there are no users.
    """

    table: TransitTable
    current: SiteSet
    covered_share: float | None
    notes: tuple[Message, ...]


def egress_from_sites(assumptions: Assumptions, places: Places, tokens_read: float | None = None) -> Egress:
    """`egress_of` at the price of the sites of today, by the users that each serves; a site without one as assumed.

    Source: docs/formulas/placement.md, Egress.
    """
    assumed = assumptions.egress_usd_per_gb
    price = {
        site.site_id: assumed if site.egress_usd_per_gb is None else float(site.egress_usd_per_gb)
        for site in places.sites
    }
    legs = current_placement(places).current.service.legs if places.can_be_placed else ()
    served = [(float(leg.city.users), price[leg.site_id]) for leg in legs if leg.site_id is not None]
    users = sum(share for share, _ in served)
    usd_per_gb = sum(share * usd for share, usd in served) / users if users else assumed
    return egress_of(replace(assumptions, egress_usd_per_gb=usd_per_gb), tokens_read)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Placement:
    """Today beside the best set of each size. left_out: sites that were not tried, where there are over fifteen.

    cheapest_within: the cheapest set of known price whose mean is not over 80 ms; None where there is none.
    """

    today: CurrentPlacement
    proposed: tuple[SiteSet, ...]
    cheapest_within: SiteSet | None
    left_out: tuple[str, ...]
    notes: tuple[Message, ...]


@lru_cache(maxsize=KEPT)
def current_placement(places: Places) -> CurrentPlacement:
    """What the sites of today give. Quick enough for the checks: nothing is optimised.

    Kept for the last few places, for the same places are asked for by checks, tables and map alike.
    Source: docs/formulas/placement.md.
    """
    table = transit_table(places)
    current = site_set(table, table.current)
    total = sum((city.users for city in places.cities), Decimal(0))
    top = sum((city.users for city in table.top_cities), Decimal(0))
    share = float(top / total) if total else None
    return CurrentPlacement(table, current, share, tuple(_notes(table, current)))


@lru_cache(maxsize=KEPT)
def placement_of(places: Places) -> Placement:
    """Today and the proposals: exact over at most fifteen sites, every subset of them is tried.

    Of a number of sites for which no subset serves every city that some site may serve, of the top 80% of users and
    beyond them, there is no proposal.
    """
    today = current_placement(places)
    table = today.table
    top = slice(0, table.covering)
    users = np.array([float(city.users) for city in table.top_cities], dtype=np.float64)
    if len(places.sites) <= MOST_SITES:
        tried = tuple(range(len(places.sites)))
    else:
        tried = shortlist(*add_residency_rules(table, users), table.current)
    left_out = tuple(site.site_id for at, site in enumerate(places.sites) if at not in set(tried))
    if not tried or not table.covering:
        return Placement(today=today, proposed=(), cheapest_within=None, left_out=left_out, notes=today.notes)
    ms = table.ms[top][:, tried]
    prices = [places.sites[at].usd_per_month for at in tried]
    usd = [None if price is None else float(price) for price in prices]
    subsets = subset_means(ms, users, np.isfinite(table.ms[table.covering :][:, tried]))

    def chosen(mask: int) -> SiteSet:
        return site_set(table, tuple(tried[at] for at in members(mask)))

    best = best_subsets(subsets, usd)
    proposed = tuple(chosen(best[size]) for size in sorted(best))
    if left_out:
        sets = [[tried[at] for at in members(best[size])] for size in sorted(best)]
        proposed = tuple(site_set(table, columns) for columns in all_sizes(table, sets))
        proposed = tuple(
            replace(sites, shortest_ms=bound_mean_latency_ms(table, users, sites)) for sites in proposed
        )
    cheap = (chosen(mask) for mask in cheapest_first(subsets, usd, LONGEST_MS))
    within = next((sites for sites in cheap if not sites.service.is_over_80), None)
    notes = (*today.notes, *note_untried_sets(left_out, best, len(tried)), *note_equal_latency(proposed))
    return Placement(today=today, proposed=proposed, cheapest_within=within, left_out=left_out, notes=notes)


_ROUNDS: Final = 100
_TIGHT: Final = 0.995
"""Of the mean way: a bound so near to it is not brought nearer."""


def bound_mean_latency_ms(table: TransitTable, users: Floats, sites: SiteSet) -> float | None:
    """A mean way that no set of as many sites beats; None where the set does not serve the whole top 80% of users.

    What each city pays in all is a bound, less what the sites that would gain most take from it (Lagrange): from the
    nearest way on, cities that several of these serve pay less, and those that none serves more.
    """
    if (mean := sites.mean_one_way_ms) is None:
        return None
    ways = (users / users.sum())[:, None] * table.ms[: table.covering]
    pays, best, step, idle = ways.min(axis=1), 0.0, 2.0, 0
    for _ in range(_ROUNDS):
        gains = np.minimum(ways - pays[:, None], 0.0)
        of_site = gains.sum(axis=0)
        chosen = np.argsort(of_site, kind="stable")[: len(sites.sites)]
        bound = float(pays.sum() + of_site[chosen].sum())
        idle = 0 if bound > best * (1 + ALIKE) else idle + 1
        best = max(best, bound)
        unserved = 1 - np.count_nonzero(gains[:, chosen], axis=1)
        if best >= mean * _TIGHT or not unserved.any():
            break
        step = step / 2 if idle % 5 == 4 else step
        pays = pays + step * (mean - bound) / (unserved @ unserved) * unserved
    return min(best, mean)


REST_WEIGHT: Final = 1e-6
"""Of users below the top 80%: they decide where those have the same way."""


def all_sizes(table: TransitTable, sets: Sequence[list[int]]) -> Iterator[tuple[int, ...]]:
    """Sets of sites, as columns, each with sites exchanged for better ones while there are any: those of `sets`, where
    all of some were tried, then the one before with whichever helps most next.

    It ends where no further site shortens anybody's way.
    """
    ms = table.ms
    users = np.array([float(city.users) for city in table.places.cities], dtype=np.float64)
    users[table.covering :] *= REST_WEIGHT
    chosen = [] if sets else list(helping_most(ms, np.ones(len(ms)), (), MOST_SITES))
    for each in sets:
        chosen = exchange_sites(ms, users, each)
        yield tuple(sorted(chosen))
    while len(chosen) < ms.shape[1]:
        nearest = np.min(ms[:, chosen], axis=1)
        outside = [at for at in range(ms.shape[1]) if at not in set(chosen)]
        at, closer = choose_next_site(ms[:, outside], users, nearest)
        if (closer >= nearest * (1 - ALIKE)).all():
            return
        chosen = exchange_sites(ms, users, [*chosen, outside[at]])
        yield tuple(sorted(chosen))


def exchange_sites(ms: Floats, users: Floats, chosen: list[int]) -> list[int]:
    """The set with a site exchanged, those that help least first, as long as another serves as many and is nearer."""
    if len(chosen) == ms.shape[1]:
        return chosen
    ways = np.sort(np.column_stack((ms[:, chosen], np.full(len(ms), np.inf))), axis=1)
    with np.errstate(invalid="ignore"):
        lost = np.nan_to_num((ways[:, 1] - ways[:, 0]) * users, posinf=np.inf)
    now = np.isfinite(ways[:, 0])
    helps = np.bincount(np.argmin(ms[:, chosen], axis=1), weights=lost, minlength=len(chosen))
    outside = np.setdiff1d(np.arange(ms.shape[1]), chosen).tolist()
    for least in helps.argsort(kind="stable")[:MOST_SITES].tolist():
        rest = [site for at, site in enumerate(chosen) if at != least]
        at, closer = choose_next_site(ms[:, outside], users, np.min(ms[:, rest], axis=1, initial=np.inf))
        if np.isfinite(closer[now]).all() and closer[now] @ users[now] < ways[now, 0] @ users[now] * (
            1 - ALIKE
        ):
            return exchange_sites(ms, users, [*rest, outside[at]])
    return chosen


def add_residency_rules(table: TransitTable, users: Floats) -> tuple[Floats, Floats]:
    """Ways and users of the top cities, and a row without users for each rule that other cities have."""
    rules = np.unique(np.isfinite(table.ms[table.covering :]), axis=0)
    ways = np.vstack((table.ms[: table.covering], np.where(rules, 0.0, np.inf)))
    return ways, np.concatenate((users, np.zeros(len(rules))))


def site_set(table: TransitTable, columns: tuple[int, ...]) -> SiteSet:
    """What some sites (columns of the table) give, their price, and how they differ from those of today.

    $ are a month, of all its sites: None as soon as one of them states no price, 0 for no site at all.
    """
    sites, current = table.places.sites, set(table.current)
    chosen = set(columns)
    prices = [sites[at].usd_per_month for at in sorted(chosen)]
    known = [price for price in prices if price is not None]
    usd = float(sum(known, Decimal(0))) if len(known) == len(prices) else None
    service = serve(table, columns)
    figures = SITE_SET.row({"mean_one_way_ms": service.mean_one_way_ms})
    return SiteSet(
        sites=tuple(sites[at].site_id for at in sorted(chosen)),
        service=service,
        round_trip_ms=figures["round_trip_ms"],
        usd_per_month=usd,
        adds=tuple(sites[at].site_id for at in sorted(chosen - current)),
        drops=tuple(sites[at].site_id for at in sorted(current - chosen)),
    )


def forbidden_countries(cities: tuple[UserCity, ...]) -> tuple[str, ...]:
    """The countries of cities that no site may serve, as they are written, in order.

    Each country once, sorted as text.
    """
    return tuple(sorted({city.country for city in cities}))


def _notes(table: TransitTable, current: SiteSet) -> Iterator[Message]:
    """What the planner should know of today's sites, gravest first: nobody served, rules of residency,
    measurements, prices.
    """
    places = table.places
    if places.sites and not current.sites:
        yield worded("No current site. Write true in the column current.")
    service = current.service
    for name, cities in (
        (worded("in the top 80% of users"), service.unserved),
        (worded("beyond the top 80%"), service.unserved_others),
    ):
        if cities and current.sites:
            users = sum((city.users for city in cities), Decimal(0))
            yield worded(
                "Data residency: no current site may serve {cities} ({users} users {name}). Add one in an "
                "allowed country or correct the rule.",
                cities=", ".join(forbidden_countries(cities)),
                users=exact(users),
                name=name,
            )
    countries = {folded(site.country) for site in places.sites}
    nowhere = [
        rule.country
        for rule in places.residency
        if not countries & {folded(name) for name in rule.allowed_site_countries}
    ]
    if nowhere:
        yield worded(
            "Data residency: no site is in a country allowed for {nowhere}.", nowhere=", ".join(nowhere)
        )
    yield from note_unused_measurements(places)
    unpriced = [site.site_id for site in places.sites if site.usd_per_month is None]
    if unpriced:
        yield worded("{unpriced} has no price: totals are unknown.", unpriced=", ".join(unpriced))


def note_unused_measurements(places: Places) -> Iterator[Message]:
    """Measured ways that nothing can be done with, at most five by name, and cities whose country a row
    should have named.
    """
    cities: dict[str, set[str]] = {}
    for city in places.cities:
        cities.setdefault(folded(city.city), set()).add(folded(city.country))
    sites = {folded(site.site_id) for site in places.sites}
    unused = [
        worded("{city} to {site}", city=row.city, site=row.site_id)
        for row in places.measured
        if not is_between_countries(row)
        and (
            folded(row.site_id) not in sites
            or folded(row.city) not in cities
            or (row.country and folded(row.country) not in cities[folded(row.city)])
        )
    ]
    shared = sorted(
        {row.city for row in places.measured if not row.country and len(cities.get(folded(row.city), ())) > 1}
    )
    if unused:
        more = worded(" and {unused} more", unused=whole(len(unused) - 5)) if len(unused) > 5 else ""
        yield worded(
            "Measured for unlisted cities or sites: {unused}{more}.",
            unused=", ".join(map(str, unused[:5])),
            more=more,
        )
    if shared:
        yield worded(
            "Several countries have a {shared}: its measurements count for each. To separate, add a column "
            "country.",
            shared=", ".join(shared),
        )


def note_untried_sets(left_out: tuple[str, ...], best: dict[int, int], tried: int) -> Iterator[Message]:
    """Which sites were not tried, and for which numbers of sites there is no proposal. tried: the most sites
    of a set.
    """
    if left_out:
        yield worded(
            "Proposals of up to {most_sites} sites keep current sites and add the most helpful. {left_out} "
            "appear only in larger ones.",
            most_sites=whole(MOST_SITES),
            left_out=whole(len(left_out)),
        )
    missing = [str(size) for size in range(1, tried + 1) if size not in best]
    if missing:
        sites = "site" if missing == ["1"] else "sites"
        yield worded(
            "Data residency: no set of {missing} {sites} can serve all users.",
            missing=" or ".join(missing),
            sites=sites,
        )


def note_equal_latency(proposed: Sequence[SiteSet]) -> Iterator[Message]:
    """Sets whose mean way is written as that of a smaller one, with what both cost: others alone may gain."""
    priced = (sites for sites in proposed if sites.usd_per_month is not None)
    for ms, alike in groupby(priced, lambda sites: sites.mean_one_way_ms and round(sites.mean_one_way_ms, 1)):
        least, *more = alike
        if ms is not None and more:
            yield worded(
                "Best {more}: same latency for the top 80% of users as Best {least} ({ms} ms one way), at "
                "{usd} per month instead of {less}. Only others may gain.",
                more=joined((whole(len(sites.sites)) for sites in more), ", "),
                least=whole(len(least.sites)),
                ms=decimals(ms),
                usd=joined((amount(sites.usd_per_month) for sites in more), ", "),
                less=amount(least.usd_per_month),
            )

"""Slices: how a row's demand is cut, even as far as it reaches soon, and how busy each slice is."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil, floor
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.cache import Scratch
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.intake import LogGap, quiet_gaps
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, has_calendar
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Slicing: how a row's demand is cut, in even slices as far as it reaches soon, in ever wider ones above that

MOST_TODAY: Final = 512
"""Slices that today's peak may take: above it the block doubles."""
MOST_SOON: Final = 384
"""Even slices that the next 12 months' peak may take."""
SOON_MONTHS: Final = 12
MOST_BLOCKS: Final = 8192
"""Blocks of a row whose busy shares are worked out one by one."""
WIDER: Final = 1.25
"""Above the even slices each is about so many times as wide as the one before: in whole blocks, as it is sold."""


@dataclass(frozen=True, slots=True)
class Slicing:
    """The slices of one row: `even` of `block` GPUs each, above them `grown`, each about 1.25 times the one before.

    Units: GPUs for `block`, numbers of slices for `even` and `grown`.
    Source: docs/formulas/demand.md, Slices.

    >>> Slicing(block=8, even=2).edges.tolist(), Slicing(block=8, even=2).count
    ([0.0, 8.0, 16.0], 2)
    """

    block: int
    even: int
    grown: int = 0

    @property
    def count(self) -> int:
        """Number of slices."""
        return self.even + self.grown

    @property
    def widths(self) -> Floats:
        """b_k: GPUs of each slice, shape (count,); not to be written to."""
        return _widths(self)

    @property
    def edges(self) -> Floats:
        """Where each slice begins, in GPUs, and where the last ends; shape (count + 1,); not to be written to."""
        return _edges(self)

    def below(self, slices: int) -> float:
        """GPUs of the lowest so many slices together.

        slices: how many, 0 to count. Errors: IndexError beyond that.
        """
        return float(self.edges[slices])

    def gpus(self, first: int, last: int) -> float:
        """GPUs of slices first..last together, counted from 1.

        Errors: IndexError for slices that are not there.

        >>> Slicing(block=8, even=4).gpus(2, 3)
        16.0
        """
        return self.below(last) - self.below(first - 1)

    def in_slices(self, demand_blocks: Floats) -> Floats:
        """Demand in blocks as slices that it fills, changed in place: the whole part fills them, the rest is of the
        next one."""
        if self.grown:
            flat, edges = demand_blocks.reshape(-1), _ladder(self)[0]
            # what is over the top fills all anyway
            tall = np.flatnonzero((flat > self.even) & (flat < edges[-1]))
            if len(tall):
                flat[tall] = _climbed(self, flat[tall])
        return demand_blocks


def _climbed(of: Slicing, blocks: Floats) -> Floats:
    """Demand in blocks above the even slices and below the top, as slices that it fills."""
    edges, per_block = _ladder(of)
    at = np.searchsorted(edges, blocks, side="right") - 1
    return np.asarray((of.even + at) + (blocks - edges[at]) * per_block[at], dtype=np.float64)


@lru_cache(maxsize=256)
def _ladder(of: Slicing) -> tuple[Floats, Floats]:
    """Above the even slices: where each begins, and last where they end, in blocks; slices a block (0 at the end)."""
    edges = of.edges[of.even :] / of.block
    return edges, np.append(1.0 / np.diff(edges), 0.0)


def _wide_blocks(number: int) -> int:
    """Blocks of the slice so many above the last even one, which is 0."""
    return floor(WIDER**number + 0.5)


@lru_cache(maxsize=256)
def _widths(of: Slicing) -> Floats:
    """Of equal slicings one array, which nobody may write to."""
    first = 1 if of.even else 0  # the lowest slice is a block
    wider = [of.block * _wide_blocks(first + number) for number in range(of.grown)]
    widths = np.concatenate((np.full(of.even, float(of.block)), wider))
    widths.setflags(write=False)
    return widths


@lru_cache(maxsize=256)
def _edges(of: Slicing) -> Floats:
    """Of equal slicings one array, which nobody may write to."""
    edges = np.concatenate(([0.0], np.cumsum(of.widths)))
    edges.setflags(write=False)
    return edges


@dataclass(frozen=True, slots=True)
class Peaks:
    """The largest demand of a row along today's level, in GPUs: of month 0 without the contracts that end by the
    horizon, of the 12 months, up to the horizon."""

    today: float
    soon: float
    ever: float


def usual_units(project: Project, unit: int | None) -> dict[str, int]:
    """GPUs of the usual node of the model of every commitment of bare metal that says no unit, by offer_id; none where
    the planner set one."""
    return {
        offer.offer_id: node
        for offer in (project.offers if unit is None else ())
        if offer.bare_metal and not offer.unit_gpus and offer.pricing_category.is_commitment
        if (node := project.node_gpus.get(offer.gpu_model))
    }


def in_nodes(offers: Sequence[Offer], nodes: Mapping[str, int], peak_gpus: float) -> tuple[Offer, ...]:
    """Offers as they are sold to a row of such a peak today: in usual nodes where it is one at least. nodes: by
    offer_id, as of `usual_units`. Source: docs/formulas/policy.md."""
    return tuple(
        replace(offer, unit_gpus=nodes[offer.offer_id] if nodes[offer.offer_id] <= peak_gpus else None)
        if offer.offer_id in nodes
        else offer
        for offer in offers
    )


def asked_block(block: int | None, commitments: Sequence[Offer]) -> int:
    """GPUs a slice before today's peak is looked at: the planner's, else the largest unit that a commitment open to the
    row is sold in, else 1."""
    return block or max((offer.unit_gpus or 1 for offer in commitments), default=1)


def block_for(today_gpus: float, block: int) -> int:
    """`block`, doubled as often as today's peak needs to take at most 512 slices.

    today_gpus: the peak of month 0 at today's level.

    >>> block_for(512, 1), block_for(513, 1), block_for(10_000, 8)
    (1, 2, 32)
    """
    while today_gpus > MOST_TODAY * block:
        block *= 2
    return block


def slicing_of(peaks: Peaks, block: int, at_least_gpus: int) -> Slicing:
    """The slices of a row. at_least_gpus: even slices reach so far (levels set by hand), in whole blocks.

    Law: no slice below today's peak is wider than a block.
    """
    even = max(ceil(peaks.today / block), min(ceil(peaks.soon / block), MOST_SOON), at_least_gpus // block)
    top, first, grown = even * block, 1 if even else 0, 0
    while top < peaks.ever:
        top, grown = top + block * _wide_blocks(first + grown), grown + 1
    return Slicing(block, even, grown)


# --- A gap in the log: idle, until the planner says that it is missing (docs/formulas/policy.md)


def gaps_of(project: Project, scenario: Scenario) -> tuple[LogGap, ...]:
    """Days of the window without any job of the log; of a project that does not say, without any on GPUs."""
    if project.jobs.gaps is not None:
        return project.jobs.gaps
    planned = {work.key for work in scenario.planned}
    logged = np.array([workload.key not in planned for workload in project.workloads], dtype=np.bool_)
    is_busy = np.zeros(project.window.hours, dtype=np.bool_)
    is_busy[project.cube.of_workloads(logged).hour] = True
    return quiet_gaps(is_busy, project.window)


def missing_hours(project: Project, scenario: Scenario) -> Bools | None:
    """The hours of such gaps where the planner says that the log lacks them, (hours,); None where there are none."""
    gaps = gaps_of(project, scenario) if scenario.is_gap_missing else ()
    if not gaps:
        return None
    begins_s = project.window.start_s + HOUR_S * np.arange(project.window.hours, dtype=np.int64)
    inside = [(gap.start_s <= begins_s) & (begins_s < gap.end_s) for gap in gaps]
    return np.asarray(np.any(inside, axis=0), dtype=np.bool_)


# --- Slices of demand: how busy each block of GPUs is --------------------------------------------


END_OF_MONTH_H: Final = 240
"""The first ten days of a calendar month and the last ten count in full: most monthly jobs run on them."""


def months_back(hours: int, end_s: int) -> tuple[Ints, Floats]:
    """Whole calendar months from each hour to the window's end, and the hour's share of a month of 730 h.

    Shapes: (hours,) each, oldest first. end_s: epoch seconds. A month before the first half of a month begins as long
    after the start of a month, a month before the second half as long before the end of one: so each month holds one
    first day and one last day. The first ten days and the last ten have the share 1; the days between share what is
    left of 730 h. The oldest month has the share 0 where the log holds only a part of it. A log without a calendar has
    months of 730 h. Source: docs/formulas/demand.md, Slices.

    >>> [part[[0, 1, -1]].round(4).tolist() for part in months_back(745, 1_793_491_200)]
    [[1, 0, 0], [0.0, 1.0, 1.0]]
    """
    back = np.arange(hours + 1, -1, -1)
    if not has_calendar(end_s):
        months, share = (back - 1) // HOURS_PER_MONTH, np.ones(len(back))
    else:
        at = np.datetime64(end_s // HOUR_S, "h") - back
        month = at.astype("datetime64[M]")
        since, left = (at - month).astype(np.int64), (month + 1 - at).astype(np.int64)
        is_late = bool(left[-1] < since[-1])
        is_after = left <= left[-1] if is_late else since >= since[-1]
        months = (month[-1] - month).astype(np.int64) - is_after
        of = month + is_after - (not is_late)  # as long as the whole month back that holds the hour
        between_h = (of + 1).astype(at.dtype).astype(np.int64) - of.astype(at.dtype).astype(np.int64)
        between_h -= 2 * END_OF_MONTH_H
        is_between = (since >= END_OF_MONTH_H) & (left > END_OF_MONTH_H)
        share = np.where(is_between, (HOURS_PER_MONTH - 2 * END_OF_MONTH_H) / between_h, 1.0)
    share *= months < months[0]  # of the hour before the log
    return months[1:-1], share[1:-1]


def hour_weights(
    hours: int, half_life_days: float | None, missing: Bools | None = None, months_to_s: int | None = None
) -> Floats | None:
    """Weights 2^(-age / half-life) that add up to 1, age in whole weeks back from the window's end.

    Shapes: (hours,), oldest first. months_to_s: the window's end where demand has a cycle of a month: ages are whole
    months then, as `months_back` counts them. So each hour of a cycle weighs alike, wherever in it the log ends.
    missing: hours of which nobody knows what ran, which weigh nothing. None where all hours count alike. Source:
    docs/formulas/demand.md, Slices.

    >>> (hour_weights(336, 7.0) * 252).round(12).tolist()[166:170]
    [0.5, 0.5, 1.0, 1.0]
    """
    if half_life_days is None and missing is None:
        return None
    if months_to_s is None or half_life_days is None:  # without a half-life no hour is older than another
        steps, step_h, share = np.arange(hours - 1, -1, -1) // WEEK_HOURS, WEEK_HOURS, np.ones(hours)
    else:
        (steps, share), step_h = months_back(hours, months_to_s), HOURS_PER_MONTH
    weights = share if half_life_days is None else share * np.exp2(-steps * (step_h / 24) / half_life_days)
    if missing is not None:
        weights[missing] = 0.0
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def weighted_mean(hourly: Floats, weights: Floats | None) -> float:
    """Mean over hours, in the unit of `hourly`. Shapes: hourly, weights (hours,); weights None: all alike.

    weights: as `hour_weights` gives them, adding up to 1.

    >>> weighted_mean(np.array([1.0, 3.0]), None), weighted_mean(np.array([1.0, 3.0]), np.array([0.25, 0.75]))
    (2.0, 2.5)
    """
    return float(hourly.mean() if weights is None else hourly @ weights)


def busy_shares(
    demand_slices: Floats, slices: int, weights: Floats | None, scratch: Scratch | None = None
) -> Floats:
    """u_k: the mean over hours of clip(R - (k - 1), 0, 1) for k = 1..slices.

    Shapes: demand_slices (states, hours), in slices that it fills (Slicing.in_slices); returns (states, slices), the
    lowest slice first.
    Law: the shares of a state add up to its mean demand in slices, where that stays within them.
    An hour fills the slices under its whole part, and its fraction goes to the next: a count and a sum per slice.
    """
    states, hours = demand_slices.shape
    scratch = scratch or Scratch()
    within, whole = (scratch.floats(name, demand_slices.shape) for name in ("within", "whole"))
    np.clip(demand_slices, 0.0, float(slices), out=within)
    np.floor(within, out=whole)
    within -= whole
    places = scratch.ints("places", demand_slices.shape)
    np.copyto(places, whole, casting="unsafe")
    if weights is not None:
        within *= weights
    shares = np.empty((states, slices))
    for state, (place, part) in enumerate(zip(places, within, strict=True)):
        # an hour that fills every slice has the place after the last, whose part is nothing
        full = np.bincount(place, weights, minlength=slices + 1)
        above = full[:0:-1].cumsum()[::-1]  # from the top, so that the highest slices keep their digits
        np.add(above, np.bincount(place, part, minlength=slices + 1)[:-1], out=shares[state])
    if weights is None:
        shares /= hours
    np.minimum(shares, 1.0, out=shares)  # weights add up to 1 but for the last bit
    return shares


def shares_of_slices(
    slicing: Slicing, demand_blocks: Floats, weights: Floats | None, scratch: Scratch | None = None
) -> Floats:
    """u_k of every slice, the wider ones too: as busy as their blocks are in the mean.

    Shapes: as of busy_shares, demand in blocks, which may be changed in place. Above MOST_BLOCKS every hour is looked
    up in the wider slices instead.
    """
    blocks = (slicing.edges / slicing.block).astype(np.int64)
    if not slicing.grown or blocks[-1] > MOST_BLOCKS:
        return busy_shares(slicing.in_slices(demand_blocks), slicing.count, weights, scratch)
    by_block = busy_shares(demand_blocks, int(blocks[-1]), weights, scratch)
    return np.asarray(np.add.reduceat(by_block, blocks[:-1], axis=1) / np.diff(blocks))

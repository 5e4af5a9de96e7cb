"""Slices of a row's demand, even up to the demand expected soon, and the busy share of each."""

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
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, has_calendar
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Slicing: even slices up to the demand expected soon, and wider ones above ---------------------

MOST_TODAY: Final = 512
"""Most slices for today's peak; above it the block doubles."""
MOST_SOON: Final = 384
"""Most even slices for the next 12 months' peak."""
SOON_MONTHS: Final = 12
MOST_BLOCKS: Final = 8192
"""Most blocks of a row whose busy shares are calculated one by one."""
WIDER: Final = 1.25
"""Ratio of widths of adjacent slices above the even ones, in whole blocks."""


@dataclass(frozen=True, slots=True)
class Slicing:
    """The slices of one row: `even` of `block` GPUs each, above them `grown`, each about 1.25 times as wide as the one
    below.

    block: GPUs. even, grown: numbers of slices. Source: docs/formulas/demand.md, Slices.

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
        """b_k: GPUs of each slice, shape (count,); read-only."""
        return _widths(self)

    @property
    def edges(self) -> Floats:
        """Lower edge of each slice in GPUs, and the top; shape (count + 1,); read-only."""
        return _edges(self)

    def below(self, slices: int) -> float:
        """Return the GPUs of the lowest slices together. slices: 0 to count. Errors: IndexError."""
        return float(self.edges[slices])

    def gpus(self, first: int, last: int) -> float:
        """Return the GPUs of slices first..last together, counted from 1. Errors: IndexError.

        >>> Slicing(block=8, even=4).gpus(2, 3)
        16.0
        """
        return self.below(last) - self.below(first - 1)

    def in_slices(self, demand_blocks: Floats) -> Floats:
        """Convert demand in blocks to filled slices, in place: the whole part is full slices, the fraction fills the
        next.
        """
        if self.grown:
            flat = demand_blocks.reshape(-1)
            edges, _ = _ladder(self)
            # demand above the top fills all slices
            tall = np.flatnonzero((flat > self.even) & (flat < edges[-1]))
            if len(tall):
                flat[tall] = _climbed(self, flat[tall])
        return demand_blocks


def _climbed(of: Slicing, blocks: Floats) -> Floats:
    """Return demand in blocks, above the even slices and below the top, as filled slices."""
    edges, per_block = _ladder(of)
    at = np.searchsorted(edges, blocks, side="right") - 1
    return np.asarray((of.even + at) + (blocks - edges[at]) * per_block[at], dtype=np.float64)


@lru_cache(maxsize=256)
def _ladder(of: Slicing) -> tuple[Floats, Floats]:
    """Return the wider slices: edges in blocks, and slices per block (0 at the end)."""
    edges = of.edges[of.even :] / of.block
    return edges, np.append(1.0 / np.diff(edges), 0.0)


def _wide_blocks(number: int) -> int:
    """Return the blocks of the slice `number` above the last even one, which is 0."""
    return floor(WIDER**number + 0.5)


@lru_cache(maxsize=256)
def _widths(of: Slicing) -> Floats:
    """Return the widths; equal slicings share one read-only array."""
    first = 1 if of.even else 0  # the lowest slice is one block
    wider = [of.block * _wide_blocks(first + number) for number in range(of.grown)]
    widths = np.concatenate((np.full(of.even, float(of.block)), wider))
    widths.setflags(write=False)
    return widths


@lru_cache(maxsize=256)
def _edges(of: Slicing) -> Floats:
    """Return the edges; equal slicings share one read-only array."""
    edges = np.concatenate(([0.0], np.cumsum(of.widths)))
    edges.setflags(write=False)
    return edges


@dataclass(frozen=True, slots=True)
class Peaks:
    """Largest demand of a row at today's level, in GPUs: of month 0 without contracts that end within the horizon, of
    the
    12 months, and up to the horizon.
    """

    today: float
    soon: float
    ever: float


def usual_units(project: Project, unit: int | None) -> dict[str, int]:
    """Return the GPUs of the usual node for bare-metal commitments that state no unit, by offer_id; empty if the user
    set
    a unit.
    """
    return {
        offer.offer_id: node
        for offer in (project.offers if unit is None else ())
        if offer.bare_metal and not offer.unit_gpus and offer.pricing_category.is_commitment
        if (node := project.node_gpus.get(offer.gpu_model))
    }


def in_nodes(offers: Sequence[Offer], nodes: Mapping[str, int], peak_gpus: float) -> tuple[Offer, ...]:
    """Return the offers as sold for such a peak today: in usual nodes if it is at least one node. nodes: by offer_id,
    from
    `usual_units`. Source: docs/formulas/policy.md.
    """
    return tuple(
        replace(offer, unit_gpus=nodes[offer.offer_id] if nodes[offer.offer_id] <= peak_gpus else None)
        if offer.offer_id in nodes
        else offer
        for offer in offers
    )


def asked_block(block: int | None, commitments: Sequence[Offer]) -> int:
    """Return the GPUs per slice before today's peak counts: the user's, otherwise the largest unit of the row's
    commitments.
    """
    return block or max((offer.unit_gpus or 1 for offer in commitments), default=1)


def block_for(today_gpus: float, block: int) -> int:
    """Return `block`, doubled until today's peak needs at most 512 slices.

    today_gpus: the peak of month 0 at today's level.

    >>> block_for(512, 1), block_for(513, 1), block_for(10_000, 8)
    (1, 2, 32)
    """
    while today_gpus > MOST_TODAY * block:
        block *= 2
    return block


def slicing_of(peaks: Peaks, block: int, at_least_gpus: int) -> Slicing:
    """Return the slices of a row. at_least_gpus: even slices reach this far (layers set by the user), in whole blocks.

    Law: no slice below today's peak is wider than a block.
    """
    even = max(ceil(peaks.today / block), min(ceil(peaks.soon / block), MOST_SOON), at_least_gpus // block)
    top, first, grown = even * block, 1 if even else 0, 0
    while top < peaks.ever:
        top, grown = top + block * _wide_blocks(first + grown), grown + 1
    return Slicing(block, even, grown)


# --- A gap in the log: idle, unless the user states that data are missing (docs/formulas/policy.md)


def gaps_of(project: Project, scenario: Scenario) -> tuple[LogGap, ...]:
    """Return the days of the window without a logged job; for older projects, without GPU time."""
    if project.jobs.gaps is not None:
        return project.jobs.gaps
    planned = {work.key for work in scenario.planned}
    logged = np.array([workload.key not in planned for workload in project.workloads], dtype=np.bool_)
    is_busy = np.zeros(project.window.hours, dtype=np.bool_)
    is_busy[project.cube.of_workloads(logged).hour] = True
    return quiet_gaps(is_busy, project.window)


def missing_hours(project: Project, scenario: Scenario) -> Bools | None:
    """Return the hours of gaps that the user declared missing, as a mask (hours,); None without any."""
    gaps = gaps_of(project, scenario) if scenario.is_gap_missing else ()
    if not gaps:
        return None
    begins_s = project.window.start_s + HOUR_S * np.arange(project.window.hours, dtype=np.int64)
    inside = [(gap.start_s <= begins_s) & (begins_s < gap.end_s) for gap in gaps]
    return np.asarray(np.any(inside, axis=0), dtype=np.bool_)


# --- Slices of demand: busy share of each block of GPUs -------------------------------------------


END_OF_MONTH_H: Final = 240
"""The first and last ten days of a calendar month count in full, because most monthly jobs run then."""


def months_back(hours: int, end_s: int) -> tuple[Ints, Floats]:
    """Return the whole calendar months from each hour to the window's end, and the hour's share of a month of 730 h.

    Shapes: (hours,) each, oldest first. end_s: epoch seconds. Months before the first half of a month are aligned at
    the month's start, before the second half at its end: so each month contains one first and one last day. The first
    and last ten days have the share 1; the days between share the rest of 730 h. The oldest month has the share 0 if
    the log covers only a part. A log without a calendar has months of 730 h. Source: docs/formulas/demand.md, Slices.

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
        of = month + is_after - (not is_late)  # as long as the whole month back with this hour
        between_h = (of + 1).astype(at.dtype).astype(np.int64) - of.astype(at.dtype).astype(np.int64)
        between_h -= 2 * END_OF_MONTH_H
        is_between = (since >= END_OF_MONTH_H) & (left > END_OF_MONTH_H)
        share = np.where(is_between, (HOURS_PER_MONTH - 2 * END_OF_MONTH_H) / between_h, 1.0)
    share *= months < months[0]  # for the hour before the log
    return months[1:-1], share[1:-1]


def hour_weights(
    hours: int, half_life_days: float | None, missing: Bools | None = None, months_to_s: int | None = None
) -> Floats | None:
    """Return weights 2^(-age / half-life) that add up to 1, with the age in whole weeks before the window's end.

    Shapes: (hours,), oldest first. half_life_days: None: equal weights. months_to_s: the window's end, epoch seconds,
    for demand with a monthly cycle: ages are then whole months, as from `months_back`, so that all hours of a cycle
    weigh the same wherever the log ends. missing: hours with unknown use, which weigh 0. None if all hours count
    equally. Source: docs/formulas/demand.md, Slices.

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
    """Return the mean over hours, in the unit of `hourly`. Shapes: hourly, weights (hours,); weights None: equal.

    weights: add up to 1, as from `hour_weights`.

    >>> weighted_mean(np.array([1.0, 3.0]), None), weighted_mean(np.array([1.0, 3.0]), np.array([0.25, 0.75]))
    (2.0, 2.5)
    """
    return float(hourly.mean() if weights is None else hourly @ weights)


def busy_shares(
    demand_slices: Floats, slices: int, weights: Floats | None, scratch: Scratch | None = None
) -> Floats:
    """Return u_k: the mean over hours of clip(R - (k - 1), 0, 1) for k = 1..slices.

    Shapes: demand_slices (states, hours), in filled slices (Slicing.in_slices); returns (states, slices), lowest first.
    Law: the shares of a state add up to its mean demand in slices, if that stays within them.
    An hour fills the slices below its whole part, and its fraction the next: a count and a sum per slice.
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
        # an hour that fills every slice has the index after the last, with a fraction of 0
        full = np.bincount(place, weights, minlength=slices + 1)
        above = full[:0:-1].cumsum()[::-1]  # from the top, so that the highest slices keep their precision
        np.add(above, np.bincount(place, part, minlength=slices + 1)[:-1], out=shares[state])
    if weights is None:
        shares /= hours
    np.minimum(shares, 1.0, out=shares)  # weights add up to 1 except for the last bit
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

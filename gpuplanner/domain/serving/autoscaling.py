"""Autoscaling as it is: replicas that take time to start, replayed over the traffic, beside flat and perfect."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.replicas import ServingTerms, autoscaled_hours, replicas_by_hour, replicas_for
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Autoscaler:
    """How it follows the traffic, from the assumptions of the same names. Units: seconds, replicas.

    delay_s: from more traffic to the order; start_s: from the order until a replica serves; cool_down_s: of less
    traffic before replicas go; least: that always run; spare: beside those that are asked for; most: that it may hold.
    """

    delay_s: float
    start_s: float
    cool_down_s: float
    least: int
    spare: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of it. missed_share: of requests that waited longer than they may; backlog_most: requests that waited
    at once; backlog_hours: how long anybody waited, of the traffic that is known.
    """

    replicas_flat: int
    replicas_mean: float
    replicas_perfect: float
    missed_share: float
    backlog_most: float
    backlog_hours: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time of one rate and one number of replicas. ready: that serve; paid: with those that start."""

    seconds: float
    requests_per_s: float
    ready: int
    paid: int


def replay_row(load: Load, row: SizedRow, terms: ServingTerms) -> Replay | None:
    """How an autoscaler would have followed the traffic on a sized row; None where its size is not known.

    It holds no more than the row's replicas. A request may wait for what the targets of the first token leave.
    """
    if row.requests_per_s is None or row.replicas_peak is None:
        return None
    scaler = Autoscaler(
        delay_s=terms.scale_delay_s,
        start_s=terms.start_s,
        cool_down_s=terms.cool_down_s,
        least=min(terms.replicas_least, row.replicas_peak),
        spare=row.replicas_spare,
        most=row.replicas_peak,
    )
    targets = (terms.targets.ttft_p50_ms, terms.targets.ttft_p95_ms)
    left_ms = [target - terms.way_ms - (row.prefill_ms or 0.0) for target in targets if target is not None]
    may_wait_s = max(0.0, min(left_ms, default=0.0)) / 1e3
    return replay(load, row.requests_per_s, terms.headroom, scaler, may_wait_s)


def replay(load: Load, mu: float, headroom: float, scaler: Autoscaler, may_wait_s: float = 0.0) -> Replay:
    """Replay the traffic. mu: requests/s of a replica; may_wait_s: what a request may wait in the queue.

    Requests are a flow: where more come than the replicas that run can do, they queue, and are served in turn. Source:
    docs/formulas/sizing.md.
    """
    at_s, came, queued, paid_s, capacity = [0.0], [0.0], [0.0], 0.0, 0.0
    for part in stretches(load, mu, headroom, scaler):
        capacity = part.ready * mu
        flow = part.requests_per_s - capacity
        begins_s, before, queue = at_s[-1], came[-1], queued[-1]
        ends = [(part.seconds, max(0.0, queue + flow * part.seconds))]
        if queue and flow < 0 and (empty_s := queue / -flow) < part.seconds:
            ends.insert(0, (empty_s, 0.0))
        for seconds, left in ends:
            at_s.append(begins_s + seconds)
            came.append(before + part.requests_per_s * seconds)
            queued.append(left)
        paid_s += part.paid * part.seconds
    all_s, waits = at_s[-1], np.array(queued) > 0
    perfect = autoscaled_hours(load, replicas_by_hour(load, mu, headroom)) / load.month_per_second
    return Replay(
        replicas_flat=scaler.most,
        replicas_mean=paid_s / all_s if all_s else 0.0,
        replicas_perfect=perfect / all_s if all_s else 0.0,
        missed_share=missed_requests(np.array(at_s), np.array(came), np.array(queued), capacity, may_wait_s)
        / (came[-1] or 1.0),
        backlog_most=max(queued),
        backlog_hours=float(np.diff(at_s) @ (waits[1:] | waits[:-1])) / HOUR_S,
    )


_NOBODY: Final = 1e-12
"""Of all requests: fewer are none."""


def missed_requests(at_s: Floats, came: Floats, queued: Floats, capacity: float, may_wait_s: float) -> float:
    """Requests that are not served within what they may wait: who comes is served in turn, so that they are those by
    which all that came exceed all that is served so much later. capacity: requests/s at the end, and after it.
    """
    served, served_s = came - queued, at_s
    if capacity:
        served, served_s = np.append(served, came[-1]), np.append(at_s, at_s[-1] + queued[-1] / capacity)
    moments = np.union1d(at_s, np.clip(served_s - may_wait_s, 0.0, at_s[-1]))
    all_came = np.interp(moments, at_s, came)
    late = all_came - np.interp(moments + may_wait_s, served_s, served) - _NOBODY * came[-1]
    low, high = np.minimum(late[1:], late[:-1]), np.maximum(late[1:], late[:-1])
    return float(np.diff(all_came) @ np.clip(high / np.maximum(high - low, 1e-300), 0.0, 1.0))


def stretches(load: Load, mu: float, headroom: float, scaler: Autoscaler) -> Iterator[Stretch]:
    """The traffic cut where its rate or the number of replicas changes, in order.

    It begins with the replicas of the first hour, at least `least`; more are ordered as soon as the rate asks for them,
    `delay_s` later, and serve `start_s` after that; they go once fewer were asked for all through `cool_down_s`.
    """
    wanted = [_wanted(hour.requests_per_s, mu, headroom, scaler) for hour in load.hours]
    ready = wanted[0] if wanted else 0
    coming: list[tuple[float, float, int]] = []  # ordered at, serves at, how many
    kept: list[tuple[float, int]] = []  # until when what an hour asked for is kept, how many
    at_s = 0.0
    for hour, asked in zip(load.hours, wanted, strict=True):
        held = ready + sum(count for *_, count in coming)
        if asked > held:
            ordered_s = at_s + scaler.delay_s
            coming.append((ordered_s, ordered_s + scaler.start_s, asked - held))
        end_s = at_s + hour.seconds
        drops = {until_s for until_s, _ in kept if at_s <= until_s < end_s}
        for cut_s in _cuts(at_s, end_s, coming, drops):
            paid = ready + sum(count for ordered_s, _, count in coming if ordered_s <= at_s)
            if cut_s > at_s:
                yield Stretch(cut_s - at_s, hour.requests_per_s, ready, paid)
            at_s = cut_s
            ready += sum(count for _, serves_s, count in coming if serves_s <= at_s)
            coming = [order for order in coming if order[1] > at_s]
            if at_s in drops:
                kept = [order for order in kept if order[0] > at_s]
                ready = min(ready, max([asked, *(count for _, count in kept)]))
        at_s = end_s
        kept.append((end_s + scaler.cool_down_s, asked))


def _wanted(requests_per_s: float, mu: float, headroom: float, scaler: Autoscaler) -> int:
    """Replicas that a rate asks for, within what may be held."""
    asked = replicas_for(requests_per_s, mu, headroom)
    return min(max(scaler.least, asked + (scaler.spare if asked else 0)), max(scaler.most, scaler.least))


def _cuts(
    at_s: float, end_s: float, coming: Sequence[tuple[float, float, int]], drops: Collection[float]
) -> list[float]:
    """The moments of an hour in which replicas are ordered, serve or go, and its end."""
    moments = {moment for ordered_s, serves_s, _ in coming for moment in (ordered_s, serves_s)}
    return sorted({moment for moment in {*moments, *drops} if at_s <= moment < end_s} | {end_s})

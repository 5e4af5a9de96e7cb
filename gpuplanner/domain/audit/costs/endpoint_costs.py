"""Endpoints: what each inference workload cost, by hour of day and weekday, idle and busy, and for its tokens."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from gpuplanner.domain.audit.cost_result import EndpointCost, PremiumCost, TokenCost
from gpuplanner.domain.audit.costs.costed_hours import CostedHours
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S

HOURS_OF_DAY: Final = 24
HOURS_OF_WEEK: Final = 168
MONDAY_S: Final = 4 * 86_400
"""1970 began on a Thursday: the first Monday, epoch seconds."""


def endpoint_costs(
    project: Project, block: CostedHours, premiums: Mapping[int, PremiumCost]
) -> Iterator[EndpointCost]:
    """The endpoints of a block; block.value: $. premiums: by place of the workload.

    Source: docs/formulas.md, Cost of single things.
    """
    if not len(block.hour):
        return
    window = project.window
    starts, stops = block.starts, np.append(block.starts[1:], len(block.hour))
    week_hour = ((window.start_s - MONDAY_S) // HOUR_S + block.hour) % HOURS_OF_WEEK
    number = np.repeat(np.arange(len(starts)), stops - starts)
    slot = number * HOURS_OF_WEEK + week_hour
    sums = np.bincount(slot, weights=block.value, minlength=len(starts) * HOURS_OF_WEEK)
    weekly = sums.reshape(len(starts), HOURS_OF_WEEK) / window.months
    for place, week, start, stop in zip(
        block.workload.tolist(), weekly, starts.tolist(), stops.tolist(), strict=True
    ):
        workload = project.workloads[place]
        total = _known(float(block.value[start:stop].sum()) / window.months)
        by_weekday = week.reshape(7, HOURS_OF_DAY)
        busy = None if total is None or workload.activity is None else total * workload.activity
        traffic = project.traffic.get(workload.key)
        yield EndpointCost(
            key=workload.key,
            name=workload.name,
            cluster=workload.cluster,
            owner=workload.owner,
            gpu_hours=workload.gpu_hours,
            usd_per_month=total,
            busy_usd_per_month=busy,
            idle_usd_per_month=None if busy is None or total is None else total - busy,
            by_hour_usd_per_month=tuple(_known(usd) for usd in by_weekday.sum(axis=0).tolist()),
            by_weekday_usd_per_month=tuple(tuple(_known(usd) for usd in day) for day in by_weekday.tolist()),
            tokens=None if traffic is None else _token_cost(project, traffic, block, slice(start, stop)),
            premium=premiums[place],
        )


def _token_cost(project: Project, traffic: Traffic, block: CostedHours, span: slice) -> TokenCost | None:
    """Tokens and $ of the time that traffic and window share; None where they share none.

    An hour that is shared in part counts with that part of its $; tokens of an hour cut by the window's edge
    cannot occur: the window is of whole hours.
    """
    window = project.window
    start_s, end_s = max(traffic.start_s, window.start_s), min(traffic.end_s, window.end_s)
    if end_s <= start_s:
        return None
    begin = window.start_s + block.hour[span] * HOUR_S
    shared_s = np.clip(np.minimum(begin + HOUR_S, end_s) - np.maximum(begin, start_s), 0, None)
    inside = shared_s > 0
    usd = float((block.value[span][inside] * shared_s[inside] / HOUR_S).sum())
    within = [row for row in traffic.hours if window.start_s <= row[0] < window.end_s]
    return TokenCost(
        start_s=start_s,
        end_s=end_s,
        context_tokens=sum(context for _, context, _ in within),
        generated_tokens=sum(generated for _, _, generated in within),
        usd=_known(usd),
    )


def _known(usd: float) -> float | None:
    return None if np.isnan(usd) else usd

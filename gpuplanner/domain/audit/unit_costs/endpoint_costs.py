"""Endpoints: cost of each inference workload, by hour of day and weekday, idle and busy, and for its tokens."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.unit_costs.cost_lists import workload_fields
from gpuplanner.domain.audit.unit_costs.costed_hours import CostedHours
from gpuplanner.domain.figures.figure import by_row, fields_of, floats, optional
from gpuplanner.domain.figures.unit_costs import ENDPOINT, TRAFFIC
from gpuplanner.domain.model.places import NOTHING_CHOSEN, Traffic
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_OF_WEEK, week_hour_of
from gpuplanner.domain.serving.load import load_of_week

HOURS_OF_DAY: Final = 24


def endpoint_costs(
    project: Project, block: CostedHours, premiums: Mapping[int, cost_result.PremiumCost]
) -> Iterator[cost_result.EndpointCost]:
    """The endpoints of a block; block.value: $. premiums: by place of the workload.

    Source: docs/formulas/unit-costs.md.
    """
    if not len(block.hour):
        return
    window = project.window
    starts, stops = block.starts, np.append(block.starts[1:], len(block.hour))
    week_hour = (week_hour_of(window.start_s) + block.hour) % HOURS_OF_WEEK
    number = np.repeat(np.arange(len(starts)), stops - starts)
    slot = number * HOURS_OF_WEEK + week_hour
    sums = np.bincount(slot, weights=block.value, minlength=len(starts) * HOURS_OF_WEEK)
    weekly = sums.reshape(len(starts), HOURS_OF_WEEK) / window.months
    places = block.workload.tolist()
    workloads = [project.workloads[place] for place in places]
    spans = [slice(start, stop) for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]
    cost_per_month = floats([block.value[span].sum() / window.months for span in spans])
    activity = floats([workload.activity for workload in workloads])
    figures = ENDPOINT.worked_out({"cost_per_month": cost_per_month, "activity": activity})
    tokens = _token_costs(project, block, dict(zip((w.key for w in workloads), spans, strict=True)))
    for place, workload, week, row in zip(places, workloads, weekly, by_row(figures), strict=True):
        by_weekday = week.reshape(7, HOURS_OF_DAY)
        yield cost_result.EndpointCost(
            **workload_fields(workload),
            gpu_hours=workload.gpu_hours,
            **fields_of(cost_result.EndpointCost, row),
            by_hour_per_month=tuple(optional(by_weekday.sum(axis=0))),
            by_weekday_per_month=tuple(tuple(optional(day)) for day in by_weekday),
            tokens=tokens.get(workload.key),
            premium=premiums[place],
        )


def _token_costs(
    project: Project, block: CostedHours, spans: Mapping[str, slice]
) -> dict[str, cost_result.TokenCost]:
    """Tokens and cost of the time that traffic and window share, by key; no row where they share none.

    Without a list of requests those of a week that the endpoint was sized for count, in every week of the window.
    An hour that is shared in part counts with that part of its cost; tokens of an hour cut by the window's edge
    cannot occur: the window is of whole hours.
    """
    window = project.window
    costs = []
    for key, span in spans.items():
        traffic = project.traffic.get(key) or _traffic_of_a_week(project, key)
        if traffic is None:
            continue
        start_s, end_s = max(traffic.start_s, window.start_s), min(traffic.end_s, window.end_s)
        if end_s <= start_s:
            continue
        begin = window.start_s + block.hour[span] * HOUR_S
        shared_s = np.clip(np.minimum(begin + HOUR_S, end_s) - np.maximum(begin, start_s), 0, None)
        inside = shared_s > 0
        cost = float((block.value[span][inside] * shared_s[inside] / HOUR_S).sum())
        within = [
            (of_context, of_generated)
            for begin_s, of_context, of_generated in traffic.hours
            if window.start_s <= begin_s < window.end_s
        ]
        context = sum(of_context for of_context, _ in within)
        generated = sum(of_generated for _, of_generated in within)
        costs.append((key, start_s, end_s, context, generated, cost))
    figures = TRAFFIC.worked_out(
        {
            "cost": floats([cost for *_, cost in costs]),
            "context_tokens": floats([context for _, _, _, context, _, _ in costs]),
            "generated_tokens": floats([generated for *_, generated, _ in costs]),
        }
    )
    return {
        key: cost_result.TokenCost(
            start_s=start_s,
            end_s=end_s,
            is_assumed=key not in project.traffic,
            **fields_of(cost_result.TokenCost, row)
            | {"context_tokens": context, "generated_tokens": generated, "tokens": round(row["tokens"] or 0)},
        )
        for (key, start_s, end_s, context, generated, _), row in zip(costs, by_row(figures), strict=True)
    }


def _traffic_of_a_week(project: Project, key: str) -> Traffic | None:
    """What an endpoint was asked in the window if each week was that of its sizing, at the tokens that are assumed.

    None without such a week, or where it leaves an hour open.
    """
    choice = project.serving.get(key, NOTHING_CHOSEN)
    week = None if choice.rates else choice.week  # what is no language model has no tokens
    if week is None:
        return None
    window, assumptions = project.window, project.assumptions
    load = load_of_week(week, assumptions.serving_context_tokens, assumptions.serving_generated_tokens)
    each = (0.0, 0.0) if load is None else (load.context_tokens, load.generated_tokens)
    hours = []
    for at_s in range(window.start_s, window.end_s, HOUR_S):
        rate = week.rates_per_s[week_hour_of(at_s)]
        if rate is None:
            return None
        context, generated = (round(rate * HOUR_S * tokens) for tokens in each)
        hours.append((at_s, context, generated))
    return Traffic(start_s=window.start_s, end_s=window.end_s, hours=tuple(hours), source=week.source)

"""Events over demand: contracts that end, commitments that start, gaps and the end of the log."""

from typing import TYPE_CHECKING

from gpuplanner.charts.kit.translation import by_count, sentence, tr
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.ui.panels.today.contract_dates import sorted_contracts
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.demand_over_time import DemandEvent


AFTER_SHARE = 1 / 3
"""How far the axis reaches beyond the log, as a share of it, where something happens there."""


def events_of(shown: ViewState) -> "tuple[tuple[DemandEvent, ...], int, int]":
    """Events in sight, the hours that the axis reaches, and how many events lie beyond it."""
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    window = shown.evaluation.project.window
    found = [*_ends(shown, window), *_starts(shown, window)]
    reach = window.hours + round(AFTER_SHARE * window.hours)
    hours = reach if any(window.hours <= event.hour <= reach for event in found) else window.hours
    seen = [event for event in found if 0 <= event.hour <= hours]
    beyond = sum(event.hour > hours for event in found)
    after = (
        [DemandEvent(kind="log_end", hour=float(window.hours), what=tr("The log ends"))]
        if hours > window.hours
        else []
    )
    return (*_gaps(shown, window), *after, *sorted(seen, key=lambda event: event.hour)), hours, beyond


def _ends(shown: ViewState, window: Window) -> "list[DemandEvent]":
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    return [
        DemandEvent(
            kind="end",
            hour=(contract.end_s - window.start_s) / HOUR_S,
            what=tr("{contract_id} ends", contract_id=contract.contract_id),
            value=f"\u2212{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}",
        )
        for contract in sorted_contracts(shown)
        if contract.end_s is not None
    ]


def _starts(shown: ViewState, window: Window) -> "list[DemandEvent]":
    """Commitments of the plan, one mark a day."""
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    by_day: dict[int, dict[str, float]] = {}
    for order in () if shown.advice is None or shown.is_today else asked_for(shown.advice.orders):
        models = by_day.setdefault(order.start_s, {})
        name = order.gpu_model or "GPUs"
        models[name] = models.get(name, 0.0) + order.gpus
    return [
        DemandEvent(
            kind="start",
            hour=(start_s - window.start_s) / HOUR_S,
            what=tr("The plan starts"),
            value=", ".join(f"+{numbers.gpus(gpus)} {name}" for name, gpus in sorted(models.items())),
        )
        for start_s, models in sorted(by_day.items())
    ]


def _gaps(shown: ViewState, window: Window) -> "list[DemandEvent]":
    """Where the log says nothing, inside the window."""
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    quality = shown.evaluation.project.jobs.quality
    return [
        DemandEvent(
            kind="gap",
            hour=max(0.0, (gap.start_s - window.start_s) / HOUR_S),
            what=tr("Gap in the log"),
            value=numbers.counted(gap.hours, "hour"),
            until=min(float(window.hours), (gap.end_s - window.start_s) / HOUR_S),
        )
        for gap in (quality.gaps if quality is not None else ())
        if gap.end_s > window.start_s and gap.start_s < window.end_s
    ]


def event_words(shown: ViewState) -> str:
    """What the marks mean, and what lies beyond them; "" where there are none."""
    events, _, beyond = events_of(shown)
    kinds = {event.kind for event in events}
    parts = [
        f"\u25c7 {tr('a contract ends')}" if "end" in kinds else "",
        tr("▲ a commitment starts") if "start" in kinds else "",
        tr("hatched: gap in the log") if "gap" in kinds else "",
        tr("{beyond} later", beyond=beyond) if beyond else "",
    ]
    told = [part for part in parts if part]
    if beyond and len(told) == 1:  # no mark is in sight that it could be told of
        told = [
            by_count(
                beyond,
                "{count} end or start of contracts later",
                "{count} ends and starts of contracts later",
                count=numbers.whole(beyond),
            )
        ]
    return sentence(numbers.MIDDOT.join(told))

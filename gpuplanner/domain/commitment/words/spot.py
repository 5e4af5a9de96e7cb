"""Spot in words: how often to write checkpoints, what is lost, and what the best interval saves."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.figures.typed import amount, decimals, percent, whole, worded_whole
from gpuplanner.domain.message import Message, Part, joined, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME

WORTH_SAYING_USD = 1.0


def spot_sentences(advice: SpotAdvice) -> tuple[Message, ...]:
    """What spot means for one workload: the loss as assumed and at its best, then what the best saves a month.

    One sentence where it cannot finish, or the interval assumed is as good as the best.
    """
    given: dict[str, Part] = {"one": _on(advice), "assumed": _assumed(advice), "best": _best(advice)}
    if advice.best_lost_share >= 1:
        lost = percent(advice.best_lost_share)
        return (
            worded(
                "{one} it would lose {best_lost_share} of its work even {best}, and never finish.",
                **given,
                best_lost_share=lost,
            ),
        )
    first = (
        worded(
            "{one} it would lose {lost_share} of its work {assumed} and never finish",
            **given,
            lost_share=percent(advice.lost_share),
        )
        if advice.lost_share >= 1
        else worded(
            "{one} it loses {lost_share} of its work {assumed}",
            **given,
            lost_share=percent(advice.lost_share, 1),
        )
    )
    if advice.barrier is None and advice.lost_share - advice.best_lost_share < 0.0005:
        return (worded("{first}. No other interval loses less.", first=first),)
    least = percent(advice.best_lost_share, 1)
    sentences = [
        worded("{first}; at best, {best}: {best_lost_share}.", **given, first=first, best_lost_share=least)
    ]
    if advice.barrier is not None:
        return (*sentences, *_if_allowed(advice))
    if advice.saves_usd_per_month is not None and advice.saves_usd_per_month >= WORTH_SAYING_USD:
        sentences.append(
            worded("That saves ${usd} per month with the same layers.", usd=whole(advice.saves_usd_per_month))
        )
    elif not advice.on_spot_at_best:
        sentences.append(worded("On demand is still cheaper."))
    return tuple(sentences)


def _if_allowed(advice: SpotAdvice) -> tuple[Message, ...]:
    """What spot would make of the longest job of training that its length keeps off, and how to allow it."""
    usd, on_demand = advice.run_usd or 0.0, advice.run_usd_on_demand
    run = worded(
        "Its longest job ({hours} h) would take {run_hours} h and cost {usd} on spot, {on_demand} on demand.",
        hours=decimals(advice.longest_job_hours),
        run_hours=decimals(advice.run_hours or 0.0),
        usd=amount(usd),
        on_demand=worded("an unknown amount") if on_demand is None else amount(on_demand),
    )
    if on_demand is not None and usd >= on_demand:
        return (run,)
    switch = SPEC_BY_NAME[rates.OF_LENGTH[rates.Barrier(advice.barrier or "")]].title
    return run, worded('To allow spot, switch on "{name}".', name=switch)


def worth_saying(advice: Sequence[SpotAdvice]) -> list[SpotAdvice]:
    """Of workloads that may use spot those that a better interval saves something."""
    return [spot for spot in advice if spot.barrier is None and (spot.saves_usd_per_month or 0.0) > 0]


def spot_summary(advice: Sequence[SpotAdvice]) -> tuple[Message, Message, float] | None:
    """A title, a sentence and $ a month that best intervals save over all workloads; None where that is under $1.

    Workloads that save nothing do not count.
    """
    worth = worth_saying(advice)
    usd = sum(suggestion.saves_usd_per_month or 0.0 for suggestion in worth)
    if usd < WORTH_SAYING_USD:
        return None
    times = sorted(s.best_interval_hours for s in worth if s.best_interval_hours is not None)
    count = len({suggestion.key for suggestion in worth})
    workloads = worded_whole(count, "{count} workload on spot", "{count} workloads on spot")
    if not times:
        least = worded("{name} would lose least without checkpoints.", name=workloads)
        return worded("Write no checkpoints on spot."), least, usd
    every = (
        _time(times[0])
        if times[0] == times[-1]
        else worded("{time} to {times}", time=_time(times[0]), times=_time(times[-1]))
    )
    assumed = _time(worth[0].interval_hours)
    least = worded("{name} would lose least; {assumed} is assumed.", name=workloads, assumed=assumed)
    return worded("Write checkpoints every {every} on spot.", every=every), least, usd


def _on(spot: SpotAdvice) -> Message:
    """Where it would run, with its nodes where there are several."""
    return (
        worded("On spot") if spot.nodes == 1 else worded("On spot, {nodes} nodes,", nodes=whole(spot.nodes))
    )


def _assumed(advice: SpotAdvice) -> Message:
    """How often checkpoints are written as assumed; none where jobs are shorter than that."""
    every = _time(advice.interval_hours)
    if advice.longest_job_hours < advice.interval_hours:
        return worded("without a checkpoint: its jobs are shorter than {hours}", hours=every)
    return worded("with a checkpoint every {hours}", hours=every)


def _best(advice: SpotAdvice) -> Message:
    """How often they are best written; None of an interval: none at all."""
    return (
        worded("without checkpoints")
        if advice.best_interval_hours is None
        else worded("every {hours}", hours=_time(advice.best_interval_hours))
    )


def _time(hours: float) -> Message:
    """45 min, 2.5 h, 4 h."""
    if hours < 1:
        return worded("{hours} min", hours=whole(60 * hours))
    return joined((decimals(hours, 0 if hours == round(hours) else 1), " h"))

"""Spot in plain words: how often to write checkpoints, what is then lost, what that saves, and what cannot finish."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.figures.typed import decimals, percent, whole
from gpuplanner.domain.message import Message, joined, worded, worded_count

WORTH_SAYING_USD = 1.0


def spot_sentences(one: SpotAdvice) -> tuple[Message, ...]:
    """What spot means for one workload: the loss as assumed and at its best, then what the best saves a month.

    One sentence where it cannot finish, or the interval assumed is as good as the best.
    """
    assumed, best = _assumed(one), _best(one)
    if one.best_lost_share >= 1:
        return (
            worded(
                "{one} it would lose {best_lost_share} of its work even {best}: it cannot finish.",
                one=_on(one),
                best_lost_share=percent(one.best_lost_share),
                best=best,
            ),
        )
    first = worded(
        "{one} it loses {lost_share} of its work {assumed}",
        one=_on(one),
        lost_share=percent(one.lost_share, 1),
        assumed=assumed,
    )
    if one.lost_share >= 1:
        first = worded(
            "{one} it would lose {lost_share} of its work {assumed} and never finish",
            one=_on(one),
            lost_share=percent(one.lost_share),
            assumed=assumed,
        )
    if one.lost_share - one.best_lost_share < 0.0005:
        return (worded("{first}, which is as little as there is.", first=first),)
    told = [
        worded(
            "{first}; {best}, its best, {best_lost_share}.",
            first=first,
            best=best,
            best_lost_share=percent(one.best_lost_share, 1),
        )
    ]
    if one.saves_usd_per_month is not None and one.saves_usd_per_month >= WORTH_SAYING_USD:
        told.append(
            worded(
                "That saves ${saves_usd_per_month} per month, with the layers as they are.",
                saves_usd_per_month=whole(one.saves_usd_per_month),
            )
        )
    elif not one.on_spot_at_best:
        told.append(worded("On demand is cheaper all the same."))
    return tuple(told)


def spot_summary(advice: Sequence[SpotAdvice]) -> tuple[Message, Message, float] | None:
    """A title, a sentence and $ a month that best intervals save over all workloads; None where that is under $1.

    Workloads that save nothing do not count.
    """
    worth = [one for one in advice if (one.saves_usd_per_month or 0.0) > 0]
    usd = sum(one.saves_usd_per_month or 0.0 for one in worth)
    if usd < WORTH_SAYING_USD:
        return None
    times = sorted(one.best_interval_hours for one in worth if one.best_interval_hours is not None)
    count = len({one.key for one in worth})
    what = worded_count(count, "{count} workload on spot", "{count} workloads on spot", count=whole(count))
    if not times:
        return (
            worded("Write no checkpoints on spot."),
            worded("{what} would lose least without any.", what=what),
            usd,
        )
    every = (
        _time(times[0])
        if times[0] == times[-1]
        else worded("{time} to {times}", time=_time(times[0]), times=_time(times[-1]))
    )
    assumed = _time(worth[0].interval_hours)
    return (
        worded("Write checkpoints every {every} on spot.", every=every),
        worded("{what} would lose least so; {assumed} is assumed.", what=what, assumed=assumed),
        usd,
    )


def _on(one: SpotAdvice) -> Message:
    """Where it would run, with its nodes where there are several."""
    return worded("On spot") if one.nodes == 1 else worded("On spot, {nodes} nodes,", nodes=whole(one.nodes))


def _assumed(one: SpotAdvice) -> Message:
    """How often checkpoints are written as assumed; none where jobs are shorter than that."""
    if one.longest_job_hours < one.interval_hours:
        return worded(
            "without a checkpoint, as its jobs are shorter than {interval_hours}",
            interval_hours=_time(one.interval_hours),
        )
    return worded("with a checkpoint every {interval_hours}", interval_hours=_time(one.interval_hours))


def _best(one: SpotAdvice) -> Message:
    """How often they are best written; None of an interval: none at all."""
    return (
        worded("without checkpoints")
        if one.best_interval_hours is None
        else worded("every {best_interval_hours}", best_interval_hours=_time(one.best_interval_hours))
    )


def _time(hours: float) -> Message:
    """45 min, 2.5 h, 4 h."""
    if hours < 1:
        return worded("{hours} min", hours=whole(60 * hours))
    return joined((decimals(hours, 0 if hours == round(hours) else 1), " h"))

"""Spot in plain words: how often to write checkpoints, what is then lost, what that saves, and what cannot finish."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.result import Layer, SpotAdvice

WORTH_SAYING_USD = 1.0


def spot_change_usd(layer: Layer) -> float | None:
    """What a layer that uses spot changes in a month's spend beside the same hours on demand; None: a rate is missing.

    Below zero: it saves so much.
    """
    return None if layer.value_usd_per_month is None else -layer.value_usd_per_month


def spot_sentences(one: SpotAdvice) -> tuple[str, ...]:
    """What spot means for one workload: the loss as assumed and at its best, then what the best saves a month."""
    assumed, best = _assumed(one), _best(one)
    if one.best_lost_share >= 1:
        return (
            f"{_on(one)} it would lose {one.best_lost_share:.0%} of its work even {best}: it cannot finish.",
        )
    first = f"{_on(one)} it loses {one.lost_share:.1%} of its work {assumed}"
    if one.lost_share >= 1:
        first = f"{_on(one)} it would lose {one.lost_share:.0%} of its work {assumed} and never finish"
    if one.lost_share - one.best_lost_share < 0.0005:
        return (f"{first}, which is as little as there is.",)
    told = [f"{first}; {best}, its best, {one.best_lost_share:.1%}."]
    if one.saves_usd_per_month is not None and one.saves_usd_per_month >= WORTH_SAYING_USD:
        told.append(f"That saves ${one.saves_usd_per_month:,.0f} a month, with the layers as they are.")
    elif not one.on_spot_at_best:
        told.append("On demand is cheaper all the same.")
    return tuple(told)


def spot_summary(advice: Sequence[SpotAdvice]) -> tuple[str, str, float] | None:
    """A title, a sentence and $ a month that best intervals save over all workloads; None where that is under $1."""
    worth = [one for one in advice if (one.saves_usd_per_month or 0.0) > 0]
    usd = sum(one.saves_usd_per_month or 0.0 for one in worth)
    if usd < WORTH_SAYING_USD:
        return None
    times = sorted(one.best_interval_hours for one in worth if one.best_interval_hours is not None)
    count = len({one.key for one in worth})
    what = f"{count:,} workload{'' if count == 1 else 's'} on spot"
    if not times:
        return "Write no checkpoints on spot.", f"{what} would lose least without any.", usd
    every = _time(times[0]) if times[0] == times[-1] else f"{_time(times[0])} to {_time(times[-1])}"
    assumed = _time(worth[0].interval_hours)
    return (
        f"Write checkpoints every {every} on spot.",
        f"{what} would lose least so; {assumed} is assumed.",
        usd,
    )


def _on(one: SpotAdvice) -> str:
    return "On spot" if one.nodes == 1 else f"On spot, {one.nodes:,} nodes,"


def _assumed(one: SpotAdvice) -> str:
    if one.longest_job_hours < one.interval_hours:
        return f"without a checkpoint, as its jobs are shorter than {_time(one.interval_hours)}"
    return f"with a checkpoint every {_time(one.interval_hours)}"


def _best(one: SpotAdvice) -> str:
    return (
        "without checkpoints"
        if one.best_interval_hours is None
        else f"every {_time(one.best_interval_hours)}"
    )


def _time(hours: float) -> str:
    """45 min, 2.0 h, 4 h."""
    if hours < 1:
        return f"{60 * hours:.0f} min"
    return f"{hours:.0f} h" if hours == round(hours) else f"{hours:.1f} h"

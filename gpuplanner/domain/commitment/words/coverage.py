"""Coverage in words: the share of GPU-hours that is committed, and what the target would cost."""

from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.figures.typed import percent, whole, worded_whole
from gpuplanner.domain.message import Message, worded


def coverage_sentences(coverage: Coverage) -> tuple[Message, ...]:
    """Return the committed share of GPU-hours in month 0, and the cost of the user's target."""
    if coverage.now is None:
        return (worded("No demand to cover."),)
    if coverage.plan is None:
        return (worded("Coverage unknown: a price is missing."),)
    first = worded(
        "Commitments serve {plan} of first-month GPU-hours, existing contracts alone {now}.",
        plan=percent(coverage.plan, 1),
        now=percent(coverage.now, 1),
    )
    is_held = coverage.now > coverage.target and coverage.now >= coverage.plan
    return (first, _target_words(coverage, is_held))


def _target_words(coverage: Coverage, is_held: bool) -> Message:
    """Return the cost of the target in words. is_held: existing contracts alone exceed it."""
    target, extra, usd = percent(coverage.target), coverage.extra_gpus, coverage.extra_usd_per_month
    if coverage.reached is None:
        return worded("No offered commitments reach the {target} target.", target=target)
    if not extra and is_held:
        return worded("No first-month commitment to drop for the {target} target.", target=target)
    if not extra:
        return worded("This is the {target} target, as near as whole GPUs allow.", target=target)
    gpus = worded_whole(abs(extra), "{count} GPU", "{count} GPUs")
    how = (
        worded("Committing {gpus} more", gpus=gpus)
        if extra > 0
        else worded("Moving {gpus} to on demand", gpus=gpus)
    )
    if usd is None:
        return worded("{how} would reach {target}. Cost unknown: a rate is missing.", how=how, target=target)
    far = whole(abs(usd))
    cost = worded("${usd} per month more", usd=far) if usd >= 0 else worded("${usd} per month less", usd=far)
    reached = percent(coverage.reached, 1)
    return worded(
        "{how} would reach {reached} (target: {target}): {cost}.",
        how=how,
        reached=reached,
        target=target,
        cost=cost,
    )

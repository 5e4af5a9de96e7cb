"""What a drop would change: $ a month, utilization, and what the hardware and spot rules say of the cards there."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.scenario.merging import with_those_merged
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.ui.cards.details import LIGHTS, Line, fit_of, fit_words, spot_words, workload_named
from gpuplanner.ui.cards.merged import merges_of
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

MOST_ASKED = 200
"""Cards that the rules are asked about while they hover: more than that take longer than a frame."""


@dataclass(frozen=True, slots=True)
class HoverChange:
    """$ a month: the whole plan, then each pool; None is unknown."""

    total: float | None
    pools: dict[Pool, float | None]
    utilization: tuple[float | None, float | None] = (
        None,
        None,
    )  # effective, of the plan: as it is, as it would be
    warnings: tuple[Line, ...] = ()


def hover_change(before: Advice, after: Advice, warnings: tuple[Line, ...] = ()) -> HoverChange:
    """The difference of two answers of the engine."""
    return HoverChange(
        _difference(before.totals.plan, after.totals.plan),
        {pool: _difference(_of_pool(before, pool), _of_pool(after, pool)) for pool in POOLS},
        (before.totals.effective_utilization_plan, after.totals.effective_utilization_plan),
        warnings,
    )


def rule_warnings(keys: Sequence[str], pool: Pool, shown: ViewState) -> tuple[Line, ...]:
    """What the rules say of cards in a pool: which do not fit there, which may not use spot, where users are far.

    One line a rule, with how many of the cards it is about. Of more than MOST_ASKED cards the first are asked.
    """
    splits = shown.evaluation.figures.basis.plan.splits
    cards = with_those_merged(keys, merges_of(shown))
    lights: dict[Light, list[str]] = {Light.RED: [], Light.AMBER: []}
    spot: dict[Text, list[Line]] = {}
    reasons: dict[Light, Text] = {}
    wholes = tuple(dict.fromkeys(whole_key(key, splits) for key in cards[:MOST_ASKED]))
    for key in wholes:
        workload = workload_named(key, shown.evaluation.project.workloads)
        if workload is None:
            continue
        fit = fit_of(key, shown)
        light, why = (None, "") if fit is None else fit_words(fit, workload, pool, shown)
        if light in lights:
            lights[light].append(key)
            reasons.setdefault(light, why)
        line = spot_words(workload, pool, shown)
        if not line.figure:
            spot.setdefault(line.text, []).append(line)
    lines = [
        Line(
            tr(
                "{found}{lights}: {reasons}",
                found=_of(len(found), len(wholes)),
                lights=LIGHTS[light][2],
                reasons=reasons[light],
            ),
            "",
            *LIGHTS[light][:2],
        )
        for light, found in lights.items()
        if found
    ]
    lines += [
        Line(_of(len(found), len(wholes)) + text, "", "interruption", found[0].role)
        for text, found in spot.items()
    ]
    far = {str(check.subject) for check in shown.checks if check.code == "transit_over_80_ms"} & set(wholes)
    if far:
        lines.append(
            Line(tr("{far}Users over 80 ms away", far=_of(len(far), len(wholes))), "", "residency", "amber")
        )
    return tuple(lines)


def _of(count: int, all_cards: int) -> str:
    """How many of the cards something is said of; empty for a single card."""
    return (
        ""
        if all_cards == 1
        else tr("{count} of {all_cards}: ", count=numbers.whole(count), all_cards=numbers.whole(all_cards))
    )


def _of_pool(advice: Advice, pool: Pool) -> float | None:
    """What a pool costs a month over all GPU models; None as soon as one is unknown."""
    return known_sum(plan.cost_per_month for plan in advice.pools if plan.pool is pool)


def _difference(before: float | None, after: float | None) -> float | None:
    """After less before; None if either is unknown."""
    return None if before is None or after is None else after - before

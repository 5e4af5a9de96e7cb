"""Effect of a drop: $ per month, utilization, and warnings of the hardware and spot rules."""

from collections.abc import Sequence

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.merged_cards import with_those_merged
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.cards import details
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers

MOST_ASKED = 200
"""Cards that the rules are asked about while they hover: more than that take longer than a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoverChange:
    """$ a month: the whole plan, then each pool; None is unknown. year: $ of the whole plan in twelve months."""

    total: float | None
    pools: dict[Pool, float | None]
    utilization: tuple[float | None, float | None] = (None, None)  # effective, of the plan: before, after
    warnings: tuple[details.Line, ...] = ()
    year: float | None = None

    def per_period(self, monthly: Text) -> tuple[float | None, Text]:
        """$ of the whole plan and of what time: a month, by a word of its own; where that stays as it is, as while
        contracts run, twelve months."""
        is_year = self.total is not None and not round(self.total) and round(self.year or 0.0)
        return (self.year, worded(" in 12 months")) if is_year else (self.total, monthly)


def hover_change(before: Advice, after: Advice, warnings: tuple[details.Line, ...] = ()) -> HoverChange:
    """The difference of two answers of the engine."""
    return HoverChange(
        total=_difference(before.totals.plan, after.totals.plan),
        pools={pool: _difference(_of_pool(before, pool), _of_pool(after, pool)) for pool in POOLS},
        utilization=(before.totals.effective_utilization_plan, after.totals.effective_utilization_plan),
        warnings=warnings,
        year=_difference(*(plan_usd_in(one, Horizon.TWELVE_MONTHS) for one in (before, after))),
    )


def rule_warnings(keys: Sequence[str], pool: Pool, shown: ViewState) -> tuple[details.Line, ...]:
    """What the rules say of cards in a pool: which do not fit there, which may not use spot, where users are far.

    One line a rule, with how many of the cards it is about. Of more than MOST_ASKED cards the first are asked.
    """
    splits = shown.evaluation.figures.basis.plan.splits
    cards = with_those_merged(keys, details.merges_of(shown))
    lights: dict[Light, list[str]] = {Light.RED: [], Light.AMBER: []}
    spot: dict[Text, list[details.Line]] = {}
    reasons: dict[Light, Text] = {}
    wholes = tuple(dict.fromkeys(whole_key(key, splits) for key in cards[:MOST_ASKED]))
    for key in wholes:
        if (workload := details.workload_named(key, shown.evaluation.project.workloads)) is None:
            continue
        fit = details.fit_of(key, shown)
        light, why = (None, "") if fit is None else details.fit_words(fit, workload, pool, shown)
        if light in lights:
            lights[light].append(key)
            reasons.setdefault(light, why)
        line = details.spot_words(workload, pool, shown)
        if not line.figure:
            spot.setdefault(line.text, []).append(line)
    lines = []
    for light, found in lights.items():
        if found:
            drawn, role, words = details.LIGHTS[light]
            text = tr("{title}: {value}", title=words, value=reasons[light])
            lines.append(
                details.Line(text=_of(len(found), len(wholes), text), figure="", icon=drawn, role=role)
            )
    lines += [
        details.Line(
            text=_of(len(found), len(wholes), text), figure="", icon="interruption", role=found[0].role
        )
        for text, found in spot.items()
    ]
    far = {str(check.subject) for check in shown.checks if check.code == "transit_over_80_ms"} & set(wholes)
    if far:
        away = _of(len(far), len(wholes), tr("Users over 80 ms away"))
        lines.append(details.Line(text=away, figure="", icon="residency", role="amber"))
    return tuple(lines)


def _of(count: int, all_cards: int, text: Text) -> str:
    """Add to a text how many of the cards it is of, unless there is a single card."""
    if all_cards == 1:
        return spoken(text)
    shown = tr("{shown} of {total}", shown=numbers.whole(count), total=numbers.whole(all_cards))
    return tr("{title}: {value}", title=shown, value=text)


def _of_pool(advice: Advice, pool: Pool) -> float | None:
    """What a pool costs a month over all GPU models; None as soon as one is unknown."""
    return known_sum(plan.cost_per_month for plan in advice.pools if plan.pool is pool)


def _difference(before: float | None, after: float | None) -> float | None:
    """After less before; None if either is unknown."""
    return None if before is None or after is None else after - before

"""Effect of a drop: $ in each period, utilization, and warnings of the hardware and spot rules."""

from collections.abc import Sequence

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, changes_of
from gpuplanner.domain.commitment.plan.twelve_months import is_left
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.merged_cards import with_those_merged
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.ui.cards import details
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers, plan_changes

MOST_ASKED = 200
"""Cards that the rules are asked about while they hover: more than that take longer than a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoverChange:
    """What a drop changes of the whole plan in the period of the headline.

    horizon: the period. changes: by period. pools: change of each pool next month, $; empty for another period, whose
    cost no pool has alone. utilization: effective utilization of the plan before and after, 0..1; None is unknown.
    leaves_demand: the plan then leaves demand unserved, which costs nothing: a lower cost is then no saving.
    """

    horizon: Horizon
    changes: plan_changes.Changes
    pools: dict[Pool, float | None] = field(default_factory=dict)
    utilization: tuple[float | None, float | None] = (None, None)
    warnings: tuple[details.Line, ...] = ()
    leaves_demand: bool = False

    @property
    def whole_usd(self) -> int | None:
        """The change in the period as it is written, $; None is unknown."""
        return self.changes[self.horizon].whole_changed

    @property
    def words(self) -> str:
        """The change with its period: +$82,848 in 12 months; empty if it is unknown."""
        return plan_changes.change_words(self.changes[self.horizon])

    @property
    def beside(self) -> str:
        """The change of next month if its sign differs; empty otherwise."""
        return plan_changes.beside_words(self.horizon, self.changes)


def hover_change(
    horizon: Horizon, before: Advice, after: Advice, warnings: tuple[details.Line, ...] = ()
) -> HoverChange:
    """Return what the second answer of the engine changes of the first. horizon: of the headline."""
    is_next_month = horizon is Horizon.NEXT_MONTH
    return HoverChange(
        horizon=horizon,
        changes=changes_of(before, after),
        pools={pool: _difference(_of_pool(before, pool), _of_pool(after, pool)) for pool in POOLS}
        if is_next_month
        else {},
        utilization=(before.totals.effective_utilization_plan, after.totals.effective_utilization_plan),
        warnings=warnings,
        leaves_demand=is_left([month.unserved_gpu_hours for month in after.comparison]),
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

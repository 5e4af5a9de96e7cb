"""Levels of one row as the planner sets and tries them."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelValues
from gpuplanner.domain.commitment.plan.layers import used_of
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.level_costs import cost_of_levels, values_of_row
from gpuplanner.domain.commitment.uncertainty.levels import (
    LevelGround,
    level_ground,
    plan_at,
    regret_p90_usd,
    set_levels,
)
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.view_state import ViewState


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTrial:
    """One level as it is tried: what the plan changes by, how well the layer is used, and its regret; $ a month.

    horizon_usd: what the row is expected to cost more over horizon_months, in today's money (None: not known yet).
    """

    change_usd: float | None
    used: float | None
    regret_usd: float | None
    horizon_usd: float | None = None
    horizon_months: int = 0


class Levels:
    """Told the row that is looked at; answers within a frame."""

    def __init__(self) -> None:
        self._plan: PoolPlan | None = None
        self._shown: ViewState | None = None
        self._ground: LevelGround | None = None
        self._hand: tuple[HandLayer, ...] | None = None
        self._is_rest_advised = False
        self.tried: PoolPlan | None = None

    def look_at(self, plan: PoolPlan, shown: ViewState) -> None:
        """A row of the newest advice; what was being tried of another row is forgotten."""
        if plan is not self._plan:
            self._ground = None
        self._plan, self._shown, self.tried = plan, shown, None
        self._hand, self._is_rest_advised = None, False
        if not shown.is_today:
            scenario = shown.evaluation.project.scenario(shown.evaluation.scenario)
            self._hand = scenario.hand_layers.get((plan.pool, plan.gpu_model))
            self._is_rest_advised = (plan.pool, plan.gpu_model) in scenario.advised_around

    @property
    def as_set(self) -> PoolPlan:
        """The row as the planner set it: at once, while its advice is still of the levels before."""
        plan = self._known()
        if self._hand is None:
            return plan
        wanted = _levels(self.sizes)
        by_hand = plan.by_hand
        is_held = bool(by_hand.held_terms) == self._is_rest_advised
        is_known = (by_hand.levels == self._hand and is_held) or wanted == set_levels(plan)
        return plan if is_known else self._at(wanted)

    @property
    def sizes(self) -> dict[int, int]:
        """GPUs of each term: as the planner set them, also above what an offer has; the others as they are advised."""
        advised = {level.term_months: level.gpus for level in set_levels(self._known())}
        if self._hand is None:
            return advised
        hand = {level.term_months: level.gpus for level in self._hand}
        return advised | hand if self._is_rest_advised else hand

    def try_out(self, term_months: int, gpus: int) -> PoolPlan:
        """The row with another level of one term, all else as it is set."""
        self.tried = self._at(_levels({**self.sizes, term_months: gpus}))
        return self.tried

    def trial_of(self, plan: PoolPlan, term_months: int) -> LevelTrial:
        """What is to be said of one level of a row as it is set or tried."""
        before, after = self._known().cost_per_month, plan.cost_per_month
        layers = [layer for layer in plan.layers if not layer.existing and layer.term_months == term_months]
        used = used_of(layers)
        levels, now, then = set_levels(plan), self.over_advice(plan), self.over_advice(self._known())
        return LevelTrial(
            change_usd=None if before is None or after is None else after - before,
            used=used,
            regret_usd=regret_p90_usd(self._ground_for(levels), levels, term_months),
            horizon_usd=None if now is None or then is None else now.usd - then.usd,
            horizon_months=0 if now is None else now.horizon_months,
        )

    def over_advice(self, plan: PoolPlan) -> CostOfLevels | None:
        """What the levels of a row cost more than the advice; None until the outlook is there."""
        values = self.values_of(plan)
        return None if values is None else cost_of_levels(plan, values)

    def values_of(self, plan: PoolPlan) -> LevelValues | None:
        """What levels of the row are expected to cost; None until the outlook is there."""
        if (shown := self._shown) is None or shown.outlook is None or shown.is_outlook_settling:
            return None
        return values_of_row(plan, shown.outlook.level_values)

    def held_terms(self, terms: Sequence[int]) -> tuple[int, ...]:
        """Of these terms, those whose level the planner holds: all, where the rest is paid by use."""
        if self._hand is None:
            return ()
        return tuple(terms) if not self._is_rest_advised else tuple(level.term_months for level in self._hand)

    def with_level(self, term_months: int, gpus: int) -> tuple[tuple[HandLayer, ...], bool]:
        """All levels with one of them set, and whether the rest is advised: as it was."""
        if self._is_rest_advised:
            held = {level.term_months: level.gpus for level in self._hand or ()}
            return _levels({**held, term_months: gpus}, with_none=True), True
        return _levels({**self.sizes, term_months: gpus}), False

    def with_hold(
        self, term_months: int, is_held: bool, terms: Sequence[int]
    ) -> tuple[tuple[HandLayer, ...] | None, bool]:
        """The held levels with one more or one less; None where nothing is held any more. terms: all of the row.

        Where every term is held there is nothing left to advise: the rest is paid by use.
        """
        now = self.sizes
        held = {term: now.get(term, 0) for term in self.held_terms(terms)}
        if is_held:
            held[term_months] = now.get(term_months, 0)
        else:
            held.pop(term_months, None)
        if not held:
            return None, False
        is_all = set(held) >= set(terms)
        return _levels(held, with_none=not is_all), not is_all

    def _known(self) -> PoolPlan:
        assert self._plan is not None
        return self._plan

    def _at(self, levels: tuple[HandLayer, ...]) -> PoolPlan:
        return plan_at(self._ground_for(levels), levels)

    def _ground_for(self, levels: Sequence[HandLayer]) -> LevelGround:
        """The ground of the row, in blocks that fit the levels; kept as long as they do."""
        shown, plan, ground = self._shown, self._known(), self._ground
        assert shown is not None
        if ground is not None and all(level.gpus % ground.unit == 0 for level in levels):
            return ground
        taken: dict[str, float] = {}
        for other in shown.advice.pools if shown.advice else ():
            for layer in other.layers if other is not plan else ():
                if layer.offer_id is not None and layer.term_months:
                    gpus = layer.gpus if layer.offer_gpus is None else layer.offer_gpus
                    taken[layer.offer_id] = taken.get(layer.offer_id, 0.0) + gpus
        self._ground = level_ground(plan, taken, levels)
        return self._ground


def _levels(sizes: dict[int, int], *, with_none: bool = False) -> tuple[HandLayer, ...]:
    kept = sorted((term for term in sizes if sizes[term] or with_none), reverse=True)
    return tuple(HandLayer(term, sizes[term]) for term in kept)

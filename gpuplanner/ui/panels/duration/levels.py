"""Levels of one row as the planner sets, holds and tries them: in words, and drawn over its chart."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip, spoken, tr
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelValues
from gpuplanner.domain.commitment.outlook_words import cost_of_levels_sentences
from gpuplanner.domain.commitment.result import PoolPlan, used_of
from gpuplanner.domain.commitment.slicing import hour_weights
from gpuplanner.domain.commitment.streams import missing_hours
from gpuplanner.domain.commitment.uncertainty.levels import (
    LevelGround,
    cost_of_levels,
    level_ground,
    plan_at,
    regret_p90_usd,
    set_levels,
    values_of_row,
)
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import log_support, short_advice_words
from gpuplanner.domain.model.plan_inputs import HandLayer
from gpuplanner.ui.kit.theme import LIGHT, Palette
from gpuplanner.ui.state.plan_money import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import chart_colours, existing_colour, sheet_of, term_step
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

# --- Levels of one row as the planner sets, holds and tries them: what the panel Duration & commitment has in hand


@dataclass(frozen=True, slots=True)
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
        sizes = {level.term_months: level.gpus for level in set_levels(plan)} if self._is_rest_advised else {}
        sizes |= {level.term_months: level.gpus for level in self._hand}
        wanted = _levels(sizes)
        return plan if wanted == set_levels(plan) else self._at(wanted)

    def try_out(self, term_months: int, gpus: int) -> PoolPlan:
        """The row with another level of one term, all else as it is set."""
        sizes = {level.term_months: level.gpus for level in set_levels(self.as_set)}
        self.tried = self._at(_levels({**sizes, term_months: gpus}))
        return self.tried

    def trial_of(self, plan: PoolPlan, term_months: int) -> LevelTrial:
        """What is to be said of one level of a row as it is set or tried."""
        before, after = self._known().cost_per_month, plan.cost_per_month
        layers = [one for one in plan.layers if not one.existing and one.term_months == term_months]
        used = used_of(layers)
        levels, now, then = set_levels(plan), self.over_advice(plan), self.over_advice(self._known())
        return LevelTrial(
            None if before is None or after is None else after - before,
            used,
            regret_p90_usd(self._ground_for(levels), levels, term_months),
            None if now is None or then is None else now.usd - then.usd,
            0 if now is None else now.horizon_months,
        )

    def over_advice(self, plan: PoolPlan) -> CostOfLevels | None:
        """What the levels of a row cost more than the advice; None until the outlook is there."""
        values = self.values_of(plan)
        return None if values is None else cost_of_levels(plan, values)

    def values_of(self, plan: PoolPlan) -> LevelValues | None:
        """What levels of the row are expected to cost; None until the outlook is there."""
        shown = self._shown
        if shown is None or shown.outlook is None or shown.is_outlook_settling:
            return None
        return values_of_row(plan, shown.outlook.level_values)

    def held_terms(self, terms: Sequence[int]) -> tuple[int, ...]:
        """Of these terms, those whose level the planner holds: all, where the rest is paid by use."""
        if self._hand is None:
            return ()
        if not self._is_rest_advised:
            return tuple(terms)
        return tuple(level.term_months for level in self._hand)

    def with_level(self, term_months: int, gpus: int) -> tuple[tuple[HandLayer, ...], bool]:
        """All levels with one of them set, and whether the rest is advised: as it was."""
        if self._is_rest_advised:
            held = {level.term_months: level.gpus for level in self._hand or ()}
            return _levels({**held, term_months: gpus}, with_none=True), True
        sizes = {level.term_months: level.gpus for level in set_levels(self.as_set)}
        return _levels({**sizes, term_months: gpus}), False

    def with_hold(
        self, term_months: int, is_held: bool, terms: Sequence[int]
    ) -> tuple[tuple[HandLayer, ...] | None, bool]:
        """The held levels with one more or one less; None where nothing is held any more. terms: all of the row.

        Where every term is held there is nothing left to advise: the rest is paid by use.
        """
        now = {level.term_months: level.gpus for level in set_levels(self.as_set)}
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
        evaluation = shown.evaluation
        project, missing = evaluation.project, None
        assumptions = project.assumptions
        if not shown.is_today:
            scenario = project.scenario(evaluation.scenario)
            assumptions, missing = project.assumptions_in(scenario), missing_hours(project, scenario)
        hours = len(plan.demand.residual_gpus)
        weights = hour_weights(hours, assumptions.recency_half_life_days, missing)
        self._ground = level_ground(plan, weights, taken, levels)
        return self._ground


def _levels(sizes: dict[int, int], *, with_none: bool = False) -> tuple[HandLayer, ...]:
    return tuple(
        HandLayer(term, sizes[term]) for term in sorted(sizes, reverse=True) if sizes[term] or with_none
    )


# --- Words over the load duration chart: what a level under the hand comes to, and what the pale area is

LINE: Final = 64
"""Characters of a line in the narrowest panel."""
READ_ONLY: Final = worded(
    "Today is read only: these are the layers of the plan last shown. Open a plan to set them."
)
LATER_MONTH: Final = worded("Levels are set in the plan's first month: move the slider of the year there.")
OTHERS: Final = worded("Setting one level holds the others. <a href='#'>Let the advice set the others</a>")
OTHERS_TIP: Final = worded(
    "Holds only the level that was set last; the advice sets all others around it (Tab, Enter)."
)
LIVE_TIP: Final = worded(
    "$ per month of the plan against before, what the levels are expected to cost more over the horizon\n"
    "(in today's money, with the advice followed once they end), and how much of the layer is used.\n"
    "Cost of being wrong: what its best size would have saved; 90% of resampled months of the log have less.\n"
    "It counts month 0 alone, not what a shorter term leaves open."
)


def live_words(trial: LevelTrial, *, is_wide: bool = True) -> str:
    """−$1,203 a month, +$31,400 in 60 months, 98.7% used, cost of being wrong $310; less where it is narrow."""
    said = [tr("{used} used", used=numbers.percent(trial.used)) if trial.used is not None else tr("no GPUs")]
    if trial.change_usd is not None and abs(trial.change_usd) >= 0.5:
        said.insert(0, tr("{change_usd} per month", change_usd=numbers.dollar_change(trial.change_usd)))
    has_horizon = trial.horizon_usd is not None and abs(trial.horizon_usd) >= 0.5
    if has_horizon:
        over = tr(
            "{horizon_usd} in {months}",
            horizon_usd=numbers.dollar_change(trial.horizon_usd),
            months=numbers.counted(trial.horizon_months, "month"),
        )
        said.insert(len(said) - 1, over)
    if has_horizon and not is_wide:
        return ", ".join(said[:-1])
    if trial.regret_usd is not None:
        said.append(tr("cost of being wrong {usd}", usd=numbers.dollars(trial.regret_usd)))
    return ", ".join(said)


def levels_words(cost: CostOfLevels | None, values: LevelValues | None) -> str:
    """What the levels set by hand cost beside the advice, and what the advice minimises; lines broken by hand."""
    said = [] if cost is None or values is None else list(cost_of_levels_sentences(cost, values))
    lines = map(spoken, [*said, WHAT_THE_ADVICE_MINIMISES])
    return "\n".join(fill(line, LINE) for line in lines)


def others_label() -> QLabel:
    """What became of the other levels when one was set, and a link to have the advice set them."""
    label = MarkupLabel()
    label.setText(Markup(tr(OTHERS)))
    label.setObjectName("linked")  # shows that it has the keyboard
    label.setWordWrap(True)
    set_tip(label, tr(OTHERS_TIP))
    label.setAccessibleName(tr("Let the advice set the other levels"))
    keys, mouse = (
        Qt.TextInteractionFlag.LinksAccessibleByKeyboard,
        Qt.TextInteractionFlag.LinksAccessibleByMouse,
    )
    label.setTextInteractionFlags(keys | mouse)
    return label


def short_words(hours: int, palette: Palette) -> Markup:
    """The amber words for advice on a short log, as markup; empty for a long one."""
    words = short_advice_words(hours)
    amber = f"<span style='color:{palette.amber}'>\u25b2 {escaped(spoken(words))}</span><br>"
    return Markup(amber if words else "")


def against_words(cost: CostOfLevels | None, *, is_wide: bool = True) -> str:
    """Against advice: −$2,847 month 0, +$3,054 in 60 months; empty where it is not known, or nothing."""
    if cost is None or max(abs(cost.usd), abs(cost.month_0_usd)) < 0.5:
        return ""
    now, later = numbers.dollar_change(cost.month_0_usd), numbers.dollar_change(cost.usd)
    said = tr(
        "{now} month 0, {later} in {months}",
        now=now,
        later=later,
        months=numbers.counted(cost.horizon_months, "month"),
    )
    return tr("Against advice: {said}", said=said) if is_wide else said


def limit_words(hours: int) -> str:
    """What a log of so many hours says not about layers: range, cost of being wrong, trend; empty for a long one."""
    return " ".join(
        spoken(one.message) for one in log_support(hours) if one.message and one.figure in ("range", "trend")
    )


def idle_words(palette: Palette) -> str:
    """What the area of GPUs that stand idle is called: it fades towards the ground, which may be dark."""
    return tr("Dark: paid, idle") if palette.is_dark else tr("Pale: paid, idle")


# --- The load duration chart of one row of a plan: its bands, and the edges that a planner may move


def curve_of(plan: PoolPlan, palette: Palette, also: Collection[int] = (), *, can_move: bool = True) -> Any:
    """The LoadDuration of a row; charts are imported when the first one is shown.

    also: terms that have an edge though their level is 0, as while a hand holds them.
    """
    from gpuplanner.charts.plots import load_duration

    look = load_duration.CurveLook(
        existing_colour(palette),
        lambda months: palette.terms[term_step(palette, months)],
        palette.terms[0],
        palette.hatch,
        palette.red,
        palette.raised,
        palette.lanes[lane_of(plan.pool)].fill,
        spoken,
    )
    return load_duration.curve_of(plan, look, also, can_move=can_move)


def curve_table(curve: Any) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart in figures: headings, and for every twentieth of the hours GPUs in use and GPUs of each layer."""
    bands = list(reversed(curve.bands))
    rows = []
    for share in range(0, 101, 5):
        gpus = float(curve.gpus[min(len(curve.gpus) - 1, len(curve.gpus) * share // 100)])
        used = (curve.served(band, share) for band in bands)
        rows.append((f"{share}%", numbers.one_decimal(gpus), *(numbers.one_decimal(one) for one in used)))
    short = {titles.ON_DEMAND: "On\ndemand"}
    names = (short.get(band.name, band.name.replace(" ", "\n")) for band in bands)
    return (tr("Share of hours"), tr("In use"), *names), rows


def duration_sheet(plan: PoolPlan, shown: ViewState) -> Any:
    """What goes out with the chart of a row: no edge to take hold of, every fiftieth of the hours as its table."""

    def make(palette: Palette) -> QWidget:
        from gpuplanner.charts.plots.load_duration import LoadDurationChart

        chart = LoadDurationChart(chart_colours(palette))
        chart.show_curve(curve_of(plan, palette, can_move=False))
        return chart

    headings, rows = curve_table(curve_of(plan, LIGHT))
    lane = lane_of(plan.pool).title
    return sheet_of(
        tr(
            "Load duration and commitment: {lane}, {gpu_model}",
            lane=lane,
            gpu_model=plan.gpu_model or tr("unknown model"),
        ),
        tr(
            "GPUs in use, by share of {demand_gpus} hours in %, busiest first",
            demand_gpus=numbers.whole(len(plan.demand.hourly_gpus)),
        ),
        source_words(shown),
        make,
        tuple(heading.replace("\n", " ") for heading in headings),
        lambda: rows,
    )

"""The strip "What if" on a plan, the year under one handle, and what holds for all plans."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QSlider, QWidget

from gpuplanner.app.background import Background
from gpuplanner.app.comparing import Flipping
from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.brief.plan_pages import happens_sentences
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import Happening, happening
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_sentence
from gpuplanner.domain.demand.model_names import ModelMix, model_mix
from gpuplanner.domain.edits import labels, plans
from gpuplanner.domain.evaluation import Evaluation, advise_month
from gpuplanner.domain.figures.typed import plan_month, whole
from gpuplanner.domain.message import Message, capital, joined, lowered, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.status_line import StatusLine
from gpuplanner.ui.frame.what_if import FlipMark, SliderState, WhatIfStrip
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.layout import ground, named, row, share
from gpuplanner.ui.kit.page_parts import ElidedLabel, label, soon
from gpuplanner.ui.kit.theme import text_px
from gpuplanner.ui.panels.actions.recommendations import RecommendationsPanel
from gpuplanner.ui.state.view_state import ViewState, of_their_time
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import (
    MIX,
    MODELS,
    SHARE,
    SLIDERS,
    SliderSpec,
    models_words,
    plan_from_words,
    rate_words,
    typed_value,
)
from gpuplanner.ui.words.window_words import refusal_words

# --- What holds for all plans, asked for in a dialog and one step of Undo: the day that they begin, and the currency


def connect_plan_from(session: Session, actions: RecommendationsPanel, foot: StatusLine) -> None:
    """What is said of the time of a plan, above the actions and at the foot, and what mends it."""
    for asks in (actions.plan_from_asked, foot.plan_from_asked):
        asks.connect(partial(choose_plan_from, session))
    foot.import_asked.connect(session.asks.import_asked)
    actions.plan_from_wanted.connect(partial(plan_from_day, session))


def choose_plan_from(session: Session) -> None:
    """Ask, and edit where another day is chosen."""
    from gpuplanner.ui.plans.all_plans_dialogs import PlanFromDialog

    dialog = PlanFromDialog(session.document.project, session.time_s(), session.window)
    dialog.day_chosen.connect(partial(plan_from_day, session))
    exec_once(dialog)


def plan_from_day(session: Session, at_s: int | None) -> None:
    """All plans begin on a day, epoch seconds, or where the log ends; one step of Undo."""
    session.gestures.edit(labels.plan_from_label(at_s), lambda project: plans.set_plan_from(project, at_s))


def choose_currency(session: Session) -> None:
    """Ask, and edit where something else is chosen."""
    from gpuplanner.ui.plans.all_plans_dialogs import CurrencyDialog

    dialog = CurrencyDialog(session.document.project, session.time_s(), session.window)

    def change(edit: Callable[[Project], Project]) -> None:
        session.gestures.edit(labels.currency_label(dialog.code.currentText()), edit)

    dialog.money_chosen.connect(change)
    exec_once(dialog)


# --- The strip "What if" on a plan: each gesture one step of Undo, figures that follow it, flip points on the sliders

QUIET_MS = 700
"""How long a plan stands still before its flip points are looked for: they are many plans."""
TIMES_THE_MODELS = 5
SPECS = {spec.name: spec for spec in SLIDERS}
DEMAND = SPEC_BY_NAME["demand"]


class WhatIfFlow(QObject):
    """Told the session and the strip.

    While a slider moves, the newest value waits until the advice of the one before it is there: so the whole window
    follows as fast as it can, and is never left behind.
    """

    refused = Signal(str)  # why a typed value cannot be; "" once one can

    def __init__(self, session: Session, strip: WhatIfStrip) -> None:
        super().__init__(session.window)
        self.session, self.strip = session, strip
        self._wanted: tuple[str, int] | None = None
        self._mix: tuple[object, ModelMix] | None = None
        self.flipping = Flipping(self)
        self.flipping.answered.connect(self.show_flips)
        self._quiet = soon(self, self._look_for_flips, QUIET_MS)
        strip.moved.connect(self._move)
        strip.let_go.connect(self._let_go)
        strip.typed.connect(self._type)
        strip.reset_asked.connect(self._reset)
        strip.plan_from_asked.connect(lambda: choose_plan_from(session))
        session.evaluator.evaluated.connect(self._follow)

    def turn(self, is_visible: bool) -> None:
        """Show the strip, or put it away."""
        if is_visible and self.session.evaluation is not None:
            self._follow(self.session.evaluation)
        if not is_visible:
            self._quiet.stop()
            self.session.evaluator.hold_outlook(is_held=False)
            self.flipping.cancel()

    # Following the plan

    def _follow(self, evaluation: Evaluation) -> None:
        """Shows the sliders of a new evaluation, or sets the position that waited for it."""
        if evaluation.scenario == TODAY or not self.strip.isVisible():
            return
        if self._wanted is not None and evaluation.advice is not None:
            wanted, self._wanted = self._wanted, None
            QTimer.singleShot(0, self, lambda: self._set(*wanted))  # once everyone has been told of this one
            return
        self.strip.show_sliders(self._sliders(evaluation))
        self.strip.show_plan_from(plan_from_words(evaluation.project))
        self._quiet.start()

    def _look_for_flips(self) -> None:
        """Has flip points looked for once nothing moves and no slider is held."""
        self.session.evaluator.hold_outlook(is_held=False)
        evaluation = self.session.evaluation
        if (
            evaluation is not None
            and evaluation.scenario != TODAY
            and evaluation.advice is not None
            and self.strip.isVisible()
            and not self.strip.held
        ):
            self.flipping.ask(evaluation)

    def show_flips(self, points: Sequence[FlipPoint]) -> None:
        """Marks on each slider where the advice becomes another, with what changes there."""
        marks: dict[str, list[FlipMark]] = {}
        for point in points:
            spec = SPECS.get(point.assumption)
            at = None if spec is None else point.at / spec.size
            if spec is not None and at is not None and spec.low <= at <= spec.high:
                marks.setdefault(spec.name, []).append(FlipMark(at, tr(joined((flip_sentence(point), ".")))))
        self.strip.show_flips(marks)

    # What the sliders show

    def mix(self) -> ModelMix | None:
        """Training, inference and models of the plan that is shown; None before its figures are known, and of Today."""
        evaluation = self.session.evaluation
        return None if evaluation is None or evaluation.scenario == TODAY else self._mix_of(evaluation)

    def _mix_of(self, evaluation: Evaluation) -> ModelMix:
        """Training, inference and models of a plan; kept while the workloads and their pools are the same."""
        pools = evaluation.figures.workload_pools
        workloads = evaluation.in_parts.project.workloads
        known = (workloads, pools)
        if self._mix is None or self._mix[0] != known:
            self._mix = (known, model_mix(workloads, pools))
        return self._mix[1]

    def _sliders(self, evaluation: Evaluation) -> dict[str, SliderState]:
        """The state of every slider in a plan, beside the project's own defaults."""
        project = evaluation.project
        plan = project.scenario(evaluation.scenario)
        now, shared = project.assumptions_in(plan), project.assumptions
        mix = self._mix_of(evaluation)
        return {
            spec.name: self._models(now, shared, mix)
            if spec.name == MODELS
            else self._share(spec, now, shared, mix)
            if spec.name == SHARE
            else _rate(spec, now, shared)
            for spec in SLIDERS
        }

    def _models(self, now: Assumptions, shared: Assumptions, mix: ModelMix) -> SliderState:
        """The slider of how many models are trained: demand as a multiple of today's."""
        step, default = mix.models_at(now.demand), mix.models_at(shared.demand)
        _, high = _ends(1, mix.models * TIMES_THE_MODELS, step, 1, math.floor(mix.models * DEMAND.high))
        is_set, words = now.demand != shared.demand, models_words(mix, step)
        note = tr("Not in the log: starts at 2; the ratio matters")
        return SliderState(
            step=step,
            low=1,
            high=high,
            default=default,
            words=words,
            is_set=is_set,
            note="" if mix.is_counted else note,
        )

    def _share(self, spec: SliderSpec, now: Assumptions, shared: Assumptions, mix: ModelMix) -> SliderState:
        """The slider of inference's share; off where a plan has only one of the two."""
        share, default = mix.share(now), mix.share(shared)
        if share is None or default is None or not mix.can_shift:
            why = tr("The plan has only training or only inference.")
            return SliderState(
                step=spec.low,
                low=spec.low,
                high=spec.high,
                default=spec.low,
                words=numbers.UNKNOWN,
                is_set=False,
                why_not=why,
            )
        is_set = any(getattr(now, name) != getattr(shared, name) for name in MIX)
        step, at_default, words = round(100 * share), round(100 * default), numbers.whole_percent(share)
        return SliderState(
            step=step, low=spec.low, high=spec.high, default=at_default, words=words, is_set=is_set
        )

    # What the hand does

    def _move(self, name: str, step: int) -> None:
        """Shows the words at once, and sets the position when the one before it is worked out."""
        if (evaluation := self.session.evaluation) is None or evaluation.scenario == TODAY:
            return
        mix = self._mix_of(evaluation)
        words = (
            models_words(mix, step)
            if name == MODELS
            else numbers.whole_percent(step / 100)
            if name == SHARE
            else rate_words(step * SPECS[name].size)
        )
        self.strip.show_words(name, words)
        self.session.evaluator.hold_outlook(is_held=True)
        self._quiet.stop()
        self.flipping.cancel()
        if evaluation.advice is None:
            self._wanted = (name, step)  # the one before it is still being worked out
        else:
            self._set(name, step)

    def _let_go(self, name: str) -> None:
        """Ends the gesture, so that it is one step of Undo, and lets outlook and flip points be worked out."""
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            self._set(*wanted)
        self.session.gestures.end_gesture()
        self.session.evaluator.hold_outlook(is_held=False)
        if self.session.evaluation is not None:
            self._follow(self.session.evaluation)

    def _set(self, name: str, step: int) -> None:
        """Sets the assumption behind a slider within the gesture at hand."""
        gestures, gesture = self.session.gestures, f"what if {name}"
        if (evaluation := self.session.evaluation) is None or evaluation.scenario == TODAY:
            return
        if name == SHARE:
            factors = self._mix_of(evaluation).factors(step / 100)
            self._edit(worded("Change inference share to {step}%", step=whole(step)), factors, gesture)
        elif name == MODELS:
            mix = self._mix_of(evaluation)
            models = whole(mix.models)
            label = worded("Change models from {models} to {step}", models=models, step=whole(step))
            self._edit(label, {"demand": mix.times_for(step)}, gesture)
        else:
            gestures.set_assumption(name, round(step * SPECS[name].size, 6), gesture=gesture)

    def _type(self, name: str, text: str) -> None:
        """Sets what was typed beside a slider, also beyond its scale; says why it cannot be where it cannot."""
        if (evaluation := self.session.evaluation) is None or evaluation.scenario == TODAY:
            return
        try:
            if name in (SHARE, MODELS):
                self._set(name, self._typed_step(name, text, evaluation))
            else:
                value = typed_value(SPEC_BY_NAME[name], _in_percent(text))
                self.session.gestures.set_assumption(name, value)
        except PlannerError as fault:
            self.refused.emit(refusal_words(fault))
            return
        self.refused.emit("")
        self.session.gestures.end_gesture()

    def _typed_step(self, name: str, text: str, evaluation: Evaluation) -> int:
        """Models, or percent of inference, as they were typed. Errors: PlannerError."""
        mix, title = self._mix_of(evaluation), SPECS[name].title
        low, high = (1, 99) if name == SHARE else (1, math.floor(mix.models * DEMAND.high))
        last = text.replace("\u2192", " ").split()[-1:]
        typed = numbers.plain_number(last[0].removesuffix("%")) if last else ""
        remedy = worded("enter a whole number from {low} to {high}", low=whole(low), high=whole(high))
        if not typed.isdecimal() or not low <= int(typed) <= high:
            fault = worded("{value} is not a whole number", value=text)
            if typed.isdecimal():
                fault = worded("{value} is out of range", value=text)
            raise PlannerError(title, "usage", fault, remedy)
        return int(typed)

    def _reset(self, name: str) -> None:
        """Takes a slider back to the project's default."""
        shared: Assumptions = self.session.document.project.assumptions
        names = MIX if name == SHARE else ("demand",) if name == MODELS else (name,)
        values = {each: getattr(shared, SPEC_BY_NAME[each].field) for each in names}
        label = worded("Reset {slider}", slider=lowered(SPECS[name].title))
        self._edit(label, values, "")
        self.strip.cells[name].slider.setFocus()

    def _edit(self, label: Message, values: Mapping[str, float | None], gesture: str) -> None:
        """Sets several assumptions of the plan as one edit."""
        scenario = self.session.scenario

        def edit(project: Project) -> Project:
            """The project with all of the values in this plan."""
            for each, value in values.items():
                project = plans.set_assumption(project, scenario, each, value)
            return project

        self.session.gestures.edit(label, edit, gesture=gesture)


def _ends(low: int, high: int, own: int, least: int, most: int) -> tuple[int, int]:
    """The ends of a scale: where a value stands at one, or beyond it, there is half a scale more, as far as it may go.

    >>> _ends(-10, 20, 20, -100, 100), _ends(0, 80, 5, 0, 500), _ends(0, 40, 400, 0, 400)
    ((-10, 35), (0, 80), (0, 400))
    """
    more = max(1, (high - low) // 2)
    return (
        low if own > low else max(least, own - more),
        high if own < high else min(most, max(own, own + more)),
    )


def _in_percent(text: str) -> str:
    """A number without a sign of its own is percent, as it is shown: 5 is 5%, 0.4 is 0.4%."""
    bare = text.strip()
    return f"{bare}%" if bare and not bare.endswith("%") else bare


def _rate(spec: SliderSpec, now: Assumptions, shared: Assumptions) -> SliderState:
    """The slider of a rate; its ends give way to a value beyond them."""
    limits = SPEC_BY_NAME[spec.name]
    set_now, set_before = getattr(now, limits.field), getattr(shared, limits.field)
    value = float(now.growth if set_now is None else set_now)
    own = round(value / spec.size)
    default = round(float(shared.growth if set_before is None else set_before) / spec.size)
    low, high = min(spec.low, default), max(spec.high, default)
    low, high = _ends(low, high, own, math.ceil(limits.low / spec.size), math.floor(limits.high / spec.size))
    return SliderState(
        step=own, low=low, high=high, default=default, words=rate_words(value), is_set=set_now != set_before
    )


# --- The year under one handle: a slider over the twelve months of a plan, which the whole window follows


LAST_MONTH: Final = 11
HEIGHT, SLIDER_PX, MONTH_PX = 30, 260, 232
TIP: Final = long_text("year_slider")

# --- The bar: the slider, which month it stands at, and what happens in it


class YearBar(QWidget):
    """Told what happens in a month; its slider says which one is asked for."""

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("The year"))
        ground(self, "headline")
        self.setFixedHeight(text_px(HEIGHT))
        self.slider = named(QSlider(Qt.Orientation.Horizontal), tr("Month of the plan"), TIP)
        self.slider.setMaximum(LAST_MONTH)
        self.slider.setObjectName("year")
        self.slider.setFixedWidth(text_px(SLIDER_PX))
        self.month, self.happens = label(step="small_strong"), ElidedLabel(role="muted", step="small")
        self.month.setFixedWidth(text_px(MONTH_PX))
        row(self.slider, self.month, share(self.happens), on=self, margins=(15, 0, 12, 1), spacing=12)

    def show_month(self, month: int, start_s: int, happens: str) -> None:
        """Stand at a month that starts then (epoch seconds), and say what happens in it."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(month)
        days = numbers.span(start_s, start_s + (1 if month else COMPARED_MONTHS) * MONTH_S)
        title = capital(plan_month(month)) if month else tr("12 months")
        self.month.setText(tr("{title}: {value}", title=title, value=days))
        self.happens.setText(happens)
        self.slider.setAccessibleDescription(f"{self.month.text()}. {happens}")


def happens_words(found: Happening) -> str:
    """What happens in a month, in one line."""
    return numbers.MIDDOT.join(map(spoken, happens_sentences(found)))


# --- The flow: a month is asked for, worked out beside the window, and shown until the plan is another one


class YearFlow(QObject):
    """show: draws the state that the session has. The month that was asked for last is the one that is answered."""

    def __init__(self, session: Session, bar: YearBar, show: Callable[[ViewState], None]) -> None:
        super().__init__(session.window)
        self.session, self._bar, self._show = session, bar, show
        self._lane = Background(session.gestures.failed.emit, parent=self)
        self._cache = AdviceCache()  # of that advice too: two of them for good would be felt in memory
        self._of: Advice | None = None
        self._months: dict[int, Advice] = {}  # of that advice
        bar.slider.valueChanged.connect(self.show_month)

    def follow(self, shown: ViewState) -> ViewState:
        """What is to be shown of a new state: the month of the slider, or its first where the plan is another."""
        month = self._bar.slider.value() if shown.advice is self._of else 0
        if shown.advice is not self._of:
            self._lane.cancel()
            self._of, self._months, self._cache = shown.advice, {}, AdviceCache()
            self._say(shown, month)
        return _in_month(shown, self._months.get(month), month)

    def show_month(self, month: int) -> None:
        """Show another month: what happens in it at once, the rest as soon as it is worked out."""
        state = self.session.view_state
        if state is None or state.is_today or state.at_start.evaluation.advice is None:
            return
        first, advice = state.at_start.evaluation, state.at_start.evaluation.advice
        self._say(state.at_start, month)
        self._lane.cancel()
        if month in {0, *self._months}:
            self._put(month, self._months.get(month, advice))
            return
        self._draw(_in_month(state.at_start, None, month))
        work = partial(advise_month, first.project, first.figures, advice, month, self._cache)
        self._lane.run(work, partial(self._put, month))

    def _put(self, month: int, advice: Advice) -> None:
        """Shows a month that is known."""
        self._months[month] = advice
        if (state := self.session.view_state) is not None:
            self._draw(_in_month(state.at_start, advice, month))

    def _draw(self, shown: ViewState) -> None:
        """Shows a state from now on."""
        self.session.view_state = shown
        self._show(shown)

    def _say(self, shown: ViewState, month: int) -> None:
        """The bar says which month it is, and what happens in it."""
        if shown.advice is not None and shown.advice.comparison:
            start_s, contracts = shown.advice.comparison[month].start_s, shown.evaluation.project.contracts
            end_s = start_s + (1 if month else COMPARED_MONTHS) * MONTH_S
            happenings = happening(shown.advice.orders, contracts, start_s, end_s)
            self._bar.show_month(month, start_s, happens_words(happenings))


def _in_month(first: ViewState, advice: Advice | None, month: int) -> ViewState:
    """A state of another month of its plan; advice None: it is worked out, and what is of the first month settles."""
    if not month:
        return first
    if advice is None:
        return replace(first, is_settling=True, first=first)
    evaluation = replace(first.evaluation, advice=advice)
    cards, usd = of_their_time(evaluation.figures.cards, advice.cards), advice.workload_usd
    return replace(
        first, evaluation=evaluation, advice=advice, cards=cards, usd=usd, month=month, first=first
    )

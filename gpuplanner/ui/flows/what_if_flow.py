"""The strip 'What if' on a plan: each gesture is one step of Undo, and figures follow it."""

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from gpuplanner.app.plans.flipping import Flipping
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_sentence
from gpuplanner.domain.demand.model_names import ModelMix, model_mix
from gpuplanner.domain.edits import plans
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, lowered, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.flows.all_plans_flow import choose_plan_from
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.what_if import FlipMark, SliderState, WhatIfStrip
from gpuplanner.ui.kit.page_parts import soon
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import plan_from_words
from gpuplanner.ui.words.sliders import MIX, MODELS, SHARE, SLIDERS, SliderSpec, models_words, rate_words
from gpuplanner.ui.words.typed_assumptions import typed_value
from gpuplanner.ui.words.window_words import refusal_words

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
        states: dict[str, SliderState] = {}
        for spec in SLIDERS:
            if spec.name == MODELS:
                states[spec.name] = self._models(now, shared, mix)
            elif spec.name == SHARE:
                states[spec.name] = self._share(spec, now, shared, mix)
            else:
                states[spec.name] = _rate(spec, now, shared)
        return states

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
        if name == MODELS:
            words = models_words(mix, step)
        elif name == SHARE:
            words = numbers.whole_percent(step / 100)
        else:
            words = rate_words(step * SPECS[name].size)
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
        names: tuple[str, ...]
        if name == SHARE:
            names = MIX
        elif name == MODELS:
            names = ("demand",)
        else:
            names = (name,)
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

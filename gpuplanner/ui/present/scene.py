"""What a scene is made from, and what it is made of."""

from dataclasses import dataclass

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.present.hidden_names import HiddenNames
from gpuplanner.ui.present.large_type import large
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import plan_keys, with_keys
from gpuplanner.ui.words.dated_words import dated_counts
from gpuplanner.ui.words.translation import speak, spoken, tr


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What scenes are made from. now_s: the time (epoch s); row: which row of the plan a scene of one row shows."""

    view_state: ViewState
    palette: Palette
    names: HiddenNames
    now_s: int
    row: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """One scene. said: what its body shows, for who does not see it; foot: what stands behind its figures."""

    title: str
    body: QWidget
    said: str
    foot: str

    def __post_init__(self) -> None:
        speak(self, "title", "foot")


def missing(title: str, what: str, remedy: str, foot: str = "") -> Content:
    """A scene that cannot be shown: what is missing, and what would fill it."""
    body = QWidget()
    body.setObjectName("page")
    layout = QVBoxLayout(body)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for text, step, role in ((what, "title", ""), (remedy, "body", "muted")):
        layout.addWidget(label(spoken(text), step, role))
    layout.addStretch(1)
    return Content(title, body, f"{what} {remedy}", foot)


def label(text: str, step: str, role: str = "") -> QLabel:
    """Words of a scene; they break where they do not fit."""
    made = PlainLabel(spoken(text))
    made.setFont(large(step))
    made.setWordWrap(True)
    if role:
        made.setProperty("role", role)
    return made


def name_of_plan(shown: ViewState) -> str:
    """What the plan is called."""
    name = shown.evaluation.scenario
    return tr(TODAY) if name == TODAY else name


def plan_first(shown: ViewState, what_for: str) -> str:
    """What to do about a scene of a plan while Today is shown."""
    verb = (
        tr("Show a plan ({shortcut})", shortcut=plan_keys(2))
        if shown.evaluation.project.scenarios
        else with_keys(tr("Add a plan"), "new_plan")
    )
    return f"{verb} {what_for}"


def of_the_window(shown: ViewState) -> str:
    """Where the figures of the past come from."""
    window = shown.evaluation.project.window
    return tr(
        "From the job log of {start_s}, UTC. Amounts are per month.",
        start_s=numbers.span(window.start_s, window.end_s),
    )


def of_the_plan(shown: ViewState) -> str:
    """What the plan assumes, in one line."""
    project = shown.evaluation.project
    plan = project.scenario(shown.evaluation.scenario)
    values = project.assumptions_in(plan)
    days = numbers.counted(round(project.window.hours / 24), "day")
    parts = (
        [tr("{days} of log to {end_s}", days=days, end_s=numbers.date(project.window.end_s - 1))]
        if project.workloads
        else []
    )
    dates = [offer.as_of for offer in project.offers if offer.as_of]
    if dates:
        parts.append(tr("prices of {dates}", dates=_iso_date(max(dates))))
    parts.append(tr("churn {value} per month", value=_percent(values.lambda_)))
    parts.append(
        tr("growth {growth} per month", growth=_percent(values.growth)) if values.growth else tr("no growth")
    )
    parts += dated_counts(project, plan)
    return tr("Assumes {parts}.", parts=", ".join(parts))


def _percent(share: float) -> str:
    """A share in percent, with a decimal only where it has one."""
    decimals = 0 if abs(100 * share - round(100 * share)) < 1e-9 else 1
    return numbers.percent(share, decimals)


def _iso_date(text: str) -> str:
    """An ISO date as people write it; any other text as it is."""
    from datetime import UTC, datetime

    try:
        return numbers.date(int(datetime.fromisoformat(text[:10]).replace(tzinfo=UTC).timestamp()))
    except ValueError:  # whoever wrote the price list wrote something else
        return text

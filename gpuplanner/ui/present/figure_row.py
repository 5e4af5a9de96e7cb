"""A row of figures under a rule: a name, and below it now and plan."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.ui.present.large_type import large, roomy
from gpuplanner.ui.words.translation import speak, spoken, tr


@dataclass(frozen=True, slots=True)
class BigFigure:
    """One figure. now: left of the arrow, empty where there is none; note: a line below."""

    name: str
    value: str
    now: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        speak(self, "note")


def figure_row(figures: Sequence[BigFigure]) -> QWidget:
    """The figures side by side, each with its share of the width."""
    body = QWidget()
    body.setObjectName("page")
    layout = QVBoxLayout(body)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(roomy(14))
    rule = QFrame()
    rule.setObjectName("rule")
    layout.addWidget(rule)
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(2)
    for at, figure in enumerate(figures):
        grid.setColumnStretch(at, 1)
        value = f"{figure.now} \u2192 {figure.value}" if figure.now else figure.value
        lines = ((figure.name, "small", "muted"), (value, "title", ""), (figure.note, "small", "muted"))
        for row, (text, step, role) in enumerate(lines):
            made = PlainLabel(spoken(text))
            made.setFont(large(step))
            if role:
                made.setProperty("role", role)
            grid.addWidget(made, row, at)
    layout.addLayout(grid)
    body.setAccessibleName(figures_in_words(figures))
    return body


def figures_in_words(figures: Sequence[BigFigure]) -> str:
    """The figures as a sentence each."""
    return " ".join(
        tr(
            "{name}: {value}{note}.",
            name=figure.name,
            value=tr("{now} now, {value} with the plan", now=figure.now, value=figure.value)
            if figure.now
            else figure.value,
            note=", " + figure.note if figure.note else "",
        )
        for figure in figures
    )

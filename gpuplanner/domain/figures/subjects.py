"""All that has figures, for who goes through every one of them: tests, the glossary, the reference of formulas."""

from typing import Final

from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import WINDOW

SUBJECTS: Final[tuple[Subject, ...]] = (CONTRACT, CLUSTER, WINDOW, LAYER, TERM)


def formulas() -> tuple[tuple[Subject, Figure], ...]:
    """Every figure that has a formula, with its subject."""
    return tuple((subject, one) for subject in SUBJECTS for one in subject.figures if one.formula is not None)

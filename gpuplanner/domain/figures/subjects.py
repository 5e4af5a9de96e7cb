"""All that has figures, for who goes through every one of them: tests, the glossary, the reference of formulas."""

from types import ModuleType
from typing import Final

from gpuplanner.domain.figures import (
    award,
    card,
    cash,
    changes,
    chargeback,
    clusters,
    energy,
    layer,
    leak,
    mix,
    order,
    plan,
    serving,
    training,
    unit_costs,
    use,
    waiting,
    window,
)
from gpuplanner.domain.figures.figure import Figure, Subject

_WITHOUT_FORMULA: Final = (mix.WEEK, training.TRAINING, training.ELSEWHERE)


def _of(*modules: ModuleType) -> list[Subject]:
    """The subjects that modules name, in their order."""
    return [of for module in modules for of in vars(module).values() if isinstance(of, Subject)]


SUBJECTS: Final[tuple[Subject, ...]] = tuple(
    of
    for of in dict.fromkeys(
        (
            *_of(use, clusters, layer, card, changes),
            window.USE,
            *_of(unit_costs, chargeback, window, leak, mix, plan, order, energy),
            *_of(award, serving, cash, waiting, training),
        )
    )
    if of not in _WITHOUT_FORMULA
)
"""Each once. Where several have a figure, the reference of formulas shows it for the first of them."""


def formulas() -> tuple[tuple[Subject, Figure], ...]:
    """Every figure that has a formula, with its subject.

    In the order of SUBJECTS and of the figures in each.
    """
    return tuple((subject, row) for subject in SUBJECTS for row in subject.figures if row.formula is not None)

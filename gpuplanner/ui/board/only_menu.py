"""Who alone may serve workloads: the menu of providers and regions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QMenu

from gpuplanner.charts.kit.plain_text import on_button, set_tip
from gpuplanner.domain.edits import providers_and_regions
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.translation import tr


@dataclass(frozen=True, slots=True)
class OnlyChoices:
    """What offers and contracts name; now: who may serve the selected workloads, None where they differ."""

    providers: Sequence[str] = ()
    regions: Sequence[str] = ()
    now: Only | None = ANYBODY


NO_CHOICES = OnlyChoices()


def only_choices(shown: ViewState, keys: Sequence[str]) -> OnlyChoices:
    """The choices for some workloads of the plan that is shown."""
    plan = shown.evaluation.figures.basis.plan
    now = {plan.only.get(key, ANYBODY) for key in keys}
    return OnlyChoices(*providers_and_regions(shown.evaluation.project), now.pop() if len(now) == 1 else None)


def add_only_menu(menu: QMenu, choices: OnlyChoices, limit: Callable[[Only], None]) -> None:
    """Anybody, a provider, a region; none where offers and contracts name neither and nothing is limited."""
    only = menu.addMenu(tr("Only from"))
    only.setToolTipsVisible(True)

    def add(title: str, value: Only, tip: str) -> None:
        """Adds a choice, checked if it holds now."""
        action = only.addAction(on_button(title), lambda: limit(value))
        action.setCheckable(True)
        action.setChecked(choices.now == value)
        set_tip(action, tip)

    add(tr("Anybody"), ANYBODY, tr("Every offer and contract that fits may serve it"))
    tip = tr("Offers and contracts of others do not serve it, and it is planned apart")
    for field, names in (("provider", choices.providers), ("region", choices.regions)):
        if names:
            only.addSeparator()
        for name in names:
            title = name if field == "provider" else tr("Region {name}", name=name)
            add(title, Only(**{field: name}), tip)
    only.setEnabled(bool(choices.providers or choices.regions) or choices.now != ANYBODY)

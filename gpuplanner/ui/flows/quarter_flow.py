"""This quarter: from a step to the place where its next action is done."""

from typing import Final

from gpuplanner.domain.audit.quarter import Place
from gpuplanner.ui.flows.session import Session, Ways

PANELS: Final = {Place.PLACEMENT: "placement", Place.CONTRACTS: "contracts", Place.PRICES: "prices"}


def open_place(session: Session, place: Place, ways: Ways) -> None:
    """Open the place of a next action; of a plan the board of the first one."""
    if place in PANELS:
        ways.panel(PANELS[place])
    elif place is Place.FILES:
        session.asks.import_asked.emit()
    elif place is Place.NAMES:
        session.asks.names_asked.emit()
    elif place is Place.PLAN and session.project.scenarios:
        ways.scenario(session.project.scenarios[0].name)
